/// The classes of UAX #14 after rule LB1, in the order of `Scripts/unicode-tables.py`.
enum LineBreakClass: UInt8, CaseIterable {
    case alphabetic, mandatory, carriageReturn, lineFeed, nextLine, space, zeroWidthSpace
    case wordJoiner, glue, combiningMark, zeroWidthJoiner, breakBoth, breakAfter, breakBefore
    case hyphen, contingent, closePunctuation
    case closeParenthesis
    /// A closing parenthesis of East Asian width, which LB30 leaves out.
    case wideCloseParenthesis
    case exclamation, inseparable, nonstarter
    case openPunctuation
    /// An opening punctuation of East Asian width, which LB30 leaves out.
    case wideOpenPunctuation
    case quotation, infixNumeric, numeric, postfixNumeric, prefixNumeric, symbol, hebrewLetter
    case emojiBase, emojiModifier, ideographic
    /// An unassigned code point that is kept for pictographs (LB30b).
    case reservedPictograph
    /// A compatibility jamo such as ㅋ: an ideograph for UAX #14, a letter where Korean breaks at
    /// words.
    case compatibilityJamo
    case hangulLV, hangulLVT, leadingJamo, vowelJamo, trailingJamo, regionalIndicator

    /// As the rules see it: compatibility jamo and Hangul are letters where Korean is broken at
    /// words (CSS `word-break: keep-all` for Hangul), else what UAX #14 says.
    func resolved(_ hangul: HangulBreaking) -> LineBreakClass {
        switch (self, hangul) {
        case (.compatibilityJamo, .syllable): .ideographic
        case (.compatibilityJamo, .word), (.hangulLV, .word), (.hangulLVT, .word),
            (.leadingJamo, .word), (.vowelJamo, .word), (.trailingJamo, .word):
            .alphabetic
        case (_, _): self
        }
    }

    /// AL or HL.
    var isLetter: Bool { self == .alphabetic || self == .hebrewLetter }
    /// OP of any width.
    var isOpening: Bool { self == .openPunctuation || self == .wideOpenPunctuation }
    /// CP of any width.
    var isClosingParenthesis: Bool {
        self == .closeParenthesis || self == .wideCloseParenthesis
    }
    /// CL or CP.
    var isClosing: Bool { self == .closePunctuation || isClosingParenthesis }
    /// ID and what behaves like it before and after a unit.
    var isIdeographic: Bool {
        switch self {
        case .ideographic, .reservedPictograph, .compatibilityJamo, .emojiBase, .emojiModifier: true
        default: false
        }
    }
    /// A syllable or jamo that is no compatibility jamo.
    var isHangul: Bool {
        switch self {
        case .hangulLV, .hangulLVT, .leadingJamo, .vowelJamo, .trailingJamo: true
        default: false
        }
    }
    /// BK, CR, LF and NL: they end a line.
    var endsLine: Bool {
        switch self {
        case .mandatory, .carriageReturn, .lineFeed, .nextLine: true
        default: false
        }
    }
}
