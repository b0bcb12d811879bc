#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// A configuration of fontconfig that knows the pinned fonts and nothing of the machine's own.
///
/// Which font stands in for a missing glyph follows from the order of the families alone: a
/// family that was named has a strong binding, which goes before the language, and no font but
/// the pinned ones is in the set.
struct FontConfiguration {
    let fonts: PinnedFonts

    /// Makes the configuration. The caller owns it.
    func make() throws(TypographyError) -> OpaquePointer {
        guard let config = FcConfigCreate() else { throw refused("it could not be created") }
        let text = xml
        // The text is read during the call only.
        let isRead = text.withCString { bytes in
            bytes.withMemoryRebound(to: FcChar8.self, capacity: text.utf8.count) {
                FcConfigParseAndLoadFromMemory(config, $0, FcBool(1))
            }
        }
        guard isRead != 0, FcConfigBuildFonts(config) != 0 else {
            FcConfigDestroy(config)
            throw refused("its text was not accepted")
        }
        let installed = Self.installed(in: config)
        let missing = fonts.all.filter { !installed.contains($0.name) }
        guard missing.isEmpty else {
            FcConfigDestroy(config)
            throw Self.missing(missing, installed, directories: fonts.directories)
        }
        return config
    }

    private func refused(_ why: String) -> TypographyError {
        TypographyError(
            code: .configurationRefused,
            description: "The configuration of fontconfig failed: \(why). Look for special "
                + "characters in the names and folders of the pinned fonts.")
    }

    private static func missing(
        _ families: [PinnedFonts.Family], _ installed: Set<String>, directories: [String]
    ) -> TypographyError {
        var packages: [String] = []
        for package in families.compactMap(\.package) where !packages.contains(package) {
            packages.append(package)
        }
        let names = families.map(\.name)
        var description =
            "Text is measured with pinned fonts, and these are not installed under "
            + "\(directories.joined(separator: ", ")): \(names.joined(separator: ", ")). "
        let meant = names.compactMap { name in
            installed.filter { $0.lowercased() == name.lowercased() }.min()
        }
        if !meant.isEmpty {
            description +=
                "Names of fonts are told apart by the case of their letters: is "
                + "\(meant.joined(separator: ", ")) meant? "
        }
        if packages.isEmpty {
            description += "Install them, or pin other fonts."
        } else {
            description +=
                "Install them (Debian: apt-get install \(packages.joined(separator: " "))), "
                + "or pin other fonts."
        }
        return TypographyError(
            code: .fontsMissing, description: description, missingFamilies: names)
    }

    /// The names of all families in a configuration.
    private static func installed(in config: OpaquePointer) -> Set<String> {
        // The set belongs to the configuration.
        guard let set = FcConfigGetFonts(config, FcSetSystem) else { return [] }
        var names: Set<String> = []
        for index in 0..<Int(set.pointee.nfont) {
            var name: UnsafeMutablePointer<FcChar8>?
            var position: Int32 = 0
            while FcPatternGetString(set.pointee.fonts[index], FC_FAMILY, position, &name)
                == FcResultMatch, let found = name
            {
                names.insert(String(cString: found))
                position += 1
            }
        }
        return names
    }

    private var xml: String {
        let directories = fonts.directories.map { "<dir>\(Self.escaped($0))</dir>" }
        let accepted = fonts.all.map {
            "<pattern><patelt name=\"family\"><string>\(Self.escaped($0.name))</string>"
                + "</patelt></pattern>"
        }
        let emoji = fonts.families(for: .text, language: "").map {
            "<string>\(Self.escaped($0))</string>"
        }
        return """
            <?xml version="1.0"?>
            <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
            <fontconfig>
            \(directories.joined())
            <cachedir>/var/cache/fontconfig</cachedir>
            <cachedir prefix="xdg">fontconfig</cachedir>
            <selectfont>
            <rejectfont><pattern/></rejectfont>
            <acceptfont>\(accepted.joined())</acceptfont>
            </selectfont>
            <!-- Pango asks for the family "emoji" where a character is drawn as one. -->
            <match target="pattern">
            <test name="family"><string>emoji</string></test>
            <edit name="family" mode="prepend_first" binding="strong">
            <string>\(Self.escaped(fonts.emoji.name))</string>\(emoji.joined())
            </edit>
            </match>
            <!-- Pictures of one size are scaled to the size that is asked for. -->
            <match target="font">
            <test name="outline" compare="eq"><bool>false</bool></test>
            <edit name="pixelsizefixupfactor" mode="assign"><divide>
            <name target="pattern">pixelsize</name><name target="font">pixelsize</name>
            </divide></edit>
            <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
            <name>pixelsizefixupfactor</name><double>0</double>
            <double>0</double><name>pixelsizefixupfactor</name>
            </matrix></times></edit>
            <edit name="size" mode="assign"><divide>
            <name>size</name><name>pixelsizefixupfactor</name>
            </divide></edit>
            </match>
            </fontconfig>
            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case let other: result.append(other)
            }
        }
        return result
    }
}
#endif
