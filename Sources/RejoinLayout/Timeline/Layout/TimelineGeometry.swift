/// What a list is made of, as far as places go: which rows, and how high each is. A value whose
/// copies share what does not change.
public struct TimelineGeometry: Sendable {
    /// The rows' identities.
    public private(set) var ids: RowList<TimelineRowID>
    /// The rows' heights.
    public private(set) var offsets: OffsetIndex

    /// Creates the geometry of an empty list.
    public init() { self.init([], shape: .standard) }

    /// Creates the geometry of a list.
    ///
    /// - Complexity: O(n).
    public init(_ rows: some Sequence<(id: TimelineRowID, height: Int32)>) {
        self.init(rows, shape: .standard)
    }

    package init(
        _ rows: some Sequence<(id: TimelineRowID, height: Int32)>, shape: TreeShape
    ) {
        ids = RowList(shape: shape)
        offsets = OffsetIndex(shape: shape)
        insert(contentsOf: Array(rows), at: 0)
    }

    /// How many rows there are.
    public var count: Int { ids.count }

    /// Adds rows before the one at a place, or at the end.
    ///
    /// - Complexity: O(new rows + chunk).
    public mutating func insert(contentsOf rows: [(id: TimelineRowID, height: Int32)], at row: Int)
    {
        ids.insert(contentsOf: rows.lazy.map(\.id), at: row)
        offsets.insert(contentsOf: rows.lazy.map { ($0.height, $0.id.kind) }, at: row)
    }

    /// Removes rows.
    ///
    /// - Complexity: O(removed rows / chunk + chunk).
    public mutating func remove(_ range: Range<Int>) {
        ids.remove(range)
        offsets.remove(range)
    }

    /// Gives a row another height.
    public mutating func resize(_ row: Int, to height: Int32) { offsets.resize(row, to: height) }

    /// Takes out what a change set says is gone and puts in what came; `row` tells what stands at a
    /// new place that is new, moved or reloaded.
    ///
    /// - Complexity: O(k) in what changed, whatever the count.
    public mutating func apply(
        _ change: RowChangeSet, _ row: (Int) -> (id: TimelineRowID, height: Int32)
    ) {
        for run in change.shift.gone.runs.reversed() { remove(run) }
        for run in change.shift.come.runs { insert(contentsOf: run.map(row), at: run.lowerBound) }
        for place in change.reloads.compactMap(change.placeKept) {
            resize(place, to: row(place).height)
        }
    }
}
