#if os(Linux)
import CSQLite

/// One connection to a database file: the only writer, in WAL mode, its statements prepared
/// once. It is not `Sendable`: the engine owns it.
final class SQLiteConnection {
    /// SQLite's object; freed in `close`, which `deinit` calls.
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file, creating it where it does not exist.
    ///
    /// A commit survives a kill of the process at any instant. `survivesPowerLoss` makes it
    /// survive a power cut as well, at the price of one `fsync` for each commit.
    init(path: String, survivesPowerLoss: Bool) throws(SQLiteError) {
        var opened: OpaquePointer?
        // One thread at a time uses the connection, so SQLite needs no mutex of its own.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: code, "opening the database", on: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        // Takes the file for this connection alone, so that a second server on the same
        // directory is told so at once instead of interleaving its IDs with ours.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(survivesPowerLoss ? "FULL" : "NORMAL")")
        try execute("PRAGMA cache_size = -16384")
    }

    deinit {
        close(checkpointing: false)
    }

    /// Runs SQL without values or rows.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, "running a statement", on: handle)
        }
    }

    /// The statement of an SQL text, prepared at its first use and kept: the texts are
    /// literals of this module, so their number is fixed.
    func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let made = try SQLiteStatement(sql, on: handle)
        statements[sql] = made
        return made
    }

    /// Runs `body` as one transaction; an error takes all of it back.
    func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, orThrow failure: (SQLiteError) -> Failure
    ) throws(Failure) -> Result {
        do {
            try statement("BEGIN IMMEDIATE").run()
        } catch { throw failure(error) }
        let result: Result
        do throws(Failure) {
            result = try body()
        } catch {
            // A rollback can only fail where SQLite has rolled back already.
            try? statement("ROLLBACK").run()
            throw error
        }
        do {
            try statement("COMMIT").run()
        } catch {
            try? statement("ROLLBACK").run()
            throw failure(error)
        }
        return result
    }

    /// Closes the file. With `checkpointing` the log is folded into the database first;
    /// without, the file is left as a kill would leave it.
    func close(checkpointing: Bool) {
        guard let handle else { return }
        statements.removeAll()
        if checkpointing {
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        } else {
            rejoin_sqlite3_keep_log_on_close(handle)
        }
        sqlite3_close_v2(handle)
        self.handle = nil
    }
}
#endif
