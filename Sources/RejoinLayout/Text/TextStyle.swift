/// How a text is set: fonts, the box of a line, and the policies of breaking.
public struct TextStyle: Hashable, Sendable {
    /// The font of the text; bold and italic parts use it with the trait added.
    public var font: FontRequest
    /// The font of code.
    public var codeFont: FontRequest
    /// The height of a line, in device pixels. It does not hang on the fonts that stand in for
    /// missing glyphs, so that one text has one height on all devices.
    public var lineBox: Int32
    /// Where the baseline lies in the box, in device pixels from its top.
    public var baseline: Int32
    /// How far a run may stand out of the box, in device pixels above or below, before its line
    /// grows by all that stands out.
    public var overflow: Int32
    /// The distance of tab stops, from the edge where the line begins; zero means eight spaces.
    public var tabWidth: Advance
    /// The language of the text, as a BCP 47 tag; empty where none is known.
    public var language: String
    /// How Korean is broken.
    public var hangul: HangulBreaking
    /// The direction of a paragraph without a strong character: that of the app.
    public var direction: TextDirection

    /// Creates a style.
    ///
    /// - Parameters:
    ///   - codeFont: nil means the font of fixed pitch in the text's size.
    ///   - overflow: nil means a quarter of the box.
    public init(
        font: FontRequest, codeFont: FontRequest? = nil, lineBox: Int32, baseline: Int32,
        overflow: Int32? = nil, tabWidth: Advance = .zero, language: String = "",
        hangul: HangulBreaking = .word, direction: TextDirection = .leftToRight
    ) {
        self.font = font
        self.codeFont =
            codeFont ?? FontRequest(family: .monospaced, size: font.size, isBold: font.isBold)
        self.lineBox = max(1, lineBox)
        self.baseline = baseline
        self.overflow = overflow ?? max(1, lineBox) / 4
        self.tabWidth = tabWidth
        self.language = language
        self.hangul = hangul
        self.direction = direction
    }

    /// A style whose box is what a font asks for, rounded outward to device pixels.
    public init(
        font: FontRequest, metrics: FontMetrics, language: String = "",
        hangul: HangulBreaking = .word, direction: TextDirection = .leftToRight
    ) {
        self.init(
            font: font, lineBox: metrics.ascent.roundedUp + metrics.descent.roundedUp,
            baseline: metrics.ascent.roundedUp, language: language, hangul: hangul,
            direction: direction)
    }

    /// The font of a combination of traits.
    func font(_ traits: FontTraits) -> FontRequest {
        var request = traits.contains(.code) ? codeFont : font
        request.isBold = request.isBold || traits.contains(.bold)
        request.isItalic = request.isItalic || traits.contains(.italic)
        return request
    }
}

/// What spans ask of the font.
struct FontTraits: OptionSet, Hashable {
    let rawValue: UInt8
    static let bold = FontTraits(rawValue: 1)
    static let italic = FontTraits(rawValue: 2)
    static let code = FontTraits(rawValue: 4)
}
