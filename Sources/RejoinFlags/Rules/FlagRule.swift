/// A targeting rule (JsonLogic), compiled once when the file is read: an immutable tree in which
/// operators, paths and constants are settled, so that an evaluation parses nothing.
package indirect enum FlagRule: Hashable, Sendable {
    /// A constant.
    case literal(FlagValue)
    /// An array of which an element is a rule.
    case list([FlagRule])
    /// An attribute, or the fallback where there is none (`var`).
    case variable(FlagPath, fallback: FlagRule?)
    /// An attribute whose path is itself computed (`var` with a rule in it).
    case computedVariable(path: FlagRule, fallback: FlagRule?)
    /// An operator with its operands.
    case call(FlagOperator, [FlagRule])
    /// Bucketing (`fractional`).
    case fractional(FractionalRule)
    /// A rule that cannot be run, and why. It counts only where the evaluation comes by, as in
    /// flagd.
    case invalid(String)
}

/// A dotted path (`var`), taken apart.
package struct FlagPath: Hashable, Sendable {
    /// The path as written.
    package let text: String
    /// Its parts; none for the whole of the data.
    package let parts: [String]

    init(_ text: String) {
        self.text = text
        parts =
            text.isEmpty
            ? []
            : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    package static func == (left: FlagPath, right: FlagPath) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ByteKey(text))
    }
}

/// A `fractional` rule: what is hashed, and who gets which share of the hashes.
package struct FractionalRule: Hashable, Sendable {
    /// The first operand, where it may turn out to be the bucketing key; `nil` where it is a share,
    /// so that flag key and targeting key together are hashed.
    package let key: FlagRule?
    /// The operands after the key.
    package let shares: [FlagRule]
    /// The shares, where all of them are constants; rules over time are not.
    package let constant: FlagShares?
}

/// The shares of a `fractional` rule in their order, of which the first is the one that a ramp
/// grows: whoever is in it stays in it while weight divided by total grows.
package struct FlagShares: Hashable, Sendable {
    /// The variants, or what else the rule gives.
    package private(set) var outcomes: [FlagValue] = []
    /// Their weights; negative ones count as 0.
    package private(set) var weights: [Int64] = []
    /// The sum of the weights.
    package private(set) var total: Int64 = 0

    /// The largest sum of weights: with it, hash times sum fits 64 bits.
    package static let largestTotal: Int64 = 2_147_483_647

    /// Takes a share, `[outcome]` or `[outcome, weight]`.
    ///
    /// - Returns: why it does not count, so that the whole rule gives null; `nil` where it does.
    mutating func append(_ items: [FlagValue]) -> Fault? {
        guard let outcome = items.first, items.count <= 2 else { return .noShare }
        let whole: Int64
        switch items.count == 2 ? items[1] : .integer(1) {
        case .integer(let value): whole = value
        case .double(let value):
            // 10.0 is 10 here and in Go; 0.5 is no weight anywhere.
            guard let value = Int64(exactly: value) else { return .noWeight }
            whole = value
        case .null, .bool, .string, .array, .object: return .noWeight
        }
        let (sum, overflow) = total.addingReportingOverflow(max(0, whole))
        guard !overflow, sum <= Self.largestTotal else { return .tooLarge }
        outcomes.append(outcome)
        weights.append(max(0, whole))
        total = sum
        return nil
    }

    /// Why a share does not count, as it is told to people.
    enum Fault: String {
        case noShare = "a share must be [variant] or [variant, weight]"
        case noWeight = "a weight must be a whole number"
        case tooLarge = "the weights up to here are more than 2147483647 together"
    }

    /// The place of the share that a hash falls into; `nil` where all weights are 0.
    ///
    /// Generation v2: the first share whose running sum exceeds `hash * total / 2^32`.
    func index(of hash: UInt32) -> Int? {
        let bucket = (Int64(hash) * total) >> 32
        var end: Int64 = 0
        for (index, weight) in weights.enumerated() {
            end += weight
            if bucket < end { return index }
        }
        return nil
    }
}
