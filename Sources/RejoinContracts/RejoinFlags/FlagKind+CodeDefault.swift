package import RejoinFlags

extension FlagKind {
    /// A code default that no variant of the checks has, and hardly any other.
    package var codeDefault: FlagValue {
        switch self {
        case .boolean: false
        case .string: "CODE_DEFAULT"
        case .integer: -1
        case .double: -1.0
        case .object: .object([:])
        }
    }
}
