#if canImport(CPango)
internal import CPango
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
        _ layout: TextLayout, x: Int32, y: Int32, shaper: PangoShaper,
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
        var pen = TextPen(canvas: self, layout: layout, shaper: shaper, colors: colors, x: x, y: y)
        for index in shown { pen.draw(line: index) }
        pen.underline(bytes)
    }
}

/// Places the glyphs of one text.
private struct TextPen {
    let canvas: Canvas
    let layout: TextLayout
    let shaper: PangoShaper
    let colors: TextColors
    let x: Int32
    let y: Int32
    /// The paragraph that was drawn last.
    private var paragraph: Range<Int>?
    private var bytes: [UInt8] = []

    init(
        canvas: Canvas, layout: TextLayout, shaper: PangoShaper, colors: TextColors, x: Int32,
        y: Int32
    ) {
        self.canvas = canvas
        self.layout = layout
        self.shaper = shaper
        self.colors = colors
        self.x = x
        self.y = y
    }

    mutating func draw(line index: Int) {
        let line = layout.lines[index]
        let origin = loadParagraph(of: index)
        let baseline = Double(y + line.top + line.baseline)
        let runs = layout.runs(of: line)
        let start = line.range.lowerBound
        let end = runs.map(\.range.upperBound).max() ?? start
        for run in runs {
            // The runs at the ends of such a line were measured without what stands beyond it.
            let isEdge = run.range.lowerBound == start || run.range.upperBound == end
            let request = ShapingRequest(
                paragraph: bytes,
                range: (run.range.lowerBound - origin)..<(run.range.upperBound - origin),
                font: run.font, direction: run.direction, language: layout.text.style.language,
                isIsolated: line.isMeasuredAlone && isEdge)
            draw(request, left: run.x, width: run.width, baseline: baseline, textOrigin: origin)
        }
        if let mark = layout.endMark(of: line) {
            let text = [UInt8]((line.showsHyphen ? "\u{2010}" : "\u{2026}").utf8)
            let request = ShapingRequest(
                paragraph: text, range: 0..<text.count, font: layout.text.style.font,
                direction: .leftToRight, language: layout.text.style.language, isIsolated: true)
            draw(request, left: mark, width: nil, baseline: baseline, textOrigin: nil)
        }
    }

    /// Draws links' underlines.
    func underline(_ shown: Range<Int>) {
        let size = layout.text.style.font.size.pixels
        let thickness = max(1, Int32((size / 16).rounded()))
        for span in layout.text.spans {
            guard case .link = span.kind else { continue }
            let range = span.range.clamped(to: shown)
            guard !range.isEmpty else { continue }
            for rect in layout.rects(of: range) {
                let position = layout.position(atX: rect.x, y: rect.y)
                let line = layout.lines[layout.lineIndex(at: position)]
                canvas.fill(
                    PixelRect(
                        x: x + rect.x, y: y + line.top + line.baseline + max(1, thickness),
                        width: rect.width, height: thickness), color: colors.link)
            }
        }
    }

    /// - Returns: where the paragraph begins in the text.
    private mutating func loadParagraph(of index: Int) -> Int {
        let lines = layout.lines
        let range = lines[index].range
        if let paragraph, paragraph.lowerBound <= range.lowerBound,
            range.upperBound <= paragraph.upperBound, !range.isEmpty
        {
            return paragraph.lowerBound
        }
        var first = index
        while first > 0, !lines[first - 1].endsParagraph { first -= 1 }
        var last = index
        while last + 1 < lines.count, !lines[last].endsParagraph { last += 1 }
        let found = lines[first].range.lowerBound..<lines[last].range.upperBound
        paragraph = found
        let utf8 = layout.text.text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: found.lowerBound)
        bytes = Array(utf8[start..<utf8.index(start, offsetBy: found.count)])
        return found.lowerBound
    }

    /// Draws a run whose left edge and width were measured. `textOrigin` is where its paragraph
    /// begins in the text, `nil` for what is not of the text.
    private func draw(
        _ request: ShapingRequest, left: Advance, width: Advance?, baseline: Double,
        textOrigin: Int?
    ) {
        let clusters = shaper.shape(request).clusters
        let isRightToLeft = request.direction == .rightToLeft
        var lefts: [Int: Advance] = [:]
        lefts.reserveCapacity(clusters.count)
        let total = clusters.reduce(Advance.zero) { $0 + $1.advance }
        var pen = isRightToLeft ? left + (width ?? total) : left
        for cluster in clusters {
            if isRightToLeft { pen -= cluster.advance }
            lefts[Int(cluster.start)] = pen
            if !isRightToLeft { pen += cluster.advance }
        }
        for run in shaper.glyphRuns(request) {
            var glyphs: [cairo_glyph_t] = []
            var color = colors.text
            for glyph in run.glyphs {
                let cluster = glyph.cluster
                let wanted = textOrigin.map { self.color(at: $0 + cluster) } ?? colors.text
                if wanted != color {
                    show(glyphs, run.font, color)
                    glyphs.removeAll(keepingCapacity: true)
                    color = wanted
                }
                let edge = lefts[cluster] ?? left
                glyphs.append(
                    cairo_glyph_t(
                        index: UInt(glyph.id), x: Double(x) + edge.pixels + glyph.x,
                        y: baseline + glyph.y))
            }
            show(glyphs, run.font, color)
        }
    }

    private func color(at offset: Int) -> Color {
        for span in layout.text.spans where span.range.contains(offset) {
            switch span.kind {
            case .link: return colors.link
            case .mention: return colors.mention
            case .code, .bold, .italic: continue
            }
        }
        return colors.text
    }

    private func show(_ glyphs: [cairo_glyph_t], _ font: FontSlot, _ color: Color) {
        guard !glyphs.isEmpty, let scaled = rejoin_pango_font_scaled_font(font.font) else { return }
        canvas.set(color)
        cairo_set_scaled_font(canvas.context, scaled)
        cairo_show_glyphs(canvas.context, glyphs, Int32(glyphs.count))
    }
}
#endif
