import RejoinModel

/// Sets the texts of rows: asks for those that it cannot take over, and counts.
final class TextSetter {
    let preparer: TextPreparer
    var counts = RowMeasurer.Counts()
    private let decorate: @Sendable (String) -> RichText
    private var styles: [TextStyle] = []
    /// The texts of the part before, in the order in which they were asked for.
    private var known: [PreparedText] = []
    private var cursor = 0
    /// The same by their words, once the order did not help.
    private var places: [String: [Int]]?

    init(preparer: TextPreparer, decorate: @escaping @Sendable (String) -> RichText) {
        self.preparer = preparer
        self.decorate = decorate
    }

    /// Takes the fonts and policies of an environment.
    func use(_ environment: LayoutEnvironment, _ measures: ContentMeasures) {
        styles = TextRole.allCases.map { role in
            let font = measures.font(of: role)
            let size =
                role == .initial
                ? Advance(pixels: environment.pixels(font.points))
                : environment.fontSize(font.points)
            let box = Advance(rawValue: size.rawValue * 4 / 3).roundedUp
            return TextStyle(
                font: FontRequest(
                    size: size, isBold: font.isBold || environment.isBoldText,
                    isItalic: font.isItalic),
                lineBox: box, baseline: box * 3 / 4, language: environment.languages.first ?? "",
                hangul: environment.hangul, direction: environment.direction)
        }
    }

    func style(_ role: TextRole) -> TextStyle { styles[Int(role.rawValue)] }

    /// Makes the texts of a part known that is to be laid out again, in place of those before.
    func recall(_ part: PartLayout?) {
        known.removeAll(keepingCapacity: true)
        cursor = 0
        places = nil
        for piece in part?.pieces ?? [] {
            if let text = piece.text?.text { known.append(text) }
        }
    }

    /// A text that was prepared for the part before. Mostly texts come in the same order.
    private func recalled(_ text: String, _ style: TextStyle) -> PreparedText? {
        if cursor < known.count, isSame(known[cursor], text, style) {
            cursor += 1
            return known[cursor - 1]
        }
        guard !known.isEmpty else { return nil }
        let places = self.places ?? Dictionary(grouping: known.indices) { known[$0].text }
        self.places = places
        guard let place = places[text]?.first(where: { isSame(known[$0], text, style) }) else {
            return nil
        }
        cursor = place + 1
        return known[place]
    }

    private func isSame(_ prepared: PreparedText, _ text: String, _ style: TextStyle) -> Bool {
        prepared.fontEpoch == preparer.shaper.fontEpoch && prepared.text == text
            && prepared.style == style
    }

    /// Lays a text out in lines.
    func lay(_ text: String, _ role: TextRole, width: Int32, maxLines: Int? = nil) -> TextLayout {
        counts.wrapped += 1
        var layout = prepared(text, role).layout(
            width: max(1, width), maxLines: maxLines, shaper: preparer.shaper)
        // A cluster that is wider than the line stands out as ink; the frame does not.
        layout.alignmentWidth = min(layout.size.width, max(1, width))
        return layout
    }

    private func prepared(_ text: String, _ role: TextRole) -> PreparedText {
        let style = style(role)
        if let text = recalled(text, style) { return text }
        counts.prepared += 1
        return preparer.prepare(role == .body ? decorate(text) : RichText(text), style: style)
    }
}
