#if canImport(CoreText)
internal import CoreText
internal import Foundation

/// Words of scripts that write no spaces, by the system's dictionaries.
enum CoreTextBreaks {
    /// - Complexity: as the system's; it is asked once for the range.
    static func find(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        guard !range.isEmpty else { return [] }
        let text = String(decoding: paragraph[range], as: UTF8.self)
        // Where each unit of UTF-16 begins.
        var offsets: [Int] = []
        for offset in range where paragraph[offset] & 0xC0 != 0x80 {
            offsets.append(offset)
            if paragraph[offset] >= 0xF0 { offsets.append(offset) }
        }
        let tokenizer = CFStringTokenizerCreate(
            kCFAllocatorDefault, text as CFString,
            CFRange(location: 0, length: offsets.count), kCFStringTokenizerUnitLineBreak, nil)
        var breaks: [Int] = []
        while !CFStringTokenizerAdvanceToNextToken(tokenizer).isEmpty {
            let start = CFStringTokenizerGetCurrentTokenRange(tokenizer).location
            guard offsets.indices.contains(start) else { continue }
            let offset = offsets[start]
            if offset > breaks.last ?? range.lowerBound { breaks.append(offset) }
        }
        return breaks
    }
}
#endif
