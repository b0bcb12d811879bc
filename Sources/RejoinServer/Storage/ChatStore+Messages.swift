#if os(Linux)
import RejoinModel
import RejoinTime

extension ChatStore {
    /// One message that is still served.
    func message(_ message: MessageID, in room: RoomRecord) throws(SQLiteError) -> Message? {
        guard let id = message.stored, id >= room.horizon else { return nil }
        return try statement(
            "SELECT \(Message.columns) FROM messages WHERE room = ?1 AND id = ?2"
        )
        .first(.integer(room.key), .integer(id)) { Message($0) }
    }

    /// The message that a person sent with a client ID, trimmed or not.
    ///
    /// The index is named because the planner would go through the whole room for the order.
    func message(sentBy author: UserID, as client: ClientMessageID, in room: RoomRecord)
        throws(SQLiteError) -> Message?
    {
        try statement(
            """
            SELECT \(Message.columns) FROM messages INDEXED BY messages_by_client
            WHERE room = ?1 AND author = ?2 AND client = ?3 ORDER BY id LIMIT 1
            """
        ).first(.integer(room.key), .text(author.rawValue), .blob(client.stored)) {
            Message($0)
        }
    }

    /// Up to `limit` served messages with an ID in `(after, before)`, ascending: the oldest of
    /// them, or the newest with `newest`.
    func messages(
        after lower: Int64, before upper: Int64, newest: Bool, limit: Int, in room: RoomRecord
    ) throws(SQLiteError) -> [Message] {
        var found: [Message] = []
        found.reserveCapacity(min(limit, 256))
        try statement(
            """
            SELECT \(Message.columns) FROM messages WHERE room = ?1 AND id > ?2 AND id < ?3
            ORDER BY id \(newest ? "DESC" : "ASC") LIMIT ?4
            """
        ).forEach(
            .integer(room.key), .integer(max(lower, room.horizon - 1)), .integer(upper),
            .integer(Int64(limit))
        ) { found.append(Message($0)) }
        if newest { found.reverse() }
        return found
    }

    /// Whether a served message has an ID of at most `upper`.
    func hasMessages(through upper: Int64, in room: RoomRecord) throws(SQLiteError) -> Bool {
        try statement(
            "SELECT 1 FROM messages WHERE room = ?1 AND id <= ?2 AND id >= ?3 LIMIT 1"
        ).first(.integer(room.key), .integer(upper), .integer(room.horizon)) { _ in true }
            ?? false
    }

    /// Up to `limit` served messages whose latest change came after `revision`, by revision.
    func changes(after revision: Int64, limit: Int, in room: RoomRecord) throws(SQLiteError)
        -> [Message]
    {
        var found: [Message] = []
        try statement(
            """
            SELECT \(Message.columns) FROM messages
            WHERE room = ?1 AND revision > ?2 AND id >= ?3 ORDER BY revision LIMIT ?4
            """
        ).forEach(
            .integer(room.key), .integer(revision), .integer(room.horizon),
            .integer(Int64(limit))
        ) { found.append(Message($0)) }
        return found
    }

    /// Draws the next message ID. IDs count over all rooms, so each room's IDs have holes, as
    /// those of any sharded server have.
    func drawMessageID() throws(SQLiteError) -> MessageID {
        let number =
            try statement(
                "UPDATE counters SET value = value + 1 WHERE name = 'message' RETURNING value"
            ).first { $0.integer(0) } ?? 0
        return MessageID(UInt128(clamping: number))
    }

    /// Adds a message inside one commit with the room's next revision, which is assigned here.
    /// `id` is `nil` where the commit assigns that as well.
    func insert(
        author: UserID, draft: MessageDraft, id: MessageID?, sentAt: Int64,
        in room: RoomRecord
    ) throws(SQLiteError) -> MessageID {
        try transaction { () throws(SQLiteError) in
            let id = if let id { id } else { try drawMessageID() }
            let revision = try nextRevision(of: room, tip: id.bound)
            try statement(
                """
                INSERT INTO messages (room, id, author, client, sent_at, content, revision)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """
            ).run(
                .integer(room.key), .integer(id.bound), .text(author.rawValue),
                .blob(draft.clientID.stored), .integer(sentAt),
                .blob(StoredContent.encode(draft.content)), .integer(revision))
            return id
        }
    }

    /// Replaces what may change of a message, inside one commit with the next revision.
    func update(_ message: Message, in room: RoomRecord) throws(SQLiteError) {
        try transaction { () throws(SQLiteError) in
            let revision = try nextRevision(of: room, tip: 0)
            try statement(
                """
                UPDATE messages SET content = ?3, revision = ?4, edited_at = ?5, deleted = ?6,
                    reactions = ?7
                WHERE room = ?1 AND id = ?2
                """
            ).run(
                .integer(room.key), .integer(message.id.bound),
                .blob(StoredContent.encode(message.content)), .integer(revision),
                message.editedAt.map { .integer($0.milliseconds) } ?? .null,
                .integer(message.isDeleted ? 1 : 0),
                .blob(StoredContent.encode(message.reactions)))
        }
    }

    private func nextRevision(of room: RoomRecord, tip: Int64) throws(SQLiteError) -> Int64 {
        try statement(
            """
            UPDATE rooms SET revision = revision + 1, tip = MAX(tip, ?2) WHERE key = ?1
            RETURNING revision
            """
        ).first(.integer(room.key), .integer(tip)) { $0.integer(0) } ?? 0
    }
}
#endif
