/// What a backend keeps. A promise that needs a capability holds only where the backend states it.
public struct BackendCapabilities: Hashable, Sendable {
    /// How commits relate to message IDs.
    public var commitOrder: CommitOrder
    /// For how long a repeated client ID yields the same message; `nil`: not idempotent.
    public var idempotentSendRetention: Duration?
    /// Whether rooms have revisions and the change feed.
    public var hasRevisions: Bool
    /// Whether a SUBSCRIBE is answered by a receipt.
    public var hasSubscribeReceipts: Bool
    /// The largest page the server gives.
    public var maximumPageSize: Int
    /// The largest message content that the server takes, in bytes of its wire form.
    public var maximumContentBytes: Int

    /// Creates a statement. The defaults are those of the reference backend.
    public init(
        commitOrder: CommitOrder = .ordered, idempotentSendRetention: Duration? = .seconds(86_400),
        hasRevisions: Bool = true, hasSubscribeReceipts: Bool = true, maximumPageSize: Int = 200,
        maximumContentBytes: Int = 262_144
    ) {
        self.commitOrder = commitOrder
        self.idempotentSendRetention = idempotentSendRetention
        self.hasRevisions = hasRevisions
        self.hasSubscribeReceipts = hasSubscribeReceipts
        self.maximumPageSize = maximumPageSize
        self.maximumContentBytes = maximumContentBytes
    }

    /// Whether a message may become visible below one that is already visible.
    public enum CommitOrder: Hashable, Sendable {
        /// IDs are assigned inside the commit: nothing appears below the tip.
        case ordered
        /// A message may appear below the tip until it is this old.
        case settles(within: Duration)
    }
}
