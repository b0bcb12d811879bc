import RejoinLayout

/// Why a text has another number of lines than `PangoLayout` gives it, by the first line that ends
/// elsewhere. The article "Measuring text" of the documentation explains each.
enum LineDifference: String, CaseIterable {
    /// A word is cut between clusters because it is wider than the line, elsewhere than by Pango.
    case emergency
    /// Numbers: UAX #14's rule LB25, or its tailoring of section 8.2.
    case number
    /// Words of Thai.
    case dictionary
    /// At a hyphen, dash or slash, as in addresses.
    case hyphen
    /// At quotation marks and brackets.
    case quotation
    /// At an emoji.
    case emoji
    /// Between ideographs, kana or Hangul.
    case eastAsian
    /// At another break that one of the two does not allow.
    case otherRule
    /// Both allow the break; the line is within a pixel of the width.
    case onePixel
    /// Both allow the break, and Pango finds that the line fits, yet breaks before its last font
    /// or script.
    case itemEdge
    /// Both allow the break; the line is wider by more, for a space in another font.
    case spaceFont
    /// All lines end at the same places.
    case hangingSpace

    /// - Parameters:
    ///   - ours: where our lines end.
    ///   - theirs: the same by Pango, and where it allows breaks.
    ///   - allowed: where we allow breaks.
    ///   - limit: the width in pixels.
    ///   - widths: what the two give the longer line, in pixels.
    static func reason(
        _ text: [UInt8], ours: [Int], theirs: (ends: [Int], breaks: Set<Int>), allowed: Set<Int>,
        limit: Int32, widths: (Range<Int>) -> (ours: Double, theirs: Double)
    ) -> LineDifference {
        var start = 0
        for (own, other) in zip(ours, theirs.ends) {
            guard own != other else {
                start = own
                continue
            }
            for end in [own, other]
            where !allowed.contains(end) && !theirs.breaks.contains(end) && end < text.count {
                return .emergency
            }
            for end in [max(own, other), min(own, other)] where end < text.count {
                if allowed.contains(end) != theirs.breaks.contains(end) {
                    return rule(at: end, text)
                }
            }
            let widths = widths(start..<max(own, other))
            if abs(widths.ours - widths.theirs) > 1 { return .spaceFont }
            return own > other && widths.theirs <= Double(limit) ? .itemEdge : .onePixel
        }
        return .hangingSpace
    }

    /// What stands around a break that only one of the two allows.
    private static func rule(at place: Int, _ text: [UInt8]) -> LineDifference {
        let before = String(decoding: text[..<place], as: UTF8.self).unicodeScalars
            .last { $0 != " " }
        let after = String(decoding: text[place...], as: UTF8.self).unicodeScalars.first
        let both = [before, after].compactMap(\.self)
        if both.contains(where: { $0.properties.generalCategory == .decimalNumber }) {
            return .number
        }
        if both.contains(where: { (0xE00...0xE7F).contains($0.value) }) { return .dictionary }
        if both.contains(where: {
            $0.properties.generalCategory == .dashPunctuation
                || "/\u{AD}?&=".unicodeScalars.contains($0)
        }) {
            return .hyphen
        }
        if both.contains(where: {
            switch $0.properties.generalCategory {
            case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation: true
            default: $0 == "\"" || $0 == "'"
            }
        }) {
            return .quotation
        }
        if both.contains(where: { $0.properties.isEmoji && $0.value > 0xFF || $0.value == 0xFE0F })
        {
            return .emoji
        }
        if both.contains(where: { (0x1100...0x11FF).contains($0.value) || $0.value >= 0x2E80 }) {
            return .eastAsian
        }
        return .otherRule
    }
}
