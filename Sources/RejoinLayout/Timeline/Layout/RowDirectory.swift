/// Which place a row has, by its identity, without renumbering when history is put before it: rows
/// carry numbers, and a place is the distance from the first row's number.
///
/// A change numbers what it touched, and where the count changed, the rows on the shorter side of
/// it: none or a few for history at the beginning and messages at the end.
struct RowDirectory: Sendable {
    private var numbers: [TimelineRowID: Int] = [:]
    /// The number of the first row.
    private var origin = 0

    init() {}

    /// - Complexity: O(n).
    init(_ ids: RowList<TimelineRowID>) {
        numbers.reserveCapacity(ids.count)
        ids.forEach(in: ids.indices) { numbers[$1] = $0 }
    }

    func place(of id: TimelineRowID) -> Int? { numbers[id].map { $0 - origin } }

    /// Follows a change of the rows.
    ///
    /// - Complexity: O(stretch from the first to the last change + shorter side beside it).
    mutating func apply(
        _ change: RowChangeSet, old: RowList<TimelineRowID>, new: RowList<TimelineRowID>
    ) {
        let (gone, come) = (change.shift.gone, change.shift.come)
        guard let first = [gone.first, come.first].compactMap(\.self).min() else { return }
        let after = min(
            old.count - (gone.last.map { $0 + 1 } ?? first),
            new.count - (come.last.map { $0 + 1 } ?? first))
        for run in gone.runs { old.forEach(in: run) { numbers[$1] = nil } }
        let growth = new.count - old.count
        if growth != 0, first <= after {
            origin -= growth
            number(new, 0..<new.count - after)
        } else {
            number(new, first..<(growth == 0 ? new.count - after : new.count))
        }
    }

    private mutating func number(_ ids: RowList<TimelineRowID>, _ range: Range<Int>) {
        ids.forEach(in: range) { numbers[$1] = $0 + origin }
    }
}
