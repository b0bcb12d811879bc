#if os(Linux)
import CSQLite

/// What SQLite said. Its texts name tables and columns, never the values in them.
struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code (sqlite.org/rescode.html).
    let code: Int32
    /// What was being done, and SQLite's own words.
    let message: String

    /// Whether another connection holds the file.
    var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    var description: String { "SQLite error \(code): \(message)" }

    init(code: Int32, _ doing: String, on handle: OpaquePointer?) {
        self.code = code
        let words = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        message = "\(doing): \(words.map { String(cString: $0) } ?? "unknown")"
    }
}
#endif
