public import RejoinModel

/// A text and what is special about parts of it.
public struct RichText: Hashable, Sendable {
    /// The text.
    public var text: String
    /// The special parts, in any order; they may overlap. A part that ends beyond the text ends
    /// with it; the ends of a part are moved back to the start of their grapheme cluster.
    public var spans: [TextSpan]

    /// Creates a text.
    public init(_ text: String, spans: [TextSpan] = []) {
        self.text = text
        self.spans = spans
    }
}

/// A part of a text that looks or acts otherwise than the rest.
public struct TextSpan: Hashable, Sendable {
    /// What is special about it.
    public enum Kind: Hashable, Sendable {
        /// It leads to an address. A soft hyphen inside shows no hyphen, since the reader would
        /// take it for a part of the address.
        case link(String)
        /// It names a person.
        case mention(UserID)
        /// Code, set in the style's font for code.
        case code
        /// Bold.
        case bold
        /// Slanted.
        case italic
    }

    /// Where it stands: offsets of UTF-8.
    public var range: Range<Int>
    /// What is special about it.
    public var kind: Kind

    /// Creates a part.
    public init(range: Range<Int>, kind: Kind) {
        self.range = range
        self.kind = kind
    }
}
