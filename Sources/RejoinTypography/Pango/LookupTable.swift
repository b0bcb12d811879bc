#if canImport(CPango)
internal import CPango

/// The lookups of a GSUB or GPOS table, as far as it matters how far they see.
///
/// HarfBuzz lists the glyphs that a lookup names; it does not list those that belong to the class
/// of all others (class 0 of OpenType's chapter 2), so lookups that use that class are found here.
final class LookupTable {
    /// How far a lookup sees.
    enum Reach {
        /// Each glyph for itself: single substitution, single adjustment.
        case oneGlyph
        /// Only glyphs that HarfBuzz lists.
        case listed
        /// Perhaps any glyph.
        case unknown
    }

    private let blob: OpaquePointer?
    private let bytes: UnsafeRawBufferPointer
    private let isPositioning: Bool
    private let lookups: Int

    init(face: OpaquePointer?, table: UInt32, isPositioning: Bool) {
        blob = hb_face_reference_table(face, table)
        var length: UInt32 = 0
        // The data belong to the blob, which lives as long as this object.
        let data = hb_blob_get_data(blob, &length)
        bytes = UnsafeRawBufferPointer(start: data, count: Int(length))
        self.isPositioning = isPositioning
        lookups = bytes.count >= 10 ? Int(bytes[8]) << 8 | Int(bytes[9]) : 0
    }

    deinit { hb_blob_destroy(blob) }

    /// How far a lookup sees.
    ///
    /// - Complexity: linear in the lookup.
    func reach(of lookup: UInt32) -> Reach {
        guard lookups > 0, let place = number(lookups + 2 + Int(lookup) * 2) else {
            return .unknown
        }
        let start = lookups + place
        guard let type = number(start), let count = number(start + 4) else { return .unknown }
        var result = Reach.oneGlyph
        for index in 0..<count {
            guard let offset = number(start + 6 + index * 2) else { return .unknown }
            switch reach(type: type, subtable: start + offset) {
            case .unknown: return .unknown
            case .listed: result = .listed
            case .oneGlyph: break
            }
        }
        return result
    }

    /// Whether no lookup of the whole table has an unknown reach: contexts apply others than those
    /// of the plan.
    ///
    /// - Complexity: linear in the table, once.
    private(set) lazy var isWhollyListed: Bool = {
        let count = number(lookups) ?? 0
        return (0..<count).allSatisfy { reach(of: UInt32($0)) != .unknown }
    }()

    private func reach(type: Int, subtable: Int) -> Reach {
        guard let format = number(subtable) else { return .unknown }
        switch (isPositioning, type) {
        case (false, 7), (true, 9):
            // An extension: the subtable lies farther away.
            guard let inner = number(subtable + 2), inner != type,
                let high = number(subtable + 4), let low = number(subtable + 6)
            else { return .unknown }
            return reach(type: inner, subtable: subtable + (high << 16 | low))
        case (_, 1): return .oneGlyph
        // One to many, one of many, ligatures, reverse chains; marks.
        case (false, 2...4), (false, 8), (true, 3...6): return .listed
        case (true, 2): return format == 2 ? pairReach(subtable) : .listed
        // Contexts: by glyph and by coverage they are listed.
        case (false, 5...6), (true, 7...8):
            let isChain = type == 6 || type == 8
            return format == 2 ? contextReach(subtable, isChain: isChain) : .listed
        default: return .unknown
        }
    }

    /// Pairs by class: listed, if the class of all others changes nothing where it is second.
    /// (Where it is first, the coverage lists its glyphs.)
    private func pairReach(_ subtable: Int) -> Reach {
        guard let first = number(subtable + 4), let second = number(subtable + 6),
            let rows = number(subtable + 12), let columns = number(subtable + 14)
        else { return .unknown }
        let width = (first.nonzeroBitCount + second.nonzeroBitCount) * 2
        for row in 0..<rows {
            let record = subtable + 16 + row * columns * width
            for offset in stride(from: record, to: record + width, by: 2)
            where number(offset) != 0 {
                return .unknown
            }
        }
        return .listed
    }

    /// Contexts by class: listed, if no rule names the class of all others.
    private func contextReach(_ subtable: Int, isChain: Bool) -> Reach {
        let head = subtable + (isChain ? 10 : 6)
        guard let sets = number(head) else { return .unknown }
        for index in 0..<sets {
            guard let offset = number(head + 2 + index * 2) else { return .unknown }
            // No rule begins with this class.
            if offset == 0 { continue }
            let set = subtable + offset
            guard let rules = number(set) else { return .unknown }
            for index in 0..<rules {
                guard let offset = number(set + 2 + index * 2) else { return .unknown }
                let names =
                    isChain ? namesAll(chainRule: set + offset) : namesAll(rule: set + offset)
                if !names { return .unknown }
            }
        }
        return .listed
    }

    /// Whether a rule says of each glyph in which class it is. The first glyph of the input is in
    /// the coverage.
    private func namesAll(rule: Int) -> Bool {
        guard let count = number(rule), count > 0 else { return false }
        return hasNoZero(at: rule + 4, count: count - 1)
    }

    private func namesAll(chainRule rule: Int) -> Bool {
        guard let before = number(rule) else { return false }
        let input = rule + 2 + before * 2
        guard let inputCount = number(input), inputCount > 0 else { return false }
        let after = input + inputCount * 2
        guard let afterCount = number(after) else { return false }
        return hasNoZero(at: rule + 2, count: before)
            && hasNoZero(at: input + 2, count: inputCount - 1)
            && hasNoZero(at: after + 2, count: afterCount)
    }

    private func hasNoZero(at offset: Int, count: Int) -> Bool {
        (0..<count).allSatisfy { number(offset + $0 * 2) ?? 0 != 0 }
    }

    private func number(_ offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }
}
#endif
