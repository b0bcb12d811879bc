/// Why a request to the backend did not succeed.
///
/// A struct with a code, so that codes can be added. The text never holds message content or
/// secrets.
public struct BackendFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; the core decides by this alone.
    public let code: Code
    /// What happened, where, and what to do; for engineers.
    public let message: String
    /// How long the server asked to wait.
    public let retryAfter: Duration?

    /// Creates a failure.
    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs and on the wire.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The server was not reached: the request cannot have had an effect.
        public static let unreachable = Code("unreachable")
        /// The answer was lost: the request may have had its effect.
        public static let outcomeUnknown = Code("outcome_unknown")
        /// The server failed (5xx) and may be asked again.
        public static let serverError = Code("server_error")
        /// Too many requests (429) or overload (503): wait ``BackendFailure/retryAfter``.
        public static let rateLimited = Code("rate_limited")
        /// The token has expired (401): ask the provider and try again.
        public static let tokenExpired = Code("token_expired")
        /// The token is not valid (401): trying again is useless.
        public static let tokenInvalid = Code("token_invalid")
        /// No access to this room (403).
        public static let forbidden = Code("forbidden")
        /// No such room or message (404).
        public static let notFound = Code("not_found")
        /// The asked revision was trimmed (410).
        public static let gone = Code("gone")
        /// A mutation lost against a newer version (409).
        public static let conflict = Code("conflict")
        /// The request is too large (413).
        public static let tooLarge = Code("too_large")
        /// The server refused the request as malformed or not allowed (other 4xx).
        public static let rejected = Code("rejected")
        /// The answer could not be read.
        public static let malformedAnswer = Code("malformed_answer")
        /// We gave the request up.
        public static let cancelled = Code("cancelled")
    }

    /// Whether the same request may succeed later without a person's help.
    public var isTransient: Bool {
        switch code {
        case .unreachable, .outcomeUnknown, .serverError, .rateLimited, .tokenExpired,
            .malformedAnswer, .cancelled:
            true
        default: false
        }
    }

    /// Whether the request may have had its effect although it failed.
    public var mayHaveTakenEffect: Bool {
        switch code {
        case .outcomeUnknown, .serverError, .malformedAnswer, .cancelled: true
        default: false
        }
    }
}
