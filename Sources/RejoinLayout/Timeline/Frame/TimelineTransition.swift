import RejoinModel

/// Where the rows of a list stand at a moment.
public struct TimelinePlacement: Sendable {
    /// The rows.
    public let geometry: TimelineGeometry
    /// The scroll view's offset.
    public let offset: Int64
    /// The empty space above the rows.
    public let leadingSpace: Int64

    /// Where a row stands in the content.
    public func extent(of row: Int) -> Range<Int64> {
        geometry.offsets.extent(of: row).moved(by: leadingSpace)
    }
}

extension TimelineLayout {
    /// Where the rows stand now. Taken before and after a change, it tells how to animate it; a
    /// copy of the layout itself would make the next change copy its directory.
    public var placement: TimelinePlacement {
        TimelinePlacement(geometry: geometry, offset: offset, leadingSpace: leadingSpace)
    }
}

/// Two placements and the change between them: from where to where each row goes, in the content's
/// coordinates after the change.
public struct TimelineTransition: Sendable {
    /// Before the change.
    public let before: TimelinePlacement
    /// After it.
    public let after: TimelinePlacement
    /// What changed.
    public let change: RowChangeSet

    /// Creates a transition.
    public init(before: TimelinePlacement, after: TimelinePlacement, change: RowChangeSet) {
        self.before = before
        self.after = after
        self.change = change
    }

    /// How far the offset was moved to keep what is seen in its place: what a collection view takes
    /// as the adjustment of its content offset.
    public var adjustment: Int64 { after.offset - before.offset }

    /// Where a row appears, by its new place: where it will stand, so that it covers nothing on its
    /// way.
    public func initialExtent(ofAppearing row: Int) -> Range<Int64> { after.extent(of: row) }

    /// Where a row disappears, by its old place: where it stood on the screen, whatever the offset
    /// did meanwhile.
    public func finalExtent(ofDisappearing row: Int) -> Range<Int64> {
        before.extent(of: row).moved(by: adjustment)
    }

    /// From where a row comes, by its new place, where it was left in place or moved; `nil` where
    /// it was not there. A row that stands still on the screen comes from where it stands.
    public func initialExtent(ofStaying row: Int) -> Range<Int64>? {
        let old = change.origin(ofKept: row) ?? change.moves.first { $0.to == row }?.from
        return old.map { before.extent(of: $0).moved(by: adjustment) }
    }
}

extension Range<Int64> {
    fileprivate func moved(by distance: Int64) -> Range<Int64> {
        lowerBound + distance..<upperBound + distance
    }
}
