/// Remembers how far a space moves the pen between two characters, so that the shaper is asked once
/// for the pairs that a chat is full of.
///
/// A table of fixed size in which each pair has two places that it shares with others: the pair
/// that came earlier is forgotten, and asked for again.
struct GapTable {
    /// What the advance of a space hangs on, where the character before it tells its script.
    struct Key {
        /// The style's number in the cache (8 bits), and the characters before and after (21 bits
        /// each, or ``none``).
        fileprivate let rawValue: UInt64

        /// Stands where there is no character: one past the last, because U+0000 is one.
        static let none: UInt32 = 0x11_0000

        @inline(__always)
        init(after previous: UInt32, before next: UInt32, style: Int) {
            rawValue = UInt64(previous) << 29 | UInt64(next) << 8 | UInt64(style)
        }
    }

    private static let count = 2048
    /// Spaces of 256 pixels and more do not fit into an entry, and are asked for each time.
    private static let advanceBits: UInt64 = 14
    /// No character has its number.
    private static let free = UInt64.max

    /// The key above the advance; empty until the first space.
    private var entries: [UInt64] = []

    /// The bytes that it takes once it holds anything.
    static let fullByteCount = count * MemoryLayout<UInt64>.stride
    /// The bytes that it takes.
    var byteCount: Int { entries.isEmpty ? 0 : Self.fullByteCount }

    /// The advance that was kept for a key.
    @inline(__always)
    subscript(key: Key) -> Int32? {
        guard !entries.isEmpty else { return nil }
        let place = Self.place(key)
        var entry = entries[place]
        if entry >> Self.advanceBits != key.rawValue { entry = entries[place + 1] }
        guard entry >> Self.advanceBits == key.rawValue else { return nil }
        return Int32(truncatingIfNeeded: entry & ((1 << Self.advanceBits) - 1))
    }

    /// Keeps an advance.
    mutating func insert(_ advance: Int32, for key: Key) {
        guard advance >= 0, advance < 1 << Self.advanceBits else { return }
        if entries.isEmpty { entries = Array(repeating: Self.free, count: Self.count) }
        let place = Self.place(key)
        entries[place + 1] = entries[place]
        entries[place] = key.rawValue << Self.advanceBits | UInt64(advance)
    }

    /// The first of a key's two places: Fibonacci hashing to 10 bits.
    @inline(__always)
    private static func place(_ key: Key) -> Int {
        Int(truncatingIfNeeded: (key.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 54) * 2
    }
}
