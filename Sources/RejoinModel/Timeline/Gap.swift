/// A stretch of a room's history that is not held, and is shown as such: never a silent hole
/// (promise P1).
public struct Gap: Hashable, Sendable {
    /// The last message before the gap, exclusive; `nil`: the beginning of the room.
    public var from: MessageID?
    /// The first proven message after the gap, exclusive; `nil`: the gap reaches to the tip, and
    /// what came live meanwhile stands after its row, unproven.
    public var before: MessageID?
    /// Why it is there.
    public var reason: Reason
    /// What is being done about it.
    public var state: State

    /// Creates a gap.
    public init(from: MessageID?, before: MessageID?, reason: Reason, state: State = .known) {
        self.from = from
        self.before = before
        self.reason = reason
        self.state = state
    }

    /// Why history is missing.
    @nonexhaustive
    public enum Reason: Hashable, Sendable {
        /// The connection was away, and nothing has been fetched since.
        case disconnected
        /// The hole was larger than the catch-up budget; it fills when the person scrolls near.
        case budgetExceeded
        /// Older history that was never asked for.
        case notLoaded
        /// The server no longer keeps it.
        case trimmed
        /// A pipeline without coverage served the room.
        case unproven
    }

    /// What is being done about a gap.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// Nothing yet.
        case known
        /// A fetch is on its way.
        case filling
        /// The last fetch failed and will be tried again.
        case failed
        /// It cannot be filled.
        case unrecoverable
    }
}
