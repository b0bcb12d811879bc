public import RejoinModel
public import RejoinTime

/// The identity of a row of a list. It lasts as long as the row does, whatever comes and goes
/// around it.
public enum TimelineRowID: Hashable, Sendable {
    /// A message, sent or not.
    case message(RowID)
    /// The gap that ends at this place of the order.
    case gap(through: MessageID)
    /// The header of a day.
    case date(DayID)
    /// The line above the first unread message.
    case unreadDivider
    /// Who is typing.
    case typing

    /// What a list must find the row by.
    public var kind: TimelineRowKind {
        switch self {
        case .message: .message
        case .date: .header
        case .gap, .unreadDivider, .typing: .other
        }
    }

    /// Whether the place of other rows can hang on this one. Rows that come and go by themselves
    /// would take the list with them.
    public var isAnchorable: Bool {
        switch self {
        case .message: true
        case .gap, .date, .unreadDivider, .typing: false
        }
    }
}

/// The identity of a day's header.
public struct DayID: Hashable, Sendable {
    /// When the day begins where the person is.
    public let start: WallTime
    /// 0, but where a day comes again because a server's clock went back: then the headers of the
    /// same day are told apart by it.
    public let serial: UInt32

    /// Creates an identity.
    public init(start: WallTime, serial: UInt32 = 0) {
        self.start = start
        self.serial = serial
    }
}

/// One row of a list: a message, or something that stands between messages.
public struct TimelineRow: Hashable, Sendable, Identifiable {
    /// Its identity.
    public let id: TimelineRowID
    /// What it shows.
    public let content: Content

    /// What a row can show.
    @nonexhaustive
    public enum Content: Hashable, Sendable {
        /// A message of the server, its tombstone, or a message not sent yet, and its place among
        /// those of the same author.
        case message(RoomRow, GroupPosition)
        /// History that is not held, why, and what is being done about it.
        case gap(Gap)
        /// The day of the messages that follow.
        case date(DateHeader)
        /// What follows is unread.
        case unreadDivider
        /// These people are typing.
        case typing([UserID])
    }

    /// Creates a row.
    public init(id: TimelineRowID, content: Content) {
        self.id = id
        self.content = content
    }

    /// Whether it is a message that this device has not brought to the server yet.
    public var isUnsent: Bool {
        guard case .message(let row, _) = content, case .unsent = row.content else { return false }
        return true
    }
}

/// The place of a message in a run of messages that one author wrote shortly after each other.
public enum GroupPosition: UInt8, Hashable, Sendable, CaseIterable {
    /// It stands alone.
    case single
    /// Others follow.
    case first
    /// It stands between others.
    case middle
    /// It ends the run.
    case last

    /// Whether nothing of the run stands before it: the author's name belongs here.
    public var isFirst: Bool { self == .single || self == .first }
    /// Whether nothing of the run follows it: the picture and the tail belong here.
    public var isLast: Bool { self == .single || self == .last }

    init(hasPrevious: Bool, hasNext: Bool) {
        switch (hasPrevious, hasNext) {
        case (false, false): self = .single
        case (false, true): self = .first
        case (true, true): self = .middle
        case (true, false): self = .last
        }
    }
}

/// The day that a header names.
public struct DateHeader: Hashable, Sendable {
    /// When the day begins where the person is.
    public let start: WallTime
    /// How the day stands to the current one.
    public let relation: Relation

    /// How a day stands to the current one: enough to choose the words.
    public enum Relation: Hashable, Sendable {
        /// It is the current day.
        case today
        /// It is the day before.
        case yesterday
        /// It lies in the current year.
        case thisYear
        /// It lies in another year.
        case otherYear
    }

    /// Creates a header.
    public init(start: WallTime, relation: Relation) {
        self.start = start
        self.relation = relation
    }
}
