internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTransport

/// What the client keeps of one open room. A class, so that the session is changed in its place
/// and never copied; it never leaves the client's actor.
final class OpenRoom {
    let id: RoomID
    /// Tells this opening from earlier ones of the same room: their answers are stale.
    let opening: UInt64
    var session: RoomSession
    let hub: Broadcast<RoomSnapshot>
    var subscription: StompSubscription?
    /// Whether its fetches go before those of other rooms.
    var isOnScreen = true
    var isClosing = false
    var isEnded = false
    /// Whether the server refuses it, so that there is nothing to subscribe to.
    var isRefused = false
    /// Whether it was opened for a push alone, and nobody has asked for it since.
    var isForPush = false
    /// Pushes that are catching up.
    var pushes = 0

    /// Reports of the read position under way: closing and suspending wait for them.
    var reports = 0

    /// Who waits for the store to take what they sent, by the item's ID.
    var submissions: [ClientMessageID: CheckedContinuation<ChatError?, Never>] = [:]
    /// Who waits for the next recovery to end.
    var recoveries: [(ticket: UInt64, continuation: CheckedContinuation<RecoveryOutcome, Never>)] =
        []

    init(id: RoomID, opening: UInt64, session: RoomSession) {
        self.id = id
        self.opening = opening
        self.session = session
        hub = Broadcast(
            capacity: 0, initial: session.snapshot, overflowed: { _ in session.snapshot })
    }

    /// Whether nothing of this room, but for what is on its way to the store, would be lost if the
    /// app were suspended now.
    var isSettled: Bool { reports == 0 && session.isSettled }
}
