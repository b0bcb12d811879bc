#if canImport(CoreText)
internal import CoreGraphics
internal import CoreText
internal import Foundation
internal import RejoinLayout

/// Places the glyphs of one text.
struct TextPen {
    let canvas: Canvas
    let text: PreparedText
    let shaper: CoreTextShaper
    let colors: TextColors
    /// Where the text's frame begins in the coordinates of the canvas.
    let x: Int32

    /// Draws a piece so that it begins at the left edge that was measured.
    func draw(_ piece: TextPiece, baseline: Int32) {
        let (set, clusters) = shaper.typeset(piece.request)
        guard let first = clusters.first else { return }
        let inside = first.index..<units(piece, in: set)
        let offset = piece.textOrigin.map { $0 + set.context.lowerBound }
        let painted = clusters.map { cluster in
            (
                index: cluster.index,
                color: offset.map { colors.color(at: $0 + cluster.start, of: text) } ?? colors.text
            )
        }
        guard let pen = pen(before: inside, in: set) else { return }
        let scale = CGFloat(shaper.scale)
        let left = (CGFloat(x - canvas.frame.x) + CGFloat(piece.left.pixels)) / scale
        let origin = CGPoint(
            x: left - pen, y: CGFloat(canvas.frame.maxY - baseline) / scale)
        canvas.inPoints(shaper.scale) { context in
            for run in set.runs { show(run, inside, painted, origin, context) }
        }
    }

    /// How far the pen has moved, in points, where the piece's first glyph from the left is drawn:
    /// past the letters beside it that were set with it. `nil` where it has no glyph.
    private func pen(before inside: Range<Int>, in set: TypesetText) -> CGFloat? {
        var pen: CGFloat = 0
        for run in set.runs {
            for (index, advance) in zip(run.indices, run.advances) {
                if inside.contains(index) { return pen }
                pen += advance.width
            }
        }
        return nil
    }

    /// The unit of UTF-16 at which the piece ends in what was set.
    private func units(_ piece: TextPiece, in set: TypesetText) -> Int {
        let range = set.context.lowerBound..<piece.request.range.upperBound
        return piece.request.paragraph[range].reduce(0) {
            $1 & 0xC0 == 0x80 ? $0 : $0 + ($1 < 0xF0 ? 1 : 2)
        }
    }

    /// Draws those glyphs of a run that belong to the piece, stretch by stretch of one colour.
    private func show(
        _ run: TypesetText.Run, _ inside: Range<Int>, _ painted: [(index: Int, color: Color)],
        _ origin: CGPoint, _ context: CGContext
    ) {
        var first = 0
        while first < run.indices.count {
            guard inside.contains(run.indices[first]) else {
                first += 1
                continue
            }
            let color = Self.color(at: run.indices[first], painted)
            var end = first + 1
            while end < run.indices.count, inside.contains(run.indices[end]),
                Self.color(at: run.indices[end], painted) == color
            {
                end += 1
            }
            canvas.set(color)
            context.textMatrix = CGAffineTransform.identity
            context.textPosition = origin
            CTRunDraw(run.run, context, CFRange(location: first, length: end - first))
            first = end
        }
    }

    /// The colour of the cluster that holds a unit of UTF-16.
    private static func color(at index: Int, _ painted: [(index: Int, color: Color)]) -> Color {
        var (low, high) = (0, painted.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if painted[middle].index <= index { low = middle } else { high = middle }
        }
        return painted[low].color
    }
}
#endif
