import RejoinFlags

/// Turns percentages into whole weights that keep everybody in place.
///
/// The place of a user on the line is fixed, and a share is a range of it. So the first share may
/// grow at its end and the last one at its start, and nobody who was in falls out, whatever the
/// total becomes; one in the middle cannot grow without pushing others.
struct NewShares {
    /// The weights, in the order of the shares.
    private(set) var weights: [Int64]

    /// What cannot be done.
    struct Refusal: Error {
        let message: String
        /// The place of the share that is in the way, if there is one.
        var share: Int?
    }

    /// Finds the weights.
    ///
    /// - Parameters:
    ///   - line: The shares as they are.
    ///   - wanted: The percentages by place.
    ///   - control: The place of the share that gets the rest.
    init(_ line: ShareLine, wanted: [Int: Percentage], control: Int) throws(Refusal) {
        let old = line.ranges.map(\.weight)
        let oldTotal = old.reduce(0, +)
        var total = oldTotal > 0 ? oldTotal : 100
        for place in wanted.keys.sorted() {
            guard let share = wanted[place]?.millionths else { continue }
            let parts = 1_000_000 / Self.commonDivisor(share, 1_000_000)
            // Weights stay as small as they are written where that is exact.
            guard total % parts != 0 else { continue }
            let (product, overflow) = (total / Self.commonDivisor(total, parts))
                .multipliedReportingOverflow(by: parts)
            guard !overflow, product <= FlagShares.largestTotal else {
                throw Refusal(
                    message: "no weights below \(FlagShares.largestTotal) give these shares "
                        + "exactly; use fewer decimals", share: place)
            }
            total = product
        }
        let scale = oldTotal > 0 ? total / oldTotal : 1
        weights = old.map { $0 * scale }
        // Exact: the total was chosen so. Below 10^6 · 2^31, it fits.
        for (place, share) in wanted { weights[place] = share.millionths * total / 1_000_000 }
        weights[control] = 0
        let rest = total - weights.reduce(0, +)
        guard rest >= 0 else {
            throw Refusal(
                message: "the shares are more than 100 % together; lower another one as well")
        }
        weights[control] = rest
    }

    private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return max(left, 1)
    }
}
