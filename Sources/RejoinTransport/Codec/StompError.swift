/// Why bytes are not STOMP, or why a frame cannot be written as STOMP.
///
/// A struct with a code, so that codes can be added. The text never holds header values or bodies.
public struct StompError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// Where decoding stopped: the first octet of the smallest thing that is wrong (an escape, a
    /// carriage return, a command, a header line without a colon, a digit, a body's octet),
    /// counted from the first octet that the decoder was ever given. `nil` for encoding.
    public let offset: Int?
    /// What happened and what to do.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, offset: Int? = nil, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    public var description: String {
        guard let offset else { return "\(code.rawValue): \(message)" }
        return "\(code.rawValue) at octet \(offset): \(message)"
    }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// No STOMP command, or one that only the other side may send.
        public static let unknownCommand = Code("unknown_command")
        /// A carriage return that does not end a line together with a line feed.
        public static let strayCarriageReturn = Code("stray_carriage_return")
        /// A NUL before the header section's blank line.
        public static let strayNul = Code("stray_nul")
        /// A header line without a colon.
        public static let missingColon = Code("missing_colon")
        /// A header without a name.
        public static let emptyHeaderName = Code("empty_header_name")
        /// A backslash that begins no escape of this version.
        public static let undefinedEscape = Code("undefined_escape")
        /// A header that is not UTF-8.
        public static let invalidUTF8 = Code("invalid_utf8")
        /// A `content-length` that is not a plain decimal number, or that does not match the body.
        public static let invalidContentLength = Code("invalid_content_length")
        /// No NUL where `content-length` says that the body ends.
        public static let missingNul = Code("missing_nul")
        /// A body on a frame that may not have one.
        public static let bodyNotAllowed = Code("body_not_allowed")
        /// More headers than the limit.
        public static let tooManyHeaders = Code("too_many_headers")
        /// A line longer than the limit.
        public static let lineTooLong = Code("line_too_long")
        /// A header section longer than the limit.
        public static let headerSectionTooLarge = Code("header_section_too_large")
        /// A body longer than the limit.
        public static let bodyTooLarge = Code("body_too_large")
        /// A header that this frame or version has no way to carry.
        public static let headerNotRepresentable = Code("header_not_representable")
    }
}
