/// An inner node of a ``SumTree``: children, and with each what it amounts to. One stretch of
/// memory, so that a copy counts one more owner for each child and no more.
struct SumBranch<Child: Summed & Sendable>: Summed, Sendable {
    struct Entry: Sendable {
        var sum: RowSum
        var child: Child

        init(_ child: Child) {
            sum = child.total
            self.child = child
        }
    }

    private(set) var entries: ContiguousArray<Entry> = []

    init() {}

    init(_ children: some Sequence<Child>) {
        entries = ContiguousArray(children.lazy.map(Entry.init))
    }

    private init(_ entries: some Sequence<Entry>) { self.entries = ContiguousArray(entries) }

    var count: Int { entries.count }

    var total: RowSum { entries.reduce(into: RowSum.zero) { $0 += $1.sum } }

    subscript(index: Int) -> Child {
        get { entries[index].child }
        _modify { yield &entries[index].child }
    }

    func sum(of index: Int) -> RowSum { entries[index].sum }

    mutating func adjust(_ index: Int, _ change: (inout RowSum) -> Void) {
        change(&entries[index].sum)
    }

    /// The first child with which the sums stop being skipped; `before` gains what lies before it.
    func skip(_ before: inout RowSum, _ skips: (RowSum) -> Bool) -> Int? {
        for index in entries.indices {
            let next = before + entries[index].sum
            guard skips(next) else { return index }
            before = next
        }
        return nil
    }

    mutating func remove(at index: Int) { entries.remove(at: index) }

    mutating func replace(_ index: Int, with other: SumBranch) {
        entries.replaceSubrange(index...index, with: other.entries)
    }

    mutating func append(_ other: SumBranch) { entries += other.entries }

    /// The branch in pieces of at most `limit` children: cut at `near` where both parts fit, else
    /// evenly.
    func split(atMost limit: Int, near cut: Int? = nil) -> [SumBranch] {
        if let cut, cut > 0, cut <= limit, count - cut <= limit, cut < count {
            return [SumBranch(entries[..<cut]), SumBranch(entries[cut...])]
        }
        let number = (count + limit - 1) / limit
        return (0..<number).map {
            SumBranch(entries[count * $0 / number..<count * ($0 + 1) / number])
        }
    }

    /// Removes a child that is empty, or joins it with a neighbour where both fit into one.
    mutating func join(
        at index: Int, isEmpty: (Child) -> Bool, fits: (Child, Child) -> Bool,
        merge: (inout Child, Child) -> Void
    ) {
        if isEmpty(entries[index].child) {
            remove(at: index)
            return
        }
        for low in [index - 1, index] where low >= 0 && low + 1 < count {
            guard fits(entries[low].child, entries[low + 1].child) else { continue }
            let upper = entries.remove(at: low + 1)
            merge(&entries[low].child, upper.child)
            entries[low].sum += upper.sum
            return
        }
    }
}
