/// How far a person has read, compared first by version, then by position.
///
/// Advances keep the version and fold by `max` on every device; marking unread raises the version,
/// which is the only way back (promise P4).
public struct ReadMark: Hashable, Comparable, Sendable {
    /// Raised by each explicit "mark unread".
    public let version: UInt64
    /// The last message read; `nil` before the first. It need not be held.
    public let position: MessageID?

    /// The mark of somebody who never opened the room.
    public static let unread = ReadMark(version: 0, position: nil)

    /// Creates a mark.
    public init(version: UInt64, position: MessageID?) {
        self.version = version
        self.position = position
    }

    public static func < (lhs: ReadMark, rhs: ReadMark) -> Bool {
        guard lhs.version == rhs.version else { return lhs.version < rhs.version }
        switch (lhs.position, rhs.position) {
        case (_, nil): return false
        case (nil, _): return true
        case (let left?, let right?): return left < right
        }
    }
}

/// A number of unread messages.
public struct UnreadCount: Hashable, Sendable {
    /// The number.
    public var value: Int
    /// Whether the number is exact; otherwise there are at least so many.
    public var isExact: Bool

    /// Creates a count.
    public init(_ value: Int, isExact: Bool) {
        self.value = value
        self.isExact = isExact
    }

    /// A proven number.
    public static func exact(_ value: Int) -> UnreadCount { UnreadCount(value, isExact: true) }
    /// A lower bound: messages may lie in a gap.
    public static func atLeast(_ value: Int) -> UnreadCount { UnreadCount(value, isExact: false) }
}
