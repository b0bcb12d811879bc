/// The WebSocket seam: opens connections. One adapter stands on libwebsockets, one on
/// `URLSessionWebSocketTask`; `RejoinContracts` checks both.
public protocol WebSocketConnector: Sendable {
    /// Opens a connection and returns once the upgrade has succeeded.
    ///
    /// - Throws: ``WebSocketError``; a refused upgrade carries its HTTP status. Cancelling the
    ///   task gives the attempt up and throws the code `cancelled`.
    func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> any WebSocketConnection
}

/// One open connection. Reading is a pull, so a slow reader slows the peer (back-pressure) and
/// nothing piles up here beyond one maximum message.
public protocol WebSocketConnection: Sendable {
    /// The subprotocol that the server chose; `nil` where it chose none.
    var subprotocol: String? { get }

    /// Sends one message; returns when the socket has taken it, not before (back-pressure).
    func send(_ message: WebSocketMessage) async throws(WebSocketError)

    /// Sends a ping and returns once the peer has answered it with a pong: the sign of life by
    /// which the session tells a dead socket from a quiet one. Sets no deadline of its own; it
    /// throws when the connection ends first. Pings may overlap each other, sends and the reader.
    func ping() async throws(WebSocketError)

    /// The next message. One reader at a time.
    ///
    /// - Throws: ``WebSocketError``; code `closed` carries the peer's close code and reason.
    func receive() async throws(WebSocketError) -> WebSocketMessage

    /// Closes in good order (RFC 6455 section 7) and returns within `timeout` in every case.
    func close(code: UInt16, reason: String, timeout: Duration) async

    /// Drops the socket at once, without a closing handshake: it is taken to be dead.
    func abandon()
}

/// One message, as its frames made it up.
public enum WebSocketMessage: Hashable, Sendable {
    /// A TEXT message; its bytes are valid UTF-8.
    case text(ContiguousArray<UInt8>)
    /// A BINARY message.
    case binary(ContiguousArray<UInt8>)

    /// The payload, whatever the kind.
    public var bytes: ContiguousArray<UInt8> {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }
}

/// How to open a connection.
public struct WebSocketRequest: Hashable, Sendable {
    /// `ws:` or `wss:`.
    public var url: String
    /// Header fields of the upgrade request, in order. They may hold secrets and are never logged.
    public var headers: [HeaderField]
    /// Subprotocols, the preferred one first.
    public var subprotocols: [String]
    /// The largest message taken, in bytes; a larger one closes with code 1009.
    public var maximumMessageBytes: Int
    /// How long opening may take, name resolution and TLS included.
    public var timeout: Duration

    /// Creates a request.
    public init(
        url: String, headers: [HeaderField] = [], subprotocols: [String] = [],
        maximumMessageBytes: Int = 16 << 20, timeout: Duration = .seconds(15)
    ) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
        self.maximumMessageBytes = maximumMessageBytes
        self.timeout = timeout
    }

    /// One header field.
    public struct HeaderField: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// Why a WebSocket could not be opened or does not go on.
public struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do; holds no header values.
    public let message: String
    /// The HTTP status of a refused upgrade.
    public let httpStatus: Int?
    /// `Retry-After` of a refused upgrade.
    public let retryAfter: Duration?
    /// The code with which the peer closed (RFC 6455 section 7.4); 1006 where the socket ended
    /// without a closing handshake.
    public let closeCode: UInt16?
    /// The peer's reason.
    public let closeReason: String?
    /// The body of a refused upgrade, up to 4 KiB: servers put their error code there.
    public let body: ContiguousArray<UInt8>

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, httpStatus: Int? = nil, retryAfter: Duration? = nil,
        closeCode: UInt16? = nil, closeReason: String? = nil, body: ContiguousArray<UInt8> = []
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
        self.closeCode = closeCode
        self.closeReason = closeReason
        self.body = body
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The URL or a header cannot be used.
        public static let invalidRequest = Code("invalid_request")
        /// The host was not found or did not take the connection.
        public static let unreachable = Code("unreachable")
        /// TLS failed: the certificate is not trusted, has expired or names another host.
        public static let tlsFailed = Code("tls_failed")
        /// The server answered the upgrade with another status than 101.
        public static let upgradeRefused = Code("upgrade_refused")
        /// The server chose a subprotocol that was not offered.
        public static let subprotocolMismatch = Code("subprotocol_mismatch")
        /// The connection has ended.
        public static let closed = Code("closed")
        /// The peer broke RFC 6455.
        public static let protocolViolation = Code("protocol_violation")
        /// A message exceeded the maximum size.
        public static let messageTooLarge = Code("message_too_large")
        /// Opening took too long.
        public static let timedOut = Code("timed_out")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
    }
}
