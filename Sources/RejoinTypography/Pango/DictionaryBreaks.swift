#if canImport(CPango)
internal import CPango

/// Words of scripts that write no spaces. Pango asks libthai, which knows Thai; for Lao, Khmer
/// and Burmese there is no dictionary, and no breaks are found.
enum DictionaryBreaks {
    /// How many bytes are looked at together: about 5,000 letters. Longer stretches are taken in
    /// pieces, so that the time stays linear whatever the dictionary does.
    static let pieceLength = 16_384

    /// - Complexity: linear in the range.
    static func find(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        var breaks: [Int] = []
        paragraph.withUnsafeBufferPointer { bytes in
            var start = range.lowerBound
            while start < range.upperBound {
                var end = min(start + pieceLength, range.upperBound)
                while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
                find(bytes, start..<end, into: &breaks)
                start = end
            }
        }
        return breaks
    }

    private static func find(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into breaks: inout [Int]
    ) {
        var count = 0
        for offset in range where bytes[offset] & 0xC0 != 0x80 { count += 1 }
        var attributes = [PangoLogAttr](repeating: PangoLogAttr(), count: count + 1)
        bytes.baseAddress?.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            pango_get_log_attrs(
                $0 + range.lowerBound, Int32(range.count), 0, pango_language_from_string("th"),
                &attributes, Int32(count + 1))
        }
        var index = 0
        for offset in range where bytes[offset] & 0xC0 != 0x80 {
            if index > 0, rejoin_pango_is_line_break(attributes, Int32(index)) != 0 {
                breaks.append(offset)
            }
            index += 1
        }
    }
}
#endif
