extension RuleEvaluator {
    /// `fractional`, generation v2: MurmurHash3 of the UTF-8 bytes of the key, and integer shares.
    ///
    /// Null where there is no key to hash: a key that is no text, an empty one, or none and no
    /// targeting key. Nobody is put into a bucket by chance.
    mutating func fractional(_ rule: FractionalRule, _ scope: FlagScope) throws(Failure)
        -> FlagValue
    {
        var hasher = Murmur3()
        // A first operand that turns out to be an array is a share, not the key.
        var first: [FlagValue]?
        var hasKey = true
        switch rule.key {
        case .call(.concatenate, let parts)?:
            // The usual seed and targeting key, hashed without being put together.
            for part in parts {
                let value = try evaluate(part, in: scope)
                try look(at: value)
                hasher.append(value.text)
            }
        case .some(let key):
            switch try evaluate(key, in: scope) {
            case .string(let text): hasher.append(text)
            case .array(let items):
                first = items
                Self.feedDefaultKey(&hasher, scope)
            case .null, .bool, .integer, .double, .object: hasKey = false
            }
        case nil: Self.feedDefaultKey(&hasher, scope)
        }
        let shares: FlagShares?
        if first == nil, let constant = rule.constant {
            shares = constant
        } else {
            // Also without a key: a mistake in a share is a mistake for everybody.
            shares = try computedShares(first, rule.shares, scope)
        }
        trace?.negativeWeights(of: first, rule.shares)
        guard let shares else { return .null }
        guard hasKey, hasher.count > 0 else {
            trace?.note("there is no key to hash", "nobody is put into a bucket: null")
            return .null
        }
        guard let index = shares.index(of: hasher.hash) else {
            trace?.note("no share has a weight above 0", "nobody is in one: null")
            return .null
        }
        trace?.bucketed(hash: hasher.hash, shares: shares, index: index)
        return shares.outcomes[index]
    }

    /// The flag's key and the targeting key together; nothing without a targeting key.
    private static func feedDefaultKey(_ hasher: inout Murmur3, _ scope: FlagScope) {
        guard case .string(let user)? = scope.value(at: ["targetingKey"]), !user.isEmpty else {
            return
        }
        if case .string(let flag)? = scope.value(at: ["$flagd", "flagKey"]) { hasher.append(flag) }
        hasher.append(user)
    }

    /// Shares of which a weight or an outcome is computed; `nil` where one of them is none.
    private mutating func computedShares(
        _ first: [FlagValue]?, _ rules: [FlagRule], _ scope: FlagScope
    ) throws(Failure) -> FlagShares? {
        var shares = FlagShares()
        var areRight = true
        func take(_ share: FlagValue) {
            let fault: FlagShares.Fault? =
                if case .array(let items) = share { shares.append(items) } else { .noShare }
            guard let fault else { return }
            areRight = false
            trace?.note(
                "the share \(share) does not count", "\(fault.rawValue), so the rule gives null")
        }
        if let first { take(.array(first)) }
        for rule in rules { take(try evaluate(rule, in: scope)) }
        return areRight ? shares : nil
    }
}
