/// The way of a decision, for people: the rules that were run, in order, with what they gave.
final class FlagTrace {
    /// How many steps are told. People read no more, and a loop may take a hundred times as many,
    /// each with its rule written out.
    static let maximumSteps = 1_000

    private(set) var steps: [FlagStep] = []
    private var depth = 0

    /// Notes that a rule is being run; returns the place to tell its result at.
    func enter(_ rule: FlagRule) -> Int? {
        // A constant explains itself.
        if case .literal = rule { return nil }
        guard steps.count < Self.maximumSteps else { return nil }
        steps.append(FlagStep(depth: depth, what: rule.description, result: ""))
        depth += 1
        return steps.count - 1
    }

    func leave(_ step: Int?, _ value: FlagValue) {
        finish(step, value.description)
    }

    func fail(_ step: Int?, _ message: String) {
        finish(step, "error: \(message)")
    }

    private func finish(_ step: Int?, _ result: String) {
        guard let step else { return }
        depth -= 1
        steps[step].result = result
    }

    /// Notes something about the rule that is being run which its result does not show.
    func note(_ what: String, _ result: String) {
        guard steps.count < Self.maximumSteps else { return }
        steps.append(FlagStep(depth: depth, what: what, result: result))
    }

    /// Notes the constant weights that count for 0 although something else stands there.
    func negativeWeights(of first: [FlagValue]?, _ shares: [FlagRule]) {
        let constants = shares.compactMap { share -> [FlagValue]? in
            if case .literal(.array(let items)) = share { items } else { nil }
        }
        for items in [first].compactMap(\.self) + constants where items.count == 2 {
            switch items[1] {
            case .integer(..<0), .double(..<0):
                note("the weight \(items[1]) of \(items[0]) is negative", "it counts as 0")
            case .null, .bool, .integer, .double, .string, .array, .object: continue
            }
        }
    }

    /// Notes what a `fractional` rule did.
    func bucketed(hash: UInt32, shares: FlagShares, index: Int) {
        let start = shares.weights[..<index].reduce(0, +)
        let end = start + shares.weights[index]
        let bucket = (Int64(hash) * shares.total) >> 32
        note(
            "hash \(hash) (MurmurHash3, v2), bucket \(bucket) of \(shares.total)",
            "share \(start)..<\(end): \(shares.outcomes[index])")
    }
}

/// One step of a decision.
public struct FlagStep: Hashable, Sendable {
    /// How deep it stands in the rule.
    public let depth: Int
    /// What was looked at.
    public let what: String
    /// What came of it.
    public internal(set) var result: String
}

extension FlagRule: CustomStringConvertible {
    /// The rule as JSON, with references replaced by what they stand for.
    package var description: String {
        switch self {
        case .literal(let value): value.description
        case .list(let rules): Self.describe(rules)
        case .variable(let path, let fallback):
            Self.describe(
                "var", [.literal(.string(path.text))] + (fallback.map { [$0] } ?? []))
        case .computedVariable(let path, let fallback):
            Self.describe("var", [path] + (fallback.map { [$0] } ?? []))
        case .call(let name, let operands): Self.describe(name.rawValue, operands)
        case .fractional(let rule):
            Self.describe("fractional", (rule.key.map { [$0] } ?? []) + rule.shares)
        case .invalid(let reason): "invalid (\(reason))"
        }
    }

    private static func describe(_ name: String, _ operands: [FlagRule]) -> String {
        let operands =
            operands.count == 1 && operands[0].isPlain
            ? operands[0].description : describe(operands)
        return "{\(FlagValue.string(name)):\(operands)}"
    }

    private static func describe(_ rules: [FlagRule]) -> String {
        "[\(rules.map(\.description).joined(separator: ","))]"
    }

    /// Whether it may stand as a single operand without brackets.
    private var isPlain: Bool {
        switch self {
        case .list, .literal(.array): false
        case .literal, .variable, .computedVariable, .call, .fractional, .invalid: true
        }
    }
}
