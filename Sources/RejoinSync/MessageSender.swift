public import RejoinModel

/// What a person wants changed in a room.
public enum Mutation: Hashable, Sendable {
    /// A new message.
    case send(MessageDraft)
    /// New content of an own message.
    case edit(MessageID, [ContentBlock])
    /// Delete an own message.
    case delete(MessageID)
    /// Put (`true`) or take back (`false`) an own reaction.
    case react(MessageID, emoji: String, Bool)
}

/// How the server took a ``Mutation``.
public enum MutationAnswer: Hashable, Sendable {
    /// Stored; this is the message now. It settles a send.
    case stored(Message)
    /// A receipt: stored, but the message itself comes by another way. It makes a send *accepted*.
    case accepted
}

/// The sending seam: a POST, or a STOMP SEND with a receipt.
public protocol MessageSender: Sendable {
    /// Hands one mutation to the server and waits for its fate.
    ///
    /// - Throws: ``BackendFailure``; its code tells a refusal from an unknown outcome.
    func perform(_ mutation: Mutation, in room: RoomID) async throws(BackendFailure)
        -> MutationAnswer
}
