public import RejoinModel
public import RejoinReadState
public import RejoinSync
public import RejoinTransport

/// How a ``ChatClient`` behaves: who uses it, what the backend keeps, and all waits and limits.
public struct ChatConfiguration: Sendable {
    /// The person who is signed in.
    public var user: UserID
    /// The host product, for the pipeline's selection.
    public var hostProduct: String
    /// The host's version, for the pipeline's selection.
    public var appVersion: String
    /// What the backend keeps. A promise that needs a capability rests on this statement.
    public var capabilities: BackendCapabilities
    /// The socket: endpoints, heart-beats, waits.
    public var stomp: StompConfiguration
    /// How mutations reach the server.
    public var sending = Sending.rest
    /// Catching up: page sizes, budgets, waits.
    public var recovery = RecoveryPolicy()
    /// Messages that a room's window shows at most.
    public var windowLimit = 400
    /// The queue of unsent messages.
    public var outbox = OutboxConfiguration()
    /// Reporting the read position.
    public var reads = ReadSyncConfiguration()
    /// Fetches of history under way at a time, over all rooms. The rest waits; rooms that are on
    /// screen go first.
    public var parallelFetches = 4
    /// Rooms open at a time. Opening one more throws `limit_reached`.
    public var openRoomLimit = 64
    /// Events of a room that may wait for it. One more is dropped and counts as a loss, which
    /// recovery repairs.
    public var eventBuffer = 512
    /// How long ``ChatClient/suspend()`` may take, whatever the network does.
    public var suspendTimeout: Duration = .seconds(5)
    /// How long ``ChatClient/handlePush(room:)`` may take. iOS gives about thirty seconds.
    public var pushTimeout: Duration = .seconds(25)
    /// How long one REST request may take.
    public var requestTimeout: Duration = .seconds(20)
    /// The largest REST answer taken, in bytes.
    public var maximumAnswerBytes = 32 << 20

    /// Creates a configuration with the values above.
    ///
    /// - Parameters:
    ///   - user: The person who is signed in.
    ///   - endpoints: `ws:` or `wss:` URLs of the socket, at least one.
    ///   - capabilities: What the backend keeps.
    public init(
        user: UserID, endpoints: [String],
        capabilities: BackendCapabilities = BackendCapabilities(), hostProduct: String = "",
        appVersion: String = ""
    ) {
        self.user = user
        self.capabilities = capabilities
        self.hostProduct = hostProduct
        self.appVersion = appVersion
        stomp = StompConfiguration(endpoints: endpoints)
    }

    /// How mutations reach the server.
    public enum Sending: Hashable, Sendable {
        /// By REST: the answer is the stored message.
        case rest
        /// By STOMP SEND with a receipt where the wire format has one, else by REST.
        case socket
    }
}
