public import RejoinTime

/// How a ``StompSession`` connects, keeps watch and gives up. All durations and limits of the
/// session stand here.
public struct StompConfiguration: Hashable, Sendable {
    /// `ws:` or `wss:` URLs, at least one. Where an attempt fails before the server has let us in,
    /// the next attempt takes the next one; a failed one is tried again when its turn comes.
    public var endpoints: [String]
    /// The `host` header of CONNECT.
    public var virtualHost: VirtualHost = .fromURL
    /// Versions offered. 1.2 is the only one without traps.
    public var versions: [StompVersion] = [.v12, .v11, .v10]
    /// The largest WebSocket message and STOMP frame taken, in bytes.
    public var maximumMessageBytes = 16 << 20

    /// When a body is announced by `content-length`.
    public var contentLength: StompEncoder.ContentLengthPolicy = .always
    /// Whether CONNECT is escaped although STOMP says that it is not: for RabbitMQ with a
    /// backslash in the passcode.
    public var escapesConnect = false

    // Waiting for answers

    /// How long the credentials provider may take.
    public var credentialsTimeout: Duration = .seconds(30)
    /// How long opening the socket may take, name resolution, TLS and upgrade included.
    public var openTimeout: Duration = .seconds(15)
    /// How long the server may take to answer CONNECT.
    public var handshakeTimeout: Duration = .seconds(10)
    /// How long a receipt may take before its waiter is told that the outcome is unknown.
    public var receiptTimeout: Duration = .seconds(15)
    /// How long a SUBSCRIBE waits for its receipt before it counts as assumed.
    public var subscribeTimeout: Duration = .seconds(5)
    /// How long an assumed subscription waits for a first MESSAGE before it counts as proven.
    public var settleTime: Duration = .seconds(3)
    /// How long a farewell may take, whatever the server does.
    public var disconnectTimeout: Duration = .seconds(2)

    // Signs of life

    /// How often we offer to write, in whole milliseconds; zero: not at all. Keep it well under
    /// 60 s: RabbitMQ (and many a proxy) drops a client that writes nothing for a minute, even
    /// where no heart-beat was agreed.
    public var outgoingHeartbeat: Duration = .seconds(10)
    /// How often we want to hear from the server, in whole milliseconds; zero: not at all.
    public var incomingHeartbeat: Duration = .seconds(10)
    /// The connection is dead after the agreed interval times this factor without a byte. Networks
    /// delay; a factor of 1 drops living connections.
    public var heartbeatTolerance = 2.0
    /// In a direction without heart-beats: the silence after which we send a WebSocket ping.
    public var pingInterval: Duration = .seconds(25)
    /// How long a peer may take to answer a ping.
    public var probeTimeout: Duration = .seconds(4)

    // Coming back

    /// The waits between attempts.
    public var backoff = Backoff()
    /// How long a connection must have stayed up before the failures before it are forgotten. A
    /// server that lets clients in and drops them a second later thereby still sees growing waits.
    public var stableTime: Duration = .seconds(30)
    /// How many waits a foreground or a restored network may shorten in a row.
    public var shortcutLimit = 3
    /// How often such a permit comes back.
    public var shortcutRefill: Duration = .seconds(10)
    /// How long a subscription rests that was alone on the wire when the connection broke, for the
    /// second time; doubled with each further break.
    public var subscriptionRest: Duration = .seconds(60)
    /// The longest such rest.
    public var maximumSubscriptionRest: Duration = .seconds(1_800)
    /// The longest `Retry-After` that is believed.
    public var maximumRetryAfter: Duration = .seconds(600)

    // Limits

    /// The most subscriptions wanted at a time; a further one ends at once as `refused`.
    public var maximumSubscriptions = 1_024
    /// The most requests that wait for a receipt; a further one fails with `limit_reached`.
    public var maximumPendingReceipts = 1_024
    /// The most messages that wait for the socket to take them; a further request fails with
    /// `limit_reached`. Subscribing and unsubscribing may exceed it by two messages for each
    /// subscription; beyond that the connection is given up as silent, and begins anew.
    public var maximumUnwrittenMessages = 1_024
    /// The most transactions open at a time; a further one fails with `limit_reached`.
    public var maximumTransactions = 64

    /// How this server words its refusals.
    public var errorCodes = StompErrorCodes()

    /// Creates a configuration with the values above.
    public init(endpoints: [String]) {
        self.endpoints = endpoints
    }

    /// What stands in the `host` header. RabbitMQ takes it for the name of a virtual host, which
    /// the host of the URL hardly ever is.
    public enum VirtualHost: Hashable, Sendable {
        /// The host of the URL, as STOMP 1.2 suggests.
        case fromURL
        /// A fixed name, such as `/` for RabbitMQ.
        case named(String)
        /// No header.
        case omitted
    }
}

/// The words by which a server tells its refusals apart: in the `code` header of an ERROR frame,
/// or in the body of a refused upgrade (`"code":"…"`).
public struct StompErrorCodes: Hashable, Sendable {
    /// The token has expired: new credentials help.
    public var expired: [String] = ["token_expired", "401"]
    /// The token is invalid: new attempts are useless.
    public var invalid: [String] = ["token_invalid"]
    /// No access. For one subscription it ends that one; for the login it ends the session.
    public var forbidden: [String] = ["forbidden", "403"]
    /// Come back later.
    public var overloaded: [String] = ["rate_limited", "unavailable", "429", "503"]
    /// Values of the `message` header that mean "wrong login" where there is no `code`. RabbitMQ
    /// says `Bad CONNECT` for a wrong passcode and for a virtual host without access.
    public var loginRefusedMessages: [String] = ["Bad CONNECT"]

    /// Creates the words above.
    public init() {}
}
