public import RejoinModel
public import RejoinTime

/// Why what the server has counted may not be true any more.
public enum ReadRecount: Hashable, Sendable {
    /// The message is a tombstone now.
    case deleted(MessageID)
    /// The message became visible below later ones, and outside the window: a backend that settles
    /// counts it only from now on.
    case late(MessageID)

    /// The message.
    var id: MessageID {
        switch self {
        case .deleted(let id), .late(let id): id
        }
    }
}

/// What can happen to a ``ReadSync``.
public enum ReadSyncInput: Hashable, Sendable {
    /// The scene that shows the room became active: visible rows count from here, with the new
    /// ``ReadSync/visibilityToken``.
    case activated
    /// The app left the foreground, or the scene is covered. Tokens are void; what is unsent is
    /// sent at once.
    case deactivated
    /// The room closes. As ``deactivated``, and for good: nothing more is tried after that.
    case closed
    /// The connection is back: a wait that only served an unreachable server ends.
    case reconnected

    /// The room shows these rows and gaps now.
    case timeline(ReadFacts)
    /// The rows of these messages, and what lies between them, are on screen. The host reports it
    /// with each change of what is visible.
    case visible(VisibilityToken, ClosedRange<MessageID>)
    /// The host takes everything up to a message as read, gaps included.
    case markRead(through: MessageID)
    /// The person marks a message and all after it as unread.
    case markUnread(from: MessageID)

    /// Other devices of this person have read up to these marks. All of them count, whatever their
    /// order.
    case remote([ReadMark])
    /// The server may have counted these messages otherwise: by an event, a page or a change feed.
    case recount([ReadRecount])
    /// A summary of the room came. One that was asked for before a ``recount(_:)`` is not to be
    /// given: it may count what is gone, or not what became visible late.
    case summary(RoomSummary)
    /// A summary was asked for and did not come, while the room is subscribed: it is asked for
    /// again after a wait.
    case summaryMissed
    /// A report was answered.
    case reported(ReadSync.AttemptID, Result<ReadAnswer, BackendFailure>)

    /// A commit is stored.
    case committed(ReadCommit.ID)
    /// A commit could not be stored; it will be tried again.
    case commitFailed(ReadCommit.ID)
    /// A timer of this core is due.
    case timer(ReadSyncTimer)
}

/// What a ``ReadSync`` wants done. The order of effects is the order of execution.
public enum ReadSyncEffect: Hashable, Sendable {
    /// Store this record; answered by ``ReadSyncInput/committed(_:)``.
    case commit(ReadCommit)
    /// Report this mark to the server; answered once by ``ReadSyncInput/reported(_:_:)``.
    case report(ReadSync.AttemptID, ReadMark, unread: Bool)
    /// The answer of this report no longer matters; giving the request up is allowed.
    case abandon(ReadSync.AttemptID)
    /// Fetch the room's summary: the server holds a newer state than this device knows.
    case fetchSummary
    /// ``ReadSync/mark``, ``ReadSync/unread`` or ``ReadSync/visibilityToken`` changed.
    case publish
    /// Call back at the deadline; replaces a timer of the same name.
    case setTimer(ReadSyncTimer, Instant)
    /// Forget a timer.
    case cancelTimer(ReadSyncTimer)
}

/// The timers that a read state may own. One that fires early or twice is harmless.
public enum ReadSyncTimer: Hashable, Sendable, CaseIterable {
    /// Send what has gathered, or try a failed report again.
    case report
    /// The report under way has gone unanswered for too long.
    case attempt
    /// Try a failed commit again.
    case store
    /// Ask again for a summary that did not come.
    case summary
}

/// The waits of a ``ReadSync``.
public struct ReadSyncConfiguration: Hashable, Sendable {
    /// How long advances gather before one report carries them.
    public var coalescing: Duration
    /// How long a report may go unanswered.
    public var attemptTimeout: Duration
    /// The longest wait that a server's `Retry-After` can impose.
    public var longestOrderedWait: Duration
    /// The waits between attempts.
    public var backoff: Backoff

    /// Creates a configuration. The defaults suit people who chat on phones.
    public init(
        coalescing: Duration = .seconds(1), attemptTimeout: Duration = .seconds(30),
        longestOrderedWait: Duration = .seconds(3_600), backoff: Backoff = Backoff()
    ) {
        self.coalescing = coalescing
        self.attemptTimeout = attemptTimeout
        self.longestOrderedWait = longestOrderedWait
        self.backoff = backoff
    }
}
