package import RejoinLayout

/// The fonts that text is measured and drawn with on Linux: these and no others, so that the same
/// text has the same size on every machine, whatever else is installed there.
public struct PinnedFonts: Hashable, Sendable {
    /// A family, and the Debian package that brings it.
    public struct Family: Hashable, Sendable {
        /// The name, as fontconfig knows it.
        public var name: String
        /// The package; `nil` where none is known.
        public var package: String?

        /// Creates a family.
        public init(_ name: String, package: String? = nil) {
            self.name = name
            self.package = package
        }
    }

    /// What ``FontRequest/Family/text`` means.
    public var text: Family
    /// What ``FontRequest/Family/monospaced`` means.
    public var monospaced: Family
    /// What stands in for missing glyphs, in this order.
    public var fallbacks: [Family]
    /// The fonts for Chinese, Japanese and Korean: the one for the text's language goes before the
    /// first of the others.
    public var eastAsian: [String: Family]
    /// What Chinese characters are drawn with where the language does not say.
    public var eastAsianDefault: Family
    /// What emoji are drawn with.
    public var emoji: Family
    /// The folders that hold the fonts.
    public var directories: [String]

    /// DejaVu Sans for text, Noto for everything else.
    public static let standard = PinnedFonts(
        text: Family("DejaVu Sans", package: "fonts-dejavu-core"),
        monospaced: Family("DejaVu Sans Mono", package: "fonts-dejavu-core"),
        fallbacks: [
            "Arabic", "Hebrew", "Devanagari", "Thai", "Bengali", "Gurmukhi", "Gujarati", "Oriya",
            "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Lao", "Khmer", "Myanmar",
            "Georgian", "Armenian", "Ethiopic", "Symbols", "Symbols2", "Math",
        ].map { Family("Noto Sans \($0)", package: "fonts-noto-core") },
        eastAsian: [
            "ko": Family("Noto Sans CJK KR", package: "fonts-noto-cjk"),
            "ja": Family("Noto Sans CJK JP", package: "fonts-noto-cjk"),
            "zh": Family("Noto Sans CJK SC", package: "fonts-noto-cjk"),
            "zh-Hant": Family("Noto Sans CJK TC", package: "fonts-noto-cjk"),
            "zh-TW": Family("Noto Sans CJK TC", package: "fonts-noto-cjk"),
            "zh-HK": Family("Noto Sans CJK HK", package: "fonts-noto-cjk"),
        ],
        eastAsianDefault: Family("Noto Sans CJK KR", package: "fonts-noto-cjk"),
        emoji: Family("Noto Color Emoji", package: "fonts-noto-color-emoji"),
        directories: ["/usr/share/fonts", "/usr/local/share/fonts"])

    /// Creates a set of fonts.
    public init(
        text: Family, monospaced: Family, fallbacks: [Family], eastAsian: [String: Family],
        eastAsianDefault: Family, emoji: Family, directories: [String]
    ) {
        self.text = text
        self.monospaced = monospaced
        self.fallbacks = fallbacks
        self.eastAsian = eastAsian
        self.eastAsianDefault = eastAsianDefault
        self.emoji = emoji
        self.directories = directories
    }

    /// The fonts with one more family, for ``FontRequest/Family/named(_:)``.
    public func adding(_ family: Family) -> PinnedFonts {
        var fonts = self
        if !all.contains(where: { $0.name == family.name }) { fonts.fallbacks.append(family) }
        return fonts
    }

    /// The fonts without some of the stand-ins, for a machine that lacks them. The text font, the
    /// one of fixed pitch, the default one of East Asia and the emoji stay: without them a chat
    /// cannot be measured.
    public func removing(_ names: [String]) -> PinnedFonts {
        var fonts = self
        fonts.fallbacks.removeAll { names.contains($0.name) }
        fonts.eastAsian = fonts.eastAsian.filter { !names.contains($0.value.name) }
        return fonts
    }

    /// Every family once, in a stable order.
    public var all: [Family] {
        let east = eastAsian.values.sorted { $0.name < $1.name }
        var seen: Set<String> = []
        return ([text, monospaced, eastAsianDefault] + east + fallbacks + [emoji]).filter {
            seen.insert($0.name).inserted
        }
    }

    /// The families for a request, first choice first.
    package func families(for family: FontRequest.Family, language: String) -> [String] {
        var names: [String] = []
        func append(_ name: String) {
            if !names.contains(name) { names.append(name) }
        }
        switch family {
        case .text: break
        case .monospaced: append(monospaced.name)
        case .named(let name): append(name)
        }
        append(text.name)
        append(eastAsianFamily(for: language).name)
        for fallback in fallbacks { append(fallback.name) }
        append(emoji.name)
        return names
    }

    /// The longest tag that is a prefix of the language decides, as in RFC 4647 (lookup).
    private func eastAsianFamily(for language: String) -> Family {
        var tag = Substring(language)
        while !tag.isEmpty {
            if let family = eastAsian[String(tag)] { return family }
            guard let dash = tag.lastIndex(of: "-") else { break }
            tag = tag[..<dash]
        }
        return eastAsianDefault
    }
}
