import RejoinFlags
import RejoinJSON

/// What a targeting rule can give, found by looking at it and not by running it.
struct FlagRuleScan {
    /// Constants that the rule gives as they are: names of variants, or mistakes.
    private(set) var constants: [JSONValue] = []
    /// Operators whose result, true or false, is the rule's result.
    private(set) var booleans: [(name: String, offset: Int)] = []
    /// The `fractional` rules, also those in conditions and evaluators.
    private(set) var fractionals: [FractionalSource] = []
    /// Calls of operators that check their operands at run time only.
    private(set) var calls: [(name: String, operands: [JSONValue], offset: Int)] = []

    private let evaluators: JSONObject
    private var isInsideEvaluator = false

    /// Looks at the targeting of a flag.
    ///
    /// - Complexity: O(size of the rule and of the evaluators that it names).
    init(_ flag: JSONObject.Member, evaluators: JSONObject) {
        self.evaluators = evaluators
        guard let targeting = flag.value.object?["targeting"], let rule = targeting.object,
            !rule.members.isEmpty
        else { return }
        scan(targeting, givesResult: true)
    }

    private static let comparisons = [
        "==", "!=", "===", "!==", "!", "!!", ">", ">=", "<", "<=", "in", "all", "none", "some",
        "starts_with", "ends_with", "sem_ver",
    ]

    private mutating func scan(_ json: JSONValue, givesResult: Bool) {
        guard let rule = json.object, rule.members.count == 1, let call = rule.members.first else {
            if givesResult { constants.append(json) }
            for item in json.array ?? [] { scan(item, givesResult: false) }
            return
        }
        let operands = call.value.array ?? [call.value]
        calls.append((call.key, operands, json.offset))
        if givesResult, Self.comparisons.contains(where: { $0.hasSameBytes(as: call.key) }) {
            booleans.append((call.key, json.offset))
        }
        if call.key.hasSameBytes(as: "if") {
            for (index, operand) in operands.enumerated() {
                let isBranch = index % 2 == 1 || index == operands.count - 1
                scan(operand, givesResult: givesResult && isBranch)
            }
        } else if call.key.hasSameBytes(as: "fractional") {
            let rule = FractionalSource(operands, offset: json.offset, givesResult: givesResult)
            fractionals.append(rule)
            if let key = rule.key { scan(key, givesResult: false) }
            for share in rule.shares {
                guard let outcome = share.outcome else {
                    scan(share.json, givesResult: false)
                    continue
                }
                scan(outcome, givesResult: givesResult)
                if let weight = share.weight { scan(weight, givesResult: false) }
            }
        } else if call.key.hasSameBytes(as: "$ref") {
            // References do not nest; the reader has told of one that does.
            guard !isInsideEvaluator, let name = call.value.string, let rule = evaluators[name]
            else { return }
            isInsideEvaluator = true
            scan(rule, givesResult: givesResult)
            isInsideEvaluator = false
        } else {
            for operand in operands { scan(operand, givesResult: false) }
        }
    }
}

/// A `fractional` rule as it stands in the file.
struct FractionalSource {
    /// Its first byte.
    let offset: Int
    /// What is hashed; `nil` where the rule leaves it to flag key and targeting key.
    let key: JSONValue?
    /// The shares.
    let shares: [Share]
    /// Whether the variant that it picks is what the flag gives.
    let givesResult: Bool

    /// One operand after the key.
    struct Share {
        /// The whole operand.
        let json: JSONValue
        /// What is given; `nil` where the operand is computed as a whole.
        let outcome: JSONValue?
        /// The weight; `nil` where it is not written and counts as 1.
        let weight: JSONValue?
    }

    init(_ operands: [JSONValue], offset: Int, givesResult: Bool) {
        self.offset = offset
        self.givesResult = givesResult
        key = operands.first.flatMap { $0.array == nil ? $0 : nil }
        shares = operands.dropFirst(key == nil ? 0 : 1).map { json in
            let items = json.array
            return Share(
                json: json, outcome: items?.first,
                weight: items.flatMap { $0.count > 1 ? $0[1] : nil })
        }
    }

    /// The weights, where all of them are constants that count: what evaluations use.
    var weights: [Int64]? {
        var weights: [Int64] = []
        for share in shares {
            guard share.outcome != nil else { return nil }
            guard let json = share.weight else {
                weights.append(1)
                continue
            }
            guard let weight = json.whole, weight <= FlagShares.largestTotal else { return nil }
            weights.append(max(0, weight))
        }
        let total = weights.reduce(0, +)
        return total <= FlagShares.largestTotal ? weights : nil
    }
}

extension JSONValue {
    /// The variant that a rule's result of this value names; `nil` where it names none.
    var variantName: String? {
        switch kind {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .number(let number):
            number.integer(Int64.self).map(String.init) ?? number.double.map(\.description)
        case .null, .array, .object: nil
        }
    }
}
