/// What a server wants to see before it lets a client in.
///
/// Headers of the HTTP upgrade, of CONNECT and of SUBSCRIBE are separate settings, because servers
/// look in different places. All of it is secret: the description shows none of it.
public struct StompCredentials: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// Header fields of the upgrade request, such as `Authorization`.
    public var upgradeHeaders: [WebSocketRequest.HeaderField]
    /// Headers of the CONNECT frame, such as `login` and `passcode`. A value with CR, LF or NUL is
    /// refused: STOMP has no escape for it in CONNECT.
    public var connectHeaders: StompHeaders
    /// Headers of every SUBSCRIBE frame of the connection.
    public var subscribeHeaders: StompHeaders

    /// Creates credentials.
    public init(
        upgradeHeaders: [WebSocketRequest.HeaderField] = [], connectHeaders: StompHeaders = [],
        subscribeHeaders: StompHeaders = []
    ) {
        self.upgradeHeaders = upgradeHeaders
        self.connectHeaders = connectHeaders
        self.subscribeHeaders = subscribeHeaders
    }

    /// All values that are sent, each of them secret.
    package var values: [String] {
        upgradeHeaders.map(\.value) + connectHeaders.map(\.value) + subscribeHeaders.map(\.value)
    }

    public var description: String { "StompCredentials(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why credentials are asked for.
public enum StompCredentialsReason: Hashable, Sendable {
    /// An attempt is about to start: the current credentials will do.
    case initial
    /// The server refused the last ones as expired: get new ones.
    case expired
}

/// Why a provider has no credentials.
public struct StompCredentialsFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether asking again later can help. Where it cannot, the session stops.
    public let isTransient: Bool
    /// What happened; never a secret.
    public let message: String

    /// Creates a failure.
    public init(isTransient: Bool, _ message: String) {
        self.isTransient = isTransient
        self.message = message
    }

    public var description: String { message }
}
