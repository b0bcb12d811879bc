/// An inner node of a ``SumTree``: children, and beside them what each amounts to, so that a search
/// reads one array.
struct SumBranch<Child: Summed & Sendable>: Summed, Sendable {
    var sums: ContiguousArray<RowSum> = []
    var children: ContiguousArray<Child> = []

    init() {}

    init(_ children: some Sequence<Child>) {
        self.children = ContiguousArray(children)
        sums = ContiguousArray(self.children.map(\.total))
    }

    var total: RowSum { sums.reduce(into: RowSum.zero) { $0 += $1 } }

    /// The first child with which the sums stop being skipped; `before` gains what lies before it.
    func skip(_ before: inout RowSum, _ skips: (RowSum) -> Bool) -> Int? {
        for index in sums.indices {
            let next = before + sums[index]
            guard skips(next) else { return index }
            before = next
        }
        return nil
    }

    mutating func remove(at index: Int) {
        sums.remove(at: index)
        children.remove(at: index)
    }

    mutating func replace(_ index: Int, with other: SumBranch) {
        sums.replaceSubrange(index...index, with: other.sums)
        children.replaceSubrange(index...index, with: other.children)
    }

    mutating func append(_ other: SumBranch) {
        sums += other.sums
        children += other.children
    }

    /// The branch in pieces of at most `limit` children: cut at `near` where both parts fit, else
    /// evenly.
    func split(atMost limit: Int, near cut: Int? = nil) -> [SumBranch] {
        if let cut, cut > 0, cut <= limit, children.count - cut <= limit, cut < children.count {
            return [piece(0..<cut), piece(cut..<children.count)]
        }
        let number = (children.count + limit - 1) / limit
        return (0..<number).map {
            piece(children.count * $0 / number..<children.count * ($0 + 1) / number)
        }
    }

    /// Removes a child that is empty, or joins it with a neighbour where both fit into one.
    mutating func join(
        at index: Int, isEmpty: (Child) -> Bool, fits: (Child, Child) -> Bool,
        merge: (inout Child, Child) -> Void
    ) {
        if isEmpty(children[index]) {
            remove(at: index)
            return
        }
        for low in [index - 1, index] where low >= 0 && low + 1 < children.count {
            guard fits(children[low], children[low + 1]) else { continue }
            let upper = children[low + 1]
            merge(&children[low], upper)
            sums[low] += sums[low + 1]
            remove(at: low + 1)
            return
        }
    }

    private func piece(_ range: Range<Int>) -> SumBranch {
        var piece = SumBranch()
        piece.sums = ContiguousArray(sums[range])
        piece.children = ContiguousArray(children[range])
        return piece
    }
}
