public import RejoinModel

/// What the store keeps of a room's read state, and what the core resumes from.
public struct ReadRecord: Hashable, Sendable {
    /// How far the person has read, as this device shows it.
    public var mark: ReadMark
    /// The highest mark that the server is known to have.
    public var acknowledged: ReadMark
    /// A "mark unread" that the server has not taken yet.
    public var pendingUnread: ReadMark?
    /// The newest count of unread messages that the server gave.
    public var summary: UnreadSummary?

    /// Creates a record. The default is that of a room never opened.
    public init(
        mark: ReadMark = .unread, acknowledged: ReadMark = .unread,
        pendingUnread: ReadMark? = nil, summary: UnreadSummary? = nil
    ) {
        self.mark = mark
        self.acknowledged = acknowledged
        self.pendingUnread = pendingUnread
        self.summary = summary
    }
}

/// A count of unread messages as the server gave it.
public struct UnreadSummary: Hashable, Sendable {
    /// The mark after which it counts.
    public let mark: ReadMark
    /// The count.
    public let unread: Int
    /// The newest message that it counts; `nil` in an empty room.
    public let asOf: MessageID?

    /// Creates a summary.
    public init(mark: ReadMark, unread: Int, asOf: MessageID?) {
        self.mark = mark
        self.unread = unread
        self.asOf = asOf
    }

    /// Whether this summary is older than another: by the mark, then by what it has counted.
    func isOlder(than other: UnreadSummary) -> Bool {
        if mark != other.mark { return mark < other.mark }
        return ReadMark(version: 0, position: asOf) < ReadMark(version: 0, position: other.asOf)
    }
}

/// What a read state wants stored: the record replaces the one before.
public struct ReadCommit: Hashable, Sendable, Identifiable {
    /// The token of a commit; unique within one core.
    public struct ID: Hashable, Comparable, Sendable {
        /// The count.
        public let rawValue: UInt64

        /// Wraps a count.
        public init(_ rawValue: UInt64) { self.rawValue = rawValue }

        public static func < (lhs: ID, rhs: ID) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Its token.
    public let id: ID
    /// What is to be stored.
    public let record: ReadRecord

    /// Creates a commit.
    public init(id: ID, record: ReadRecord) {
        self.id = id
        self.record = record
    }
}
