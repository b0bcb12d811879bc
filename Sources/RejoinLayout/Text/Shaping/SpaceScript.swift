/// In whose script spaces stand, where the character before them is of no script: an emoji or a
/// mark of East Asian punctuation belongs to the script of the text before it, and the font of the
/// spaces hangs on that.
package enum SpaceScript {
    /// How many characters are looked back at: what lies farther has no say.
    static let limit = 64

    /// The letter whose script counts for the spaces at an offset; nil where the character before
    /// them tells by itself, or where there is none.
    ///
    /// A character of another run does not tell: the spaces have its script at most.
    ///
    /// A pair of brackets stands in the script of what comes before it, as Unicode's annex 24
    /// (section 5.1) has it.
    ///
    /// - Parameters:
    ///   - bytes: well-formed UTF-8, of which the paragraph begins at its first index.
    ///   - isApart: whether what stands before the spaces is of another run.
    /// - Complexity: O(``limit``).
    package static func letter<Bytes: RandomAccessCollection>(
        before offset: Int, in bytes: Bytes, isApart: Bool = false
    ) -> Unicode.Scalar? where Bytes.Element == UInt8, Bytes.Index == Int {
        var place = offset
        while place > bytes.startIndex, bytes[place - 1] == 0x20 { place -= 1 }
        guard let last = scalar(before: &place, in: bytes), isApart || !tells(last.value) else {
            return nil
        }
        var scalar = last
        var nearest: Unicode.Scalar?
        var depth = 0
        for _ in 0..<limit {
            if hasScript(scalar) {
                if depth == 0 { return scalar }
                nearest = nearest ?? scalar
            }
            switch scalar.properties.generalCategory {
            case .closePunctuation, .finalPunctuation: depth += 1
            case .openPunctuation, .initialPunctuation: depth = max(0, depth - 1)
            default: break
            }
            guard let previous = Self.scalar(before: &place, in: bytes) else { break }
            scalar = previous
        }
        return nearest
    }

    /// The character behind spaces as their font hangs on it: the first one; U+FE0F where that
    /// follows and makes an emoji of it.
    package static func character<Bytes: RandomAccessCollection>(
        from offset: Int, in bytes: Bytes
    ) -> Unicode.Scalar? where Bytes.Element == UInt8, Bytes.Index == Int {
        var place = offset
        while place < bytes.endIndex, bytes[place] == 0x20 { place += 1 }
        guard place < bytes.endIndex else { return nil }
        repeat { place += 1 } while place < bytes.endIndex && bytes[place] & 0xC0 == 0x80
        let selector: [UInt8] = [0xEF, 0xB8, 0x8F]
        if bytes[place...].starts(with: selector) { return "\u{FE0F}" }
        return scalar(before: &place, in: bytes)
    }

    /// Whether a character needs no letter: it has a script, or it is of those that the first font
    /// of a list has as a rule. Most texts have no others.
    package static func tells(_ code: UInt32) -> Bool {
        switch code {
        case ..<0x2000, 0x3400...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    /// Whether a character is of one script: letters are, but for those that several scripts share.
    private static func hasScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2100...0x214F, 0x2460...0x24FF, 0x3031...0x3035, 0x30FC, 0xFF70, 0x1D400...0x1D7FF,
            0x1F100...0x1F1FF:
            false
        default: scalar.properties.isAlphabetic
        }
    }

    private static func scalar<Bytes: RandomAccessCollection>(
        before place: inout Int, in bytes: Bytes
    ) -> Unicode.Scalar? where Bytes.Element == UInt8, Bytes.Index == Int {
        var code: UInt32 = 0
        var shift: UInt32 = 0
        while place > bytes.startIndex {
            place -= 1
            let byte = UInt32(bytes[place])
            guard byte & 0xC0 == 0x80, shift < 18 else {
                let mask: UInt32 = shift == 0 ? 0x7F : shift == 6 ? 0x1F : shift == 12 ? 0x0F : 0x07
                return Unicode.Scalar(code | (byte & mask) << shift)
            }
            code |= (byte & 0x3F) << shift
            shift += 6
        }
        return nil
    }
}
