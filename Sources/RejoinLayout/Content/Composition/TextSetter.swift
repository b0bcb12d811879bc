import RejoinModel

/// Sets the texts of rows: asks for those that it cannot take over, and counts.
final class TextSetter {
    let preparer: TextPreparer
    var counts = RowMeasurer.Counts()
    private let decorate: @Sendable (String) -> RichText
    private var styles: [TextStyle] = []
    private var known: [Key: PreparedText] = [:]

    private struct Key: Hashable {
        var text: String
        var role: TextRole
    }

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
        for piece in part?.pieces ?? [] {
            guard case .text(let role) = piece.kind, let text = piece.text?.text else { continue }
            known[Key(text: text.text, role: role)] = text
        }
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
        if let text = known[Key(text: text, role: role)], text.style == style,
            text.fontEpoch == preparer.shaper.fontEpoch
        {
            return text
        }
        counts.prepared += 1
        return preparer.prepare(role == .body ? decorate(text) : RichText(text), style: style)
    }
}
