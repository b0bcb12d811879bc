/// Whether `bytes` are valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond
/// U+10FFFF).
///
/// - Complexity: O(n), eight bytes at a step while they are ASCII.
func isValidUTF8(_ bytes: ContiguousArray<UInt8>) -> Bool {
    // Unsafe access lets runs of ASCII be read as words; every load is bounds-checked by hand
    // against the count, and UTF-8 checks of whole messages sit on the receiving path.
    bytes.withUnsafeBytes { buffer in
        var index = 0
        let count = buffer.count
        while index < count {
            while index + 8 <= count,
                buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            guard index < count else { break }
            let length = validSequenceLength(buffer, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }
}

/// The length of the valid sequence that starts at `index`, or 0 (table 3-7 of the Unicode
/// Standard).
private func validSequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    func continues(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
        index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    switch bytes[index] {
    case 0x00...0x7F:
        return 1
    case 0xC2...0xDF:
        return continues(1) ? 2 : 0
    case 0xE0:
        return continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
    case 0xED:
        return continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF:
        return continues(1) && continues(2) ? 3 : 0
    case 0xF0:
        return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3:
        return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xF4:
        return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
    default:
        return 0
    }
}
