#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// One font of one size: Pango's font, HarfBuzz's view of it, and what was proven about it.
final class FontSlot {
    /// Owned: one reference.
    let font: UnsafeMutablePointer<PangoFont>
    /// Owned by `font`.
    let shapingFont: OpaquePointer
    let metrics: FontMetrics
    /// The place of its family in the list of the request: the lower, the more it is wanted.
    let rank: Int

    private var proofs: [(key: ShapingProof.Key, proof: ShapingProof)] = []

    init(retaining font: UnsafeMutablePointer<PangoFont>, families: [String]) {
        self.font = font
        g_object_ref(font)
        // Pango has no HarfBuzz font only where a font's file vanished; the empty font has no
        // glyphs and no advances.
        shapingFont = pango_font_get_hb_font(font) ?? hb_font_get_empty()
        let description = pango_font_describe(font)
        // The name belongs to the description.
        let family = pango_font_description_get_family(description).map { String(cString: $0) }
        rank = family.flatMap { families.firstIndex(of: $0) } ?? families.count
        pango_font_description_free(description)
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(shapingFont, &extents)
        metrics = FontMetrics(
            ascent: Advance(shapingUnits: extents.ascender),
            descent: Advance(shapingUnits: -extents.descender))
    }

    deinit { g_object_unref(font) }

    /// What HarfBuzz's lookups cannot touch in a script and direction.
    ///
    /// - Complexity: O(1) after the first call for a key; that one reads the font's tables.
    func proof(for key: ShapingProof.Key) -> ShapingProof {
        for entry in proofs where entry.key == key { return entry.proof }
        let proof = ShapingProof(font: shapingFont, key: key)
        proofs.append((key, proof))
        return proof
    }

    /// The glyph of a character, without any lookup; `nil` where the font has none.
    func nominalGlyph(_ scalar: UInt32) -> UInt32? {
        var glyph: hb_codepoint_t = 0
        return hb_font_get_nominal_glyph(shapingFont, scalar, &glyph) != 0 ? glyph : nil
    }

    /// The advance of a glyph, without any lookup.
    func nominalAdvance(_ glyph: UInt32) -> Advance {
        Advance(shapingUnits: hb_font_get_glyph_h_advance(shapingFont, glyph))
    }
}

extension Advance {
    /// HarfBuzz's positions: Pango has it count 1/1024 pixels.
    init(shapingUnits units: Int32) { self.init(rawValue: (units &+ 8) >> 4) }
}
#endif
