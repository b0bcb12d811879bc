public import RejoinModel
public import RejoinReadState
public import RejoinSync
public import RejoinTime

/// What can happen to an open room.
public enum RoomInput: Sendable {
    // The socket

    /// The room's subscription changed.
    case subscription(SubscriptionPhase)
    /// The room has no subscription, for a reason that concerns no other room. It is tried again at
    /// `retryAt`; `nil`: not by itself.
    case denied(BackendFailure, retryAt: Instant?)
    /// An event came by the subscription.
    case event(RoomEvent)
    /// Something came by the subscription that could not be read: whatever it was, it is missed.
    case unreadableEvent

    // Answers, each with the token of its request

    /// A fetch ended.
    case answered(RequestID, Result<HistoryAnswer, BackendFailure>)
    /// A mutation ended.
    case performed(Outbox.AttemptID, Result<MutationAnswer, BackendFailure>)
    /// The room's summary was fetched; `nil`: it could not be, and is asked for again.
    case summarized(RoomSummary?)
    /// A report of the read position ended.
    case reported(ReadSync.AttemptID, Result<ReadAnswer, BackendFailure>)
    /// A commit is stored.
    case committed(RoomCommit.Token)
    /// A commit could not be stored.
    case commitFailed(RoomCommit.Token)
    /// A timer is due.
    case timer(RoomTimer)

    // The app

    /// The app entered the foreground, which starts a room session, or the room was opened in it.
    case foreground(PipelineSelection)
    /// The app left the foreground.
    case background
    /// Something asks for recovery.
    case trigger(RecoveryTrigger)
    /// The selector changed its mind while people chat.
    case selection(PipelineSelection)

    // The person

    /// Send, edit, delete or react. The ID is drawn once, when the person acts.
    case submit(ClientMessageID, OutboxWork)
    /// Try a failed or unconfirmed item again.
    case retry(ClientMessageID)
    /// Take an item back.
    case cancel(ClientMessageID)
    /// Give a failed or unconfirmed item up.
    case discard(ClientMessageID)
    /// The room is on screen, or no longer is. A room that was opened is, until this says not.
    case shown(Bool)
    /// The rows of these messages, and what lies between them, are on screen.
    case visible(VisibilityToken, ClosedRange<MessageID>)
    /// Everything up to a message counts as read, gaps included.
    case markRead(through: MessageID)
    /// A message and all after it count as unread.
    case markUnread(from: MessageID)
    /// Show another part of the history.
    case load(HistoryAnchor)
    /// A gap came near the view.
    case approach(Gap)
    /// The room closes.
    case close
}

/// What an open room wants done. The order of effects is the order of execution.
public enum RoomEffect: Sendable {
    /// Fetch history; answered by ``RoomInput/answered(_:_:)``.
    case fetch(RequestID, HistoryRequest)
    /// The answer to this fetch no longer matters.
    case cancelFetch(RequestID)
    /// Hand a mutation to the server; answered by ``RoomInput/performed(_:_:)``.
    case perform(Outbox.AttemptID, Mutation)
    /// The answer to this mutation no longer matters.
    case abandon(Outbox.AttemptID)
    /// Report the read position; answered by ``RoomInput/reported(_:_:)``.
    case report(ReadSync.AttemptID, ReadMark, unread: Bool)
    /// The answer to this report no longer matters.
    case abandonReport(ReadSync.AttemptID)
    /// Fetch the room's summary; answered once by ``RoomInput/summarized(_:)``.
    case fetchSummary
    /// Store one transaction; answered by ``RoomInput/committed(_:)``.
    case commit(RoomCommit)
    /// Show this.
    case publish(RoomSnapshot)
    /// The server refuses the room: a subscription would only cost all rooms their connection.
    case unsubscribe
    /// Call back at the deadline; replaces a timer of the same name.
    case setTimer(RoomTimer, Instant)
    /// Forget a timer.
    case cancelTimer(RoomTimer)
    /// The submitted work is stored: `send` may return.
    case accepted(ClientMessageID)
    /// The cancellation is stored.
    case cancelled(ClientMessageID)
    /// A command was not carried out.
    case refused(ClientMessageID, OutboxRefusal)
    /// A recovery ended.
    case recovered(RecoveryOutcome)
    /// The room is handed over from one pipeline to another.
    case switched(from: PipelineVariant, to: PipelineSelection)
    /// A count for the host's metrics.
    case metric(PipelineMetric)
    /// A shadow comparison has something to tell.
    case shadow(ShadowReport)
}
