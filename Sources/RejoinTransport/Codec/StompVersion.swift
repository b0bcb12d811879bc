/// A version of the protocol. It decides about line ends and escapes, nothing else in the codec.
public enum StompVersion: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// No escapes, LF only.
    case v10 = 10
    /// Escapes for LF, colon and backslash; LF only.
    case v11 = 11
    /// Escapes for CR too; a line may end in CR LF.
    case v12 = 12

    /// Reads a version as it stands in `accept-version` and `version`; `nil` for any other text.
    public init?(_ text: String) {
        switch text {
        case "1.0": self = .v10
        case "1.1": self = .v11
        case "1.2": self = .v12
        default: return nil
        }
    }

    /// The version as it stands in headers, such as `1.2`.
    public var text: String {
        switch self {
        case .v10: "1.0"
        case .v11: "1.1"
        case .v12: "1.2"
        }
    }

    public static func < (left: StompVersion, right: StompVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// STOMP 1.2, "Line Ends": 1.2 alone lets a carriage return stand before the line feed.
    package var allowsCarriageReturn: Bool { self == .v12 }
}
