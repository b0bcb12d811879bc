internal import RejoinModel

/// Live events that cannot be applied yet because an earlier revision is missing, ascending by
/// revision, one for each revision.
///
/// Bounded: ``insert(_:revision:limit:)`` says when the limit is reached, and the caller fetches
/// instead.
struct EventBuffer: Sendable {
    struct Entry: Sendable {
        let revision: Revision
        let event: RoomEvent
    }

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Keeps an event; `false` where that would pass the limit.
    ///
    /// - Complexity: O(n) where it comes out of order, O(1) in order.
    mutating func insert(_ event: RoomEvent, revision: Revision, limit: Int) -> Bool {
        var index = entries.endIndex
        while index > 0, entries[index - 1].revision > revision { index -= 1 }
        if index > 0, entries[index - 1].revision == revision { return true }
        guard entries.count < limit else { return false }
        entries.insert(Entry(revision: revision, event: event), at: index)
        return true
    }

    /// Forgets what is not newer than `revision`.
    mutating func drop(through revision: Revision) {
        let kept = entries.firstIndex { $0.revision > revision } ?? entries.endIndex
        entries.removeFirst(kept)
    }

    /// Takes the event that follows `revision` out, if it is here.
    mutating func takeNext(after revision: Revision) -> Entry? {
        drop(through: revision)
        guard let first = entries.first, first.revision == revision.next else { return nil }
        return entries.removeFirst()
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
