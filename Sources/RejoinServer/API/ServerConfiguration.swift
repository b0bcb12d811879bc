#if os(Linux)
public import RejoinWire

/// How a ``ReferenceServer`` runs.
public struct ServerConfiguration: Sendable {
    /// The address to listen on. The default is reachable from this machine alone: the server
    /// speaks plain text unless ``tls`` is set.
    public var host: String
    /// The port to listen on; 0: any free one.
    public var port: UInt16
    /// The directory of the database file `rejoin.sqlite`; created where it does not exist.
    public var directory: String
    /// The key that signs tokens.
    public var secret: TokenSecret
    /// How calls, answers and events look on the wire.
    public var format: any ServerWireFormat
    /// The path of the WebSocket.
    public var webSocketPath: String
    /// Certificate and key; `nil`: plain text.
    public var tls: TLSFiles?
    /// Whether a commit survives a power cut and not only a kill of the process; costs one
    /// `fsync` a commit.
    public var survivesPowerLoss: Bool
    /// What the server takes in and keeps at most.
    public var limits: ServerLimits
    /// What the server promises; switched off in tests of the clients.
    public var behaviour: ServerBehaviour
    /// What the server offers as its heart-beats, in both directions; zero: none.
    public var heartbeat: Duration

    /// Creates a configuration.
    public init(
        directory: String, secret: TokenSecret,
        format: any ServerWireFormat = ReferenceFormat(),
        host: String = "127.0.0.1", port: UInt16 = 0, webSocketPath: String = "/ws",
        tls: TLSFiles? = nil, survivesPowerLoss: Bool = false,
        limits: ServerLimits = ServerLimits(),
        behaviour: ServerBehaviour = ServerBehaviour(), heartbeat: Duration = .seconds(10)
    ) {
        self.directory = directory
        self.secret = secret
        self.format = format
        self.host = host
        self.port = port
        self.webSocketPath = webSocketPath
        self.tls = tls
        self.survivesPowerLoss = survivesPowerLoss
        self.limits = limits
        self.behaviour = behaviour
        self.heartbeat = heartbeat
    }
}

/// The files of a TLS server, in PEM.
public struct TLSFiles: Hashable, Sendable {
    /// The path of the certificate chain.
    public var certificate: String
    /// The path of the private key.
    public var privateKey: String

    /// Names the files.
    public init(certificate: String, privateKey: String) {
        self.certificate = certificate
        self.privateKey = privateKey
    }
}

/// What the server promises. The defaults keep every promise; a test of a client takes one
/// away and sees whether the client copes.
public struct ServerBehaviour: Hashable, Sendable {
    /// Whether a SUBSCRIBE is answered by the receipt that it asks for.
    public var subscribeReceipts: Bool
    /// Whether a repeated client ID yields the message that it made the first time.
    public var idempotentSends: Bool
    /// Whether rooms have revisions and a change feed.
    public var revisions: Bool
    /// Where set, a message gets its ID at once but is committed up to this much later, so
    /// that messages appear below the tip.
    public var settle: Duration?
    /// The seed of the waits that ``settle`` asks for.
    public var seed: UInt64

    /// Creates a behaviour.
    public init(
        subscribeReceipts: Bool = true, idempotentSends: Bool = true, revisions: Bool = true,
        settle: Duration? = nil, seed: UInt64 = 1
    ) {
        self.subscribeReceipts = subscribeReceipts
        self.idempotentSends = idempotentSends
        self.revisions = revisions
        self.settle = settle
        self.seed = seed
    }
}

/// What the server takes in and keeps at most (promise P7). What exceeds a limit is refused or
/// disconnected, as the comment of each says; nothing is cut short in silence.
public struct ServerLimits: Hashable, Sendable {
    /// Open sockets; more are closed at once.
    public var connections: Int
    /// Bytes of a request's header section; more close the connection.
    public var headerBytes: Int
    /// Bytes of a message's content; more are refused with `too_large`.
    public var contentBytes: Int
    /// Bytes of a request's body or a STOMP frame beyond the content itself.
    public var envelopeBytes: Int
    /// Messages in one page; a larger wish gets this many.
    public var pageMessages: Int
    /// Subscriptions of one connection; one more is answered by ERROR.
    public var subscriptions: Int
    /// Bytes that wait for a slow reader of the WebSocket; one more byte disconnects it.
    public var outboundBytes: Int
    /// How long a WebSocket may stay without CONNECT.
    public var connectTimeout: Duration
    /// How long a request's header and body may take, and a kept connection may idle.
    public var requestTimeout: Duration
    /// Requests and SENDs that a person may make; `nil`: any number. One more is refused with
    /// `rate_limited` and the time to wait.
    public var rate: RateLimit?
    /// People for whom a rate is remembered; the one idle for longest is forgotten first.
    public var ratedUsers: Int
    /// Messages that wait for their late commit; one more commits the oldest at once.
    public var lateCommits: Int

    /// Creates limits.
    public init(
        connections: Int = 2_000, headerBytes: Int = 16 << 10, contentBytes: Int = 256 << 10,
        envelopeBytes: Int = 64 << 10, pageMessages: Int = 200, subscriptions: Int = 256,
        outboundBytes: Int = 4 << 20, connectTimeout: Duration = .seconds(10),
        requestTimeout: Duration = .seconds(30), rate: RateLimit? = nil,
        ratedUsers: Int = 10_000, lateCommits: Int = 1_000
    ) {
        self.connections = connections
        self.headerBytes = headerBytes
        self.contentBytes = contentBytes
        self.envelopeBytes = envelopeBytes
        self.pageMessages = pageMessages
        self.subscriptions = subscriptions
        self.outboundBytes = outboundBytes
        self.connectTimeout = connectTimeout
        self.requestTimeout = requestTimeout
        self.rate = rate
        self.ratedUsers = ratedUsers
        self.lateCommits = lateCommits
    }

    /// Bytes of a request's body and of a STOMP frame's body.
    var bodyBytes: Int { contentBytes + envelopeBytes }
}

/// A rate with a burst (a token bucket).
public struct RateLimit: Hashable, Sendable {
    /// How many may come each second in the long run.
    public var perSecond: Int
    /// How many may come at once after a quiet time.
    public var burst: Int

    /// Creates a limit; values below 1 are taken as 1.
    public init(perSecond: Int, burst: Int) {
        self.perSecond = max(1, perSecond)
        self.burst = max(1, burst)
    }
}
#endif
