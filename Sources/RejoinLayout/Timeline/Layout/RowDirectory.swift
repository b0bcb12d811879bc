import RejoinModel

/// Which place a row has, by its identity, without renumbering when history is put before it.
///
/// Messages of the server stand in their order, so they are searched for among the rows; a hash
/// table of a long list would scatter each page over all of its memory. Other rows, a few to each
/// page, carry numbers, and their place is the distance from the first row's number. A change
/// numbers what it touched, and where the count changed, the rows on the shorter side of it: none
/// or a few for history at the beginning and messages at the end.
///
/// Where a host shows messages in another order, all rows carry numbers from then on.
struct RowDirectory: Sendable {
    private var numbers: [TimelineRowID: Int] = [:]
    /// The number of the first row.
    private var origin = 0
    /// Whether the messages of the server ascend.
    private var isAscending = true

    init() {}

    /// - Complexity: O(n).
    init(_ ids: RowList<TimelineRowID>) {
        isAscending = ascends(ids, 0..<ids.count)
        number(ids, 0..<ids.count)
    }

    /// The place of a row in the rows that this directory follows.
    ///
    /// - Complexity: O(log n), or O(1) for a row with a number.
    func place(of id: TimelineRowID, in ids: RowList<TimelineRowID>) -> Int? {
        guard isAscending, let message = id.ordered else { return numbers[id].map { $0 - origin } }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            guard let (place, found) = ids.ordered(from: middle, to: high) else {
                high = middle
                continue
            }
            if found == message { return place }
            if found < message { low = place + 1 } else { high = middle }
        }
        return nil
    }

    /// Follows a change of the rows.
    ///
    /// - Complexity: O(stretch from the first to the last change + shorter side beside it), of
    ///   which only rows with numbers cost more than a look.
    mutating func apply(
        _ change: RowChangeSet, old: RowList<TimelineRowID>, new: RowList<TimelineRowID>
    ) {
        let (gone, come) = (change.shift.gone, change.shift.come)
        guard let first = [gone.first, come.first].compactMap(\.self).min() else { return }
        if isAscending, !come.runs.allSatisfy({ ascends(new, $0) }) {
            isAscending = false
            (numbers, origin) = ([:], 0)
            number(new, 0..<new.count)
            return
        }
        let after = min(
            old.count - (gone.last.map { $0 + 1 } ?? first),
            new.count - (come.last.map { $0 + 1 } ?? first))
        for run in gone.runs {
            old.forEach(in: run) { if needsNumber($1) { numbers[$1] = nil } }
        }
        let growth = new.count - old.count
        if growth != 0, first <= after {
            origin -= growth
            number(new, 0..<new.count - after)
        } else {
            number(new, first..<(growth == 0 ? new.count - after : new.count))
        }
    }

    private func needsNumber(_ id: TimelineRowID) -> Bool { !isAscending || id.ordered == nil }

    private mutating func number(_ ids: RowList<TimelineRowID>, _ range: Range<Int>) {
        ids.forEach(in: range) { if needsNumber($1) { numbers[$1] = $0 + origin } }
    }

    /// Whether the messages of a range ascend, from the last before it to the first after it.
    private func ascends(_ ids: RowList<TimelineRowID>, _ range: Range<Int>) -> Bool {
        var last: MessageID?
        var place = range.lowerBound
        while place > 0, last == nil {
            place -= 1
            last = ids[place].ordered
        }
        var ascends = true
        func follow(_ id: MessageID) {
            ascends = ascends && last.map { $0 < id } ?? true
            last = id
        }
        ids.forEach(in: range) { if let id = $1.ordered { follow(id) } }
        if let next = ids.ordered(from: range.upperBound, to: ids.count) { follow(next.message) }
        return ascends
    }
}

extension TimelineRowID {
    /// Its place in the order of the server, where its identity tells it.
    fileprivate var ordered: MessageID? {
        if case .message(.message(let id)) = self { id } else { nil }
    }
}

extension RowList<TimelineRowID> {
    /// The first message of the server in a range.
    fileprivate func ordered(from start: Int, to end: Int) -> (place: Int, message: MessageID)? {
        for place in start..<Swift.max(start, end) {
            if let message = self[place].ordered { return (place, message) }
        }
        return nil
    }
}
