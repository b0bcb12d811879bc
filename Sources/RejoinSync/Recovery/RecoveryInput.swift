public import RejoinModel
public import RejoinTime

/// What can happen to a room's recovery.
public enum RecoveryInput: Hashable, Sendable {
    /// The subscription is gone; what happens now is missed.
    case subscriptionLost
    /// The SUBSCRIBE is on its way. What the stream brings from here on is kept.
    case subscribing
    /// A receipt confirmed the subscription: from here nothing is missed.
    case subscribed
    /// No receipt came within the deadline; the subscription is assumed.
    case subscriptionAssumed
    /// The assumed subscription delivered its first message or outlived the settle time.
    case subscriptionProven
    /// Events were dropped on our side of the stream.
    case eventsDropped
    /// An event came by the stream.
    case live(RoomEvent)
    /// A fetch ended.
    case answered(RequestID, Result<HistoryAnswer, BackendFailure>)
    /// An own message came as the answer to its send.
    case settledSend(Message)
    /// A timer is due.
    case timer(RecoveryTimer)
    /// The foreground, a restored network, a push or the host asks for recovery.
    case trigger
    /// The person looks at another part of the history.
    case load(HistoryAnchor)
    /// A gap came near the rows that the person sees.
    case approach(Gap)
    /// The store cannot keep up (`true`): take nothing more. Or it can again (`false`).
    case storeStalled(Bool)
    /// The room closes.
    case leave
}

/// What a recovery wants done, in order.
public enum RecoveryEffect: Hashable, Sendable {
    /// Fetch history; answered by ``RecoveryInput/answered(_:_:)``.
    case fetch(RequestID, HistoryRequest)
    /// Give a fetch up; an answer that still comes is ignored.
    case cancelFetch(RequestID)
    /// The timeline changed so; to be stored before it is shown.
    case store(TimelineDelta)
    /// Call back at the deadline; replaces a timer of the same name.
    case setTimer(RecoveryTimer, Instant)
    /// Forget a timer.
    case cancelTimer(RecoveryTimer)
    /// A recovery ended. To be told after what it brought is stored.
    case ended(RecoveryOutcome)
    /// Own messages with the sender's key, as the server has them; they settle sends.
    case observed([Message])
    /// A count for the host's metrics.
    case metric(RecoveryMetric)
}

/// The timers of a recovery.
public enum RecoveryTimer: Hashable, Sendable, CaseIterable {
    /// Ask the server again after a failure.
    case retry
    /// Confirm the provisional tail after a quiet moment.
    case confirmTail
    /// A missing revision is no longer merely late.
    case reorder
    /// What was read before its settling time is due to be read again.
    case settle
}

/// What a recovery counts.
public enum RecoveryMetric: Hashable, Sendable {
    /// A message came live that was held already.
    case duplicateSuppressed
    /// A buffer overflowed, and what it held is fetched instead.
    case bufferOverflow
    /// A gap was seen in the live stream.
    case gapDetected
    /// A gap was filled.
    case gapFilled
    /// A proven page did not hold a message that was held here.
    case phantomRemoved
}

/// Where a room's recovery stands.
public enum RecoveryState: Hashable, Sendable, CaseIterable {
    /// Not subscribed, and nothing is being fetched.
    case idle
    /// The SUBSCRIBE is on its way, and nothing is being fetched.
    case subscribing
    /// Catching up.
    case catchingUp
    /// Catching up, and waiting before the server is asked again.
    case waiting
    /// Caught up behind an assumed subscription: it is not called complete yet.
    case assumed
    /// Nothing is missing, and what happens comes live.
    case live
    /// The server refuses, and asking again is useless without help.
    case failed
    /// The room was left; every input is ignored.
    case closed
}
