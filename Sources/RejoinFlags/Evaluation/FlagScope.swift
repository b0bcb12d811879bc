/// What `var` looks into.
enum FlagScope {
    /// The context, with what flagd adds to it.
    case root(FlagContext, flagKey: String)
    /// An element, inside `map`, `filter`, `all`, `some` and `none`.
    case element(FlagValue)
    /// Two values, inside `reduce`.
    case reduction(current: FlagValue, accumulator: FlagValue)

    /// The whole, as `{"var": ""}` gives it.
    ///
    /// - Complexity: O(size of the attributes) for the context.
    var whole: FlagValue {
        switch self {
        case .element(let value): return value
        case .reduction(let current, let accumulator):
            return .object(["accumulator": accumulator, "current": current])
        case .root(let context, let flagKey):
            var object = context.attributes
            object["$flagd"] = Self.flagd(context, flagKey)
            object["targetingKey"] = context.targetingKey.map(FlagValue.string) ?? .null
            return .object(object)
        }
    }

    private static func flagd(_ context: FlagContext, _ flagKey: String) -> FlagValue {
        .object(["flagKey": .string(flagKey), "timestamp": .integer(context.timestamp)])
    }

    /// The value at a path; `nil` where there is none.
    ///
    /// - Complexity: O(members on the way).
    func value(at parts: [String]) -> FlagValue? {
        guard let first = parts.first else { return whole }
        var value: FlagValue?
        switch self {
        case .root(let context, let flagKey):
            if first.hasSameBytes(as: "targetingKey") {
                value = context.targetingKey.map(FlagValue.string)
            } else if first.hasSameBytes(as: "$flagd") {
                value = Self.flagd(context, flagKey)
            } else {
                value = context.attributes[first]
            }
        case .element(let element): value = element.member(first)
        case .reduction(let current, let accumulator):
            if first.hasSameBytes(as: "current") {
                value = current
            } else if first.hasSameBytes(as: "accumulator") {
                value = accumulator
            }
        }
        for part in parts.dropFirst() { value = value?.member(part) }
        guard case .null? = value else { return value }
        return nil
    }
}

extension FlagValue {
    /// One step of a path: a member, an element by its number, a character of a text, or `length`.
    func member(_ name: String) -> FlagValue? {
        switch self {
        case .object(let object): return object[name]
        case .array(let values):
            if name.hasSameBytes(as: "length") { return .integer(Int64(values.count)) }
            guard let index = Self.index(name, below: values.count) else { return nil }
            return values[index]
        case .string(let text):
            let scalars = text.unicodeScalars
            if name.hasSameBytes(as: "length") { return .integer(Int64(scalars.count)) }
            guard let index = Self.index(name, below: scalars.count) else { return nil }
            let place = scalars.index(scalars.startIndex, offsetBy: index)
            return .string(String(scalars[place]))
        case .null, .bool, .integer, .double: return nil
        }
    }

    /// A number as JavaScript writes it: no sign, no leading zeros.
    private static func index(_ name: String, below count: Int) -> Int? {
        guard let index = Int(name), index >= 0, index < count, String(index) == name else {
            return nil
        }
        return index
    }
}
