public import RejoinTime

/// The sizes, waits and limits of a room's recovery. Each has a stated behaviour at its limit.
public struct RecoveryPolicy: Hashable, Sendable {
    /// Messages asked for in one page; the server's own maximum cuts it further.
    public var pageSize: Int
    /// Pages that one catch-up may take. A larger hole becomes a gap: the newest page is shown,
    /// and the rest is filled when the person comes near.
    public var catchUpPages: Int
    /// Live events held while a catch-up runs. One more empties the buffer; the catch-up then
    /// reads again what the buffer would have told.
    public var bufferLimit: Int
    /// Live events held back because an earlier revision is missing. One more starts a catch-up at
    /// once.
    public var reorderLimit: Int
    /// Edits, deletions and reactions held for messages that a running fetch may bring. One more
    /// empties the list, and the fetch is made again.
    public var waitingChangeLimit: Int
    /// Loads that the person asked for and that wait their turn. One more drops the oldest.
    public var loadLimit: Int
    /// How long a missing revision may be merely late before it counts as a gap.
    public var reorderWait: Duration
    /// How long the stream must be quiet before a page confirms its messages.
    public var confirmAfterQuiet: Duration
    /// After how many unconfirmed messages a page confirms them although the stream is not quiet.
    public var confirmAfterMessages: Int
    /// The waits after failures.
    public var backoff: Backoff
    /// The shortest time between two attempts where a trigger cuts a wait short.
    public var triggerSpacing: Duration

    /// Creates a policy. The defaults suit a phone.
    public init(
        pageSize: Int = 200, catchUpPages: Int = 5, bufferLimit: Int = 500, reorderLimit: Int = 50,
        waitingChangeLimit: Int = 200, loadLimit: Int = 8,
        reorderWait: Duration = .milliseconds(500), confirmAfterQuiet: Duration = .seconds(2),
        confirmAfterMessages: Int = 50, backoff: Backoff = Backoff(),
        triggerSpacing: Duration = .seconds(2)
    ) {
        self.pageSize = pageSize
        self.catchUpPages = catchUpPages
        self.bufferLimit = bufferLimit
        self.reorderLimit = reorderLimit
        self.waitingChangeLimit = waitingChangeLimit
        self.loadLimit = loadLimit
        self.reorderWait = reorderWait
        self.confirmAfterQuiet = confirmAfterQuiet
        self.confirmAfterMessages = confirmAfterMessages
        self.backoff = backoff
        self.triggerSpacing = triggerSpacing
    }
}
