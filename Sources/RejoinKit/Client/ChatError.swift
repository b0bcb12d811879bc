/// Why the client did not do what the host asked.
public struct ChatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do; holds no message content and no secrets.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The room is closed, or the client does not run any more.
        public static let closed = Code("closed")
        /// A stated limit is reached.
        public static let limitReached = Code("limit_reached")
        /// The store cannot be read.
        public static let storeUnavailable = Code("store_unavailable")
        /// The origin of the backend cannot be used.
        public static let invalidOrigin = Code("invalid_origin")
        /// The outbox refused a command; its code stands in the message.
        public static let refused = Code("refused")
    }
}
