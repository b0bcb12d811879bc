/// Where a page of history is to lie. Bounds are exclusive; a page is ascending.
public enum HistoryAnchor: Hashable, Sendable {
    /// The newest messages.
    case newest
    /// What follows a message. `nil`: from the beginning of the room.
    case after(MessageID?)
    /// What precedes a message.
    case before(MessageID)
    /// What lies around a message, which is included.
    case around(MessageID)
}

/// A stretch of a room's history, with the interval that it proves.
///
/// The page holds *every* message of the server in `(from, through]`; what it leaves out there does
/// not exist (promise P1).
public struct HistoryPage: Hashable, Sendable {
    /// The messages, ascending.
    public var messages: [Message]
    /// The people who wrote them.
    public var members: [Member]
    /// The exclusive lower bound of what this page proves; `nil`: the beginning of the room.
    public var from: MessageID?
    /// The inclusive upper bound of what this page proves; `nil` where the room is empty.
    public var through: MessageID?
    /// Whether older messages exist before `from`.
    public var hasBefore: Bool
    /// Whether newer messages exist after `through`.
    public var hasAfter: Bool
    /// The room's newest message when the page was made.
    public var tip: MessageID?
    /// The oldest message that the server still keeps; `nil` where nothing was trimmed.
    public var horizon: MessageID?
    /// The room's revision as of which the page is true; `nil` where the backend has none.
    public var revision: Revision?

    /// Creates a page.
    public init(
        messages: [Message], members: [Member] = [], from: MessageID?, through: MessageID?,
        hasBefore: Bool, hasAfter: Bool, tip: MessageID?, horizon: MessageID? = nil,
        revision: Revision? = nil
    ) {
        self.messages = messages
        self.members = members
        self.from = from
        self.through = through
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
        self.tip = tip
        self.horizon = horizon
        self.revision = revision
    }
}

/// The latest state of each message that changed after a revision.
public struct ChangePage: Hashable, Sendable {
    /// The messages, ascending by revision.
    public var messages: [Message]
    /// The people who wrote them.
    public var members: [Member]
    /// The revision up to which nothing is missing once this page is applied.
    public var revision: Revision
    /// Whether more changes follow.
    public var hasMore: Bool
    /// The room's newest message when the page was made.
    public var tip: MessageID?

    /// Creates a page.
    public init(
        messages: [Message], members: [Member] = [], revision: Revision, hasMore: Bool,
        tip: MessageID? = nil
    ) {
        self.messages = messages
        self.members = members
        self.revision = revision
        self.hasMore = hasMore
        self.tip = tip
    }
}

/// What a room list shows of a room.
public struct RoomSummary: Hashable, Sendable {
    /// The room.
    public var room: RoomID
    /// Its name.
    public var name: String
    /// Its people.
    public var members: [Member]
    /// Its newest message.
    public var lastMessage: Message?
    /// Its revision; `nil` where the backend has none.
    public var revision: Revision?
    /// How far the asking person has read.
    public var read: ReadMark
    /// How many messages are unread, as of ``unreadAsOf``.
    public var unread: Int
    /// The newest message that ``unread`` counts.
    public var unreadAsOf: MessageID?

    /// Creates a summary.
    public init(
        room: RoomID, name: String, members: [Member] = [], lastMessage: Message? = nil,
        revision: Revision? = nil, read: ReadMark = .unread, unread: Int = 0,
        unreadAsOf: MessageID? = nil
    ) {
        self.room = room
        self.name = name
        self.members = members
        self.lastMessage = lastMessage
        self.revision = revision
        self.read = read
        self.unread = unread
        self.unreadAsOf = unreadAsOf
    }
}

/// The server's answer to a report of a read position: what it stores now.
public struct ReadAnswer: Hashable, Sendable {
    /// The stored mark. Higher than the reported one where another device read further.
    public var mark: ReadMark
    /// Unread messages after that mark.
    public var unread: Int
    /// The newest message that ``unread`` counts.
    public var unreadAsOf: MessageID?

    /// Creates an answer.
    public init(mark: ReadMark, unread: Int, unreadAsOf: MessageID?) {
        self.mark = mark
        self.unread = unread
        self.unreadAsOf = unreadAsOf
    }
}
