#if canImport(CoreText) || canImport(CPango)
public import RejoinLayout

extension Canvas {
    /// Draws a text: the lines that were measured, and of those the ones that the canvas shows.
    ///
    /// - Parameters:
    ///   - x: where the text's frame begins, in the coordinates of the canvas.
    ///   - y: the upper edge of the frame.
    ///   - shaper: one with the fonts that the text was measured with, of this thread.
    ///   - selection: bytes of the text that are shown as selected.
    /// - Complexity: linear in the lines that are drawn and the paragraphs that they belong to.
    public func draw(
        _ layout: TextLayout, x: Int32, y: Int32, shaper: PlatformShaper,
        colors: TextColors = TextColors(), selection: Range<Int>? = nil
    ) {
        let overflow = layout.text.style.overflow
        let shown = layout.lines(
            inY: (frame.y - y - overflow)..<max(frame.y - y - overflow, frame.maxY - y + overflow))
        guard let first = shown.first, let last = shown.last else { return }
        let bytes = layout.lines[first].range.lowerBound..<layout.lines[last].range.upperBound
        for span in layout.text.spans where span.kind == .code {
            for rect in layout.rects(of: span.range.clamped(to: bytes)) {
                fill(
                    rect.moved(x: x, y: y), color: colors.codeBackground, radius: rect.height / 6)
            }
        }
        if let selection {
            for rect in layout.rects(of: selection.clamped(to: bytes)) {
                fill(rect.moved(x: x, y: y), color: colors.selection)
            }
        }
        var pieces = TextPieces(layout)
        let pen = TextPen(canvas: self, text: layout.text, shaper: shaper, colors: colors, x: x)
        for index in shown {
            let line = layout.lines[index]
            for piece in pieces.pieces(ofLine: index) {
                pen.draw(piece, baseline: y + line.top + line.baseline)
            }
        }
        for underline in pieces.underlines(in: bytes) {
            fill(underline.moved(x: x, y: y), color: colors.link)
        }
    }
}
#endif
