import RejoinJSON

/// Compiles the rules of one file.
struct FlagRuleCompiler {
    private let evaluators: SharedRules
    /// What was found wrong, with its place.
    private(set) var faults: [Fault] = []
    /// How many values the references of the file stand for by now.
    private(set) var expansion: Int
    /// The evaluator that is being compiled; references do not nest.
    private var isInsideEvaluator = false

    /// Something wrong with a rule.
    struct Fault {
        let message: String
        let offset: Int
        /// Whether the whole flag is lost by it, rather than the evaluations that come by.
        let isFatal: Bool
    }

    init(_ evaluators: SharedRules, expansion: Int = 0) {
        self.evaluators = evaluators
        self.expansion = expansion
    }

    /// The compiled rule; what is wrong with it is added to ``faults``.
    ///
    /// - Complexity: O(size of the rule and of the evaluators that it names).
    mutating func compile(_ json: JSONValue) -> FlagRule {
        switch json.kind {
        case .null, .bool, .string: return literal(json)
        case .number: return literal(json)
        case .array(let items): return list(items.map { compile($0) })
        case .object(let object):
            // Only an object with exactly one member is a rule; any other is a constant.
            guard object.members.count == 1, let member = object.members.first else {
                return literal(json)
            }
            return operation(member, at: json.offset)
        }
    }

    private mutating func literal(_ json: JSONValue) -> FlagRule {
        guard let value = FlagValue(json) else {
            faults.append(
                Fault(
                    message: "a number here is too large for a Double; write a smaller one",
                    offset: json.offset, isFatal: true))
            return .invalid("a number is too large")
        }
        return .literal(value)
    }

    private func list(_ rules: [FlagRule]) -> FlagRule {
        let constants = rules.compactMap(\.constant)
        return constants.count == rules.count ? .literal(.array(constants)) : .list(rules)
    }

    private mutating func operation(_ member: JSONObject.Member, at offset: Int) -> FlagRule {
        let name = member.key
        if name.hasSameBytes(as: "$ref") { return reference(member.value) }
        let operands: [FlagRule] =
            switch member.value.kind {
            case .array(let items): items.map { compile($0) }
            case .null, .bool, .number, .string, .object: [compile(member.value)]
            }
        if name.hasSameBytes(as: "var") { return variable(operands) }
        if name.hasSameBytes(as: "fractional") { return fractional(operands) }
        // Operator names are ASCII, so that looking them up as strings is looking up bytes, but for
        // what is canonically equivalent to ASCII.
        guard let known = FlagOperator(rawValue: name), known.rawValue.hasSameBytes(as: name) else {
            return invalid("'\(name)' is no operator of flagd's targeting rules", at: offset)
        }
        return .call(known, operands)
    }

    private mutating func invalid(_ message: String, at offset: Int) -> FlagRule {
        faults.append(Fault(message: message, offset: offset, isFatal: false))
        return .invalid(message)
    }

    // MARK: Nodes of their own

    private func variable(_ operands: [FlagRule]) -> FlagRule {
        let fallback = operands.count > 1 ? operands[1] : nil
        switch operands.first {
        case nil, .literal(.null): return .variable(FlagPath(""), fallback: fallback)
        case .literal(.string(let text)): return .variable(FlagPath(text), fallback: fallback)
        case .some(let path): return .computedVariable(path: path, fallback: fallback)
        }
    }

    private func fractional(_ operands: [FlagRule]) -> FlagRule {
        var shares = operands
        var key: FlagRule?
        switch operands.first {
        case .list, .literal(.array), nil: break
        case .some(let first):
            key = first
            shares.removeFirst()
        }
        return .fractional(
            FractionalRule(key: key, shares: shares, constant: Self.constant(shares)))
    }

    /// The shares where they are constants and right; otherwise each evaluation looks at them.
    private static func constant(_ rules: [FlagRule]) -> FlagShares? {
        var shares = FlagShares()
        for rule in rules {
            guard case .literal(.array(let items)) = rule, shares.append(items) == nil else {
                return nil
            }
        }
        return shares
    }

    // MARK: References

    private mutating func reference(_ json: JSONValue) -> FlagRule {
        guard case .string(let name) = json.kind else {
            return invalid("$ref must name an evaluator by a string", at: json.offset)
        }
        guard !isInsideEvaluator else {
            return invalid(
                "$ref '\(name)' stands inside an evaluator; references do not nest, write the "
                    + "rule out", at: json.offset)
        }
        guard let rule = evaluators[name] else {
            return invalid("$ref names '\(name)', which $evaluators lacks", at: json.offset)
        }
        guard !rule.isAmbiguous else {
            return invalid(
                "$ref names '\(name)', which stands twice in $evaluators", at: json.offset)
        }
        guard rule.size <= SharedRules.maximumExpansion - expansion else {
            let message =
                "the references in the file stand for more than "
                + "\(SharedRules.maximumExpansion) values up to $ref '\(name)'; write shorter "
                + "evaluators or fewer references"
            faults.append(Fault(message: message, offset: json.offset, isFatal: true))
            return .invalid(message)
        }
        expansion += rule.size
        isInsideEvaluator = true
        defer { isInsideEvaluator = false }
        return compile(rule.json)
    }
}

extension FlagRule {
    /// The value of a constant.
    package var constant: FlagValue? {
        guard case .literal(let value) = self else { return nil }
        return value
    }
}
