#if os(Linux)
import RejoinModel
import RejoinTime

extension ServerCore {
    /// The longest emoji taken, in bytes: the longest sequences of Unicode have 35.
    static let maximumEmojiBytes = 64
    /// Different emoji on one message; one more is refused.
    static let maximumReactions = 64

    /// Where a send stands before its commit.
    enum Preparation {
        /// Its client ID is known: this is the message.
        case repeated(Message)
        /// It may be committed.
        case new
    }

    /// Checks a send and looks for the message that it made already.
    func prepare(_ draft: MessageDraft, in room: RoomID, by user: UserID)
        throws(BackendFailure) -> Preparation
    {
        let access = try access(room, by: user)
        try check(draft.content)
        guard behaviour.idempotentSends else { return .new }
        let earlier = try stored { () throws(SQLiteError) in
            try store.message(sentBy: user, as: draft.clientID, in: access.room)
        }
        return earlier.map { .repeated(shown($0)) } ?? .new
    }

    /// Draws an ID for a send whose commit comes later.
    func drawMessageID() throws(BackendFailure) -> MessageID {
        try stored { () throws(SQLiteError) in try store.drawMessageID() }
    }

    /// Commits a prepared send. The revision, and the ID where `id` is `nil`, are assigned
    /// inside the commit.
    func commit(
        _ draft: MessageDraft, as id: MessageID?, in room: RoomID, by user: UserID,
        at now: WallTime
    ) throws(BackendFailure) -> Outcome {
        let access = try access(room, by: user)
        let made = try stored { () throws(SQLiteError) in
            try store.insert(
                author: user, draft: draft, id: id, sentAt: now.milliseconds, in: access.room)
        }
        let message = shown(try servedMessage(made, in: access))
        let author = try stored { () throws(SQLiteError) in try store.user(user) }
        let event = RoomEvent(
            room: room, kind: .created(message, author: author), revision: message.revision)
        return Outcome(answer: .message(message), events: [event])
    }

    func edit(
        _ id: MessageID, to content: [ContentBlock], in access: Access, at now: WallTime
    ) throws(BackendFailure) -> Outcome {
        var message = try ownMessage(id, in: access)
        try check(content)
        guard !message.isDeleted else {
            throw BackendFailure(.conflict, "the message was deleted")
        }
        // A repeat, after an answer was lost, changes nothing.
        guard message.content != content else {
            return Outcome(answer: .message(shown(message)))
        }
        message.content = content
        message.editedAt = now
        return try update(message, in: access)
    }

    func delete(_ id: MessageID, in access: Access) throws(BackendFailure) -> Outcome {
        var message = try ownMessage(id, in: access)
        guard !message.isDeleted else { return Outcome(answer: .message(shown(message))) }
        message.isDeleted = true
        message.content = []
        message.reactions = []
        return try update(message, in: access)
    }

    func react(_ id: MessageID, _ emoji: String, _ isOn: Bool, in access: Access)
        throws(BackendFailure) -> Outcome
    {
        guard (1...Self.maximumEmojiBytes).contains(emoji.utf8.count) else {
            throw BackendFailure(
                .rejected, "an emoji has 1 to \(Self.maximumEmojiBytes) bytes")
        }
        var message = try servedMessage(id, in: access)
        guard !message.isDeleted else {
            throw BackendFailure(.conflict, "the message was deleted")
        }
        let index = message.reactions.firstIndex {
            $0.emoji.utf8.elementsEqual(emoji.utf8)
        }
        let users = index.map { message.reactions[$0].users } ?? []
        guard users.contains(access.user) != isOn else {
            return Outcome(answer: .message(shown(message)))
        }
        if let index, isOn {
            message.reactions[index].users.append(access.user)
        } else if let index {
            message.reactions[index].users.removeAll { $0 == access.user }
            if message.reactions[index].users.isEmpty { message.reactions.remove(at: index) }
        } else {
            guard message.reactions.count < Self.maximumReactions else {
                throw BackendFailure(.rejected, "the message has too many different reactions")
            }
            message.reactions.append(Reaction(emoji: emoji, users: [access.user]))
        }
        return try update(message, in: access)
    }

    /// A message that the server still serves.
    func servedMessage(_ id: MessageID, in access: Access) throws(BackendFailure) -> Message {
        let found = try stored { () throws(SQLiteError) in
            try store.message(id, in: access.room)
        }
        guard let found else {
            throw BackendFailure(.notFound, "there is no such message in this room")
        }
        return found
    }

    private func ownMessage(_ id: MessageID, in access: Access) throws(BackendFailure)
        -> Message
    {
        let message = try servedMessage(id, in: access)
        guard message.author == access.user else {
            throw BackendFailure(.forbidden, "only its author may change a message")
        }
        return message
    }

    private func update(_ message: Message, in access: Access) throws(BackendFailure)
        -> Outcome
    {
        try stored { () throws(SQLiteError) in try store.update(message, in: access.room) }
        let stored = shown(try servedMessage(message.id, in: access))
        let event = RoomEvent(
            room: access.room.id, kind: .changed(stored), revision: stored.revision)
        return Outcome(answer: .message(stored), events: [event])
    }

    private func check(_ content: [ContentBlock]) throws(BackendFailure) {
        guard !content.isEmpty else {
            throw BackendFailure(.rejected, "a message needs at least one content block")
        }
        let bytes = StoredContent.encode(content).count
        guard bytes <= limits.contentBytes else {
            throw BackendFailure(
                .tooLarge, "the content has \(bytes) bytes, at most \(limits.contentBytes) go")
        }
    }
}
#endif
