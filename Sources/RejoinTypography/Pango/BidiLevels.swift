#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// The levels of UAX #9, by FriBidi.
enum BidiLevels {
    /// How many explicit embeddings, overrides and isolates of a paragraph count. FriBidi takes
    /// quadratic time in them; no text that a person wrote has as many, and those beyond are
    /// treated as characters that do nothing.
    static let explicitLimit = 512

    /// One level for each byte.
    ///
    /// - Complexity: linear in the paragraph.
    static func resolve(_ paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        guard !paragraph.isEmpty else { return [] }
        return paragraph.withUnsafeBufferPointer { bytes in
            if base == .leftToRight, isPlain(bytes) {
                return [UInt8](repeating: 0, count: bytes.count)
            }
            return resolve(bytes, base: base)
        }
    }

    private static func resolve(_ bytes: UnsafeBufferPointer<UInt8>, base: TextDirection)
        -> [UInt8]
    {
        var scalars: [FriBidiChar] = []
        scalars.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let (scalar, next) = Itemiser.decode(bytes, at: offset)
            scalars.append(scalar)
            offset = next
        }
        let count = FriBidiStrIndex(scalars.count)
        var types = [FriBidiCharType](
            repeating: rejoin_fribidi_boundary_neutral(), count: scalars.count)
        var brackets = [FriBidiBracketType](repeating: 0, count: scalars.count)
        var levels = [FriBidiLevel](repeating: 0, count: scalars.count)
        fribidi_get_bidi_types(scalars, count, &types)
        limitExplicit(&types)
        fribidi_get_bracket_types(scalars, count, types, &brackets)
        var direction = rejoin_fribidi_base(base == .rightToLeft ? 1 : 0)
        let highest = fribidi_get_par_embedding_levels_ex(
            types, brackets, count, &direction, &levels)
        let fallback: FriBidiLevel = base == .rightToLeft ? 1 : 0
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (scalar, level) in zip(scalars, levels) {
            // Zero is the failure of an allocation: the paragraph is read in one direction.
            let value = UInt8(clamping: highest == 0 ? fallback : level)
            let width = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
            for _ in 0..<width { result.append(value) }
        }
        return result
    }

    private static func limitExplicit(_ types: inout [FriBidiCharType]) {
        var count = 0
        for index in types.indices where rejoin_fribidi_is_explicit(types[index]) != 0 {
            count += 1
            if count > explicitLimit { types[index] = rejoin_fribidi_boundary_neutral() }
        }
    }

    /// The text for Pango, which has FriBidi find levels again where it divides a text: explicit
    /// characters beyond the limit are replaced by U+2060, which has the same length, script and
    /// font, and does nothing. `nil`: there are none.
    static func limitingExplicit(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var copy: [UInt8]?
        var count = 0
        var offset = 0
        while offset + 2 < bytes.count {
            // U+202A to U+202E, U+2066 to U+2069.
            guard bytes[offset] == 0xE2,
                bytes[offset + 1] == 0x80 && (0xAA...0xAE).contains(bytes[offset + 2])
                    || bytes[offset + 1] == 0x81 && (0xA6...0xA9).contains(bytes[offset + 2])
            else {
                offset += 1
                continue
            }
            count += 1
            if count > explicitLimit {
                if copy == nil { copy = Array(bytes) }
                copy?.replaceSubrange(offset..<offset + 3, with: [0xE2, 0x81, 0xA0])
            }
            offset += 3
        }
        return copy
    }

    /// Whether a text has neither letters that are read from the right nor marks that set a
    /// direction: all of it has level 0 in a paragraph that is read from the left.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            // No lead byte below D6 begins a character of Hebrew or beyond.
            if bytes[offset] < 0xD6 {
                offset += 1
                continue
            }
            let (scalar, next) = Itemiser.decode(bytes, at: offset)
            switch scalar {
            case 0x590...0x8FF, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
                0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
                return false
            default: offset = next
            }
        }
        return true
    }
}
#endif
