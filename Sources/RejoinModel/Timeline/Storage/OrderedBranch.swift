/// An inner node of a ``MessageStore``: children in the order of their IDs.
struct OrderedBranch<Child: Sendable>: Sendable {
    /// For each child a bound that is not above its first ID and above all IDs of the child before
    /// it. Beside the children, so that a search reads one array.
    private(set) var lows: ContiguousArray<MessageID> = []
    private(set) var children: ContiguousArray<Child> = []

    init() {}

    init(_ child: Child, low: MessageID) {
        lows = [low]
        children = [child]
    }

    var count: Int { children.count }

    subscript(index: Int) -> Child {
        get { children[index] }
        _modify { yield &children[index] }
    }

    /// The child in which an ID lies, if anywhere: the last that does not begin after it, else the
    /// first.
    ///
    /// - Precondition: there is a child.
    /// - Complexity: O(log n) in the number of children, which a caller bounds.
    func index(of id: MessageID) -> Int {
        // Without a branch that could be mispredicted: half of the steps would be.
        var index = 0
        var width = lows.count
        while width > 1 {
            let half = width >> 1
            index = lows[index + half] <= id ? index + half : index
            width -= half
        }
        return index
    }

    mutating func insert(_ child: Child, low: MessageID, at index: Int) {
        children.insert(child, at: index)
        lows.insert(low, at: index)
    }

    mutating func remove(at index: Int) {
        children.remove(at: index)
        lows.remove(at: index)
    }

    /// Notes that a child begins with a lower ID now.
    mutating func lower(_ index: Int, to id: MessageID) {
        lows[index] = min(lows[index], id)
    }

    /// Notes that a child begins with a later ID now, before which another child may come to stand.
    mutating func raise(_ index: Int, to id: MessageID) {
        lows[index] = id
    }

    /// Splits off the upper part. Where the branch grew at an end, the other part stays full.
    mutating func split(grownAt index: Int) -> OrderedBranch {
        let middle = index == count - 1 ? count - 1 : index == 0 ? 1 : count / 2
        var upper = OrderedBranch()
        upper.lows = ContiguousArray(lows[middle...])
        upper.children = ContiguousArray(children[middle...])
        lows.removeSubrange(middle...)
        children.removeSubrange(middle...)
        return upper
    }
}
