import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime

/// A row as a naive list knows it.
struct NaiveRow: Hashable {
    var id: TimelineRowID
    var height: Int32
}

/// Rows that change at random: some come, some go, some move, some grow.
struct RandomRows {
    var random: SeededGenerator
    private(set) var rows: [NaiveRow] = []
    private var nextID: UInt64 = 1
    private let limit: Int

    private struct Entry {
        var row: NaiveRow
        var old: Int?
        var isMoved = false
        var isChanged = false
    }

    init(seed: UInt64, count: Int, limit: Int = 120) {
        random = SeededGenerator(seed: seed)
        self.limit = limit
        for _ in 0..<count { rows.append(newRow()) }
    }

    mutating func newRow() -> NaiveRow {
        defer { nextID += 1 }
        let id: TimelineRowID =
            switch nextID % 9 {
            case 0: .date(DayID(start: WallTime(milliseconds: Int64(nextID))))
            case 1: .gap(through: MessageID(UInt128(nextID)))
            default: .message(.message(MessageID(UInt128(nextID))))
            }
        return NaiveRow(id: id, height: height())
    }

    private mutating func height() -> Int32 {
        // Now and then a row without height, and one higher than any viewport.
        switch Int.random(in: 0..<20, using: &random) {
        case 0: 0
        case 1: Int32.random(in: 1_000...3_000, using: &random)
        default: Int32.random(in: 1...120, using: &random)
        }
    }

    /// Changes some rows, and answers what changed.
    mutating func change(from: SnapshotVersion, to: SnapshotVersion) -> RowChangeSet {
        let old = rows
        var entries = rows.enumerated().map { Entry(row: $1, old: $0) }
        for _ in 0..<Int.random(in: 1...3, using: &random) { edit(&entries) }
        rows = entries.map(\.row)
        let kept = Set(entries.compactMap(\.old))
        var come: [Int] = []
        var pairs: [RowChangeSet.Pair] = []
        var reloads: [Int] = []
        for (place, entry) in entries.enumerated() {
            guard let old = entry.old else {
                come.append(place)
                continue
            }
            if entry.isMoved {
                pairs.append(.init(old: old, new: place, isChanged: entry.isChanged))
            } else if entry.isChanged {
                reloads.append(old)
            }
        }
        return RowChangeSet(
            from: from, to: to, oldCount: old.count, newCount: rows.count,
            gone: old.indices.filter { !kept.contains($0) }, come: come, pairs: pairs,
            reloads: reloads)
    }

    private mutating func edit(_ entries: inout [Entry]) {
        let place = Int.random(in: 0...entries.count, using: &random)
        let length = Int.random(in: 1...12, using: &random)
        switch Int.random(in: 0..<(entries.count > limit ? 4 : 9), using: &random) {
        case 0, 1:
            entries.removeSubrange(place..<min(place + length, entries.count))
        case 2 where place < entries.count:
            var entry = entries.remove(at: place)
            entry.isMoved = true
            entries.insert(entry, at: Int.random(in: 0...entries.count, using: &random))
        case 3, 4:
            guard place < entries.count else { return }
            entries[place].row.height = height()
            entries[place].isChanged = true
        case 5:
            entries.insert(contentsOf: (0..<length).map { _ in Entry(row: newRow()) }, at: 0)
        case 6:
            entries.append(Entry(row: newRow()))
        default:
            entries.insert(contentsOf: (0..<length).map { _ in Entry(row: newRow()) }, at: place)
        }
    }

    /// Gives all rows other heights.
    mutating func resizeAll() {
        for place in rows.indices { rows[place].height = height() }
    }
}

extension TimelineGeometry {
    init(naive rows: [NaiveRow], shape: TreeShape = .standard) {
        self.init(rows.lazy.map { ($0.id, $0.height) }, shape: shape)
    }

    /// Its rows as a naive list.
    var naive: [NaiveRow] {
        ids.indices.map { NaiveRow(id: ids[$0], height: offsets.height(of: $0)) }
    }
}
