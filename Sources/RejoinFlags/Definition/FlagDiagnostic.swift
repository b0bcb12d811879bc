public import RejoinJSON

/// Something wrong with a flags file that could be read nonetheless, and where it stands.
public struct FlagDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public let severity: Severity
    /// What kind of mistake it is.
    public let code: Code
    /// What is wrong and what to do.
    public let message: String
    /// The flag that it concerns; `nil` for the file.
    public let flag: String?
    /// Where it stands in the file.
    public let location: JSONLocation

    /// Creates a diagnostic.
    public init(
        _ severity: Severity, _ code: Code, _ message: String, flag: String?,
        at location: JSONLocation
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.flag = flag
        self.location = location
    }

    /// `line:column: severity: message`, as compilers say it.
    public var description: String {
        let subject = flag.map { "flag '\($0)': " } ?? ""
        let text = "\(severity.rawValue): \(subject)\(message)"
        return "\(location.line):\(location.column): \(text.printable)"
    }

    /// How bad a mistake is.
    public enum Severity: String, Hashable, Sendable {
        /// The flag is quarantined: it answers with the code default, and the others work.
        case error
        /// The flag works, perhaps not as its author thinks.
        case warning
    }

    /// A kind of mistake.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in reports.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// A key stands twice in one object.
        public static let duplicateKey = Code("duplicate_key")
        /// Two keys look the same and are not (canonical equivalence, UAX #15).
        public static let lookAlikeKeys = Code("look_alike_keys")
        /// A member has the wrong type or an impossible value.
        public static let invalidMember = Code("invalid_member")
        /// A member is missing.
        public static let missingMember = Code("missing_member")
        /// A member means nothing in flagd's format.
        public static let unknownMember = Code("unknown_member")
        /// `defaultVariant` names a variant that does not exist.
        public static let unknownVariant = Code("unknown_variant")
        /// The variants are not all of one type.
        public static let mixedVariants = Code("mixed_variants")
        /// A number that would lose digits.
        public static let inexactNumber = Code("inexact_number")
        /// A rule names an operator or evaluator that does not exist.
        public static let invalidRule = Code("invalid_rule")
        /// A ramp's bucketing key is another than before.
        public static let seedChanged = Code("seed_changed")
        /// A ramp's shares stand in another order than before.
        public static let orderChanged = Code("order_changed")
    }
}

/// Why a flags file as a whole was refused. The last good set stays in force.
public struct FlagFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public let code: Code
    /// What happened and what to do.
    public let message: String
    /// Where in the file; `nil` where the file could not be read at all.
    public let location: JSONLocation?

    /// Creates an error.
    public init(_ code: Code, _ message: String, at location: JSONLocation? = nil) {
        self.code = code
        self.message = message
        self.location = location
    }

    public var description: String {
        let place = location.map { "\($0.line):\($0.column): " } ?? ""
        return "\(place)error: \(message.printable)"
    }

    /// A kind of fault.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in reports.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// There is no file.
        public static let missing = Code("missing")
        /// The file may not be read now: permissions, a locked device, a broken disk.
        public static let unreadable = Code("unreadable")
        /// The file is empty, as it is between truncation and writing. Never taken for "no flags".
        public static let empty = Code("empty")
        /// The file is no JSON, or exceeds a limit.
        public static let invalidJSON = Code("invalid_json")
        /// The file is JSON, but no flags file.
        public static let invalidStructure = Code("invalid_structure")
        /// The file asks for a bucketing generation that this module does not have.
        public static let unsupportedBucketing = Code("unsupported_bucketing")
    }
}
