#if canImport(CPango)
internal import CPango

/// The table `kern` of older fonts, which HarfBuzz has no list of glyphs for.
enum KerningTable {
    /// Adds the glyphs of all pairs to a set. `false` where the table has parts other than lists of
    /// pairs (format 0 of version 0, as OpenType has it); no table is no pairs.
    ///
    /// - Complexity: linear in the table.
    static func collect(from face: OpaquePointer?, into glyphs: OpaquePointer?) -> Bool {
        let blob = hb_face_reference_table(face, ShapingProof.tag("kern"))
        defer { hb_blob_destroy(blob) }
        var length: UInt32 = 0
        // The data belong to the blob, which lives until the end of this function.
        guard let data = hb_blob_get_data(blob, &length), length > 0 else { return true }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(length))
        func number(at offset: Int) -> Int? {
            guard offset >= 0, offset + 2 <= bytes.count else { return nil }
            return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        }
        guard number(at: 0) == 0, let tables = number(at: 2) else { return false }
        var start = 4
        for _ in 0..<tables {
            guard let coverage = number(at: start + 4), coverage >> 8 == 0,
                let pairs = number(at: start + 6)
            else { return false }
            // The length of a table with many pairs overflows its field; the count does not.
            for pair in 0..<pairs {
                let offset = start + 14 + pair * 6
                guard let left = number(at: offset), let right = number(at: offset + 2) else {
                    return false
                }
                hb_set_add(glyphs, UInt32(left))
                hb_set_add(glyphs, UInt32(right))
            }
            start += 14 + pairs * 6
        }
        return true
    }
}
#endif
