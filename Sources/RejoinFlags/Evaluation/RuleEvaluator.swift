/// Runs one targeting rule on one context. It reads nothing but its arguments, and ends soon: rules
/// cannot loop, and their steps, what they look at and what they build are limited.
struct RuleEvaluator {
    /// Why a rule has no result.
    struct Failure: Error {
        let code: FlagErrorCode
        let message: String
    }

    /// How many nodes one evaluation may visit. `reduce` inside `reduce` multiplies.
    static let maximumSteps = 100_000
    /// How long a text or array may get that a rule puts together, in bytes or elements. `cat`
    /// inside `reduce` doubles it in every round.
    static let maximumSize = 65_536
    /// How much the operators of one evaluation may look at and build, in bytes: those of the
    /// texts, and 16 for every value. A step may cost as much as the largest text.
    static let maximumWork = 8 << 20
    /// How deep the arrays may nest that a rule puts together. `reduce` wraps them once a round,
    /// and whoever looks at a value, or lets go of it, needs the stack for it.
    static let maximumDepth = 128

    private var steps = 0
    private var work = 0
    /// Collects the way of a decision for people; `nil` in everyday use.
    let trace: FlagTrace?

    init(trace: FlagTrace? = nil) {
        self.trace = trace
    }

    /// The rule's value.
    ///
    /// - Complexity: O(nodes of the rule), for each element in `map` and its like.
    mutating func evaluate(_ rule: FlagRule, in scope: FlagScope) throws(Failure) -> FlagValue {
        guard let trace else { return try run(rule, scope) }
        let step = trace.enter(rule)
        do throws(Failure) {
            let value = try run(rule, scope)
            trace.leave(step, value)
            return value
        } catch {
            trace.fail(step, error.message)
            throw error
        }
    }

    private mutating func run(_ rule: FlagRule, _ scope: FlagScope) throws(Failure) -> FlagValue {
        steps += 1
        guard steps <= Self.maximumSteps else {
            throw Failure(
                code: .general,
                message: "the targeting needs more than \(Self.maximumSteps) steps; simplify it")
        }
        switch rule {
        case .literal(let value): return value
        case .list(let rules): return try built(.array(try values(rules, scope)))
        case .variable(let path, let fallback):
            if let value = scope.value(at: path.parts) {
                return path.parts.isEmpty ? try built(value) : value
            }
            guard let fallback else { return .null }
            return try evaluate(fallback, in: scope)
        case .computedVariable(let path, let fallback):
            let path = try evaluate(path, in: scope)
            try look(at: path)
            if let value = Self.value(at: path, scope) { return try built(value) }
            guard let fallback else { return .null }
            return try evaluate(fallback, in: scope)
        case .call(let name, let operands): return try call(name, operands, scope)
        case .fractional(let rule): return try fractional(rule, scope)
        case .invalid(let reason): throw Failure(code: .parseError, message: reason)
        }
    }

    // MARK: Limits

    /// Counts a value that an operator is about to look at, before it does.
    ///
    /// - Returns: What it counts for.
    /// - Complexity: O(size of the value), as the operators' own.
    @discardableResult
    mutating func look(at value: FlagValue) throws(Failure) -> Int {
        let before = work
        try measure(value, depth: 0)
        return work - before
    }

    /// Counts a value that a rule has put together, so that none is larger than what is counted.
    private mutating func built(_ value: FlagValue) throws(Failure) -> FlagValue {
        try measure(value, depth: 0)
        return value
    }

    private mutating func measure(_ value: FlagValue, depth: Int) throws(Failure) {
        guard depth <= Self.maximumDepth else {
            throw Failure(
                code: .general,
                message: "the targeting builds arrays that nest more than \(Self.maximumDepth) "
                    + "deep; simplify it")
        }
        try spend(16)
        switch value {
        case .null, .bool, .integer, .double: break
        case .string(let text): try spend(text.utf8.count)
        case .array(let values): for value in values { try measure(value, depth: depth + 1) }
        case .object(let object):
            for member in object.members {
                try spend(member.key.utf8.count)
                try measure(member.value, depth: depth + 1)
            }
        }
    }

    /// Counts so many bytes.
    mutating func spend(_ bytes: Int) throws(Failure) {
        work += bytes
        guard work <= Self.maximumWork else {
            throw Failure(
                code: .general,
                message: "the targeting looks at or builds more than \(Self.maximumWork) bytes; "
                    + "simplify it")
        }
    }

    private mutating func values(_ rules: [FlagRule], _ scope: FlagScope) throws(Failure)
        -> [FlagValue]
    {
        var values: [FlagValue] = []
        values.reserveCapacity(rules.count)
        for rule in rules { values.append(try evaluate(rule, in: scope)) }
        return values
    }

    /// The value at a place; null where the rule has fewer operands.
    private mutating func operand(_ index: Int, _ rules: [FlagRule], _ scope: FlagScope)
        throws(Failure) -> FlagValue
    {
        index < rules.count ? try evaluate(rules[index], in: scope) : .null
    }

    /// The first three operands; null where there are fewer. More are evaluated too, so that a
    /// mistake in one is a mistake here as elsewhere.
    mutating func three(_ rules: [FlagRule], _ scope: FlagScope) throws(Failure)
        -> (FlagValue, FlagValue, FlagValue)
    {
        let first = try operand(0, rules, scope)
        let second = try operand(1, rules, scope)
        let third = try operand(2, rules, scope)
        for rule in rules.dropFirst(3) { _ = try evaluate(rule, in: scope) }
        return (first, second, third)
    }

    private static func value(at path: FlagValue, _ scope: FlagScope) -> FlagValue? {
        switch path {
        case .null: return scope.whole
        case .string(let text): return scope.value(at: FlagPath(text).parts)
        case .bool, .integer, .double:
            // A number is a place in an array or text; objects have no such members.
            if case .object = scope.whole { return nil }
            return scope.value(at: [path.number.value.text])
        case .array, .object: return scope.value(at: FlagPath(path.text).parts)
        }
    }

    // MARK: Operators

    private mutating func call(_ name: FlagOperator, _ rules: [FlagRule], _ scope: FlagScope)
        throws(Failure) -> FlagValue
    {
        switch name {
        case .if: return try conditional(rules, scope)
        case .and, .or:
            var current = FlagValue.null
            for rule in rules {
                current = try evaluate(rule, in: scope)
                if current.isTrue == (name == .or) { break }
            }
            return current
        case .map, .filter, .all, .some, .none: return try iterate(name, rules, scope)
        case .reduce: return try reduce(rules, scope)
        case .looselyEqual, .looselyUnequal, .strictlyEqual, .strictlyUnequal, .less, .greater,
            .lessOrEqual, .greaterOrEqual:
            return .bool(try compare(name, rules, scope))
        case .not: return .bool(!(try three(rules, scope).0.isTrue))
        case .truth: return .bool(try three(rules, scope).0.isTrue)
        case .startsWith, .endsWith, .contains:
            return try search(name, rules, scope)
        case .semanticVersion: return try compareVersions(rules, scope)
        case .missing, .missingSome, .maximum, .minimum, .add, .subtract, .multiply, .divide,
            .remainder, .merge, .concatenate, .substring:
            return try call(name, on: try values(rules, scope), scope)
        }
    }

    private mutating func call(_ name: FlagOperator, on values: [FlagValue], _ scope: FlagScope)
        throws(Failure) -> FlagValue
    {
        for value in values { try look(at: value) }
        switch name {
        case .missing: return .array(missing(keys(values), scope))
        case .missingSome:
            guard values.count > 1, case .array(let keys) = values[1] else { return .array([]) }
            let missing = missing(keys, scope)
            let present = LogicNumber.integer(Int64(keys.count - missing.count))
            let isEnough = values[0].number < present || values[0].number == present
            return .array(isEnough ? [] : missing)
        case .maximum: return extreme(values) { $1 < $0 }
        case .minimum: return extreme(values) { $0 < $1 }
        case .add, .multiply, .subtract, .divide, .remainder:
            return try Self.arithmetic(name, values)
        case .merge:
            var merged: [FlagValue] = []
            for value in values {
                if case .array(let items) = value { merged += items } else { merged.append(value) }
                try checkSize(merged.count)
            }
            return .array(merged)
        case .concatenate:
            var text = ""
            for value in values {
                text += value.text
                try checkSize(text.utf8.count)
            }
            return .string(text)
        case .substring: return .string(Self.substring(values))
        case .if, .or, .and, .looselyEqual, .looselyUnequal, .strictlyEqual, .strictlyUnequal,
            .not, .truth, .greater, .greaterOrEqual, .less, .lessOrEqual, .map, .reduce, .filter,
            .all, .none, .some, .contains, .startsWith, .endsWith, .semanticVersion:
            preconditionFailure("\(name.rawValue) evaluates its operands itself")
        }
    }

    private func checkSize(_ size: Int) throws(Failure) {
        guard size <= Self.maximumSize else {
            throw Failure(
                code: .general,
                message: "the targeting builds something larger than \(Self.maximumSize) bytes "
                    + "or elements; simplify it")
        }
    }

    private mutating func conditional(_ rules: [FlagRule], _ scope: FlagScope) throws(Failure)
        -> FlagValue
    {
        var index = 0
        while index + 1 < rules.count {
            if try evaluate(rules[index], in: scope).isTrue {
                return try evaluate(rules[index + 1], in: scope)
            }
            index += 2
        }
        return try operand(index, rules, scope)
    }

    private mutating func compare(_ name: FlagOperator, _ rules: [FlagRule], _ scope: FlagScope)
        throws(Failure) -> Bool
    {
        let (left, right, third) = try three(rules, scope)
        try look(at: left)
        try look(at: right)
        try look(at: third)
        switch name {
        case .looselyEqual: return left.isLooselyEqual(to: right)
        case .looselyUnequal: return !left.isLooselyEqual(to: right)
        case .strictlyEqual: return left.isStrictlyEqual(to: right)
        case .strictlyUnequal: return !left.isStrictlyEqual(to: right)
        default: break
        }
        // `{"<": [1, x, 5]}` asks whether x lies between.
        let isOrdered = Self.isOrdered(name, left, right)
        if case .null = third { return isOrdered }
        return isOrdered && Self.isOrdered(name, right, third)
    }

    private static func isOrdered(_ name: FlagOperator, _ left: FlagValue, _ right: FlagValue)
        -> Bool
    {
        switch name {
        case .less: left.isLess(than: right, orEqual: false)
        case .lessOrEqual: left.isLess(than: right, orEqual: true)
        case .greater: right.isLess(than: left, orEqual: false)
        default: right.isLess(than: left, orEqual: true)
        }
    }

    // MARK: Arrays

    private mutating func iterate(_ name: FlagOperator, _ rules: [FlagRule], _ scope: FlagScope)
        throws(Failure) -> FlagValue
    {
        guard case .array(let items) = try operand(0, rules, scope) else {
            return switch name {
            case .map, .filter: .array([])
            default: .bool(name == .none)
            }
        }
        let rule = rules.count > 1 ? rules[1] : .literal(.null)
        switch name {
        case .map:
            var mapped: [FlagValue] = []
            for item in items { mapped.append(try evaluate(rule, in: .element(item))) }
            return try built(.array(mapped))
        case .filter:
            var kept: [FlagValue] = []
            for item in items where try evaluate(rule, in: .element(item)).isTrue {
                kept.append(item)
            }
            return .array(kept)
        case .all:
            // JsonLogic: all of nothing is false.
            for item in items where !(try evaluate(rule, in: .element(item)).isTrue) {
                return .bool(false)
            }
            return .bool(!items.isEmpty)
        default:
            for item in items where try evaluate(rule, in: .element(item)).isTrue {
                return .bool(name == .some)
            }
            return .bool(name == .none)
        }
    }

    private mutating func reduce(_ rules: [FlagRule], _ scope: FlagScope) throws(Failure)
        -> FlagValue
    {
        guard !rules.isEmpty else { return .null }
        let items = try evaluate(rules[0], in: scope)
        var accumulator = try operand(2, rules, scope)
        guard case .array(let items) = items else { return accumulator }
        for item in items {
            let inner = FlagScope.reduction(current: item, accumulator: accumulator)
            accumulator = try operand(1, rules, inner)
        }
        return accumulator
    }

    // MARK: Presence

    private func keys(_ values: [FlagValue]) -> [FlagValue] {
        if case .array(let keys)? = values.first { return keys }
        return values
    }

    private func missing(_ keys: [FlagValue], _ scope: FlagScope) -> [FlagValue] {
        keys.filter { key in
            switch Self.value(at: key, scope) {
            case nil, .null: true
            case .string(let text): text.isEmpty
            case .bool, .integer, .double, .array, .object: false
            }
        }
    }
}
