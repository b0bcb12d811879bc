#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// Places the glyphs of one text.
struct TextPen {
    let canvas: Canvas
    let text: PreparedText
    let shaper: PangoShaper
    let colors: TextColors
    /// Where the text's frame begins in the coordinates of the canvas.
    let x: Int32

    /// Draws a piece whose left edge and width were measured.
    func draw(_ piece: TextPiece, baseline: Int32) {
        let (request, left) = (piece.request, piece.left)
        let clusters = shaper.shape(request).clusters
        let isRightToLeft = request.direction == .rightToLeft
        var lefts: [Int: Advance] = [:]
        lefts.reserveCapacity(clusters.count)
        let total = clusters.reduce(Advance.zero) { $0 + $1.advance }
        var pen = isRightToLeft ? left + (piece.width ?? total) : left
        for cluster in clusters {
            if isRightToLeft { pen -= cluster.advance }
            lefts[Int(cluster.start)] = pen
            if !isRightToLeft { pen += cluster.advance }
        }
        for run in shaper.glyphRuns(request) {
            var glyphs: [cairo_glyph_t] = []
            var color = colors.text
            for glyph in run.glyphs {
                let wanted =
                    piece.textOrigin.map { colors.color(at: $0 + glyph.cluster, of: text) }
                    ?? colors.text
                if wanted != color {
                    show(glyphs, run.font, color)
                    glyphs.removeAll(keepingCapacity: true)
                    color = wanted
                }
                let edge = lefts[glyph.cluster] ?? left
                glyphs.append(
                    cairo_glyph_t(
                        index: UInt(glyph.id), x: Double(x) + edge.pixels + glyph.x,
                        y: Double(baseline) + glyph.y))
            }
            show(glyphs, run.font, color)
        }
    }

    private func show(_ glyphs: [cairo_glyph_t], _ font: FontSlot, _ color: Color) {
        guard !glyphs.isEmpty, let scaled = rejoin_pango_font_scaled_font(font.font) else { return }
        canvas.set(color)
        cairo_set_scaled_font(canvas.context, scaled)
        cairo_show_glyphs(canvas.context, glyphs, Int32(glyphs.count))
    }
}
#endif
