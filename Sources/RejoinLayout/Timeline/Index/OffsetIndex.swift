/// The height of each row of a list, and all that follows from heights: where a row stands, which
/// row stands at a place, which date header belongs to it.
///
/// A value: a copy costs O(1) and shares all that does not change. Heights are `Int32`, sums
/// `Int64` device pixels, so a million rows add up exactly. Finding, resizing, inserting and
/// removing cost O(chunk): the same for a thousand rows as for a million, but for one scan of a
/// root of about a hundred entries.
public struct OffsetIndex: Sendable {
    /// A row's height and kind in four bytes.
    struct Row: SumTreeElement, Hashable {
        private var bits: UInt32

        init(height: Int32, kind: TimelineRowKind) {
            bits = UInt32(bitPattern: min(max(height, 0), OffsetIndex.maximumHeight)) << 2
            bits |= UInt32(kind.rawValue)
        }

        var height: Int32 { Int32(bitPattern: bits >> 2) }
        var kind: TimelineRowKind { TimelineRowKind(rawValue: UInt8(bits & 3)) ?? .other }
        var sum: RowSum { RowSum(extent: height, kind: kind) }
    }

    /// The greatest height of a row, in device pixels; a higher one counts as this.
    public static let maximumHeight: Int32 = 1 << 29

    private var rows: SumTree<Row>

    /// Creates the index of an empty list.
    public init() { rows = SumTree() }

    package init(shape: TreeShape) { rows = SumTree(shape: shape) }

    /// How many rows there are.
    public var count: Int { rows.count }
    /// The height of all rows together, in device pixels.
    public var height: Int64 { rows.total.extent }
    /// How many of the rows are date headers.
    public var headerCount: Int { Int(rows.total.headers) }
    /// How many of the rows are messages.
    public var messageCount: Int { Int(rows.total.messages) }

    /// The height of a row, in device pixels.
    public func height(of row: Int) -> Int32 { rows[row].height }

    /// The kind of a row.
    public func kind(of row: Int) -> TimelineRowKind { rows[row].kind }

    /// Where a row begins, in device pixels from the first; for the count of rows, the end.
    public func offset(of row: Int) -> Int64 { rows.sum(before: row).extent }

    /// Where a row begins and ends.
    public func extent(of row: Int) -> Range<Int64> {
        let start = offset(of: row)
        return start..<start + Int64(height(of: row))
    }

    /// The row that holds a place; `nil` before the first and after the last. Rows without height
    /// hold none.
    public func row(at offset: Int64) -> Int? {
        guard offset >= 0 else { return nil }
        return rows.search { $0.extent <= offset }?.index
    }

    /// The rows that have a pixel in a stretch of the list, with rows without height between them;
    /// an empty range at the nearer end where there are none.
    public func rows(in stretch: Range<Int64>) -> Range<Int> {
        let (start, end) = (max(stretch.lowerBound, 0), min(stretch.upperBound, height))
        guard start < end, let first = row(at: start), let last = row(at: end - 1) else {
            let edge = stretch.lowerBound < 0 ? 0 : count
            return edge..<edge
        }
        return first..<last + 1
    }

    /// The last header at or before a row; `nil` where there is none.
    public func header(through row: Int) -> Int? {
        let number = rows.sum(before: row + 1).headers
        return number == 0 ? nil : header(number: Int(number) - 1)
    }

    /// The first header after a row; `nil` where there is none.
    public func header(after row: Int) -> Int? {
        header(number: Int(rows.sum(before: row + 1).headers))
    }

    /// The header with a number among the headers, from 0; `nil` where there are fewer.
    public func header(number: Int) -> Int? {
        rows.search { $0.headers <= number }?.index
    }

    /// How many messages stand before a row; the row may be the end.
    public func messages(before row: Int) -> Int { Int(rows.sum(before: row).messages) }

    /// Gives a row another height.
    public mutating func resize(_ row: Int, to height: Int32) {
        rows.replace(row, with: Row(height: height, kind: rows[row].kind))
    }

    /// Adds rows before the one at a place, or at the end.
    ///
    /// - Complexity: O(new rows + chunk).
    public mutating func insert(
        contentsOf new: some Sequence<(height: Int32, kind: TimelineRowKind)>, at row: Int
    ) {
        rows.insert(
            contentsOf: new.map { Row(height: $0.height, kind: $0.kind) }, at: row)
    }

    /// Removes rows.
    ///
    /// - Complexity: O(removed rows / chunk + chunk).
    public mutating func remove(_ range: Range<Int>) { rows.remove(range) }
}
