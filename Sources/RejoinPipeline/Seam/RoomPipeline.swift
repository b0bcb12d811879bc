public import RejoinModel
public import RejoinSync
public import RejoinTime

/// The seam of the rollout: the inbound message pipeline of one room.
///
/// A pipeline is a pure core. It decides what to fetch, what to store and what to show; sends and
/// read positions are not its business, so that a switch never touches them (promise P6).
public protocol RoomPipeline: Sendable {
    /// Takes one input and returns what is to be done, in order.
    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect]

    /// What is to be shown now.
    var snapshot: TimelineSnapshot { get }

    /// Whether no commit of this pipeline is still on its way; a handover waits for it.
    var isSettled: Bool { get }

    /// Whether a catch-up is under way, also one that the pipeline began by itself, such as after
    /// a gap that it saw live. Its end is told by ``PipelineEffect/recovered(_:)``. A pipeline that
    /// begins none by itself may leave this out.
    var isCatchingUp: Bool { get }

    /// What the next pipeline starts from.
    ///
    /// - Complexity: O(messages held).
    func checkpoint() -> PipelineCheckpoint
}

extension RoomPipeline {
    public var isCatchingUp: Bool { false }
}

/// What can happen to a room's pipeline.
public enum PipelineInput: Hashable, Sendable {
    /// The room's subscription changed.
    case subscription(SubscriptionPhase)
    /// An event came by the subscription.
    case live(RoomEvent)
    /// A fetch ended.
    case answered(RequestID, Result<HistoryAnswer, BackendFailure>)
    /// A message of this person settled by another way than the stream: a POST answer.
    case settledSend(Message)
    /// A commit is stored.
    case committed(CommitID)
    /// A commit could not be stored; it may be tried again.
    case commitFailed(CommitID)
    /// A timer of this pipeline is due.
    case timer(PipelineTimer)
    /// The read position moved, for a pipeline that hangs its fill on it.
    case readPosition(MessageID?)
    /// Something asks for recovery.
    case trigger(RecoveryTrigger)
    /// The host looks at another part of the history.
    case load(HistoryAnchor)
    /// Rows near the top, or a gap row, came into view: fill what lies there.
    case approach(Gap)
    /// The app left the foreground.
    case background
    /// The room closes.
    case leave
}

/// Whether a room's subscription can be relied on.
public enum SubscriptionPhase: Hashable, Sendable {
    /// Not subscribed; what happens now is missed.
    case lost
    /// The SUBSCRIBE is on its way.
    case pending
    /// A receipt confirmed it: from here nothing is missed.
    case confirmed
    /// No receipt came within the deadline, so it is assumed; more proof may follow.
    case assumed
    /// An assumed subscription delivered its first message or outlived the settle time.
    case proven
    /// Messages were dropped on our side, because a buffer overflowed.
    case overflowed
}

/// Who asks for recovery. Triggers coalesce.
public enum RecoveryTrigger: Hashable, Sendable {
    /// The app entered the foreground.
    case foreground
    /// The network is back.
    case networkRestored
    /// A push notification named the room.
    case push
    /// The host or the person asked.
    case manual
}

/// What a pipeline wants done. The order of effects is the order of execution: persist, then
/// publish, then acknowledge.
public enum PipelineEffect: Hashable, Sendable {
    /// Fetch history; answered by ``PipelineInput/answered(_:_:)``.
    case fetch(RequestID, HistoryRequest)
    /// Give a fetch up; an answer may still come and is ignored.
    case cancelFetch(RequestID)
    /// Store these changes in one transaction; answered by ``PipelineInput/committed(_:)``.
    case commit(TimelineCommit)
    /// Show ``RoomPipeline/snapshot``.
    case publish
    /// The person can be taken to have read this far (the legacy pipeline's habit).
    case suggestRead(MessageID)
    /// Call back at the deadline; replaces a timer of the same name.
    case setTimer(PipelineTimer, Instant)
    /// Forget a timer.
    case cancelTimer(PipelineTimer)
    /// A recovery ended.
    case recovered(RecoveryOutcome)
    /// The own messages that this pipeline saw on the server's side; they settle sends.
    case observed([Message])
    /// A count for the host's metrics.
    case metric(PipelineMetric)
    /// A shadow comparison has something to tell.
    case shadow(ShadowReport)
}

/// The timers that a pipeline may own.
public enum PipelineTimer: Hashable, Sendable, CaseIterable {
    /// Try a failed fetch or commit again.
    case retry
    /// Confirm the provisional tail after a quiet moment.
    case confirmTail
    /// Wait for a missing revision that may only be reordered.
    case reorder
    /// Reread the tail that is younger than the settling time.
    case settle
}

/// What a pipeline counts.
public enum PipelineMetric: Hashable, Sendable {
    /// A message came that was held already.
    case duplicateSuppressed
    /// A buffer overflowed and recovery began anew.
    case bufferOverflow
    /// A gap was seen in the live stream.
    case gapDetected
    /// A gap was filled.
    case gapFilled
    /// A proven page did not hold a message that was held here.
    case phantomRemoved
}
