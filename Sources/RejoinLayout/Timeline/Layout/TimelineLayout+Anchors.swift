/// The row at the edge that rows keep their distance from.
public struct TimelineEdge: Hashable, Sendable {
    /// Its place.
    public var row: Int
    /// Its identity.
    public var id: TimelineRowID
    /// Its height.
    public var height: Int32
    /// How far the edge lies below the row's beginning; negative where the row begins below it.
    public var inside: Int32

    /// The same fraction of a row of another height.
    func scaled(to other: Int32) -> Int32 {
        guard inside > 0, height > 0 else { return inside }
        return Int32(clamping: Int64(inside) * Int64(other) / Int64(height))
    }
}

/// A row that stays in place through a change, and the edge's distance from it.
struct TimelineHold {
    /// The row's place among the new rows.
    var row: Int
    /// From the row's beginning to the edge, or from the edge to its end: see
    /// ``TimelineOptions/anchorEdge``.
    var distance: Int64
    /// Whether the row itself lies on the edge; then the edge stays within it.
    var isOnEdge: Bool
}

extension TimelineLayout {
    /// The edge, in the coordinates of the rows.
    var line: Int64 {
        switch options.anchorEdge {
        case .top: offset + Int64(viewport.topInset) - leadingSpace
        case .bottom: bottomLine
        }
    }

    /// Where what is visible ends, in the coordinates of the rows.
    var bottomLine: Int64 {
        offset + Int64(viewport.height) - Int64(viewport.bottomInset) - leadingSpace
    }

    /// The offset at which the edge lies at a place of the rows.
    func offset(ofLine line: Int64) -> Int64 {
        switch options.anchorEdge {
        case .top: line - Int64(viewport.topInset) + leadingSpace
        case .bottom:
            line - Int64(viewport.height) + Int64(viewport.bottomInset) + leadingSpace
        }
    }

    func clamped(_ offset: Int64) -> Int64 { min(max(offset, minimumOffset), maximumOffset) }

    /// How far the finger pulls the list beyond an end: negative at the beginning.
    var overscroll: Int64 { offset - clamped(offset) }

    // MARK: Edges and anchors

    /// The row at the edge; `nil` in an empty list.
    public var edge: TimelineEdge? {
        guard let row = edgeRow else { return nil }
        return TimelineEdge(
            row: row, id: geometry.ids[row], height: geometry.offsets.height(of: row),
            inside: Int32(clamping: line - geometry.offsets.offset(of: row)))
    }

    private var edgeRow: Int? {
        guard geometry.count > 0 else { return nil }
        let place = options.anchorEdge == .top ? line : line - 1
        if place < 0 { return 0 }
        return geometry.offsets.row(at: place) ?? geometry.count - 1
    }

    /// The place of the list by the identities of its rows, to come back to it later: the message
    /// at the edge, then the next ones, then those before.
    ///
    /// - Complexity: O(``TimelineAnchor/maximumCount``) beside the search.
    public var anchor: TimelineAnchor {
        guard let start = edgeRow else { return TimelineAnchor(rows: []) }
        let half = TimelineAnchor.maximumCount / 2
        let after = start..<min(start + half, geometry.count)
        let before = max(0, start - half)..<start
        let rows = (Array(after) + before.reversed()).compactMap { row -> TimelineAnchor.Row? in
            let id = geometry.ids[row]
            guard id.isAnchorable else { return nil }
            return TimelineAnchor.Row(
                id: id, inside: Int32(clamping: line - geometry.offsets.offset(of: row)))
        }
        return TimelineAnchor(rows: rows)
    }

    /// The offset that an anchor leads to; `nil` where none of its rows is there.
    func offset(of anchor: TimelineAnchor) -> Int64? {
        for row in anchor.rows {
            guard let place = directory.place(of: row.id, in: geometry.ids) else { continue }
            let height = geometry.offsets.height(of: place)
            return offset(
                ofLine: geometry.offsets.offset(of: place) + Int64(min(row.inside, height)))
        }
        return nil
    }

    // MARK: Holding on through a change

    /// The row to hold on to through a change: the message at the edge, else the next one that
    /// stays in place, else the one before, else any row. Moved rows would take the list with them.
    func hold(through change: RowChangeSet) -> TimelineHold? {
        guard let start = edgeRow else { return nil }
        let (after, before) = (start..<geometry.count, (0..<start).reversed())
        let row =
            switch options.anchorEdge {
            case .top: firstKept(after, change, any: false) ?? firstKept(before, change, any: false)
            case .bottom:
                firstKept([start], change, any: false) ?? firstKept(before, change, any: false)
                    ?? firstKept(after, change, any: false)
            }
        guard
            let row = row ?? firstKept(after, change, any: true)
                ?? firstKept(before, change, any: true),
            let new = change.placeKept(of: row)
        else { return nil }
        let extent = geometry.offsets.extent(of: row)
        let line = line
        let distance =
            switch options.anchorEdge {
            case .top: line - extent.lowerBound
            case .bottom: extent.upperBound - line
            }
        return TimelineHold(
            row: new, distance: distance,
            isOnEdge: extent.lowerBound < line && line < extent.upperBound)
    }

    private func firstKept(
        _ rows: some Sequence<Int>, _ change: RowChangeSet, any: Bool
    ) -> Int? {
        rows.first { row in
            (any || geometry.offsets.kind(of: row) == .message)
                && change.placeKept(of: row) != nil
        }
    }

    /// The offset at which a held row keeps its distance from the edge.
    func offset(of hold: TimelineHold) -> Int64 {
        let extent = geometry.offsets.extent(of: hold.row)
        var distance = hold.distance
        if hold.isOnEdge { distance = min(distance, Int64(extent.count)) }
        switch options.anchorEdge {
        case .top: return offset(ofLine: extent.lowerBound + distance)
        case .bottom: return offset(ofLine: extent.upperBound - distance)
        }
    }

    // MARK: Targets

    /// The offset that shows a target; `nil` where it is not in the list.
    func offset(of target: TimelineTarget) -> Int64? {
        switch target {
        case .newest: maximumOffset
        case .row(let id, let alignment):
            directory.place(of: id, in: geometry.ids).map { offset(of: $0, at: alignment) }
        }
    }

    func offset(of row: Int, at alignment: TimelineAlignment) -> Int64 {
        let extent = extent(of: row)
        let top = extent.lowerBound - Int64(viewport.topInset)
        let slack = Int64(viewport.visibleHeight) - Int64(extent.count)
        return switch alignment {
        case .top: top
        case .center: top - max(0, slack / 2)
        case .bottom: top - slack
        }
    }
}
