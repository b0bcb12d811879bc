import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

@Suite("Row change sets keep the rules of collection views (section 8)")
struct RowChangeSetTests {
    @Test("Random changes lead a collection view to the new rows", arguments: 0..<10)
    func changes(seed: Int) {
        var rows = RandomRows(seed: UInt64(seed), count: seed * 3)
        var view = CollectionViewModel(rows.rows)
        for _ in 0..<400 {
            let change = rows.change(from: SnapshotVersion(), to: SnapshotVersion())
            #expect(view.perform(change, dataSource: rows.rows) == nil)
        }
    }

    @Test("Changes compose, for a list that was too slow to take each", arguments: 0..<10)
    func composed(seed: Int) throws {
        var rows = RandomRows(seed: 100 + UInt64(seed), count: 20)
        var view = CollectionViewModel(rows.rows)
        var version = SnapshotVersion()
        for _ in 0..<120 {
            var composed: RowChangeSet?
            let start = version
            for _ in 0..<5 {
                let next = rows.change(from: version, to: version.following())
                version = next.to
                composed = composed?.composed(with: next) ?? next
            }
            let change = try #require(composed)
            #expect(change.from == start && change.to == version)
            #expect(view.perform(change, dataSource: rows.rows) == nil)
        }
    }

    @Test("What composes to nothing is empty")
    func nothing() {
        let (first, second, third) = (SnapshotVersion(), SnapshotVersion(), SnapshotVersion())
        let insertion = RowChangeSet(
            from: first, to: second, oldCount: 2, newCount: 3, gone: [], come: [1], pairs: [],
            reloads: [])
        let deletion = RowChangeSet(
            from: second, to: third, oldCount: 3, newCount: 2, gone: [1], come: [], pairs: [],
            reloads: [])
        #expect(insertion.composed(with: deletion).isEmpty)
    }

    @Test("A row that was taken out and put back between the same rows stays in place")
    func inPlace() {
        // A header given up by one message and taken by another before it.
        let change = RowChangeSet(
            from: SnapshotVersion(), to: SnapshotVersion(), oldCount: 3, newCount: 5, gone: [],
            come: [1, 2], pairs: [.init(old: 0, new: 0, isChanged: false)], reloads: [])
        #expect(change.moves.isEmpty && change.deletions.isEmpty)
        #expect(change.insertions == [1, 2])
        #expect(change.placeKept(of: 0) == 0 && change.placeKept(of: 1) == 3)
        #expect(change.origin(ofKept: 3) == 1 && change.origin(ofKept: 1) == nil)
    }

    @Test("A row that moves and changes is deleted and inserted")
    func movedAndChanged() {
        let change = RowChangeSet(
            from: SnapshotVersion(), to: SnapshotVersion(), oldCount: 3, newCount: 3, gone: [],
            come: [], pairs: [.init(old: 0, new: 2, isChanged: true)], reloads: [])
        #expect(change.moves.isEmpty && change.reloads.isEmpty)
        #expect(change.deletions == [0] && change.insertions == [2])
    }
}
