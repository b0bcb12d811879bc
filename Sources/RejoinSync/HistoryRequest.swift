public import RejoinModel

/// The token of one request for history; an answer with another token is stale and ignored.
public struct RequestID: Hashable, Comparable, Sendable {
    /// The count, unique within one core.
    public let rawValue: UInt64

    /// Wraps a count.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (lhs: RequestID, rhs: RequestID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What a core wants fetched.
public enum HistoryRequest: Hashable, Sendable {
    /// A page of messages.
    case page(HistoryAnchor, limit: Int)
    /// A page of the change feed.
    case changes(after: Revision, limit: Int)
    /// The room's summary: its read state and unread count.
    case summary
}

/// What came back for a ``HistoryRequest``, case by case.
public enum HistoryAnswer: Hashable, Sendable {
    /// To `page`.
    case page(HistoryPage)
    /// To `changes`.
    case changes(ChangePage)
    /// To `summary`.
    case summary(RoomSummary)
}

/// The history seam: where a room's past comes from. Hosts with a REST API of their own implement
/// it; `RejoinContracts` checks an implementation.
///
/// A page that is older than what is known already is refused, because it states its revision. The
/// pages of the change feed cannot be judged so: they must not go back in time from one to the
/// next. A backend of several replicas serves the feed from its leader, or keeps a client on one
/// replica.
public protocol HistorySource: Sendable {
    /// Fetches what `request` names, for one room.
    ///
    /// - Throws: ``BackendFailure``. An answer that cannot be read is a failure of code
    ///   `malformed_answer`, whose message says where.
    func answer(_ request: HistoryRequest, in room: RoomID) async throws(BackendFailure)
        -> HistoryAnswer
}
