import RejoinFlags

/// The Swift type of a flag, which all of its variants must have.
enum GeneratedType {
    case bool
    /// An enumeration: texts that are the names of their variants.
    case choice
    case text
    /// Numbers of which none has a fraction.
    case whole
    case number
    case object

    /// `nil` where the variants have no type in common.
    init?(_ variants: [FlagDefinition.Variant]) {
        let isNamed = variants.allSatisfy { $0.value == .string($0.name) }
        let kinds: [(FlagKind, GeneratedType)] = [
            (.boolean, .bool), (.string, isNamed ? .choice : .text), (.integer, .whole),
            (.double, .number), (.object, .object),
        ]
        let type = kinds.first { kind, _ in
            variants.allSatisfy { kind.convert($0.value) != nil }
        }
        guard let type else { return nil }
        self = type.1
    }

    /// A value of this type as Swift.
    func literal(_ value: FlagValue) -> String {
        switch self {
        case .bool, .choice, .text: Self.literal(of: value)
        case .whole: Self.literal(of: FlagKind.integer.convert(value) ?? value)
        case .number: Self.literal(of: FlagKind.double.convert(value) ?? value)
        case .object:
            if case .object(let object) = value {
                Self.members(object, of: "FlagObject")
            } else {
                Self.literal(of: value)
            }
        }
    }

    /// A value where Swift expects a `FlagValue`, or the type itself.
    private static func literal(of value: FlagValue) -> String {
        switch value {
        case .null: ".null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): SwiftName.literal(text)
        case .array(let values):
            "[\(values.map { literal(of: $0) }.joined(separator: ", "))]"
        case .object(let object): ".object(\(members(object, of: "")))"
        }
    }

    private static func members(_ object: FlagObject, of type: String) -> String {
        let pairs = object.members.map {
            "\(SwiftName.literal($0.key)): \(literal(of: $0.value))"
        }
        let swift = pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
        return type.isEmpty ? swift : "\(swift) as \(type)"
    }
}
