/// Which part of a timeline is shown. It holds at most ``maximumCount`` messages: paging on lets go
/// of what lies at the other end.
public struct TimelineWindow: Hashable, Sendable {
    /// The most messages of a window.
    public static let maximumCount = 600

    /// What the window hangs on.
    public enum Anchor: Hashable, Sendable {
        /// The newest message, whichever that is.
        case newest
        /// A place in the order; the message need not be held.
        case message(MessageID)
    }

    /// What the window hangs on.
    public let anchor: Anchor
    /// How many messages before the anchor it shows at most.
    public let older: Int
    /// How many messages from the anchor on it shows at most; 0 for ``Anchor/newest``.
    public let newer: Int

    /// The newest messages, at most `count` of them.
    public static func newest(_ count: Int = 50) -> TimelineWindow {
        TimelineWindow(anchor: .newest, older: min(max(count, 1), maximumCount), newer: 0)
    }

    /// What lies around a message: at most `older` before it, itself, and at most `newer` after.
    public static func around(
        _ id: MessageID, older: Int = 25, newer: Int = 25
    ) -> TimelineWindow {
        let before = min(max(older, 0), maximumCount - 1)
        return TimelineWindow(
            anchor: .message(id), older: before,
            newer: min(max(newer, 0), maximumCount - 1 - before) + 1)
    }

    private init(anchor: Anchor, older: Int, newer: Int) {
        self.anchor = anchor
        self.older = older
        self.newer = newer
    }

    /// A direction to page in.
    public enum Direction: Hashable, Sendable {
        /// Towards the beginning of the room.
        case older
        /// Towards the newest message.
        case newer
    }

    /// The window that shows `count` more messages in a direction. At ``maximumCount`` it lets go
    /// of as many at the other end.
    ///
    /// - Complexity: O(``maximumCount`` + log n).
    public func extended(
        _ direction: Direction, by count: Int, in timeline: Timeline
    ) -> TimelineWindow {
        let count = min(max(count, 0), Self.maximumCount)
        let shown = timeline.ids(in: self)
        guard let first = shown.first, let last = shown.last else { return self }
        switch direction {
        case .older:
            if older + newer + count <= Self.maximumCount {
                return TimelineWindow(anchor: anchor, older: older + count, newer: newer)
            }
            return TimelineWindow(
                anchor: .message(first), older: count, newer: Self.maximumCount - count)
        case .newer:
            guard anchor != .newest else { return self }
            let reachesNewest = timeline.last.map { $0.id <= last } ?? true
            if reachesNewest {
                return .newest(min(shown.count + count, Self.maximumCount))
            }
            if older + newer + count <= Self.maximumCount {
                return TimelineWindow(anchor: anchor, older: older, newer: newer + count)
            }
            return TimelineWindow(
                anchor: .message(last), older: Self.maximumCount - count - 1, newer: count + 1)
        }
    }
}
