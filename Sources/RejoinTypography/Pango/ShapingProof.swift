#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// What can be proven about shaping with one font in one script, language and direction: which
/// glyphs the lookups of HarfBuzz's plan read or write.
///
/// A glyph outside every lookup keeps its nominal advance and has no influence on its neighbours.
/// If no lookup that sees more than one glyph knows the space, words are shaped the same whatever
/// stands beyond the spaces around them, and the space is as wide as on its own.
final class ShapingProof {
    /// What a plan of HarfBuzz hangs on, beside the font.
    struct Key: Equatable {
        /// The script's ISO 15924 tag.
        let script: UInt32
        /// HarfBuzz's language, an interned pointer; `nil` where none is known.
        let language: OpaquePointer?
        let isRightToLeft: Bool
    }

    /// Whether no lookup that sees more than one glyph reads or writes the space.
    let isSpaceAlone: Bool
    /// The advance of a space on its own.
    let spaceAdvance: Advance

    /// The glyphs that lookups read or write; `nil` where that cannot be told.
    private let touched: OpaquePointer?

    init(font: OpaquePointer, key: Key) {
        let face = hb_font_get_face(font)
        let all = hb_set_create()
        let beyond = hb_set_create()
        let isKnown = Self.collect(face, key, into: all, beyondOneGlyph: beyond)
        let space = Self.shapedSpace(font, key)
        spaceAdvance = space.advance
        isSpaceAlone = isKnown && !space.glyphs.contains { hb_set_has(beyond, $0) != 0 }
        hb_set_destroy(beyond)
        if isKnown {
            touched = all
        } else {
            hb_set_destroy(all)
            touched = nil
        }
    }

    deinit { if let touched { hb_set_destroy(touched) } }

    /// Whether no lookup reads or writes a glyph.
    func isInert(_ glyph: UInt32) -> Bool {
        touched.map { hb_set_has($0, glyph) == 0 } ?? false
    }

    /// The glyphs of a space before and after shaping, and its advance. A single substitution may
    /// give it another glyph; where several follow each other, the ones in between are lookups' own
    /// glyphs, which the collection of the next lookup holds.
    private static func shapedSpace(_ font: OpaquePointer, _ key: Key) -> (
        glyphs: [UInt32], advance: Advance
    ) {
        var nominal: hb_codepoint_t = 0
        hb_font_get_nominal_glyph(font, 0x20, &nominal)
        let buffer = hb_buffer_create()
        defer { hb_buffer_destroy(buffer) }
        var properties = key.properties
        hb_buffer_add(buffer, 0x20, 0)
        hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
        hb_buffer_set_segment_properties(buffer, &properties)
        hb_shape(font, buffer, nil, 0)
        var count: UInt32 = 0
        var glyphs = [nominal]
        var sum: Int32 = 0
        // Both belong to the buffer and are read before it goes.
        if let infos = hb_buffer_get_glyph_infos(buffer, &count),
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
        {
            for index in 0..<Int(count) {
                glyphs.append(infos[index].codepoint)
                sum &+= positions[index].x_advance
            }
        }
        return (glyphs, Advance(shapingUnits: max(0, sum)))
    }

    /// Collects the glyphs of a plan's lookups. `false` where they cannot all be told.
    private static func collect(
        _ face: OpaquePointer?, _ key: Key, into all: OpaquePointer?,
        beyondOneGlyph beyond: OpaquePointer?
    ) -> Bool {
        // Apple's tables are state machines whose reach HarfBuzz cannot name.
        for name in ["morx", "mort", "kerx", "trak"] where has(table: name, in: face) {
            return false
        }
        var properties = key.properties
        guard let plan = hb_shape_plan_create_cached(face, &properties, nil, 0, nil),
            let lookups = hb_set_create()
        else { return false }
        defer {
            hb_shape_plan_destroy(plan)
            hb_set_destroy(lookups)
        }
        for (name, isPositioning) in [("GSUB", false), ("GPOS", true)] {
            let table = LookupTable(face: face, table: tag(name), isPositioning: isPositioning)
            guard table.isWhollyListed else { return false }
            hb_set_clear(lookups)
            hb_ot_shape_plan_collect_lookups(plan, tag(name), lookups)
            var lookup = hb_codepoint_t.max
            while hb_set_next(lookups, &lookup) != 0 {
                switch table.reach(of: lookup) {
                case .unknown: return false
                case .listed:
                    hb_ot_layout_lookup_collect_glyphs(
                        face, tag(name), lookup, beyond, beyond, beyond, nil)
                case .oneGlyph:
                    hb_ot_layout_lookup_collect_glyphs(
                        face, tag(name), lookup, all, all, all, all)
                }
            }
        }
        // The old kerning table is used where GPOS has no kerning.
        guard hasKerning(face, key) || KerningTable.collect(from: face, into: beyond) else {
            return false
        }
        hb_set_union(all, beyond)
        return hb_set_allocation_successful(all) != 0 && hb_set_allocation_successful(beyond) != 0
    }

    /// Whether HarfBuzz finds the feature `kern` in GPOS for a script and language.
    private static func hasKerning(_ face: OpaquePointer?, _ key: Key) -> Bool {
        var scriptCount: UInt32 = 4
        var languageCount: UInt32 = 4
        var scripts = [hb_tag_t](repeating: 0, count: 4)
        var languages = [hb_tag_t](repeating: 0, count: 4)
        hb_ot_tags_from_script_and_language(
            hb_script_t(rawValue: key.script), key.language, &scriptCount, &scripts,
            &languageCount, &languages)
        var script: UInt32 = 0
        var language: UInt32 = 0
        var chosen: hb_tag_t = 0
        var feature: UInt32 = 0
        let table = tag("GPOS")
        hb_ot_layout_table_select_script(face, table, scriptCount, scripts, &script, &chosen)
        hb_ot_layout_script_select_language(
            face, table, script, languageCount, languages, &language)
        return hb_ot_layout_language_find_feature(
            face, table, script, language, tag("kern"), &feature) != 0
    }

    private static func has(table name: String, in face: OpaquePointer?) -> Bool {
        let blob = hb_face_reference_table(face, tag(name))
        defer { hb_blob_destroy(blob) }
        return hb_blob_get_length(blob) > 0
    }

    static func tag(_ name: String) -> hb_tag_t {
        name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ShapingProof.Key {
    /// As HarfBuzz takes them.
    var properties: hb_segment_properties_t {
        var properties = hb_segment_properties_t()
        properties.direction = isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR
        properties.script = hb_script_t(rawValue: script)
        properties.language = language
        return properties
    }
}
#endif
