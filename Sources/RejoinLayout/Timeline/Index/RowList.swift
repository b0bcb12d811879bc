/// Rows in their order, as a value whose copies share all that does not change: what an edit costs
/// hangs on the edit and not on the number of rows.
public struct RowList<Element: Sendable>: Sendable {
    private struct Entry: SumTreeElement {
        var element: Element
        var sum: RowSum { RowSum(extent: 0, kind: .other) }
    }

    private var entries: SumTree<Entry>

    /// Creates an empty list.
    public init() { entries = SumTree() }

    /// Creates a list.
    ///
    /// - Complexity: O(n).
    public init(_ elements: some Sequence<Element>) {
        entries = SumTree(elements.map(Entry.init))
    }

    package init(shape: TreeShape) { entries = SumTree(shape: shape) }

    /// How many elements there are.
    public var count: Int { entries.count }

    /// The places.
    public var indices: Range<Int> { 0..<count }

    /// The element at a place, as quick to find among a million as among a thousand.
    public subscript(index: Int) -> Element {
        get { entries[index].element }
        set { entries.replace(index, with: Entry(element: newValue)) }
    }

    /// All elements.
    ///
    /// - Complexity: O(n).
    public var elements: [Element] { elements(in: indices) }

    /// The elements of a range.
    ///
    /// - Complexity: O(range).
    public func elements(in range: Range<Int>) -> [Element] {
        var found: [Element] = []
        found.reserveCapacity(range.count)
        forEach(in: range) { found.append($1) }
        return found
    }

    /// Calls `body` with the place and the element of each in a range.
    ///
    /// - Complexity: O(range).
    public func forEach(in range: Range<Int>, _ body: (Int, Element) -> Void) {
        entries.forEach(in: range) { body($0, $1.element) }
    }

    /// Adds elements before the one at a place, or at the end.
    ///
    /// - Complexity: O(new elements + chunk).
    public mutating func insert(contentsOf new: some Sequence<Element>, at index: Int) {
        entries.insert(contentsOf: new.map(Entry.init), at: index)
    }

    /// Removes elements.
    ///
    /// - Complexity: O(removed elements + chunk).
    public mutating func remove(_ range: Range<Int>) { entries.remove(range) }
}
