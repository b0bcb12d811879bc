/// The escapes of header names and values (STOMP 1.2, "Value Encoding"; 1.1 has none for CR, 1.0
/// none at all).
struct Escapes {
    private let version: StompVersion

    init(_ version: StompVersion) {
        self.version = version
    }

    /// The octet for which a backslash and `letter` stand; `nil` where that is undefined.
    @inline(__always)
    func octet(for letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "n"): Octet.lineFeed
        case UInt8(ascii: "c"): Octet.colon
        case Octet.backslash: Octet.backslash
        case UInt8(ascii: "r") where version == .v12: Octet.carriageReturn
        default: nil
        }
    }

    /// The letter that stands for an octet behind a backslash; `nil` where it needs none.
    @inline(__always)
    static func letter(for octet: UInt8) -> UInt8? {
        switch octet {
        case Octet.lineFeed: UInt8(ascii: "n")
        case Octet.colon: UInt8(ascii: "c")
        case Octet.backslash: Octet.backslash
        case Octet.carriageReturn: UInt8(ascii: "r")
        default: nil
        }
    }

    /// Where the first undefined escape begins. O(range).
    func firstUndefined(in base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int? {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard var index = Octet.first(Octet.backslash, in: base, from: start, to: end) else {
            return nil
        }
        while index < end {
            if base[index] == Octet.backslash {
                guard index &+ 1 < end, octet(for: base[index &+ 1]) != nil else { return index }
                index &+= 1
            }
            index &+= 1
        }
        return nil
    }

    /// Copies octets with their escapes taken back, in one pass from left to right; returns how
    /// many were written. An undefined escape is copied as it stands: callers have checked before.
    func remove(
        from source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var (read, written) = (0, 0)
        while read < count {
            if source[read] == Octet.backslash, read &+ 1 < count,
                let octet = octet(for: source[read &+ 1])
            {
                target[written] = octet
                read &+= 2
            } else {
                target[written] = source[read]
                read &+= 1
            }
            written &+= 1
        }
        return written
    }
}
