/// A font as the layout asks for it; what it resolves to, and what stands in for missing glyphs, is
/// the shaper's affair.
public struct FontRequest: Hashable, Sendable {
    /// The family.
    public enum Family: Hashable, Sendable {
        /// The text font of the platform.
        case text
        /// The platform's font of fixed pitch, for code.
        case monospaced
        /// A family by its name.
        case named(String)
    }

    /// The family.
    public var family: Family
    /// The size of the em, in 26.6 device pixels: scale and type size are in it.
    public var size: Advance
    /// Whether it is bold.
    public var isBold: Bool
    /// Whether it is slanted.
    public var isItalic: Bool

    /// Creates a request.
    public init(
        family: Family = .text, size: Advance, isBold: Bool = false, isItalic: Bool = false
    ) {
        self.family = family
        self.size = size
        self.isBold = isBold
        self.isItalic = isItalic
    }
}

/// The vertical metrics of a font, or of a run of glyphs, in 26.6 device pixels around the
/// baseline; both are positive where ink is usual.
public struct FontMetrics: Hashable, Sendable {
    /// Above the baseline.
    public var ascent: Advance
    /// Below the baseline.
    public var descent: Advance

    /// Creates metrics.
    public init(ascent: Advance, descent: Advance) {
        self.ascent = ascent
        self.descent = descent
    }
}

/// The direction in which a paragraph or a screen is read.
public enum TextDirection: Hashable, Sendable {
    /// As English.
    case leftToRight
    /// As Arabic.
    case rightToLeft
}
