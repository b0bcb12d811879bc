package import RejoinFlags

/// What somebody wants of a flag's rollout.
package struct RolloutRequest: Sendable {
    /// The flag's key.
    package var flag: String
    /// The shares that variants are to have; the control gets the rest.
    package var shares: [(variant: String, share: Percentage)]
    /// Variants whose work is done, such as a shadow's: their shares become 0, which is no rollback
    /// of anything.
    package var ended: [String]
    /// Whether shares may shrink: to those in `shares`, or to nothing.
    package var isRollback: Bool
    /// Whether to raise the generation in any case, so that guards try again which had taken the
    /// flag back by themselves.
    package var lifts: Bool

    /// Creates a request.
    package init(
        flag: String, shares: [(variant: String, share: Percentage)] = [],
        ended: [String] = [], isRollback: Bool = false, lifts: Bool = false
    ) {
        self.flag = flag
        self.shares = shares
        self.ended = ended
        self.isRollback = isRollback
        self.lifts = lifts
    }
}

/// Why a request cannot be fulfilled, with the place in the file.
package struct RolloutRefusal: Error {
    /// What is in the way, and what to do.
    package let diagnostic: FlagDiagnostic

    init(_ diagnostic: FlagDiagnostic) { self.diagnostic = diagnostic }
}

/// A percentage with up to four decimals, exactly.
package struct Percentage: Hashable, Sendable, CustomStringConvertible {
    /// In millionths of the whole.
    package let millionths: Int64

    /// Reads `25`, `0.5` or `12.5%`; `nil` for what is not from 0 to 100, and for more than four
    /// decimals.
    package init?(_ text: String) {
        let number = text.hasSuffix("%") ? String(text.dropLast()) : text
        let parts = number.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String($0) ?? "" }
        let fraction = parts.count > 1 ? parts[1] : ""
        guard parts[0].count <= 3, fraction.count <= 4, parts.count == 1 || !fraction.isEmpty,
            !parts[0].isEmpty, (parts[0] + fraction).utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            let digits = Int64(parts[0] + fraction)
        else { return nil }
        var millionths = digits
        for _ in fraction.count..<4 { millionths *= 10 }
        guard millionths <= 1_000_000 else { return nil }
        self.millionths = millionths
    }

    /// Nothing of the whole.
    static let none = Percentage(weight: 0, of: 1)

    /// The share that a weight has in a total, to the nearest millionth below.
    init(weight: Int64, of total: Int64) {
        millionths = total == 0 ? 0 : weight * 1_000_000 / total
    }

    package var description: String {
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return "\(whole) %" }
        var digits = String(rest + 10_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) %"
    }
}
