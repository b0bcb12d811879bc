internal import RejoinLayout

/// What is set and drawn in one go on a line of a text.
struct TextPiece {
    /// What to set, as it was measured.
    let request: ShapingRequest
    /// The left edge in the text's frame.
    let left: Advance
    /// How wide it was measured; `nil` for a mark at the line's end.
    let width: Advance?
    /// Where its paragraph begins in the text; `nil` for what is not of the text.
    let textOrigin: Int?
}

/// Divides the lines of one text into the pieces that were measured, with the same requests, so
/// that what is drawn is what was measured.
struct TextPieces {
    private static let tab = UInt8(ascii: "\t")

    let layout: TextLayout
    /// The paragraph that was read last.
    private var paragraph: Range<Int>?
    private var bytes: [UInt8] = []

    init(_ layout: TextLayout) { self.layout = layout }

    /// The pieces of a line from left to right.
    ///
    /// - Complexity: linear in the line; the first time in a paragraph, in the paragraph.
    mutating func pieces(ofLine index: Int) -> [TextPiece] {
        let line = layout.lines[index]
        let origin = loadParagraph(of: index)
        let runs = layout.runs(of: line)
        let start = line.range.lowerBound
        let end = runs.map(\.range.upperBound).max() ?? start
        let language = layout.text.style.language
        var pieces: [TextPiece] = []
        for run in runs {
            // The runs at the ends of such a line were measured without what stands beyond it.
            let isEdge = run.range.lowerBound == start || run.range.upperBound == end
            let place = (run.range.lowerBound - origin)..<(run.range.upperBound - origin)
            let isIsolated = line.isMeasuredAlone && isEdge
            func piece(_ range: Range<Int>, left: Advance, width: Advance?) -> TextPiece {
                let request = ShapingRequest(
                    paragraph: bytes, range: range, run: place, font: run.font,
                    direction: run.direction, language: language, isIsolated: isIsolated)
                return TextPiece(request: request, left: left, width: width, textOrigin: origin)
            }
            guard bytes[place].contains(Self.tab) else {
                pieces.append(piece(place, left: run.x, width: run.width))
                continue
            }
            // A tab is space up to a stop; fonts have no glyph for it.
            for part in bytes[place].split(separator: Self.tab) {
                let range = part.startIndex..<part.endIndex
                let rects = layout.rects(
                    of: (range.lowerBound + origin)..<(range.upperBound + origin))
                guard let left = rects.map(\.x).min() else { continue }
                pieces.append(piece(range, left: Advance(pixels: left), width: nil))
            }
        }
        if let mark = layout.endMark(of: line) {
            let text = [UInt8]((line.showsHyphen ? "\u{2010}" : "\u{2026}").utf8)
            let request = ShapingRequest(
                paragraph: text, range: 0..<text.count, font: layout.text.style.font,
                direction: .leftToRight, language: language, isIsolated: true)
            pieces.append(TextPiece(request: request, left: mark, width: nil, textOrigin: nil))
        }
        return pieces
    }

    /// The lines under the links of a part of the text, in the text's frame.
    func underlines(in shown: Range<Int>) -> [PixelRect] {
        let size = layout.text.style.font.size.pixels
        let thickness = max(1, Int32((size / 16).rounded()))
        var underlines: [PixelRect] = []
        for span in layout.text.spans {
            guard case .link = span.kind else { continue }
            let range = span.range.clamped(to: shown)
            guard !range.isEmpty else { continue }
            for rect in layout.rects(of: range) {
                let position = layout.position(atX: rect.x, y: rect.y)
                let line = layout.lines[layout.lineIndex(at: position)]
                underlines.append(
                    PixelRect(
                        x: rect.x, y: line.top + line.baseline + max(1, thickness),
                        width: rect.width, height: thickness))
            }
        }
        return underlines
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
}

extension TextColors {
    /// The colour of a letter by what its place in the text is.
    func color(at offset: Int, of text: PreparedText) -> Color {
        for span in text.spans where span.range.contains(offset) {
            switch span.kind {
            case .link: return link
            case .mention: return mention
            case .code, .bold, .italic: continue
            }
        }
        return self.text
    }
}
