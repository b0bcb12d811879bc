/// What has been made for a range of rows: when the range moves on, what stays in it is kept, and
/// only what comes in is made.
///
/// It holds one range, so it is as large as the last answer. What was handed out is never changed
/// in place: a collection view compares it with the next answer to tell what to apply.
package struct RowWindow<Element> {
    private var rows = 0..<0
    private var elements: [Element] = []

    package init() {}

    /// What stands for a range of rows.
    ///
    /// - Complexity: O(1) where the range is the last one, else O(range).
    package mutating func elements(for range: Range<Int>, make: (Int) -> Element) -> [Element] {
        guard range != rows else { return elements }
        let kept = range.clamped(to: rows)
        var next: [Element] = []
        next.reserveCapacity(range.count)
        for row in range {
            next.append(kept.contains(row) ? elements[row - rows.lowerBound] : make(row))
        }
        (rows, elements) = (range, next)
        return next
    }

    /// What has been made for a row; `nil` outside of the range.
    package func element(for row: Int) -> Element? {
        rows.contains(row) ? elements[row - rows.lowerBound] : nil
    }

    /// Forgets everything, as when rows changed.
    package mutating func removeAll() { (rows, elements) = (0..<0, []) }
}
