import RejoinFlags
import RejoinJSON

/// The shares of a `fractional` rule as ranges of the line from 0 to 1, on which every user has a
/// fixed place (generation v2: hash divided by 2^32). Whoever stands in a range has its variant.
struct ShareLine {
    /// The variants, in order; `nil` for the default variant (null).
    let names: [String?]
    /// The ranges, in order.
    let ranges: [ShareRange]

    /// `nil` where a share is computed, has no weight that counts, or has the variant of another.
    init?(_ rule: FractionalSource) {
        guard let weights = rule.weights else { return nil }
        self.init(names: rule.shares.map { $0.outcome?.variantName }, weights: weights)
    }

    init?(names: [String?], weights: [Int64]) {
        for (place, name) in names.enumerated() where Self.place(of: name, in: names) != place {
            return nil
        }
        self.names = names
        let total = weights.reduce(0, +)
        var start: Int64 = 0
        ranges = weights.map { weight in
            defer { start += weight }
            return ShareRange(start: start, end: start + weight, total: total)
        }
    }

    /// The place of a variant's share.
    func place(of name: String?) -> Int? { Self.place(of: name, in: names) }

    private static func place(of name: String?, in names: [String?]) -> Int? {
        names.firstIndex { $0.map(ByteKey.init) == name.map(ByteKey.init) }
    }
}

/// A range from `start / total` up to `end / total`. Totals are below 2^31, so that products of two
/// numbers fit 64 bits and comparisons are exact.
struct ShareRange: Hashable {
    let start: Int64
    let end: Int64
    let total: Int64

    var weight: Int64 { end - start }

    func isAtLeastAsWide(as other: ShareRange) -> Bool {
        total == 0
            ? other.weight == 0 : other.total == 0 || weight * other.total >= other.weight * total
    }

    /// Whether whoever stands in the other range stands in this one too.
    func contains(_ other: ShareRange) -> Bool {
        guard other.weight > 0 else { return true }
        guard weight > 0 else { return false }
        return start * other.total <= other.start * total && end * other.total >= other.end * total
    }
}
