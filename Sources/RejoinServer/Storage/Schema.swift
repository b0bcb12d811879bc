#if os(Linux)
/// The tables. `user_version` counts the schema's versions, so that a later server can migrate.
enum Schema {
    static let version: Int64 = 1

    /// One message is one row that holds everything, keyed by (room, ID): a page is a single
    /// range scan. `tip`, `horizon` and positions use 0 for "none"; IDs start at 1.
    static let creation = """
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO counters VALUES ('message', 0);
        CREATE TABLE users (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, avatar TEXT, version INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE rooms (
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0, tip INTEGER NOT NULL DEFAULT 0,
            horizon INTEGER NOT NULL DEFAULT 0, trimmed_revision INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE memberships (
            room INTEGER NOT NULL, user TEXT NOT NULL,
            read_version INTEGER NOT NULL DEFAULT 0,
            read_position INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (room, user)
        ) WITHOUT ROWID;
        CREATE INDEX memberships_of_user ON memberships (user, room);
        CREATE TABLE messages (
            room INTEGER NOT NULL, id INTEGER NOT NULL, author TEXT NOT NULL,
            client BLOB NOT NULL, sent_at INTEGER NOT NULL, content BLOB NOT NULL,
            revision INTEGER NOT NULL, edited_at INTEGER, deleted INTEGER NOT NULL DEFAULT 0,
            reactions BLOB NOT NULL DEFAULT x'',
            PRIMARY KEY (room, id)
        ) WITHOUT ROWID;
        CREATE INDEX messages_by_revision ON messages (room, revision);
        CREATE INDEX messages_by_client ON messages (room, author, client);
        CREATE INDEX messages_that_count ON messages (room, id, author) WHERE deleted = 0;
        PRAGMA user_version = 1;
        """
}
#endif
