/// How much of what surrounds a range decides the shapes of its letters, where the typesetter takes
/// a text and no context beside it.
package enum JoiningContext {
    /// The most bytes that are looked at on each side: a letter with many marks. What lies farther
    /// does not join.
    package static let limit = 64

    /// The range with the letters beside it that its ends join with.
    ///
    /// - Parameter bytes: well-formed UTF-8; the range's ends are ends of characters.
    /// - Complexity: O(``limit``).
    package static func extend(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        guard start < end else { return range }
        if joins(bytes, at: start) {
            while start > 0, range.lowerBound - start < limit {
                var previous = start - 1
                while previous > 0, bytes[previous] & 0xC0 == 0x80 { previous -= 1 }
                guard joins(bytes, at: previous) else { break }
                start = previous
            }
        }
        var last = end - 1
        while last > range.lowerBound, bytes[last] & 0xC0 == 0x80 { last -= 1 }
        if joins(bytes, at: last) {
            while end < bytes.count, end - range.upperBound < limit, joins(bytes, at: end) {
                end += 1
                while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            }
        }
        return start..<end
    }

    /// Whether the character at an offset may take its shape from those beside it, by the blocks of
    /// Unicode that have such letters; marks among them, and the two joiners.
    private static func joins(_ bytes: [UInt8], at offset: Int) -> Bool {
        let lead = bytes[offset]
        // The first of these blocks is Arabic, U+0600; marks of all scripts begin with U+0300.
        guard lead >= 0xCC else { return false }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let end = min(offset + length, bytes.count)
        guard
            let scalar = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
        else { return false }
        switch scalar.value {
        case 0x300...0x36F, 0x600...0x8FF, 0x1800...0x18AF, 0x200C...0x200D, 0xA840...0xA87F,
            0xFB50...0xFDFF, 0xFE70...0xFEFE, 0x10A80...0x10FFF, 0x1E900...0x1E95F:
            return true
        default: return false
        }
    }
}
