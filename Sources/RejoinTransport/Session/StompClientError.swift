/// Why a STOMP request, a subscription or the whole connection did not succeed.
///
/// A struct with a code, so that codes can be added. The text holds no header values, no message
/// bodies and no secrets.
public struct StompClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; decisions hang on this alone.
    public let code: Code
    /// What happened, where, and what to do; for engineers.
    public let message: String
    /// The HTTP status of a refused upgrade.
    public let httpStatus: Int?
    /// The code with which the peer closed the WebSocket.
    public let closeCode: UInt16?
    /// The `code` header of the server's ERROR frame, where it sent one.
    public let serverCode: String?
    /// The `message` header of the server's ERROR frame, cut at 256 characters. Written by the
    /// server: show it to engineers, not to people, and not in ``description``.
    public let serverMessage: String?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, httpStatus: Int? = nil, closeCode: UInt16? = nil,
        serverCode: String? = nil, serverMessage: String? = nil
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.closeCode = closeCode
        self.serverCode = serverCode
        self.serverMessage = serverMessage
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// Whether the request may have had its effect on the server although it failed. Where this
    /// is false it certainly had none.
    public var mayHaveTakenEffect: Bool {
        code == .connectionLost || code == .receiptTimedOut || code == .cancelled
    }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        // Requests

        /// There is no connection: nothing was sent. There is no send queue here; whoever needs
        /// one keeps it where it can be stored.
        public static let notConnected = Code("not_connected")
        /// The connection ended before the outcome was known: the request may have had its effect.
        public static let connectionLost = Code("connection_lost")
        /// No receipt came in time: the request may have had its effect.
        public static let receiptTimedOut = Code("receipt_timed_out")
        /// The server answered this very request with an ERROR.
        public static let rejected = Code("rejected")
        /// The request cannot be put into a frame, or contradicts the protocol.
        public static let invalidRequest = Code("invalid_request")
        /// A stated limit is reached; the request was not sent.
        public static let limitReached = Code("limit_reached")
        /// The transaction has ended, by commit, abort or a lost connection.
        public static let transactionEnded = Code("transaction_ended")
        /// The message came over a connection that has ended: it cannot be acknowledged any more.
        public static let staleMessage = Code("stale_message")
        /// The waiting task was cancelled, or the client stopped running.
        public static let cancelled = Code("cancelled")

        // Connections

        /// The server does not take the credentials: the token is invalid, or still refused after
        /// one refresh.
        public static let unauthorized = Code("unauthorized")
        /// The server forbids access (403).
        public static let forbidden = Code("forbidden")
        /// Client and server share no STOMP version.
        public static let noCommonVersion = Code("no_common_version")
        /// The provider has no credentials and will have none until a person signs in.
        public static let signedOut = Code("signed_out")
        /// The provider could not get credentials this time.
        public static let credentialsUnavailable = Code("credentials_unavailable")
        /// The configuration or the credentials cannot be used as they are.
        public static let invalidConfiguration = Code("invalid_configuration")
        /// The host was not found, did not take the connection, or failed in TLS.
        public static let unreachable = Code("unreachable")
        /// The server answered the upgrade with a status that is not 101.
        public static let upgradeRefused = Code("upgrade_refused")
        /// The server is overloaded and asked to come back later (429, 503).
        public static let overloaded = Code("overloaded")
        /// An attempt took too long.
        public static let timedOut = Code("timed_out")
        /// The peer went silent.
        public static let silent = Code("silent")
        /// The peer closed the connection, or it broke.
        public static let closed = Code("closed")
        /// The server sent an ERROR frame.
        public static let serverError = Code("server_error")
        /// The peer broke the protocol.
        public static let protocolViolation = Code("protocol_violation")
    }
}
