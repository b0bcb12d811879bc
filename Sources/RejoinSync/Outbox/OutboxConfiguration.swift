public import RejoinTime

/// The limits and waits of an ``Outbox``.
public struct OutboxConfiguration: Hashable, Sendable {
    /// How many items a room's outbox holds; at the limit a new one is refused.
    public var itemLimit: Int
    /// The largest content of one message, in bytes of UTF-8; a larger one is refused. The smaller
    /// of this and the backend's own limit counts.
    public var contentByteLimit: Int
    /// How long after the person's wish an item may still be sent without asking them again.
    public var consentAge: Duration
    /// How long an attempt may go unanswered before its outcome counts as unknown.
    public var attemptTimeout: Duration
    /// How long an accepted item waits for its message before recovery is asked to look for it.
    public var echoTimeout: Duration
    /// How often in a row the server may fail (5xx, unreadable answers) over one item before the
    /// item gives way to its successors.
    public var serverFailureLimit: Int
    /// The longest wait that a server's `Retry-After` can impose.
    public var longestOrderedWait: Duration
    /// The waits between attempts.
    public var backoff: Backoff

    /// Creates a configuration. The defaults suit people who chat on phones.
    public init(
        itemLimit: Int = 1_000, contentByteLimit: Int = 262_144,
        consentAge: Duration = .seconds(86_400), attemptTimeout: Duration = .seconds(60),
        echoTimeout: Duration = .seconds(10), serverFailureLimit: Int = 8,
        longestOrderedWait: Duration = .seconds(3_600), backoff: Backoff = Backoff()
    ) {
        self.itemLimit = itemLimit
        self.contentByteLimit = contentByteLimit
        self.consentAge = consentAge
        self.attemptTimeout = attemptTimeout
        self.echoTimeout = echoTimeout
        self.serverFailureLimit = serverFailureLimit
        self.longestOrderedWait = longestOrderedWait
        self.backoff = backoff
    }
}
