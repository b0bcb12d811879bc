/// An edit, deletion or reaction of this person that did not reach the server (promise P5). The
/// message is shown as the server has it, and this beside it; the person can retry or discard the
/// change by its ID.
public struct FailedChange: Hashable, Sendable, Identifiable {
    /// The key of the outbox item that carries it.
    public let id: ClientMessageID
    /// The message that it was to change.
    public let target: MessageID
    /// What was to be done.
    public let change: Change
    /// What is known of its fate.
    public let outcome: Outcome

    /// Creates a failed change.
    public init(id: ClientMessageID, target: MessageID, change: Change, outcome: Outcome) {
        self.id = id
        self.target = target
        self.change = change
        self.outcome = outcome
    }

    /// What a person can do to a sent message.
    public enum Change: Hashable, Sendable {
        /// Give it new content.
        case edit([ContentBlock])
        /// Delete it.
        case delete
        /// Put (`true`) or take back (`false`) a reaction.
        case reaction(emoji: String, Bool)
    }

    /// What is known of the fate of a change that did not succeed.
    public enum Outcome: Hashable, Sendable {
        /// The server does not have it, and why.
        case failed(BackendFailure)
        /// The server may have it.
        case unconfirmed
    }
}
