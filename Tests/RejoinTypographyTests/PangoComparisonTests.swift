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
                for line in layout.lines {
                    let pango = line.direction == .rightToLeft ? right : left
                    let content = trimmed(bytes[line.range])
                    let theirs = pango.width(of: content)
                    let difference = abs(theirs - line.width.pixels)
                    differences.lines += 1
                    guard difference > 1 else { continue }
                    // Alone, the line has lost what decided on scripts and directions.
                    let range = line.range.lowerBound..<(line.range.lowerBound + content.count)
                    let inside = pango.width(of: range, in: bytes)
                    if abs(inside - line.width.pixels) <= 1 {
                        let isEmoji = differs(behindEmojiIn: range, of: bytes, by: pango)
                        differences.behindEmoji += isEmoji ? 1 : 0
                        differences.betweenDirections += isEmoji ? 0 : 1
                    } else {
                        let text = String(decoding: content, as: UTF8.self)
                        let ours = line.width.pixels
                        Issue.record("\(text): \(ours), by Pango \(theirs) and \(inside)")
                    }
                }
                for line in layout.lines.dropLast() {
                    // With what stands up to the next place for a break, it is too wide.
                    let pango = line.direction == .rightToLeft ? right : left
                    let segment = ends.first { $0 > line.range.upperBound } ?? bytes.count
                    let longer = trimmed(bytes[line.range.lowerBound..<segment])
                    let range = line.range.lowerBound..<(line.range.lowerBound + longer.count)
                    let widest = max(pango.width(of: longer), pango.width(of: range, in: bytes))
                    #expect(
                        widest > Double(width) - 1,
                        "\(String(decoding: longer, as: UTF8.self)) fits into \(width)")
                }
                let pango = prepared.direction == .rightToLeft ? right : left
                let theirs = pango.lines(of: bytes, width: width)
                guard differences.note(ours: layout.lines.count, theirs: theirs.ends.count) else {
                    continue
                }
                let reason = LineDifference.reason(
                    bytes, ours: layout.lines.map(\.range.upperBound), theirs: theirs,
                    allowed: Set(ends), limit: width
                ) { range in
                    let content =
                        range.lowerBound..<(range.lowerBound + trimmed(bytes[range]).count)
                    let ours = ourWidth(of: content, in: bytes, prepared, by: shaper)
                    return (ours, pango.width(of: content, in: bytes))
                }
                differences.reasons[reason, default: 0] += 1
            }
        }
        if Self.isFull { print("\(corpus.rawValue): \(differences)") }
        // Nearly all lines end at the same places; what differs is told by a full run.
        #expect(differences.share < 0.01)
        // A few texts hold more of them than many do.
        let most = corpus != .mixed ? 0 : Self.isFull ? 0.007 : 0.025
        #expect(differences.paragraphShare <= most)
    }

    /// How often line counts differ, and why.
    private struct Differences: CustomStringConvertible {
        var all = 0
        var fewer = 0
        var more = 0
        var lines = 0
        var reasons: [LineDifference: Int] = [:]
        /// Lines that are as wide as in Pango's paragraph, and not as Pango finds them alone: a
        /// space behind an emoji stands in the script of the text before it, which lies on the
        /// line above.
        var behindEmoji = 0
        /// The same where a space has its level by what lies on the line below (rule N1 of UAX #9).
        var betweenDirections = 0
        var paragraphShare: Double {
            Double(behindEmoji + betweenDirections) / Double(max(1, lines))
        }
        var share: Double { Double(fewer + more) / Double(max(1, all)) }

        /// - Returns: whether they differ.
        mutating func note(ours: Int, theirs: Int) -> Bool {
            all += 1
            if ours < theirs { fewer += 1 }
            if ours > theirs { more += 1 }
            return ours != theirs
        }

        var description: String {
            let reasons = LineDifference.allCases.compactMap { reason in
                self.reasons[reason].map { "\(reason.rawValue) \($0)" }
            }
            return """
                \(all) texts wrapped, \(fewer) with fewer lines than PangoLayout, \(more) with more \
                (\(reasons.joined(separator: ", "))); of \(lines) lines as wide as in the paragraph only \
                \(behindEmoji) for a space behind an emoji, \(betweenDirections) for one between \
                directions
                """
        }
    }

    /// The width that a part of a paragraph has on one line with all of it, by our shaper.
    private func ourWidth(
        of range: Range<Int>, in paragraph: [UInt8], _ prepared: PreparedText,
        by shaper: PangoShaper
    ) -> Double {
        let whole = prepared.layout(width: 1 << 20)
        let advances = whole.runs(of: whole.lines[0]).flatMap { run in
            shaper.shape(
                ShapingRequest(
                    paragraph: paragraph, range: run.range, run: run.range, font: run.font,
                    direction: run.direction, language: prepared.style.language)
            ).clusters.filter { range.contains(Int($0.start)) }.map(\.advance)
        }
        return advances.reduce(.zero, +).pixels
    }

    /// Whether a space of a line that Pango finds wider or narrower alone is behind an emoji.
    private func differs(
        behindEmojiIn line: Range<Int>, of paragraph: [UInt8], by pango: OraclePango
    ) -> Bool {
        let alone = Array(paragraph[line])
        return alone.indices.dropFirst().contains { place in
            guard alone[place] == 0x20 else { return false }
            let before = String(decoding: alone[..<place], as: UTF8.self).last { $0 != " " }
            let whole = (line.lowerBound + place)..<(line.lowerBound + place + 1)
            let difference =
                pango.width(of: place..<(place + 1), in: alone)
                - pango.width(of: whole, in: paragraph)
            return abs(difference) > 0.5
                && (before?.unicodeScalars.contains(where: isEmoji) ?? false)
        }
    }

    private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}
#endif
