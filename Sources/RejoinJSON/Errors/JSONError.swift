/// Why a text was not read as JSON, and where.
///
/// The text names places and expectations, never what stood there: that may be a person's message
/// or a secret.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public let code: Code
    /// What was found and what to do.
    public let message: String
    /// Where it is.
    public let location: JSONLocation
    /// The place in the value, such as `messages[3].id`; empty for the whole.
    public let path: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, at location: JSONLocation, path: String = "") {
        self.code = code
        self.message = message
        self.location = location
        self.path = path
    }

    /// The first offending byte, counted from the start of the text.
    public var offset: Int { location.offset }

    public var description: String {
        let place = path.isEmpty ? "" : " at \(path)"
        return "\(location.line):\(location.column): \(code.rawValue)\(place) "
            + "(byte \(location.offset)): \(message)"
    }

    /// A kind of fault.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The text ends inside a value.
        public static let unexpectedEnd = Code("unexpected_end")
        /// A byte that the grammar does not allow here (RFC 8259 section 2).
        public static let unexpectedByte = Code("unexpected_byte")
        /// The text starts with a byte order mark (RFC 8259 section 8.1).
        public static let byteOrderMark = Code("byte_order_mark")
        /// A string holds bytes that are not UTF-8 (RFC 8259 section 8.1).
        public static let invalidUTF8 = Code("invalid_utf8")
        /// A string holds an unescaped control character or an unknown escape.
        public static let invalidString = Code("invalid_string")
        /// A `\u` escape names half of a surrogate pair.
        public static let loneSurrogate = Code("lone_surrogate")
        /// A number is not of the grammar's form (RFC 8259 section 6).
        public static let invalidNumber = Code("invalid_number")
        /// Something follows the value.
        public static let trailingData = Code("trailing_data")
        /// A key stands twice in one object.
        public static let duplicateKey = Code("duplicate_key")
        /// A limit of ``JSONLimits`` is exceeded.
        public static let limitExceeded = Code("limit_exceeded")
        /// The value is of another type than asked for.
        public static let wrongType = Code("wrong_type")
        /// The number does not fit the type asked for.
        public static let outOfRange = Code("out_of_range")
        /// An object lacks a member.
        public static let missingMember = Code("missing_member")
        /// The value is of the right type, but not one of those allowed.
        public static let invalidValue = Code("invalid_value")
    }
}
