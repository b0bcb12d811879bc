#if os(Linux)
import CSQLite

/// A prepared statement. Values are bound by position and columns read by index, both as they
/// stand in the SQL text beside the call.
final class SQLiteStatement {
    private let pointer: OpaquePointer
    private let connection: OpaquePointer?

    init(_ sql: String, on connection: OpaquePointer?) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw SQLiteError(code: code, "preparing a statement", on: connection)
        }
        pointer = prepared
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    /// A value to bind.
    enum Value {
        case integer(Int64)
        case text(String)
        case blob(ContiguousArray<UInt8>)
        case null
    }

    /// Runs to the end, ignoring rows.
    func run(_ values: Value...) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// Runs and hands each row to `body`.
    func forEach(_ values: Value..., body: (borrowing SQLiteRow) -> Void) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        let row = SQLiteRow(statement: pointer)
        while try step() { body(row) }
    }

    /// Runs and reads the first row; `nil` where there is none.
    func first<Result>(
        _ values: Value..., body: (borrowing SQLiteRow) -> Result
    ) throws(SQLiteError) -> Result? {
        try bind(values)
        defer { reset() }
        guard try step() else { return nil }
        return body(SQLiteRow(statement: pointer))
    }

    private func bind(_ values: [Value]) throws(SQLiteError) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(pointer, index, number)
                case .null: sqlite3_bind_null(pointer, index)
                case .text(var text):
                    text.withUTF8 { bytes in
                        bytes.withMemoryRebound(to: CChar.self) {
                            rejoin_sqlite3_bind_text(
                                pointer, index, $0.baseAddress, Int32(clamping: $0.count))
                        }
                    }
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        rejoin_sqlite3_bind_blob(
                            pointer, index, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            guard code == SQLITE_OK else {
                reset()
                throw SQLiteError(code: code, "binding value \(index)", on: connection)
            }
        }
    }

    private func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(pointer)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(code: code, "running a statement", on: connection)
        }
    }

    private func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }
}

/// The row on which a statement stands; it cannot outlive the step.
struct SQLiteRow: ~Copyable {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Lends the bytes of a blob, which SQLite keeps until the next step.
    func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
#endif
