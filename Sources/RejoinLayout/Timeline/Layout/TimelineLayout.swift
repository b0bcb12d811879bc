/// Where each row of a list stands, and which part of the list is seen: the whole behaviour of a
/// chat's list as a value, without a view.
///
/// All row heights are known, so nothing is estimated and nothing corrected: history that comes in
/// above moves the offset by exactly its height, in the same commit. Three modes:
/// - *pinned*: the end of the list stays at the lower edge, whatever comes or grows;
/// - *anchored*: the row at the edge stays where it is on the screen, whatever changes elsewhere;
/// - *targeted*: the list scrolls to a row on its own, and goes on to wherever that row stands when
///   rows change meanwhile.
///
/// A scroll view's offset is the input and the output; it runs from ``minimumOffset`` to
/// ``maximumOffset``, and beyond while the finger pulls. Lengths are device pixels.
public struct TimelineLayout: Sendable {
    /// How the list stands.
    public enum Mode: Hashable, Sendable {
        /// Its end stays at the lower edge.
        case pinned
        /// The row at the edge stays.
        case anchored
        /// It scrolls to a target on its own.
        case targeted(TimelineTarget)
    }

    /// How the list behaves where apps differ.
    public let options: TimelineOptions
    /// The rows.
    public internal(set) var geometry = TimelineGeometry()
    /// The part of the screen.
    public internal(set) var viewport: TimelineViewport
    /// How the list stands.
    public internal(set) var mode = Mode.pinned
    /// The scroll view's offset.
    public internal(set) var offset: Int64 = 0
    /// The row that may stand at the upper edge though too little follows it.
    public internal(set) var raised: TimelineRowID?

    var directory = RowDirectory()
    /// One past the last message that was ever visible.
    var seen = 0
    /// In which direction the list was last scrolled.
    public internal(set) var scrollsTowards = TimelineEnd.older
    var hasOlder = false
    var hasNewer = false
    /// The ends at which a page was asked for that has not been laid out.
    var isPagingOlder = false
    var isPagingNewer = false
    private var held: (rows: Range<Int>, stretch: Range<Int64>)?

    /// Creates the layout of an empty list.
    public init(viewport: TimelineViewport, options: TimelineOptions = TimelineOptions()) {
        self.viewport = viewport
        self.options = options
        offset = minimumOffset
    }

    // MARK: Extents

    /// The empty space above rows that do not fill the viewport.
    public var leadingSpace: Int64 {
        switch options.shortContent {
        case .top: 0
        case .bottom:
            max(0, Int64(viewport.visibleHeight) - geometry.offsets.height - trailingSpace)
        }
    }

    /// The empty space below the last row that lets the ``raised`` one stand at the upper edge. It
    /// shrinks by what comes to follow that row, so that the end of the list, and with it a list
    /// that is pinned, stays where it is until the space is used up.
    ///
    /// - Complexity: O(log n) where a row is raised.
    public var trailingSpace: Int64 {
        guard let raised, let row = index(of: raised) else { return 0 }
        let following = geometry.offsets.height - geometry.offsets.offset(of: row)
        return max(0, Int64(viewport.visibleHeight) - following)
    }

    /// The height of the scroll view's content.
    public var contentHeight: Int64 { geometry.offsets.height + leadingSpace + trailingSpace }

    /// The offset at which the first row stands at the upper edge.
    public var minimumOffset: Int64 { -Int64(viewport.topInset) }

    /// The offset at which the content ends at the lower edge; never above ``minimumOffset``.
    public var maximumOffset: Int64 {
        max(minimumOffset, contentHeight + Int64(viewport.bottomInset) - Int64(viewport.height))
    }

    /// Where a row stands in the content.
    public func extent(of row: Int) -> Range<Int64> {
        let extent = geometry.offsets.extent(of: row)
        return extent.lowerBound + leadingSpace..<extent.upperBound + leadingSpace
    }

    /// The place of a row by its identity; `nil` where it is not in the list.
    ///
    /// - Complexity: O(log n).
    public func index(of id: TimelineRowID) -> Int? { directory.place(of: id, in: geometry.ids) }

    // MARK: What is seen

    /// The rows that have a pixel in a stretch of the content.
    public func rows(in stretch: Range<Int64>) -> Range<Int> {
        let space = leadingSpace
        return geometry.offsets.rows(
            in: stretch.lowerBound - space..<stretch.upperBound - space)
    }

    /// The rows to show: those in the viewport and ``TimelineOptions/overdraw`` around it. While
    /// the viewport stays inside the last answer the same rows are answered, without a search.
    public mutating func visibleRows() -> Range<Int> {
        let viewed = offset..<offset + Int64(viewport.height)
        if let held, held.stretch.lowerBound <= viewed.lowerBound,
            viewed.upperBound <= held.stretch.upperBound
        {
            return held.rows
        }
        let margin = screens(options.overdraw)
        let stretch = viewed.lowerBound - margin..<viewed.upperBound + margin
        let rows = rows(in: stretch)
        held = (rows, stretch)
        return rows
    }

    mutating func forgetVisibleRows() { held = nil }

    /// The rows to have ready: the viewport, more of it in the direction of scrolling than behind.
    public var prefetchRows: Range<Int> {
        let (lead, trail) = (screens(options.leading), screens(options.trailing))
        let end = offset + Int64(viewport.height)
        return switch scrollsTowards {
        case .older: rows(in: offset - lead..<end + trail)
        case .newer: rows(in: offset - trail..<end + lead)
        }
    }

    /// The date header that sticks to the upper edge, and where its upper end stands in the
    /// content; `nil` before the first header.
    ///
    /// - Complexity: O(chunk), whatever the number of rows and headers.
    public var stickyHeader: (row: Int, top: Int64)? {
        let edge = offset + Int64(viewport.topInset)
        let line = edge - leadingSpace
        let offsets = geometry.offsets
        guard line >= 0, offsets.count > 0 else { return nil }
        let first = offsets.row(at: line) ?? offsets.count - 1
        guard let row = offsets.header(through: first) else { return nil }
        var top = edge
        if let next = offsets.header(after: first) {
            // The next one pushes it out.
            top = min(top, extent(of: next).lowerBound - Int64(offsets.height(of: row)))
        }
        return (row, max(top, extent(of: row).lowerBound))
    }

    /// How many messages stand below the last one that was ever visible.
    public var newerCount: Int {
        geometry.offsets.messageCount - geometry.offsets.messages(before: seen)
    }

    /// How far the list is from its end.
    public var distanceToEnd: Int64 { maximumOffset - offset }

    /// How many rows can be let go of at each end so that at most `limit` stay, farthest from the
    /// viewport first. What is seen or prefetched stays, and the end while the list is pinned to
    /// it.
    public func excess(over limit: Int) -> (older: Int, newer: Int) {
        let excess = geometry.count - limit
        guard excess > 0 else { return (0, 0) }
        let margin = screens(max(options.leading, options.trailing))
        let kept = rows(in: offset - margin..<offset + Int64(viewport.height) + margin)
        let older = kept.lowerBound
        let newer = mode == .pinned ? 0 : geometry.count - kept.upperBound
        if older >= newer {
            let first = min(excess, older)
            return (first, min(excess - first, newer))
        }
        let first = min(excess, newer)
        return (min(excess - first, older), first)
    }

    func screens(_ hundredths: Int32) -> Int64 {
        Int64(viewport.height) * Int64(hundredths) / 100
    }
}
