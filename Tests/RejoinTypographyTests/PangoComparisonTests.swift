#if canImport(CPango)
import Foundation
import RejoinContracts
import RejoinLayout
import RejoinTypography
import Testing

/// "Pango, measuring each of our lines alone, finds our width within one device pixel, and the next
/// segment would not have fitted." The corpus is small; `REJOIN_FULL_CORPUS=1` makes it large and
/// prints how line counts differ from `PangoLayout`'s.
@Suite("Our lines, measured by Pango")
struct PangoComparisonTests {
    private static let isFull = ProcessInfo.processInfo.environment["REJOIN_FULL_CORPUS"] != nil
    private static let widths: [Int32] = (0..<21).map { 120 + 10 * $0 }

    @Test("At 21 widths", arguments: Corpus.allCases)
    func lines(_ corpus: Corpus) throws {
        let families = PinnedFonts.standard
            .families(for: .text, language: corpus.language).joined(separator: ",")
        let shaper = try PangoShaper()
        let font = FontRequest(size: Advance(pixels: 16))
        let style = TextStyle(
            font: font, metrics: shaper.metrics(of: font), language: corpus.language,
            hangul: .syllable, direction: corpus.isRightToLeft ? .rightToLeft : .leftToRight)
        let preparer = TextPreparer(shaper: shaper)
        let left = try OraclePango(
            families: families, size: 16, language: corpus.language, isRightToLeft: false)
        let right = try OraclePango(
            families: families, size: 16, language: corpus.language, isRightToLeft: true)
        var differences = Differences()
        for text in corpus.texts(Self.isFull ? 500 : 12, words: 6...24) {
            let bytes = [UInt8](text.utf8)
            let ends = TextBreaks(of: text).allowed
            let prepared = preparer.prepare(text, style: style)
            for width in Self.widths {
                let layout = prepared.layout(width: width, shaper: shaper)
                for (index, line) in layout.lines.enumerated() {
                    let pango = line.direction == .rightToLeft ? right : left
                    let content = trimmed(bytes[line.range])
                    let theirs = pango.width(of: content)
                    let difference = abs(theirs - line.width.pixels)
                    differences.lines += 1
                    if difference > 1, corpus == .mixed, difference < 4 {
                        differences.spaces += 1
                    } else if difference > 1 {
                        let text = String(decoding: content, as: UTF8.self)
                        let ours = line.width.pixels
                        Issue.record("\(text): \(ours), by Pango \(theirs)")
                    }
                    guard index + 1 < layout.lines.count else { continue }
                    // With what stands up to the next place for a break, it is too wide.
                    let segment = ends.first { $0 > line.range.upperBound } ?? bytes.count
                    let longer = trimmed(bytes[line.range.lowerBound..<segment])
                    #expect(
                        pango.width(of: longer) > Double(width) - (corpus == .mixed ? 4 : 1),
                        "\(String(decoding: longer, as: UTF8.self)) fits into \(width)")
                }
                let count = (corpus.isRightToLeft ? right : left).lineCount(of: bytes, width: width)
                differences.note(ours: layout.lines.count, theirs: count)
            }
        }
        if Self.isFull { print("\(corpus.rawValue): \(differences)") }
        // Nearly all lines end at the same places; what differs is told by a full run.
        #expect(differences.share < 0.25)
        #expect(differences.spaceShare < 0.06)
    }

    /// How often line counts differ.
    private struct Differences: CustomStringConvertible {
        var all = 0
        var fewer = 0
        var more = 0
        var lines = 0
        /// Lines of mixed text in which a space has another font than in Pango's line. Ours hangs
        /// on the two characters beside it, so that words may be cached; Pango's hangs on the run,
        /// which shows where East Asian punctuation stands among Latin words, and beside emoji
        /// among several scripts.
        var spaces = 0
        var spaceShare: Double { Double(spaces) / Double(max(1, lines)) }
        var share: Double { Double(fewer + more) / Double(max(1, all)) }

        mutating func note(ours: Int, theirs: Int) {
            all += 1
            if ours < theirs { fewer += 1 }
            if ours > theirs { more += 1 }
        }

        var description: String {
            "\(all) texts wrapped, \(fewer) with fewer lines than PangoLayout, \(more) with more; \(spaces) of \(lines) lines with a space in another font"
        }
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}
#endif
