import RejoinModel

/// What ``ChangeSet`` keeps, on rows drawn from seeds.
public func changeSetContract(seeds: Range<UInt64> = 0..<300) -> [ContractCheck] {
    [
        ContractCheck("changes.lead-to-the-new-rows", promise: "section 3") {
            for seed in seeds {
                var rows = RandomRows(seed: seed)
                let old = rows.current
                rows.shuffle()
                let change = ChangeSet.between(
                    old, rows.current, from: SnapshotVersion(), to: SnapshotVersion())
                try checkLeads(
                    change, old, rows.current, "changes.lead-to-the-new-rows, seed \(seed)")
            }
        },
        ContractCheck("changes.compose", promise: "section 3") {
            for seed in seeds {
                var rows = RandomRows(seed: seed)
                let first = rows.current
                var version = SnapshotVersion()
                var composed: ChangeSet?
                for _ in 0..<4 {
                    let before = rows.current
                    rows.shuffle()
                    let next = ChangeSet.between(
                        before, rows.current, from: version, to: version.following())
                    version = next.to
                    composed = composed?.composed(with: next) ?? next
                }
                guard let composed else { return }
                try checkLeads(composed, first, rows.current, "changes.compose, seed \(seed)")
                try require(
                    composed.to, equals: version, "changes.compose",
                    whoIsHurt: "a slow list, which cannot tell whether it missed a change")
            }
        },
    ]
}

/// Checks a change set the hard way: with the rules of a collection view, which crashes where they
/// are broken.
private func checkLeads(
    _ change: ChangeSet, _ old: [RoomRow], _ new: [RoomRow], _ check: String
) throws {
    let crash = "the app, which a collection view ends for inconsistent updates"
    let leaving = change.deletions + change.moves.map(\.from)
    let coming = change.insertions + change.moves.map(\.to)
    try require(
        Set(leaving + change.reloads).count, equals: leaving.count + change.reloads.count, check,
        whoIsHurt: crash)
    try require(Set(coming).count, equals: coming.count, check, whoIsHurt: crash)
    try require(
        old.count - leaving.count + coming.count, equals: new.count, check, whoIsHurt: crash)

    let gone = Set(leaving)
    let reloaded = Set(change.reloads)
    var rows = old.indices.filter { !gone.contains($0) }.map {
        (row: old[$0], isNew: reloaded.contains($0))
    }
    let origins = Dictionary(
        uniqueKeysWithValues: change.moves.map { ($0.to, $0.from) })
    for place in coming.sorted() {
        rows.insert(
            origins[place].map { (old[$0], false) } ?? (new[place], true), at: place)
    }
    for (place, entry) in rows.enumerated() {
        // A reloaded row is asked for anew; every other one must already be right.
        try require(
            entry.row.id, equals: new[place].id, check,
            whoIsHurt: "people, who see rows at the wrong place")
        if !entry.isNew {
            try require(
                entry.row, equals: new[place], check, whoIsHurt: "people, who see an old text")
        }
    }
    try require(
        change.applying(to: old, takingFrom: new), equals: new, check,
        whoIsHurt: "hosts without a collection view")
}

/// Rows that change at random: some go, some come, some move, some show something else.
private struct RandomRows {
    private var random: SeededGenerator
    private var generator: ModelGenerator
    private var nextID: UInt128 = 1
    private(set) var current: [RoomRow] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        generator = ModelGenerator(seed: random.next())
        for _ in 0..<Int.random(in: 0...30, using: &random) { insert() }
    }

    private mutating func insert() {
        let id = MessageID(nextID)
        nextID += 1
        let row = RoomRow(id: .message(id), content: .message(generator.message(id)))
        current.insert(row, at: Int.random(in: 0...current.count, using: &random))
    }

    mutating func shuffle() {
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let place = current.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<5, using: &random), place) {
            case (0, let place?):
                current.remove(at: place)
            case (1, let place?):
                let row = current.remove(at: place)
                current.insert(row, at: Int.random(in: 0...current.count, using: &random))
            case (2, let place?):
                guard case .message(let id) = current[place].id else { continue }
                current[place] = RoomRow(
                    id: .message(id), content: .message(generator.message(id)))
            default:
                insert()
            }
        }
    }
}
