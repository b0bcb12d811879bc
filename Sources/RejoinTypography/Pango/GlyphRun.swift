#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// The glyphs of one item in one font, for drawing, in visual order from left to right.
struct GlyphRun {
    /// One glyph beside its cluster's pen position.
    struct Glyph {
        let id: UInt32
        /// Where its cluster begins: an offset of UTF-8 in the paragraph.
        let cluster: Int
        /// How far right of the cluster's left edge, in pixels.
        let x: Double
        /// How far below the baseline, in pixels.
        let y: Double
    }

    let font: FontSlot
    let glyphs: [Glyph]

    init(
        reading buffer: OpaquePointer?, font: FontSlot, start: Int, isRightToLeft: Bool,
        context: Int
    ) {
        self.font = font
        var count: UInt32 = 0
        // Both belong to the buffer and are read before it changes.
        guard let infos = hb_buffer_get_glyph_infos(buffer, &count), count > 0,
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
        else {
            glyphs = []
            return
        }
        var result: [Glyph] = []
        result.reserveCapacity(Int(count))
        let first = isRightToLeft ? infos[Int(count) - 1].cluster : infos[0].cluster
        var cluster = infos[0].cluster
        var pen: Int32 = 0
        for index in 0..<Int(count) {
            if infos[index].cluster != cluster {
                cluster = infos[index].cluster
                pen = 0
            }
            // As in ``ClusterBuilder``: the first cluster begins where the item does.
            result.append(
                Glyph(
                    id: infos[index].codepoint,
                    cluster: cluster == first ? start : Int(cluster) + context,
                    x: Double(pen &+ positions[index].x_offset) / Double(PANGO_SCALE),
                    y: -Double(positions[index].y_offset) / Double(PANGO_SCALE)))
            pen &+= positions[index].x_advance
        }
        glyphs = result
    }
}
#endif
