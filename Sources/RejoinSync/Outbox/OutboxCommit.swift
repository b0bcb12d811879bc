public import RejoinModel

/// What an outbox wants stored in one transaction.
public struct OutboxCommit: Hashable, Sendable, Identifiable {
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
    /// Items in their latest state; each replaces the stored one of the same ID.
    public var puts: [OutboxItem]
    /// Items that are done with.
    public var removals: [ClientMessageID]

    /// Creates a commit.
    public init(id: ID, puts: [OutboxItem] = [], removals: [ClientMessageID] = []) {
        self.id = id
        self.puts = puts
        self.removals = removals
    }
}

/// What the store keeps of a room's outbox, and what the core resumes from.
public struct OutboxRecord: Hashable, Sendable {
    /// The items, ascending by ``OutboxItem/sequence``.
    public private(set) var items: [OutboxItem]

    /// Creates a record of items in any order.
    ///
    /// - Complexity: O(n log n).
    public init(items: [OutboxItem] = []) {
        self.items = items.sorted { $0.sequence < $1.sequence }
    }

    /// Stores a commit.
    ///
    /// - Complexity: O(n + m log m), n being the items after it and m the items it puts.
    public mutating func apply(_ commit: OutboxCommit) {
        let replaced = Set(commit.removals).union(commit.puts.map(\.id))
        self = OutboxRecord(items: items.filter { !replaced.contains($0.id) } + commit.puts)
    }
}
