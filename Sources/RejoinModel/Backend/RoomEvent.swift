/// What a room's subscription delivers.
public struct RoomEvent: Hashable, Sendable {
    /// The room.
    public var room: RoomID
    /// What happened.
    public var kind: Kind
    /// The room's revision after this event; `nil` for read and typing events, which carry none,
    /// and where the backend has none.
    public var revision: Revision?

    /// Creates an event.
    public init(room: RoomID, kind: Kind, revision: Revision? = nil) {
        self.room = room
        self.kind = kind
        self.revision = revision
    }

    /// The kinds of event.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A new message, with its author where the server sends it.
        case created(Message, author: Member?)
        /// A message's latest state: edited, deleted, or its reactions changed.
        case changed(Message)
        /// A person read up to a mark.
        case read(UserID, ReadMark)
        /// A person types.
        case typing(UserID)
        /// A SEND of this session was refused.
        case rejected(ClientMessageID, BackendFailure)
        /// A kind that this module does not know; kept for hosts.
        case unknown(type: String)
    }
}

/// A message on its way to the server.
public struct MessageDraft: Hashable, Sendable {
    /// The idempotency key.
    public let clientID: ClientMessageID
    /// What it holds.
    public var content: [ContentBlock]

    /// Creates a draft.
    public init(clientID: ClientMessageID, content: [ContentBlock]) {
        self.clientID = clientID
        self.content = content
    }
}
