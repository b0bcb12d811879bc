import RejoinLayout
import RejoinModel

/// A collection view, as far as it checks updates: it ends an app whose change set breaks a rule,
/// and afterwards shows what the change set told it, not what the data source holds.
struct CollectionViewModel<Item: Equatable> {
    private(set) var items: [Item]

    init(_ items: [Item]) { self.items = items }

    /// Performs a batch update. Answers what is wrong with it; `nil`: nothing.
    mutating func perform(_ change: RowChangeSet, dataSource: [Item]) -> String? {
        let leaving = change.deletions + change.moves.map(\.from)
        let coming = change.insertions + change.moves.map(\.to)
        guard change.oldCount == items.count, change.newCount == dataSource.count else {
            return "counts of other rows: \(items.count) and \(dataSource.count) for \(change)"
        }
        guard (leaving + change.reloads).allSatisfy(items.indices.contains) else {
            return "an old place outside the old rows"
        }
        guard coming.allSatisfy(dataSource.indices.contains) else {
            return "a new place outside the new rows"
        }
        guard Set(leaving + change.reloads).count == leaving.count + change.reloads.count else {
            return "a row is named twice: \(change)"
        }
        guard Set(coming).count == coming.count else { return "two rows come to one place" }
        guard items.count - leaving.count + coming.count == dataSource.count else {
            return "the number of rows after the update is not that before it and the changes"
        }
        var shown = [Item?](repeating: nil, count: dataSource.count)
        for place in change.insertions { shown[place] = dataSource[place] }
        for move in change.moves { shown[move.to] = items[move.from] }
        let gone = Set(leaving)
        let reloaded = Set(change.reloads)
        var staying = items.indices.filter { !gone.contains($0) }.makeIterator()
        for place in shown.indices where shown[place] == nil {
            guard let old = staying.next() else { return "rows are missing" }
            shown[place] = reloaded.contains(old) ? dataSource[place] : items[old]
        }
        items = shown.compactMap(\.self)
        guard let wrong = items.indices.first(where: { items[$0] != dataSource[$0] }) else {
            return nil
        }
        return "row \(wrong) shows \(items[wrong]) and should show \(dataSource[wrong])"
    }
}
