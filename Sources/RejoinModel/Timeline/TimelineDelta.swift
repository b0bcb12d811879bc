/// A point in a timeline's life, taken when a request is issued.
///
/// What came live after it is newer than the answer, and what another answer to a later request
/// said is too, so the late answer does not undo it. Means nothing outside the timeline that made
/// it, and is never stored.
public struct RequestStamp: Hashable, Comparable, Sendable {
    let count: UInt64

    public static func < (lhs: RequestStamp, rhs: RequestStamp) -> Bool { lhs.count < rhs.count }
}

/// What a change to a timeline changed: exactly what is to be stored of it.
public struct TimelineDelta: Hashable, Sendable {
    /// Messages that are new or changed, in their state as it is now held.
    public var upserts: [Message]
    /// Messages that turned out not to exist on the server.
    public var removals: [MessageID]
    /// People that are new or changed.
    public var members: [Member]
    /// Whether coverage, and so the proof, changed.
    public var coverageChanged: Bool
    /// How many of ``upserts`` were not held before.
    public var added: Int
    /// How many messages came that were held already in this state or a newer one.
    public var duplicates: Int

    /// Creates a delta.
    public init(
        upserts: [Message] = [], removals: [MessageID] = [], members: [Member] = [],
        coverageChanged: Bool = false, added: Int = 0, duplicates: Int = 0
    ) {
        self.upserts = upserts
        self.removals = removals
        self.members = members
        self.coverageChanged = coverageChanged
        self.added = added
        self.duplicates = duplicates
    }

    /// Whether nothing is to be stored.
    public var isEmpty: Bool {
        upserts.isEmpty && removals.isEmpty && members.isEmpty && !coverageChanged
    }

    /// Adds what a later change changed, so that one commit stores both.
    ///
    /// - Complexity: O(upserts + removals).
    public mutating func merge(_ later: TimelineDelta) {
        if !later.upserts.isEmpty {
            let replaced = Set(later.upserts.map(\.id))
            upserts.removeAll { replaced.contains($0.id) }
            removals.removeAll { replaced.contains($0) }
            upserts += later.upserts
        }
        if !later.removals.isEmpty {
            let gone = Set(later.removals)
            upserts.removeAll { gone.contains($0.id) }
            removals += later.removals
        }
        if !later.members.isEmpty {
            let replaced = Set(later.members.map(\.id))
            members.removeAll { replaced.contains($0.id) }
            members += later.members
        }
        coverageChanged = coverageChanged || later.coverageChanged
        added += later.added
        duplicates += later.duplicates
    }
}

/// How a timeline took one message.
public struct MessageArrival: Hashable, Sendable {
    /// What became of it.
    public var outcome: Outcome
    /// What is to be stored.
    public var delta: TimelineDelta

    /// What can become of a message.
    public enum Outcome: Hashable, Sendable {
        /// It was not held and is now.
        case inserted
        /// It was held in an older state.
        case updated
        /// It was held in just this state (promise P2).
        case duplicate
        /// It was held in a newer state, or as a tombstone.
        case stale
        /// It is not held, and a change of it does not bring it in. The caller decides whether the
        /// change waits for a fetch or is forgotten.
        case notHeld
    }
}
