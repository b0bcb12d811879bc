/// What a client tells a room by the socket; the counterpart of ``RoomEvent``.
public struct RoomCommand: Hashable, Sendable {
    /// The room.
    public var room: RoomID
    /// What is asked.
    public var kind: Kind

    /// Creates a command.
    public init(room: RoomID, kind: Kind) {
        self.room = room
        self.kind = kind
    }

    /// The kinds of command.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A new message.
        case send(MessageDraft)
        /// New content of an own message.
        case edit(MessageID, [ContentBlock])
        /// Delete an own message.
        case delete(MessageID)
        /// Put (`true`) or take back (`false`) an own reaction.
        case react(MessageID, emoji: String, Bool)
        /// Advance the read mark.
        case markRead(ReadMark)
        /// Set the read mark back.
        case markUnread(ReadMark)
        /// The person types. It has no REST form: nobody waits for its fate.
        case typing
    }

    /// The same request in the vocabulary of REST; `nil` for typing, which has none.
    public var call: BackendCall? {
        switch kind {
        case .send(let draft): .send(room, draft)
        case .edit(let message, let content): .edit(room, message, content)
        case .delete(let message): .delete(room, message)
        case .react(let message, let emoji, let isOn): .react(room, message, emoji: emoji, isOn)
        case .markRead(let mark): .markRead(room, mark)
        case .markUnread(let mark): .markUnread(room, mark)
        case .typing: nil
        }
    }
}
