#if canImport(CoreText) || canImport(CPango)
public import RejoinLayout

extension Canvas {
    /// Draws a text: the lines that were measured, and of those the ones that the canvas shows.
    ///
    /// Ink keeps within the text's frame and its ``TextLayout/inkInsets``, and within an em above
    /// and below what its line may take: a stack of marks of any height paints over no neighbour,
    /// and tiles side by side are the whole picture.
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
        let (insets, reach) = (layout.inkInsets, layout.inkReach)
        let top = frame.y - y - reach
        let shown = layout.lines(inY: top..<max(top, frame.maxY - y + reach))
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
            let upper = max(line.top - reach, -insets.top)
            let lower = min(line.top + line.height + reach, layout.size.height + insets.bottom)
            let width = max(layout.alignmentWidth, layout.size.width)
            let room = PixelRect(
                x: x - insets.leading, y: y + upper,
                width: width + insets.leading + insets.trailing, height: lower - upper)
            clipped(to: room) {
                for piece in pieces.pieces(ofLine: index) {
                    pen.draw(piece, baseline: y + line.top + line.baseline)
                }
            }
        }
        for underline in pieces.underlines(in: bytes) {
            fill(underline.moved(x: x, y: y), color: colors.link)
        }
    }
}

extension TextLayout {
    /// How far the ink of a line may reach above and below the line, inside the frame of the text:
    /// the overflow, and an em for marks that stand on each other.
    fileprivate var inkReach: Int32 { text.style.overflow + text.style.font.size.roundedUp }
}
#endif
