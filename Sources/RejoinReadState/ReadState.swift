public import RejoinModel

/// How far a person has read a room: the join-semilattice over ``RejoinModel/ReadMark``.
///
/// `merge` is commutative, associative and idempotent, so that devices which have seen the same
/// marks agree, in whatever order and however often they saw them (promise P4).
public struct ReadState: Hashable, Sendable {
    /// The mark reached.
    public private(set) var mark: ReadMark

    /// Creates a state at a mark.
    public init(_ mark: ReadMark = .unread) { self.mark = mark }

    /// Takes in another device's or the server's mark: the higher one stays.
    ///
    /// - Returns: whether this state changed.
    @discardableResult
    public mutating func merge(_ other: ReadMark) -> Bool {
        guard mark < other else { return false }
        mark = other
        return true
    }

    /// Advances to a message, at most to the room's last one. An earlier message changes nothing:
    /// the position never moves back by itself.
    ///
    /// - Returns: whether this state changed.
    @discardableResult
    public mutating func advance(to id: MessageID, last: MessageID?) -> Bool {
        guard let last else { return false }
        return merge(ReadMark(version: mark.version, position: min(id, last)))
    }

    /// The mark of an explicit "mark unread", which everything up to `position` survives: the next
    /// version, the only way back. The server takes it by compare-and-set.
    ///
    /// `nil` where the versions are used up.
    public func markedUnread(after position: MessageID?) -> ReadMark? {
        guard mark.version < .max else { return nil }
        return ReadMark(version: mark.version + 1, position: position)
    }
}
