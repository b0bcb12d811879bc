/// What changed between two lists of rows, in the index spaces of collection views: deletions and
/// reloads name old places, insertions new ones, moves lead from old to new.
///
/// No row is both moved and reloaded, because collection views refuse that: such a row is deleted
/// and inserted. A change set names the versions it leads from and to, and two that follow each
/// other compose into one, so that a slow consumer misses nothing.
public struct ChangeSet: Hashable, Sendable {
    /// A row that changed its place among the others.
    public struct Move: Hashable, Sendable {
        /// Its old place.
        public let from: Int
        /// Its new place.
        public let to: Int

        /// Creates a move.
        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// The version it leads from.
    public let from: SnapshotVersion
    /// The version it leads to.
    public let to: SnapshotVersion
    /// How many rows there were.
    public let oldCount: Int
    /// How many rows there are.
    public let newCount: Int
    /// Old places of rows that are gone, ascending.
    public let deletions: [Int]
    /// Old places of rows that show something else now, ascending.
    public let reloads: [Int]
    /// New places of rows that were not there, ascending.
    public let insertions: [Int]
    /// Rows that changed places, ascending by the new one.
    public let moves: [Move]

    /// Whether no row changed. Other parts of the snapshot may have.
    public var isEmpty: Bool {
        deletions.isEmpty && reloads.isEmpty && insertions.isEmpty && moves.isEmpty
    }

    /// What changed between two lists of rows: rows are the same by ID, and changed where anything
    /// else of them differs.
    ///
    /// - Complexity: O(n log n) in the number of rows.
    public static func between(
        _ old: [RoomRow], _ new: [RoomRow], from: SnapshotVersion, to: SnapshotVersion
    ) -> ChangeSet {
        var places: [RowID: Int] = [:]
        places.reserveCapacity(old.count)
        for (place, row) in old.enumerated() { places[row.id] = place }
        let origins = new.map { row -> Origin in
            guard let place = places[row.id] else { return .inserted }
            return .kept(place, isChanged: old[place] != row)
        }
        return ChangeSet(origins: origins, oldCount: old.count, from: from, to: to)
    }

    /// This change set and the one that follows it, as one.
    ///
    /// - Precondition: `next` leads from the version that this one leads to.
    /// - Complexity: O(n log n) in the number of rows.
    public func composed(with next: ChangeSet) -> ChangeSet {
        precondition(
            to == next.from, "change sets compose only where one ends as the next begins")
        let first = origins
        let origins = next.origins.map { origin -> Origin in
            guard case .kept(let place, let isChanged) = origin else { return .inserted }
            guard case .kept(let oldPlace, let wasChanged) = first[place] else {
                return .inserted
            }
            return .kept(oldPlace, isChanged: isChanged || wasChanged)
        }
        return ChangeSet(origins: origins, oldCount: oldCount, from: from, to: next.to)
    }

    /// The old rows with the change applied, in the way a collection view does it: what is kept
    /// comes from the old rows, what is inserted or reloaded from the new ones.
    ///
    /// - Precondition: `old` and `new` have the counts that the change set was made for.
    /// - Complexity: O(n) in the number of rows.
    public func applying<Row>(to old: [Row], takingFrom new: [Row]) -> [Row] {
        precondition(old.count == oldCount && new.count == newCount, "rows of another version")
        return origins.enumerated().map { place, origin in
            switch origin {
            case .inserted, .kept(_, isChanged: true): new[place]
            case .kept(let oldPlace, isChanged: false): old[oldPlace]
            }
        }
    }
}
