import RejoinFlags
import RejoinJSON

/// The rule of a flag that a rollout changes, and which share is which.
struct RolloutTarget {
    let flag: JSONObject.Member
    let rule: FractionalSource
    let line: ShareLine
    /// The percentages by place.
    let wanted: [Int: Percentage]
    /// The place of the share that gets the rest.
    let control: Int
    private let source: FlagSource

    init(_ request: RolloutRequest, in source: FlagSource) throws(RolloutRefusal) {
        guard let flag = source.flag(request.flag), let definition = source.set[request.flag] else {
            throw RolloutRefusal(
                FlagDiagnostic(
                    .error, .refused, "the file has no such flag", flag: request.flag,
                    at: JSONLocation(offset: 0, line: 1, column: 1)))
        }
        if let fault = definition.fault {
            throw RolloutRefusal(
                FlagDiagnostic(
                    .error, fault.code, "\(fault.message); mend it first", flag: flag.key,
                    at: fault.location))
        }
        self.flag = flag
        self.source = source
        let named = request.shares + request.ended.map { ($0, .none) }
        for (variant, _) in named where definition.variant(named: variant) == nil {
            let names = definition.variants.map { "'\($0.name)'" }.joined(separator: ", ")
            throw Self.refusal(
                flag, source, "it has no variant '\(variant)'; it has \(names)", flag.keyOffset)
        }
        rule = try Self.rule(named.map(\.variant), definition, flag, source)
        guard let line = ShareLine(rule) else {
            throw Self.refusal(
                flag, source,
                "a share of this rule is computed, has no whole weight, or has the variant of "
                    + "another; write the shares out once", rule.offset)
        }
        self.line = line
        var wanted: [Int: Percentage] = [:]
        for (variant, share) in named {
            guard let place = line.place(of: variant) else {
                throw Self.refusal(
                    flag, source,
                    "this rule has no share for '\(variant)'; add [\"\(variant)\", 0] at its start",
                    rule.offset)
            }
            wanted[place] = share
        }
        control = try Self.control(definition, flag, rule, line, wanted, source)
        if request.isRollback, request.shares.isEmpty {
            for place in line.names.indices where place != control {
                wanted[place] = Percentage.none
            }
        }
        self.wanted = wanted
    }

    /// The one `fractional` rule that gives the variants asked for.
    private static func rule(
        _ variants: [String], _ definition: FlagDefinition, _ flag: JSONObject.Member,
        _ source: FlagSource
    ) throws(RolloutRefusal) -> FractionalSource {
        let scan = FlagRuleScan(flag, evaluators: source.evaluators)
        let rules = scan.fractionals.filter(\.givesResult)
        let named = rules.filter { rule in
            variants.contains { variant in
                rule.shares.contains {
                    $0.outcome?.variantName?.hasSameBytes(as: variant) ?? false
                }
            }
        }
        let candidates = named.isEmpty ? rules : named
        guard let rule = candidates.first else {
            let names = definition.variants.map(\.name)
            let control = definition.defaultVariant.map { names[$0] } ?? names.last ?? "old"
            let ramped = variants.first ?? names.first { $0 != control } ?? "new"
            throw refusal(
                flag, source,
                "its targeting has no 'fractional' rule to ramp; write one first: "
                    + "{\"fractional\": [{\"cat\": [\"\(flag.key):\", {\"var\": \"targetingKey\"}]}"
                    + ", [\"\(ramped)\", 0], [\"\(control)\", 100]]}", flag.keyOffset)
        }
        guard candidates.count == 1 else {
            throw refusal(
                flag, source,
                "it has several 'fractional' rules, and nobody can say which is meant; edit the "
                    + "weights by hand and check them with flags-lint --baseline",
                candidates[1].offset)
        }
        return rule
    }

    /// The share that pays for the growth of others: that of the default variant, or else the only
    /// one that nobody has named.
    private static func control(
        _ definition: FlagDefinition, _ flag: JSONObject.Member, _ rule: FractionalSource,
        _ line: ShareLine, _ wanted: [Int: Percentage], _ source: FlagSource
    ) throws(RolloutRefusal) -> Int {
        let fallback = definition.defaultVariant.map { definition.variants[$0].name }
        let usual = line.place(of: nil) ?? fallback.flatMap { line.place(of: $0) }
        if let usual, wanted[usual] == nil { return usual }
        let unnamed = line.names.indices.filter { wanted[$0] == nil }
        guard unnamed.count == 1 else {
            throw refusal(
                flag, source,
                "nobody can say which share pays for the change: leave the share of the default "
                    + "variant to the tool, or name all but one", rule.offset)
        }
        return unnamed[0]
    }

    // MARK: Checks

    /// Throws where somebody would lose a variant that ought to be kept.
    func check(_ after: ShareLine, _ request: RolloutRequest) throws(RolloutRefusal) {
        for place in line.names.indices where place != control {
            let (was, now) = (line.ranges[place], after.ranges[place])
            let name = line.names[place] ?? "null"
            let offset = rule.shares[place].json.offset
            let before = Percentage(weight: was.weight, of: was.total)
            if !now.isAtLeastAsWide(as: was) {
                let isEnded = request.ended.contains { $0.hasSameBytes(as: name) }
                guard request.isRollback || isEnded else {
                    throw refusal(
                        "'\(name)' has \(before), and some who have it would lose it; say "
                            + "--rollback if that is what you want, or --end \(name) if its work "
                            + "is done", at: offset)
                }
            } else if !was.isAtLeastAsWide(as: now) {
                guard !request.isRollback else {
                    throw refusal("--rollback only lowers, and '\(name)' has \(before)", at: offset)
                }
                guard now.contains(was) else {
                    throw refusal(
                        "'\(name)' stands between others, so that some of those who have it would "
                            + "lose it; change the other shares first, or one at a time",
                        at: offset)
                }
            }
        }
    }

    func refusal(_ message: String, at offset: Int? = nil) -> RolloutRefusal {
        Self.refusal(flag, source, message, offset ?? rule.offset)
    }

    private static func refusal(
        _ flag: JSONObject.Member, _ source: FlagSource, _ message: String, _ offset: Int
    ) -> RolloutRefusal {
        RolloutRefusal(
            FlagDiagnostic(
                .error, .refused, message, flag: flag.key,
                at: JSONLocation(offset: offset, in: source.bytes)))
    }

    // MARK: Edits

    /// The edits that put weights in the place of others.
    func edits(_ weights: [Int64]) -> [TextEdit] {
        zip(rule.shares, zip(line.ranges, weights)).compactMap { share, change in
            let (old, new) = change
            guard old.weight != new else { return nil }
            if let weight = share.weight {
                return .replace(weight, by: "\(new)", in: source.bytes)
            }
            guard let outcome = share.outcome else { return nil }
            let end = JSONSpan.range(from: outcome.offset, in: source.bytes).upperBound
            return TextEdit(range: end..<end, text: ", \(new)")
        }
    }
}
