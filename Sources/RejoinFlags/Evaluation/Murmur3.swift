/// MurmurHash3 x86 32 bit with seed 0, fed piece by piece, so that a bucketing key need not be put
/// together in memory first.
///
/// The algorithm is in the public domain (Austin Appleby). Generation `v2` hashes the UTF-8 bytes
/// of the key.
struct Murmur3: Sendable {
    private var state: UInt32 = 0
    private var tail: UInt32 = 0
    /// Bytes so far.
    private(set) var count = 0

    /// Takes more bytes.
    ///
    /// - Complexity: O(length).
    mutating func append(_ text: String) {
        var text = text
        // The buffer is used within the closure only.
        text.withUTF8 { bytes in
            for byte in bytes { append(byte) }
        }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        tail |= UInt32(byte) << UInt32((count & 3) * 8)
        count += 1
        guard count & 3 == 0 else { return }
        state ^= Self.scramble(tail)
        state = (state << 13 | state >> 19) &* 5 &+ 0xE654_6B64
        tail = 0
    }

    @inline(__always)
    private static func scramble(_ block: UInt32) -> UInt32 {
        let mixed = block &* 0xCC9E_2D51
        return (mixed << 15 | mixed >> 17) &* 0x1B87_3593
    }

    /// The hash of all bytes so far.
    var hash: UInt32 {
        var hash = state
        if count & 3 != 0 { hash ^= Self.scramble(tail) }
        hash ^= UInt32(truncatingIfNeeded: count)
        hash ^= hash >> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        hash = hash &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }
}
