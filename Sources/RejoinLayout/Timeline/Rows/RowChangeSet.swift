public import RejoinModel

/// What changed between two lists of rows, in the index spaces of collection views: deletions and
/// reloads name old places, insertions new ones, moves lead from old to new.
///
/// It keeps the rules that a collection view crashes without: no place is named twice, no row is
/// both moved and reloaded (it is deleted and inserted instead), and the counts agree. It names the
/// versions it leads from and to; two that follow each other compose into one.
///
/// ``RowComposer`` makes them. A list of other rows is swapped without one, and the place is found
/// again by the rows' identities.
public struct RowChangeSet: Hashable, Sendable {
    /// A row that changed its place among the others.
    public typealias Move = ChangeSet.Move

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
    /// What leaves its place and what takes a new one, moves among them.
    let shift: IndexShift

    /// Whether no row changed.
    public var isEmpty: Bool { shift.gone.isEmpty && shift.come.isEmpty && reloads.isEmpty }

    /// A row whose identity is both in the old list and in the new one, though it or its neighbours
    /// were taken out and put back.
    package struct Pair {
        package var old: Int
        package var new: Int
        package var isChanged: Bool

        package init(old: Int, new: Int, isChanged: Bool) {
            self.old = old
            self.new = new
            self.isChanged = isChanged
        }
    }

    /// Puts a change set together.
    ///
    /// - Parameters:
    ///   - gone: old places of what is not in the new list, in any order.
    ///   - come: new places of what was not in the old list, in any order.
    ///   - pairs: rows that are in both, but are not simply left in place. Those that stand among
    ///     the same rows as before count as left in place all the same.
    ///   - reloads: old places of rows left in place that show something else.
    /// - Complexity: O(n log n) in the number of places named.
    package init(
        from: SnapshotVersion, to: SnapshotVersion, oldCount: Int, newCount: Int, gone: [Int],
        come: [Int], pairs: [Pair], reloads: some Sequence<Int>
    ) {
        let rough = IndexShift(
            gone: (gone + pairs.map(\.old)).sorted(), come: (come + pairs.map(\.new)).sorted())
        let pairs = pairs.sorted { $0.new < $1.new }
        let inPlace = Self.longestUnmoved(pairs, rough)
        var (deletions, insertions) = (gone, come)
        var reloads = Array(reloads)
        var moves: [Move] = []
        for (pair, isInPlace) in zip(pairs, inPlace) {
            switch (isInPlace, pair.isChanged) {
            case (true, true): reloads.append(pair.old)
            case (true, false): break
            case (false, true):
                deletions.append(pair.old)
                insertions.append(pair.new)
            case (false, false): moves.append(Move(from: pair.old, to: pair.new))
            }
        }
        self.from = from
        self.to = to
        self.oldCount = oldCount
        self.newCount = newCount
        self.deletions = deletions.sorted()
        self.reloads = reloads.sorted()
        self.insertions = insertions.sorted()
        self.moves = moves
        shift =
            moves.isEmpty
            ? IndexShift(gone: self.deletions, come: self.insertions)
            : IndexShift(
                gone: (deletions + moves.map(\.from)).sorted(),
                come: (insertions + moves.map(\.to)).sorted())
        precondition(
            oldCount - shift.gone.count == newCount - shift.come.count,
            "a change set whose counts disagree")
    }

    /// A change set in which nothing changes.
    init(unchanged count: Int, from: SnapshotVersion, to: SnapshotVersion) {
        self.init(
            from: from, to: to, oldCount: count, newCount: count, gone: [], come: [], pairs: [],
            reloads: [])
    }

    /// The new place of a row that was left in place, reloaded or not; `nil` where it was deleted
    /// or moved.
    ///
    /// - Complexity: O(log n) in the number of changes.
    public func placeKept(of old: Int) -> Int? { shift.newPlace(of: old) }

    /// The old place of a row that was left in place; `nil` where it was inserted or moved.
    ///
    /// - Complexity: O(log n) in the number of changes.
    public func origin(ofKept new: Int) -> Int? { shift.oldPlace(of: new) }

    /// Whether the row at an old place shows something else now.
    ///
    /// - Complexity: O(log n) in the number of changes.
    public func isReloaded(_ old: Int) -> Bool { reloads.holds(old) }

    /// Marks the pairs that can stay where they are: as many as keep their order among themselves
    /// and stand between the same staying rows as before.
    private static func longestUnmoved(_ pairs: [Pair], _ rough: IndexShift) -> [Bool] {
        var isInPlace = [Bool](repeating: false, count: pairs.count)
        // For each length, the pair with the least old place that ends a chain of it.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated()
        where rough.staying(beforeOld: pair.old) == rough.staying(beforeNew: pair.new) {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var index = ends.last ?? -1
        while index >= 0 {
            isInPlace[index] = true
            index = previous[index]
        }
        return isInPlace
    }
}

extension RowChangeSet {
    /// This change set and the one that follows it, as one, for a list that was too slow to take
    /// both.
    ///
    /// - Precondition: `next` leads from the version that this one leads to.
    /// - Complexity: O(n log n) in the number of changes, whatever the number of rows.
    public func composed(with next: RowChangeSet) -> RowChangeSet {
        precondition(
            to == next.from, "change sets compose only where one ends as the next begins")
        let targets = Dictionary(uniqueKeysWithValues: next.moves.map { ($0.from, $0.to) })
        func destination(of place: Int) -> Int? {
            targets[place] ?? next.shift.newPlace(of: place)
        }
        var (gone, come) = (deletions, next.insertions)
        var pairs: [Pair] = []
        for move in moves {
            if let new = destination(of: move.to) {
                pairs.append(Pair(old: move.from, new: new, isChanged: next.isReloaded(move.to)))
            } else {
                gone.append(move.from)
            }
        }
        come += insertions.compactMap(destination)
        gone += next.deletions.compactMap(shift.oldPlace)
        for move in next.moves {
            guard let old = shift.oldPlace(of: move.from) else { continue }
            pairs.append(Pair(old: old, new: move.to, isChanged: isReloaded(old)))
        }
        var changed = Set(next.reloads.compactMap(shift.oldPlace))
        for old in reloads {
            guard let between = shift.newPlace(of: old), next.shift.newPlace(of: between) != nil
            else { continue }
            changed.insert(old)
        }
        return RowChangeSet(
            from: from, to: next.to, oldCount: oldCount, newCount: next.newCount, gone: gone,
            come: come, pairs: pairs, reloads: changed)
    }
}
