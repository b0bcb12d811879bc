/// One pass over a line, eight octets at a time: where it ends, where its first colon stands, and
/// whether it holds anything that must be looked at closely.
///
/// This is where the decoder spends its time. Words instead of octets make it about four times as
/// fast; the load never leaves `start..<end`.
struct LineScan {
    /// Where the line feed stands; `nil` where there is none before `end`.
    private(set) var lineFeed: Int?
    /// Where the first colon stands.
    private(set) var colon: Int?
    /// Whether the line holds a backslash, a control octet (carriage returns and NULs among them)
    /// or anything beyond ASCII.
    private(set) var isSuspect = false

    @inline(__always)
    init(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) {
        let raw = UnsafeRawPointer(base)
        var index = start
        while index + 8 <= end {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            var controls = OctetMask.controls(in: word)
            var suspects =
                OctetMask.matches(of: Octet.backslash, in: word) | OctetMask.beyondASCII(word)
            var colons = OctetMask.matches(of: Octet.colon, in: word)
            if controls != 0 {
                while controls != 0 {
                    let place = index + controls.trailingZeroBitCount >> 3
                    if base[place] == Octet.lineFeed {
                        lineFeed = place
                        // Only what stands before the line feed belongs to the line.
                        let before = (controls & (0 &- controls)) &- 1
                        suspects &= before
                        colons &= before
                        break
                    }
                    isSuspect = true
                    controls &= controls &- 1
                }
            }
            if suspects != 0 { isSuspect = true }
            if colon == nil, colons != 0 { colon = index + colons.trailingZeroBitCount >> 3 }
            if lineFeed != nil { return }
            index += 8
        }
        while index < end {
            let octet = base[index]
            switch octet {
            case Octet.lineFeed:
                lineFeed = index
                return
            case Octet.colon:
                if colon == nil { colon = index }
            case Octet.backslash, 0..<0x10, 0x80...:
                isSuspect = true
            default:
                break
            }
            index += 1
        }
    }
}

/// Tests on eight octets in a word; the answer has the top bit of each octet that passes.
/// (Warren, "Hacker's Delight", section 6-1.)
enum OctetMask {
    private static let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    private static let top: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The octets that equal `octet`.
    @inline(__always)
    static func matches(of octet: UInt8, in word: UInt64) -> UInt64 {
        let difference = word ^ (ones &* UInt64(octet))
        return ~(((difference & low) &+ low) | difference | low)
    }

    /// The octets below 0x10.
    @inline(__always)
    static func controls(in word: UInt64) -> UInt64 {
        ~(((word & low) &+ 0x7070_7070_7070_7070) | word | low)
    }

    /// The octets from 0x80 on.
    @inline(__always)
    static func beyondASCII(_ word: UInt64) -> UInt64 { word & top }

    /// How many colons, backslashes and controls there are: an upper bound of what may need an
    /// escape. O(octets).
    static func countMarks(in octets: UnsafeRawBufferPointer) -> Int {
        var (index, count) = (0, 0)
        while index + 8 <= octets.count {
            let word = octets.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let marks =
                controls(in: word) | matches(of: Octet.colon, in: word)
                | matches(of: Octet.backslash, in: word)
            count += marks.nonzeroBitCount
            index += 8
        }
        while index < octets.count {
            switch octets[index] {
            case Octet.colon, Octet.backslash, 0..<0x10: count += 1
            default: break
            }
            index += 1
        }
        return count
    }
}
