public import RejoinModel
public import RejoinTime

/// What can happen to an ``Outbox``.
public enum OutboxInput: Hashable, Sendable {
    /// The person changed something. The ID is drawn by the caller, once, when they act; a repeated
    /// ID is the same wish and is only acknowledged again.
    case submit(ClientMessageID, OutboxWork)
    /// The person wants a failed or unconfirmed item tried again. It rejoins at the tail.
    case retry(ClientMessageID)
    /// The person takes an item back. One that may have left is deleted once it shows up.
    case cancel(ClientMessageID)
    /// The person gives a failed or unconfirmed item up.
    case discard(ClientMessageID)

    /// The room's subscription opened (confirmed, or assumed where the broker sends no receipts),
    /// or it is lost.
    case subscription(isOpen: Bool)
    /// A recovery ended as complete or partial, and what it found was given as ``observed(_:)``
    /// before. `begunAt`: every part of its answer was asked for at this instant or later; the time
    /// of the last subscription or trigger before it ended will do, because a recovery that is
    /// triggered while it runs asks once more.
    case recovered(begunAt: Instant)
    /// The latest state of a message came from the server: by an event, a page or a change feed.
    /// Messages that do not concern the outbox are ignored in O(1) while no change waits for its
    /// effect.
    case observed(Message)
    /// The server refused a send of this person by an event.
    case rejected(ClientMessageID, BackendFailure)
    /// The backend stated what it keeps.
    case capabilities(BackendCapabilities)

    /// An attempt ended.
    case performed(Outbox.AttemptID, Result<MutationAnswer, BackendFailure>)
    /// A commit is stored.
    case committed(OutboxCommit.ID)
    /// A commit could not be stored; it will be tried again.
    case commitFailed(OutboxCommit.ID)
    /// A timer of this outbox is due.
    case timer(OutboxTimer)
}

/// What an ``Outbox`` wants done. The order of effects is the order of execution.
public enum OutboxEffect: Hashable, Sendable {
    /// The submitted work is stored and will reach the server, or be shown as failed or
    /// unconfirmed:
    /// `send` may return.
    case accepted(ClientMessageID)
    /// The cancellation is stored: the item is gone, or will be deleted once it shows up.
    case cancelled(ClientMessageID)
    /// A command was not carried out.
    case refused(ClientMessageID, OutboxRefusal)
    /// A send reached the server and has this place in the room's order.
    case settled(ClientMessageID, MessageID)
    /// An answer brought this state of a message: hand it to the pipeline.
    case learned(Message)
    /// Hand this to the server; answered once by ``OutboxInput/performed(_:_:)``.
    case perform(Outbox.AttemptID, Mutation)
    /// The answer of this attempt no longer matters; giving the request up is allowed.
    case abandon(Outbox.AttemptID)
    /// Recover the room: a message has to be looked for.
    case requestRecovery
    /// Store these changes in one transaction; answered by ``OutboxInput/committed(_:)``.
    case commit(OutboxCommit)
    /// ``Outbox/unsent`` or ``Outbox/overlay`` changed.
    case publish
    /// Call back at the deadline; replaces a timer of the same name.
    case setTimer(OutboxTimer, Instant)
    /// Forget a timer.
    case cancelTimer(OutboxTimer)
}

/// The timers that an outbox may own. One that fires early or twice is harmless.
public enum OutboxTimer: Hashable, Sendable, CaseIterable {
    /// Try the first item again.
    case retry
    /// The attempt under way has gone unanswered for too long.
    case attempt
    /// An accepted item has not been seen for too long.
    case echo
    /// Try a failed commit again.
    case store
}

/// Why a command was not carried out. A struct with a code, so that codes can be added.
public struct OutboxRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is.
    public let code: Code
    /// What happened and what to do; for engineers.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// A kind of refusal.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The room's outbox holds as many items as it may.
        public static let full = Code("outbox_full")
        /// The content is larger than the limit.
        public static let tooLarge = Code("too_large")
        /// The outbox has no such item; it may have been sent already.
        public static let unknownItem = Code("unknown_item")
        /// The message to change is neither in the outbox nor was it sent from it lately.
        public static let unknownTarget = Code("unknown_target")
        /// The item is on its way and can no longer be taken back.
        public static let alreadyLeft = Code("already_left")
        /// The item is still being sent; only failed and unconfirmed ones can be retried or
        /// discarded.
        public static let stillPending = Code("still_pending")
        /// The item was cancelled before it was stored.
        public static let cancelled = Code("cancelled")
    }
}

extension BackendFailure.Code {
    /// The item waited for so long that it is not sent without asking the person again.
    public static let expired = BackendFailure.Code("expired")
}
