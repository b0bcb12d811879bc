#if canImport(CPango)
internal import CPango

/// What the fast path knows of one character in one font stack.
///
/// Simple are letters and punctuation that are neither marks nor emoji nor controls, in the
/// scripts below: their font hangs on nothing but themselves, so that text made of them can be
/// divided among fonts and scripts without Pango.
struct SimpleCharacter {
    /// Not looked up yet, complex, or the index of the font.
    var slot: UInt8
    var script: SimpleScript
    var traits: Traits
    /// What the character moves the pen by where it is alone, in the script of
    /// ``aloneScript``.
    var aloneScript: UInt32
    /// See ``aloneScript``; for an inert character, its advance anywhere.
    var advance: Int32

    struct Traits: OptionSet {
        let rawValue: UInt8
        /// One of a pair, whose second half takes the script of the first.
        static let paired = Traits(rawValue: 1)
        /// The space: it takes the font of what stands before it.
        static let space = Traits(rawValue: 2)
        /// No lookup of its font and script touches it.
        static let inert = Traits(rawValue: 4)
    }

    static let unknownSlot: UInt8 = 0xFF
    static let complexSlot: UInt8 = 0xFE
    static let unknown = SimpleCharacter(
        slot: unknownSlot, script: .common, traits: [], aloneScript: 0, advance: 0)
    static let complex = SimpleCharacter(
        slot: complexSlot, script: .common, traits: [], aloneScript: 0, advance: 0)
}

/// The scripts of the fast path.
enum SimpleScript: UInt8 {
    case common, latin, greek, cyrillic, hangul, han, hiragana, katakana

    /// The ISO 15924 tag.
    var tag: UInt32 {
        switch self {
        case .common: HB_SCRIPT_COMMON.rawValue
        case .latin: HB_SCRIPT_LATIN.rawValue
        case .greek: HB_SCRIPT_GREEK.rawValue
        case .cyrillic: HB_SCRIPT_CYRILLIC.rawValue
        case .hangul: HB_SCRIPT_HANGUL.rawValue
        case .han: HB_SCRIPT_HAN.rawValue
        case .hiragana: HB_SCRIPT_HIRAGANA.rawValue
        case .katakana: HB_SCRIPT_KATAKANA.rawValue
        }
    }

    /// The script of a simple character by the tables that Pango uses; `nil` for others.
    init?(of scalar: UInt32) {
        switch g_unichar_get_script(scalar) {
        case G_UNICODE_SCRIPT_COMMON: self = .common
        case G_UNICODE_SCRIPT_LATIN: self = .latin
        case G_UNICODE_SCRIPT_GREEK: self = .greek
        case G_UNICODE_SCRIPT_CYRILLIC: self = .cyrillic
        case G_UNICODE_SCRIPT_HANGUL: self = .hangul
        case G_UNICODE_SCRIPT_HAN: self = .han
        case G_UNICODE_SCRIPT_HIRAGANA: self = .hiragana
        case G_UNICODE_SCRIPT_KATAKANA: self = .katakana
        default: return nil
        }
    }
}

extension SimpleCharacter.Traits {
    /// What a character of the allow-list is; `nil` for one that is not simple.
    init?(simple scalar: UInt32) {
        switch scalar {
        case 0x20: self = .space
        case 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D, 0xAB, 0xBB: self = .paired
        // ASCII, and Latin-1 without the characters that may be emoji and the soft hyphen.
        case 0x21...0x7E, 0xA1...0xA8, 0xAA, 0xAC, 0xAF...0xFF: self = []
        // Latin, Greek and Cyrillic letters.
        case 0x100...0x24F, 0x388...0x3FF, 0x400...0x482, 0x48A...0x52F, 0x1E00...0x1EFF:
            self = []
        // Dashes, quotation marks, bullet, ellipsis, euro.
        case 0x2010, 0x2012...0x2015, 0x2022, 0x2026, 0x20AC: self = []
        case 0x2018...0x201F: self = .paired
        // Punctuation of East Asia: comma, full stop, brackets, the long vowel, and the wide forms
        // of ! , . : ; ?
        case 0x3001, 0x3002, 0x30FB, 0x30FC, 0xFF01, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F:
            self = []
        case 0x3008...0x3011, 0xFF08, 0xFF09: self = .paired
        // Hiragana, Katakana, letters of Hangul, Han, syllables of Hangul.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3131...0x3163, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xAC00...0xD7A3:
            self = []
        default: return nil
        }
        if !contains(.space), g_unichar_isdefined(scalar) == 0 { return nil }
    }
}
#endif
