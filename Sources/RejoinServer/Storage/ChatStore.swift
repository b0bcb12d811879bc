#if os(Linux)
import Foundation
import RejoinModel
import RejoinTime

/// Rooms, messages and read marks in one SQLite file.
///
/// It knows how things are kept, not who may do what: that is ``ServerCore``'s business. One
/// thread uses it and nobody else writes, so what is read outside a transaction stays true
/// until the next call.
final class ChatStore {
    private let database: SQLiteConnection

    /// Opens or creates the file.
    init(path: String, survivesPowerLoss: Bool) throws(SQLiteError) {
        database = try SQLiteConnection(path: path, survivesPowerLoss: survivesPowerLoss)
        let found = try statement("PRAGMA user_version").first { $0.integer(0) } ?? 0
        switch found {
        case 0: try database.execute("BEGIN; \(Schema.creation) COMMIT;")
        case Schema.version: break
        default:
            throw SQLiteError(
                code: 26,
                "the file has schema \(found) and this server knows \(Schema.version)", on: nil)
        }
    }

    /// Closes the file, folding the log into it unless the stop is to look like a kill.
    func close(checkpointing: Bool) {
        database.close(checkpointing: checkpointing)
    }

    func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try database.statement(sql)
    }

    func transaction<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        try database.transaction(body, orThrow: { $0 })
    }
}

/// A room as its row has it; 0 stands for "none".
struct RoomRecord {
    var key: Int64
    var id: RoomID
    var name: String
    var revision: Int64
    var tip: Int64
    var horizon: Int64
    var trimmedRevision: Int64

    static let columns =
        "rooms.key, rooms.id, rooms.name, rooms.revision, rooms.tip, rooms.horizon, "
        + "rooms.trimmed_revision"

    init(_ row: borrowing SQLiteRow) {
        key = row.integer(0)
        id = RoomID(row.text(1))
        name = row.text(2)
        revision = row.integer(3)
        tip = row.integer(4)
        horizon = row.integer(5)
        trimmedRevision = row.integer(6)
    }
}

extension MessageID {
    /// The database's form; `nil` where no stored message can have this ID.
    var stored: Int64? {
        guard let number = Int64(exactly: rawValue), number > 0 else { return nil }
        return number
    }

    /// The database's form as a bound of a range.
    var bound: Int64 { Int64(clamping: rawValue) }

    /// An ID of the database; `nil` for its 0.
    init?(stored: Int64) {
        guard stored > 0 else { return nil }
        self.init(UInt128(stored))
    }
}

extension ReadMark {
    /// The mark that a membership's row holds.
    init(version: Int64, stored position: Int64) {
        self.init(version: UInt64(clamping: version), position: MessageID(stored: position))
    }
}

extension Message {
    static let columns =
        "id, author, client, sent_at, content, revision, edited_at, deleted, reactions"

    /// Reads a row of ``columns``. Damaged content is shown as a system notice instead of
    /// taking the whole page with it.
    init(_ row: borrowing SQLiteRow) {
        let content = row.withBlob(4) { StoredContent.content($0) }
        self.init(
            id: MessageID(UInt128(clamping: row.integer(0))),
            author: UserID(row.text(1)),
            clientID: row.withBlob(2) { bytes in
                guard bytes.count == 16 else { return nil }
                return ClientMessageID(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
            },
            sentAt: WallTime(milliseconds: row.integer(3)),
            content: content ?? [.systemNotice("This message is damaged.")],
            revision: Revision(UInt64(clamping: row.integer(5))),
            editedAt: row.isNull(6) ? nil : WallTime(milliseconds: row.integer(6)),
            isDeleted: row.integer(7) != 0,
            reactions: row.withBlob(8) { StoredContent.reactions($0) } ?? [])
    }
}

extension ClientMessageID {
    /// The database's form: the 16 bytes of the UUID.
    var stored: ContiguousArray<UInt8> {
        withUnsafeBytes(of: rawValue.uuid) { ContiguousArray($0) }
    }
}
#endif
