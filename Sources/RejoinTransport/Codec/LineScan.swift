/// What stands in a header line, as far as single octets tell.
struct LineScan {
    /// Where the line feed stands; -1 where the buffer ends before.
    private(set) var lineFeed = -1
    /// Where the first colon stands; -1 where there is none.
    private(set) var colon = -1
    private var flags: UInt8 = 0

    /// Whether anything in the line must be looked at closely.
    var isSuspect: Bool { flags != 0 }
    /// Whether backslashes are all that must be looked at.
    var hasOnlyBackslashes: Bool { flags == 1 }
    /// Whether the line holds a backslash.
    var hasBackslash: Bool { flags & 1 != 0 }
    /// Whether the line holds a control octet: a carriage return or a NUL among others.
    var hasControl: Bool { flags & 2 != 0 }
    /// Whether the line holds anything beyond ASCII.
    var isBeyondASCII: Bool { flags & 4 != 0 }

    /// Reads the marks of the next line.
    @inline(__always)
    init(_ marks: inout MarkScanner) {
        while true {
            let place = marks.next()
            guard place >= 0 else { return }
            switch marks.octet(at: place) {
            case Octet.lineFeed:
                lineFeed = place
                return
            case Octet.colon:
                if colon < 0 { colon = place }
            case Octet.backslash:
                flags |= 1
            case 0x80...:
                flags |= 4
            default:
                flags |= 2
            }
        }
    }
}

/// Finds the octets that may mean something in a header section: colons, backslashes, controls and
/// what is beyond ASCII.
///
/// This is where a decoder spends its time: 64 octets at a time become 64 bits, and only the bits
/// that are set are looked at (the idea of Langdale and Lemire, "Parsing Gigabytes of JSON per
/// Second"). The loads never leave the octets it is given.
struct MarkScanner {
    private let base: UnsafeRawPointer
    private let end: Int
    private var block = 0
    private var nextBlock: Int
    private var marks: UInt64 = 0

    @inline(__always)
    init(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) {
        self.base = UnsafeRawPointer(base)
        self.end = end
        nextBlock = start
    }

    @inline(__always)
    func octet(at place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

    /// The place of the next mark; -1 where there is none.
    @inline(__always)
    mutating func next() -> Int {
        while marks == 0 {
            guard nextBlock < end else { return -1 }
            block = nextBlock
            nextBlock &+= 64
            marks = nextBlock <= end ? wholeBlock() : lastBlock()
        }
        let place = block &+ marks.trailingZeroBitCount
        marks &= marks &- 1
        return place
    }

    @inline(__always)
    private func wholeBlock() -> UInt64 {
        sixteen(block) | sixteen(block &+ 16) &<< 16 | sixteen(block &+ 32) &<< 32
            | sixteen(block &+ 48) &<< 48
    }

    private func lastBlock() -> UInt64 {
        var (marks, place): (UInt64, Int) = (0, block)
        while place &+ 16 <= end {
            marks |= sixteen(place) &<< UInt64(truncatingIfNeeded: place &- block)
            place &+= 16
        }
        while place < end {
            switch octet(at: place) {
            case 0..<0x10, Octet.colon, Octet.backslash, 0x80...:
                marks |= 1 &<< UInt64(truncatingIfNeeded: place &- block)
            default: break
            }
            place &+= 1
        }
        return marks
    }

    /// The marks of sixteen octets, the first one lowest.
    @inline(__always)
    private func sixteen(_ offset: Int) -> UInt64 {
        // Whole vectors, because operators on vectors and scalars are not compiled to instructions;
        // local ones, because static ones are looked up.
        let octets = base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        // One comparison for two: below 0x10 wraps around to the top, where what is beyond ASCII
        // stays.
        let outside =
            octets &- SIMD16<UInt8>(repeating: 0x10) .>= SIMD16<UInt8>(repeating: 0x70)
        let marks =
            outside .| (octets .== SIMD16<UInt8>(repeating: Octet.colon))
            .| (octets .== SIMD16<UInt8>(repeating: Octet.backslash))
        // A mask is all ones or all zeros in each octet.
        let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        return Self.gather(words[0].littleEndian) | Self.gather(words[1].littleEndian) &<< 8
    }

    /// The lowest bit of each octet, gathered in one octet (Warren, "Hacker's Delight", section
    /// 7-3).
    @inline(__always)
    private static func gather(_ word: UInt64) -> UInt64 {
        ((word & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
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
