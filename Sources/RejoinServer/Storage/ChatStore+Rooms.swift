#if os(Linux)
import RejoinModel

extension ChatStore {
    /// A room and the mark of one of its members; the mark is `nil` for anybody else.
    func room(_ room: RoomID, seenBy user: UserID) throws(SQLiteError) -> (
        room: RoomRecord, mark: ReadMark?
    )? {
        try statement(
            """
            SELECT \(RoomRecord.columns), read_version, read_position FROM rooms
            LEFT JOIN memberships ON memberships.room = rooms.key AND memberships.user = ?2
            WHERE rooms.id = ?1
            """
        ).first(.text(room.rawValue), .text(user.rawValue)) { row in
            (
                RoomRecord(row),
                row.isNull(7)
                    ? nil : ReadMark(version: row.integer(7), stored: row.integer(8))
            )
        }
    }

    /// The rooms of a person, ordered by ID.
    func rooms(of user: UserID) throws(SQLiteError) -> [(room: RoomRecord, mark: ReadMark)] {
        var found: [(room: RoomRecord, mark: ReadMark)] = []
        try statement(
            """
            SELECT \(RoomRecord.columns), read_version, read_position FROM memberships
            JOIN rooms ON rooms.key = memberships.room
            WHERE memberships.user = ?1 ORDER BY rooms.id
            """
        ).forEach(.text(user.rawValue)) { row in
            found.append(
                (
                    RoomRecord(row),
                    ReadMark(version: row.integer(7), stored: row.integer(8))
                ))
        }
        return found
    }

    /// The people of a room, ordered by ID.
    func members(of room: Int64) throws(SQLiteError) -> [Member] {
        var found: [Member] = []
        try statement(
            """
            SELECT users.id, users.name, users.avatar, users.version FROM memberships
            JOIN users ON users.id = memberships.user
            WHERE memberships.room = ?1 ORDER BY users.id
            """
        ).forEach(.integer(room)) { found.append(Member($0)) }
        return found
    }

    /// A person, member of any room or not.
    func user(_ user: UserID) throws(SQLiteError) -> Member? {
        try statement("SELECT id, name, avatar, version FROM users WHERE id = ?1")
            .first(.text(user.rawValue)) { Member($0) }
    }

    /// Creates a room or renames it, and makes its people exactly `members`. Whoever stays
    /// keeps their read mark.
    ///
    /// - Returns: Who was a member and no longer is.
    func putRoom(_ room: RoomID, name: String, members: [Member]) throws(SQLiteError)
        -> [UserID]
    {
        try transaction { () throws(SQLiteError) in
            try statement(
                """
                INSERT INTO rooms (id, name) VALUES (?1, ?2)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name
                """
            ).run(.text(room.rawValue), .text(name))
            let key =
                try statement("SELECT key FROM rooms WHERE id = ?1")
                .first(.text(room.rawValue)) { $0.integer(0) } ?? 0
            for member in members {
                try putUser(member)
                try statement(
                    "INSERT OR IGNORE INTO memberships (room, user) VALUES (?1, ?2)"
                ).run(.integer(key), .text(member.id.rawValue))
            }
            let wanted = Set(members.map(\.id))
            var gone: [UserID] = []
            try statement("SELECT user FROM memberships WHERE room = ?1 ORDER BY user")
                .forEach(.integer(key)) { row in
                    let user = UserID(row.text(0))
                    if !wanted.contains(user) { gone.append(user) }
                }
            for user in gone {
                try statement("DELETE FROM memberships WHERE room = ?1 AND user = ?2")
                    .run(.integer(key), .text(user.rawValue))
            }
            return gone
        }
    }

    /// Writes a person; an older version does not replace a newer one.
    private func putUser(_ member: Member) throws(SQLiteError) {
        try statement(
            """
            INSERT INTO users (id, name, avatar, version) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, avatar = excluded.avatar, version = excluded.version
            WHERE excluded.version >= users.version
            """
        ).run(
            .text(member.id.rawValue), .text(member.name),
            member.avatar.map { .text($0) } ?? .null, .integer(Int64(clamping: member.version)))
    }

    /// Stores a read mark, already folded and clamped.
    func setMark(_ mark: ReadMark, of user: UserID, in room: Int64) throws(SQLiteError) {
        try statement(
            """
            UPDATE memberships SET read_version = ?3, read_position = ?4
            WHERE room = ?1 AND user = ?2
            """
        ).run(
            .integer(room), .text(user.rawValue), .integer(Int64(clamping: mark.version)),
            .integer(mark.position?.bound ?? 0))
    }

    /// How many messages after `position` count as unread for `user`: neither own ones nor
    /// tombstones.
    ///
    /// - Complexity: O(messages after `position`), in the index alone, which is named because the
    ///   planner would read the contents as well.
    func unread(for user: UserID, after position: MessageID?, in room: RoomRecord)
        throws(SQLiteError) -> Int
    {
        let lower = max(position?.bound ?? 0, room.horizon - 1)
        guard lower < room.tip else { return 0 }
        let count = try statement(
            """
            SELECT COUNT(*) FROM messages INDEXED BY messages_that_count
            WHERE room = ?1 AND id > ?2 AND author <> ?3 AND deleted = 0
            """
        ).first(.integer(room.key), .integer(lower), .text(user.rawValue)) { $0.integer(0) }
        return Int(clamping: count ?? 0)
    }

    /// Stops serving messages before `horizon`, and changes up to `revision` or up to the last
    /// change of a message that is no longer served: the feed would leave it out in silence. The
    /// rows stay, so that a repeated send is still recognised (its key is kept longer than its
    /// message is shown).
    func trim(_ room: RoomRecord, before horizon: MessageID?, through revision: Revision?)
        throws(SQLiteError)
    {
        try statement(
            """
            UPDATE rooms SET horizon = MAX(horizon, ?2),
                trimmed_revision = MAX(trimmed_revision, ?3, COALESCE(
                    (SELECT MAX(revision) FROM messages WHERE room = ?1 AND id < ?2), 0))
            WHERE key = ?1
            """
        ).run(
            .integer(room.key), .integer(horizon?.bound ?? 0),
            .integer(Int64(clamping: revision?.rawValue ?? 0)))
    }
}

extension Member {
    /// Reads the columns id, name, avatar, version.
    init(_ row: borrowing SQLiteRow) {
        self.init(
            id: UserID(row.text(0)), name: row.text(1),
            avatar: row.isNull(2) ? nil : row.text(2),
            version: UInt64(clamping: row.integer(3)))
    }
}
#endif
