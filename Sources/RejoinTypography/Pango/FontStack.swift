#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// A font request in one language: the fonts that serve it, and what was learnt about single
/// characters in them.
///
/// It keeps at most 256 pages of 256 characters at 16 bytes (1 MB), and that only if a text
/// visits the whole of the first plane; Korean takes 45 pages.
///
/// Exclusive access is left unchecked where every character or space looks: no call gives way to
/// another one in between.
final class FontStack {
    let request: FontRequest
    let language: String
    /// Pango's context. Owned.
    let context: OpaquePointer
    /// The fonts that were used, in the order of their first use. The first is the primary
    /// one.
    @exclusivity(unchecked) private(set) var slots: [FontSlot] = []
    /// The font of a space on its own, which runs of spaces get.
    private(set) var spaceSlot = 0

    private let families: [String]
    /// The spaces that were asked for last; most texts have one kind.
    @exclusivity(unchecked) private var lastSpace = (
        slot: -1, script: UInt32(0), isRightToLeft: false, advance: Advance.zero
    )
    @exclusivity(unchecked) private var languages: [(script: UInt32, language: OpaquePointer?)] = []
    /// The characters beside spaces that are not simple.
    private var edges: [UInt32: SpaceEdge] = [:]
    private static let edgeLimit = 4096
    /// Pango's list of fonts for the request. Owned.
    private let fontset: UnsafeMutablePointer<PangoFontset>?
    @exclusivity(unchecked) private var pages: ContiguousArray<SimpleCharacter> = []
    @exclusivity(unchecked) private var pageStart = ContiguousArray<Int32>(
        repeating: -1, count: 256)

    init(request: FontRequest, language: String, families: [String], map: FontMap) {
        self.request = request
        self.language = language
        self.families = families
        context = map.makeContext(language: language)
        let description = Self.description(of: request, families: families)
        // The context copies the description.
        pango_context_set_font_description(context, description)
        fontset = pango_font_map_load_fontset(
            map.map, context, description, pango_context_get_language(context))
        pango_font_description_free(description)
        let primary = font(for: 0x20)
        spaceSlot = Int(primary)
    }

    deinit {
        if let fontset { g_object_unref(fontset) }
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    private static func description(of request: FontRequest, families: [String])
        -> OpaquePointer?
    {
        let description = pango_font_description_new()
        pango_font_description_set_family(description, families.joined(separator: ","))
        pango_font_description_set_absolute_size(
            description, request.size.pixels * Double(PANGO_SCALE))
        pango_font_description_set_weight(
            description, request.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_style(
            description, request.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        return description
    }

    /// The index of a font among ``slots``, which takes it in at its first use.
    func index(of font: UnsafeMutablePointer<PangoFont>) -> Int {
        for index in slots.indices where slots[index].font == font { return index }
        slots.append(FontSlot(retaining: font, families: families))
        return slots.count - 1
    }

    func character(_ scalar: UInt32) -> SimpleCharacter {
        let page = Int(scalar >> 8)
        guard page < 256 else { return .complex }
        let start = Int(pageStart[page])
        if start >= 0 {
            let known = pages[start + Int(scalar & 0xFF)]
            if known.slot != SimpleCharacter.unknownSlot { return known }
        }
        return learn(scalar)
    }

    /// Keeps what a character moves the pen by on its own in a script.
    func remember(_ scalar: UInt32, alone advance: Advance, in script: UInt32) {
        let start = Int(pageStart[Int(scalar >> 8)])
        pages[start + Int(scalar & 0xFF)].aloneScript = script
        pages[start + Int(scalar & 0xFF)].advance = advance.rawValue
    }

    func proof(slot: Int, script: UInt32, isRightToLeft: Bool) -> ShapingProof {
        slots[slot].proof(
            for: ShapingProof.Key(
                script: script, language: shapingLanguage(script), isRightToLeft: isRightToLeft))
    }

    /// The language in which a script is shaped, as HarfBuzz names it: the stack's where it is
    /// written in the script, else the script's main one; `nil` where none is known.
    func shapingLanguage(_ script: UInt32) -> OpaquePointer? {
        for entry in languages where entry.script == script { return entry.language }
        let name = ScriptLanguage.name(script: script, wanted: language)
        // Interned for the life of the process.
        let found =
            name.isEmpty ? nil : hb_language_from_string(name, Int32(name.utf8.count))
        languages.append((script, found))
        return found
    }

    /// The font and script of spaces between two characters: what Pango's itemiser chooses.
    ///
    /// Spaces stay with what stands before them, unless what follows belongs to the same run and
    /// has a font that comes earlier in the list. Emoji are runs of their own, and so is text of
    /// another direction, which is left out here: spaces behind either are as at the start of a
    /// text, and alone where what follows is of another script than what stands before.
    ///
    /// - Parameter letter: in whose script they stand, where the character before is missing or has
    ///   none.
    func space(
        after previous: UInt32?, inScriptOf letter: UInt32?, before next: UInt32?
    ) -> (slot: Int, script: UInt32) {
        let before = previous.map { edge($0) }
        let isBehindText = before.map { !$0.endsEmoji } ?? false
        // No font is wanted more than the first: then it does not matter what follows.
        if let before, isBehindText, slots[before.slot].rank == 0 {
            return (before.slot, before.script)
        }
        // The script of the text before, as far as it is known.
        let script = letter.map { edge($0).script }
        let following = next.map { edge($0) }.flatMap { $0.startsEmoji ? nil : $0 }
        guard let before, isBehindText else {
            guard let following,
                following.isShared || following.script == script ?? following.script
            else { return (spaceSlot, script ?? HB_SCRIPT_COMMON.rawValue) }
            return (
                following.slot, following.isShared ? script ?? following.script : following.script
            )
        }
        let own = before.isShared ? script ?? before.script : before.script
        guard let following, following.slot != before.slot,
            following.isShared || following.script == own,
            slots[following.slot].rank < slots[before.slot].rank
        else { return (before.slot, own) }
        return (following.slot, own)
    }

    /// The advance of spaces in a font and script.
    func spaceAdvance(slot: Int, script: UInt32, isRightToLeft: Bool) -> Advance {
        let last = lastSpace
        if last.slot == slot, last.script == script, last.isRightToLeft == isRightToLeft {
            return last.advance
        }
        let advance = proof(slot: slot, script: script, isRightToLeft: isRightToLeft).spaceAdvance
        lastSpace = (slot, script, isRightToLeft, advance)
        return advance
    }

    private func edge(_ scalar: UInt32) -> SpaceEdge {
        let simple = character(scalar)
        if simple.slot < SimpleCharacter.complexSlot {
            return SpaceEdge(simple: simple)
        }
        if let known = edges[scalar] { return known }
        let slot = font(for: scalar)
        let edge = SpaceEdge(
            scalar, slot: slot < SimpleCharacter.complexSlot ? Int(slot) : spaceSlot)
        if edges.count >= Self.edgeLimit { edges.removeAll(keepingCapacity: true) }
        edges[scalar] = edge
        return edge
    }

    private func learn(_ scalar: UInt32) -> SimpleCharacter {
        let page = Int(scalar >> 8)
        if pageStart[page] < 0 {
            pageStart[page] = Int32(pages.count)
            pages.append(contentsOf: repeatElement(.unknown, count: 256))
        }
        let character = examine(scalar)
        pages[Int(pageStart[page]) + Int(scalar & 0xFF)] = character
        return character
    }

    private func examine(_ scalar: UInt32) -> SimpleCharacter {
        guard let traits = SimpleCharacter.Traits(simple: scalar),
            let script = SimpleScript(of: scalar)
        else { return .complex }
        var character = SimpleCharacter(
            slot: font(for: scalar), script: script, traits: traits, aloneScript: 0, advance: 0)
        guard character.slot < SimpleCharacter.complexSlot else { return .complex }
        let slot = slots[Int(character.slot)]
        guard let glyph = slot.nominalGlyph(scalar) else { return .complex }
        if script != .common {
            let proof = proof(slot: Int(character.slot), script: script.tag, isRightToLeft: false)
            if proof.isInert(glyph) {
                character.traits.insert(.inert)
                character.advance = slot.nominalAdvance(glyph).rawValue
            }
        }
        return character
    }

    /// The font that Pango takes for a character on its own.
    private func font(for scalar: UInt32) -> UInt8 {
        guard let fontset, let font = pango_fontset_get_font(fontset, scalar) else {
            return SimpleCharacter.complexSlot
        }
        defer { g_object_unref(font) }
        let index = index(of: font)
        return index < Int(SimpleCharacter.complexSlot)
            ? UInt8(index) : SimpleCharacter.complexSlot
    }
}
#endif
