/// A request to the backend, whatever the protocol that carries it.
///
/// One vocabulary for client and server: a `WireFormat` turns a call into an HTTP request, a
/// server's format turns the request back into the call.
public enum BackendCall: Hashable, Sendable {
    /// What the backend keeps.
    case capabilities
    /// Summaries of all rooms of the asking person.
    case rooms
    /// The summary of one room.
    case room(RoomID)
    /// A page of history of at most `limit` messages.
    case history(RoomID, HistoryAnchor, limit: Int)
    /// One message.
    case message(RoomID, MessageID)
    /// A page of the change feed.
    case changes(RoomID, after: Revision, limit: Int)
    /// A new message; repeated with the same client ID, the same message.
    case send(RoomID, MessageDraft)
    /// New content of an own message.
    case edit(RoomID, MessageID, [ContentBlock])
    /// Delete an own message.
    case delete(RoomID, MessageID)
    /// Put (`true`) or take back (`false`) an own reaction.
    case react(RoomID, MessageID, emoji: String, Bool)
    /// Advance the read mark.
    case markRead(RoomID, ReadMark)
    /// Set the read mark back: compare-and-set to the next version.
    case markUnread(RoomID, ReadMark)
}

/// The answer to a ``BackendCall``, case by case.
public enum BackendAnswer: Hashable, Sendable {
    /// To `capabilities`.
    case capabilities(BackendCapabilities)
    /// To `rooms`.
    case rooms([RoomSummary])
    /// To `room`.
    case room(RoomSummary)
    /// To `history`.
    case history(HistoryPage)
    /// To `changes`.
    case changes(ChangePage)
    /// To `message`, `send`, `edit`, `delete` and `react`: the message as it is now.
    case message(Message)
    /// To `markRead` and `markUnread`.
    case read(ReadAnswer)
}
