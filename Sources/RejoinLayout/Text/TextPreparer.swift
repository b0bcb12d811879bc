/// Turns texts into ``PreparedText``: finds where they may be cut, and asks the shaper for the
/// words that it has not seen.
///
/// One for each thread, as its shaper.
public final class TextPreparer {
    /// Bytes of UTF-8 beyond which a text is cut, at a grapheme cluster: 1 MiB.
    public static let maximumByteCount = 1 << 20
    /// The greatest width of a paragraph in 26.6 pixels; beyond it the text is cut likewise.
    static let maximumWidth: Int32 = 1 << 30
    /// The most styles that are kept ready.
    static let mostStyles = 32

    /// Asked for whatever is not remembered.
    public let shaper: any TextShaper
    /// The words seen before.
    public let cache: WordCache

    private var contexts: [StyleContext] = []
    private var composer = TextComposer()

    /// Creates a preparer.
    public init(shaper: any TextShaper, cache: WordCache = WordCache()) {
        self.shaper = shaper
        self.cache = cache
    }

    /// Prepares a text.
    ///
    /// - Complexity: linear in the text, whatever it is.
    public func prepare(_ text: RichText, style: TextStyle) -> PreparedText {
        PreparedText(
            storage: composer.compose(
                text, context: context(for: style), shaper: shaper, cache: cache))
    }

    /// Prepares a text without special parts.
    public func prepare(_ text: String, style: TextStyle) -> PreparedText {
        prepare(RichText(text), style: style)
    }

    /// Most texts have the style of the one before, so the last one used comes first.
    private func context(for style: TextStyle) -> StyleContext {
        let epoch = shaper.fontEpoch
        if let first = contexts.first, first.fontEpoch == epoch, first.style == style {
            return first
        }
        contexts.removeAll { $0.fontEpoch != epoch }
        let context: StyleContext
        if let known = contexts.firstIndex(where: { $0.style == style }) {
            context = contexts.remove(at: known)
        } else {
            context = StyleContext(style: style, shaper: shaper)
            if contexts.count >= Self.mostStyles { contexts.removeLast() }
        }
        contexts.insert(context, at: 0)
        return context
    }
}
