#if canImport(CoreText)
internal import CoreText
internal import Foundation
internal import RejoinLayout

/// The levels of UAX #9, read off the order in which CoreText shows a paragraph on one line.
enum CoreTextLevels {
    /// One level for each byte.
    static func resolve(_ paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        guard !paragraph.isEmpty else { return [] }
        let level: UInt8 = base == .leftToRight ? 0 : 1
        // The mark of a direction before it gives the paragraph that direction (rules P2 and P3),
        // and changes nothing else: it is what the paragraph begins with anyway (rule X10).
        let mark = base == .leftToRight ? "\u{200E}" : "\u{200F}"
        let text = NSAttributedString(
            string: mark + String(decoding: paragraph, as: UTF8.self))
        let line = CTLineCreateWithAttributedString(text as CFAttributedString)
        let runs = (CTLineGetGlyphRuns(line) as? [CTRun] ?? []).map { run in
            let range = CTRunGetStringRange(run)
            return VisualOrder.Run(
                range: range.location..<range.location + range.length,
                isRightToLeft: CTRunGetStatus(run).contains(.rightToLeft))
        }
        var units = [UInt8](repeating: level, count: text.length)
        for (run, level) in VisualOrder.levels(of: runs, base: level) {
            for unit in run.range.clamped(to: units.indices) { units[unit] = level }
        }
        var levels: [UInt8] = []
        levels.reserveCapacity(paragraph.count)
        var unit = 0
        for byte in paragraph {
            if byte & 0xC0 != 0x80 { unit += 1 }
            levels.append(units[unit])
            if byte >= 0xF0 { unit += 1 }
        }
        return levels
    }
}
#endif
