public import RejoinModel

/// Why bytes from a peer are not what the format asks for, and where.
///
/// The text names places and expectations, never what stood there: that may be a message.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public let code: Code
    /// What is wrong and what was expected.
    public let message: String
    /// The place in the body, in bytes from its start; `nil` where the fault lies elsewhere, as in
    /// a destination.
    public let offset: Int?
    /// The place in the value, such as `messages[3].id`; empty for the whole.
    public let path: String

    /// Creates an error.
    public init(_ code: Code, _ message: String, offset: Int? = nil, path: String = "") {
        self.code = code
        self.message = message
        self.offset = offset
        self.path = path
    }

    public var description: String {
        let place = [path.isEmpty ? nil : path, offset.map { "byte \($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
        return "\(code.rawValue)\(place.isEmpty ? "" : " at \(place)"): \(message)"
    }

    /// The error as the failure of the request whose answer could not be read.
    public var asFailure: BackendFailure { BackendFailure(.malformedAnswer, description) }

    /// A kind of fault.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The body is not JSON (RFC 8259).
        public static let malformed = Code("malformed")
        /// The body is JSON, but not of the shape that the format asks for.
        public static let unexpected = Code("unexpected")
        /// A limit of ours is exceeded.
        public static let tooLarge = Code("too_large")
        /// The destination is none of the format's.
        public static let unknownDestination = Code("unknown_destination")
    }
}
