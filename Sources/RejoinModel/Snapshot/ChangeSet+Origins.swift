// The other form of a change set, in which it is made and composed: for each new row, where it
// comes from.

extension ChangeSet {
    enum Origin: Hashable {
        case inserted
        case kept(Int, isChanged: Bool)
    }

    init(origins: [Origin], oldCount: Int, from: SnapshotVersion, to: SnapshotVersion) {
        let inPlace = Self.longestUnmoved(origins, oldCount: oldCount)
        var isKept = [Bool](repeating: false, count: oldCount)
        var reloads: [Int] = []
        var insertions: [Int] = []
        var moves: [Move] = []
        for (place, origin) in origins.enumerated() {
            switch origin {
            case .inserted:
                insertions.append(place)
            case .kept(let old, let isChanged):
                if inPlace[place] {
                    isKept[old] = true
                    if isChanged { reloads.append(old) }
                } else if isChanged {
                    insertions.append(place)
                } else {
                    isKept[old] = true
                    moves.append(Move(from: old, to: place))
                }
            }
        }
        self.from = from
        self.to = to
        self.oldCount = oldCount
        newCount = origins.count
        deletions = isKept.indices.filter { !isKept[$0] }
        // Rows in place keep their order, so these ascend already.
        self.reloads = reloads
        self.insertions = insertions
        self.moves = moves
    }

    /// For each new place, where its row comes from.
    var origins: [Origin] {
        var origins = [Origin?](repeating: nil, count: newCount)
        var leaves = [Bool](repeating: false, count: oldCount)
        var isReloaded = [Bool](repeating: false, count: oldCount)
        for place in insertions { origins[place] = .inserted }
        for place in deletions { leaves[place] = true }
        for place in reloads { isReloaded[place] = true }
        for move in moves {
            leaves[move.from] = true
            origins[move.to] = .kept(move.from, isChanged: false)
        }
        // What neither leaves nor comes fills the remaining places in its old order.
        var staying = leaves.indices.lazy.filter { !leaves[$0] }.makeIterator()
        return origins.map { origin in
            if let origin { return origin }
            guard let old = staying.next() else {
                preconditionFailure("a change set whose parts do not fit together")
            }
            return .kept(old, isChanged: isReloaded[old])
        }
    }

    /// Marks the new places whose rows stay where they are while others move around them: the
    /// heaviest increasing subsequence of old places. Changed rows outweigh all others, because one
    /// that moves must be deleted and inserted, which flickers.
    private static func longestUnmoved(_ origins: [Origin], oldCount: Int) -> [Bool] {
        var isInPlace = [Bool](repeating: false, count: origins.count)
        // Heaviest chain that ends at or below an old place, as a Fenwick tree of maxima.
        var best = [(weight: Int, end: Int)](repeating: (0, -1), count: oldCount + 1)
        var previous = [Int](repeating: -1, count: origins.count)
        var heaviest = (weight: 0, end: -1)
        for (place, origin) in origins.enumerated() {
            guard case .kept(let old, let isChanged) = origin else { continue }
            var chain = (weight: 0, end: -1)
            var index = old
            while index > 0 {
                if best[index].weight > chain.weight { chain = best[index] }
                index &= index - 1
            }
            previous[place] = chain.end
            let weight = chain.weight + (isChanged ? oldCount + 1 : 1)
            if weight > heaviest.weight { heaviest = (weight, place) }
            index = old + 1
            while index <= oldCount {
                if weight > best[index].weight { best[index] = (weight, place) }
                index += index & -index
            }
        }
        var place = heaviest.end
        while place >= 0 {
            isInPlace[place] = true
            place = previous[place]
        }
        return isInPlace
    }
}
