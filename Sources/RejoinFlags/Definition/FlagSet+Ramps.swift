import RejoinJSON

extension FlagSet {
    /// What in this set moves people between the variants of a ramp that another set began: a seed
    /// that is not the same, or shares in another order. Raising or lowering weights is no such
    /// thing.
    ///
    /// Rules are compared pairwise, in the order of the targeting; where a rule was added or
    /// removed, the flag's ramps are not comparable and nothing is said.
    ///
    /// - Returns: Warnings, in the order of this set.
    /// - Complexity: O(size of both sets).
    public func rampRisks(since old: FlagSet) -> [FlagDiagnostic] {
        flags.flatMap { flag -> [FlagDiagnostic] in
            guard let former = old[flag.key]?.targeting?.fractionals,
                let current = flag.targeting?.fractionals, former.count == current.count
            else { return [] }
            return zip(former, current).compactMap { former, current in
                current.risk(since: former).map { code, message in
                    FlagDiagnostic(.warning, code, message, flag: flag.key, at: flag.location)
                }
            }
        }
    }
}

extension FlagRule {
    /// The bucketing rules in it, in order.
    ///
    /// - Complexity: O(size of the rule).
    package var fractionals: [FractionalRule] {
        switch self {
        case .literal, .invalid: []
        case .list(let rules), .call(_, let rules): rules.flatMap(\.fractionals)
        case .variable(_, let fallback): fallback?.fractionals ?? []
        case .computedVariable(let path, let fallback):
            path.fractionals + (fallback?.fractionals ?? [])
        case .fractional(let rule):
            [rule] + (rule.key?.fractionals ?? []) + rule.shares.flatMap(\.fractionals)
        }
    }
}

extension FractionalRule {
    /// What moves people who stand in one of the shares already.
    fileprivate func risk(since former: FractionalRule) -> (FlagDiagnostic.Code, String)? {
        guard key == former.key else {
            return (
                .seedChanged,
                "the bucketing key was changed, so everybody is drawn anew; keep it, or give the "
                    + "new ramp a flag of its own"
            )
        }
        guard let now = constant?.outcomes, let before = former.constant?.outcomes else {
            return nil
        }
        // Shares that come or go are the author's wish; those that stay must keep their order.
        guard now.filter(before.contains) != before.filter(now.contains) else { return nil }
        return (
            .orderChanged,
            "the shares were put in another order, so people fall out of them; restore the order"
        )
    }
}
