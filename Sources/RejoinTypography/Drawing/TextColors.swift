/// The colours of a text.
public struct TextColors: Hashable, Sendable {
    /// Of the letters.
    public var text: Color
    /// Of links and their underline.
    public var link: Color
    /// Of mentions.
    public var mention: Color
    /// Behind code.
    public var codeBackground: Color
    /// Behind selected text.
    public var selection: Color

    /// Creates a set of colours.
    public init(
        text: Color = .black, link: Color = Color(0x0A5BC4), mention: Color = Color(0x0A5BC4),
        codeBackground: Color = Color(0x000000, alpha: 0.08),
        selection: Color = Color(0x3390FF, alpha: 0.3)
    ) {
        self.text = text
        self.link = link
        self.mention = mention
        self.codeBackground = codeBackground
        self.selection = selection
    }
}
