#if canImport(CPango)
internal import CPango

/// The language in which a script is shaped.
///
/// As Pango does it, but with the main languages of scripts written down here: Pango would look at
/// the environment of the process, and the same text could have another size elsewhere.
enum ScriptLanguage {
    /// A BCP 47 tag; empty where a script has no main language and the wanted one is not written in
    /// it.
    static func name(script: UInt32, wanted: String) -> String {
        if !wanted.isEmpty {
            let value = g_unicode_script_from_iso15924(script)
            let language = pango_language_from_string(wanted)
            if pango_language_includes_script(language, PangoScript(rawValue: value.rawValue)) != 0
            {
                return wanted
            }
        }
        return switch hb_script_t(rawValue: script) {
        case HB_SCRIPT_LATIN: "en"
        case HB_SCRIPT_GREEK: "el"
        case HB_SCRIPT_CYRILLIC: "ru"
        case HB_SCRIPT_ARMENIAN: "hy"
        case HB_SCRIPT_HEBREW: "he"
        case HB_SCRIPT_ARABIC: "ar"
        case HB_SCRIPT_DEVANAGARI: "hi"
        case HB_SCRIPT_BENGALI: "bn"
        case HB_SCRIPT_GURMUKHI: "pa"
        case HB_SCRIPT_GUJARATI: "gu"
        case HB_SCRIPT_ORIYA: "or"
        case HB_SCRIPT_TAMIL: "ta"
        case HB_SCRIPT_TELUGU: "te"
        case HB_SCRIPT_KANNADA: "kn"
        case HB_SCRIPT_MALAYALAM: "ml"
        case HB_SCRIPT_SINHALA: "si"
        case HB_SCRIPT_THAI: "th"
        case HB_SCRIPT_LAO: "lo"
        case HB_SCRIPT_MYANMAR: "my"
        case HB_SCRIPT_GEORGIAN: "ka"
        case HB_SCRIPT_HANGUL: "ko"
        case HB_SCRIPT_ETHIOPIC: "am"
        case HB_SCRIPT_KHMER: "km"
        case HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA: "ja"
        default: ""
        }
    }
}
#endif
