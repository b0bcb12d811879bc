#if canImport(CoreText)
internal import CoreText
internal import Foundation
internal import RejoinLayout

/// A range of a paragraph as CoreText sets it in one font and one direction, with the letters
/// beside it that its ends join with.
struct TypesetText {
    /// The glyphs of one of CoreText's runs, from left to right.
    struct Run {
        let run: CTRun
        /// The offsets of UTF-16 of the characters that they stand for.
        let indices: [Int]
        /// How far they move the pen, in points.
        let advances: [CGSize]
    }

    /// What was set, in bytes of the paragraph.
    let context: Range<Int>
    let runs: [Run]

    init(_ request: ShapingRequest, context: Range<Int>, font: CTFont) {
        self.context = context
        var attributes: [NSAttributedString.Key: Any] = [
            NSAttributedString.Key(kCTFontAttributeName as String): font,
            // The colour is set where glyphs are drawn.
            NSAttributedString.Key(kCTForegroundColorFromContextAttributeName as String): true,
        ]
        if !request.language.isEmpty {
            attributes[NSAttributedString.Key(kCTLanguageAttributeName as String)] =
                request.language
        }
        let text = NSAttributedString(
            string: String(decoding: request.paragraph[context], as: UTF8.self),
            attributes: attributes)
        let line = Self.line(text, level: request.direction == .rightToLeft ? 1 : 0)
        runs = (CTLineGetGlyphRuns(line) as? [CTRun] ?? []).map(Self.read)
    }

    /// One line in one direction: the levels are the layout's affair.
    private static func line(_ text: NSAttributedString, level: Int) -> CTLine {
        let options = [kCTTypesetterOptionForcedEmbeddingLevel as String: level]
        let typesetter = CTTypesetterCreateWithAttributedStringAndOptions(
            text as CFAttributedString, options as CFDictionary)
        // CoreText declines text that needs unreasonable effort; the plain call always answers.
        guard let typesetter else {
            return CTLineCreateWithAttributedString(text as CFAttributedString)
        }
        return CTTypesetterCreateLine(typesetter, CFRange(location: 0, length: 0))
    }

    private static func read(_ run: CTRun) -> Run {
        let count = CTRunGetGlyphCount(run)
        // A length of zero means all glyphs.
        let all = CFRange(location: 0, length: 0)
        var indices = [CFIndex](repeating: 0, count: count)
        var advances = [CGSize](repeating: CGSize(width: 0, height: 0), count: count)
        CTRunGetStringIndices(run, all, &indices)
        CTRunGetAdvances(run, all, &advances)
        return Run(run: run, indices: indices, advances: advances)
    }

    /// The glyphs' clusters.
    func clusters(of paragraph: [UInt8], scale: Int32) -> GlyphClusters {
        GlyphClusters(
            of: paragraph[context],
            glyphs: runs.lazy.flatMap { run in
                zip(run.indices, run.advances).lazy.map { index, advance in
                    GlyphClusters.Glyph(
                        index: index, advance: Double(advance.width) * Double(scale))
                }
            })
    }

    /// The tallest metrics among the fonts that were used.
    func extent(scale: Int32) -> FontMetrics {
        var extent = FontMetrics(ascent: .zero, descent: .zero)
        for run in runs {
            var (ascent, descent): (CGFloat, CGFloat) = (0, 0)
            _ = CTRunGetTypographicBounds(
                run.run, CFRange(location: 0, length: 0), &ascent, &descent, nil)
            let metrics = FontMetrics(ascent: ascent, descent: descent, scale: scale)
            extent.ascent = max(extent.ascent, metrics.ascent)
            extent.descent = max(extent.descent, metrics.descent)
        }
        return extent
    }
}

extension FontMetrics {
    /// Metrics in points, rounded outward.
    init(ascent: CGFloat, descent: CGFloat, scale: Int32) {
        func pixels(_ points: CGFloat) -> Advance {
            Advance(
                rawValue: Int32(
                    clamping: Int((Double(points) * Double(scale) * 64).rounded(.up))))
        }
        self.init(ascent: max(.zero, pixels(ascent)), descent: max(.zero, pixels(descent)))
    }
}
#endif
