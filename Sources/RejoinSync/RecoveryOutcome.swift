public import RejoinModel
public import RejoinTime

/// How a recovery ended.
public enum RecoveryOutcome: Hashable, Sendable {
    /// Everything that the server had is held in every range that is called covered.
    case complete(RecoveryEvidence)
    /// The rest is shown as gaps.
    case partial([Gap], RecoveryEvidence)
    /// It did not work; `retryAt` is when it is tried again, `nil`: not without help.
    case failed(BackendFailure, retryAt: Instant?)
}

/// What a recovery rests on.
public struct RecoveryEvidence: Hashable, Sendable {
    /// Pages fetched.
    public var pages: Int
    /// Messages that were new here.
    public var messagesAdded: Int
    /// The newest message up to which nothing is missing; `nil` in an empty room.
    public var through: MessageID?
    /// The revision up to which nothing is missing.
    public var revision: Revision?

    /// Creates evidence.
    public init(
        pages: Int = 0, messagesAdded: Int = 0, through: MessageID? = nil,
        revision: Revision? = nil
    ) {
        self.pages = pages
        self.messagesAdded = messagesAdded
        self.through = through
        self.revision = revision
    }
}
