import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

/// All of a list's geometry computed from an array, by adding up.
struct NaiveLayout {
    var rows: [NaiveRow]
    var viewport: TimelineViewport
    var options: TimelineOptions
    var raised: TimelineRowID?

    var height: Int64 { rows.reduce(0) { $0 + Int64($1.height) } }
    var space: Int64 {
        guard options.shortContent == .bottom else { return 0 }
        return max(0, Int64(viewport.visibleHeight) - height - trailing)
    }
    /// What lets the raised row stand at the upper edge.
    var trailing: Int64 {
        guard let raised, let row = rows.firstIndex(where: { $0.id == raised }) else { return 0 }
        let following = rows[row...].reduce(0) { $0 + Int64($1.height) }
        return max(0, Int64(viewport.visibleHeight) - following)
    }
    var content: Int64 { space + height + trailing }
    var minimum: Int64 { -Int64(viewport.topInset) }
    var maximum: Int64 {
        max(minimum, content + Int64(viewport.bottomInset) - Int64(viewport.height))
    }

    /// Where each row begins in the content.
    var tops: [Int64] {
        var top = space
        return rows.map { row in
            defer { top += Int64(row.height) }
            return top
        }
    }

    /// Where the anchoring edge lies in the content.
    func edge(_ offset: Int64) -> Int64 {
        switch options.anchorEdge {
        case .top: offset + Int64(viewport.topInset)
        case .bottom: offset + Int64(viewport.height) - Int64(viewport.bottomInset)
        }
    }

    func seen(_ stretch: Range<Int64>) -> [Int] {
        let tops = tops
        return rows.indices.filter { row in
            rows[row].height > 0 && tops[row] < stretch.upperBound
                && tops[row] + Int64(rows[row].height) > stretch.lowerBound
        }
    }

    /// The row at the edge.
    func edgeRow(_ offset: Int64) -> Int? {
        let edge = options.anchorEdge == .top ? edge(offset) : edge(offset) - 1
        let tops = tops
        if edge < space { return rows.isEmpty ? nil : 0 }
        return rows.indices.first { tops[$0] + Int64(rows[$0].height) > edge } ?? rows.indices.last
    }
}

@Suite("The timeline layout equals a naive array (section 8; invariants 1 to 3)")
struct TimelineLayoutFuzzTests {
    /// 40 x 2,500 steps make 100,000.
    static let steps = 2_500

    @Test("100,000 random edits, scrolls and screens", arguments: 0..<40)
    func steps(seed: Int) throws {
        var run = FuzzRun(seed: UInt64(seed))
        for _ in 0..<Self.steps { try run.step() }
    }
}

private struct FuzzRun {
    private var rows: RandomRows
    private var naive: NaiveLayout
    private var layout: TimelineLayout
    private var geometry: TimelineGeometry
    private var version = SnapshotVersion()
    /// Messages that were at or above the lower edge and have stayed in place since.
    private var seen: Set<TimelineRowID> = []

    init(seed: UInt64) {
        rows = RandomRows(seed: seed, count: Int(seed) * 2, limit: 60)
        let options = TimelineOptions(
            bottomThreshold: seed % 3 == 0 ? 0 : 48, shortContent: seed % 2 == 0 ? .top : .bottom,
            anchorEdge: seed % 5 == 0 ? .bottom : .top)
        let viewport = TimelineViewport(height: 700, topInset: 40, bottomInset: 60)
        naive = NaiveLayout(rows: rows.rows, viewport: viewport, options: options)
        layout = TimelineLayout(viewport: viewport, options: options)
        geometry = TimelineGeometry(naive: rows.rows, shape: TreeShape(leaf: 3, page: 3))
        _ = layout.handle(.opened(geometry, at: .newest))
        look()
    }

    mutating func step() throws {
        switch Int.random(in: 0..<20, using: &rows.random) {
        case 0..<13: try swap()
        case 13..<18: scroll()
        case 18: Bool.random(using: &rows.random) ? resizeScreen() : raise()
        default: relay()
        }
        look()
        try compare()
    }

    private mutating func swap() throws {
        let (old, offset, mode) = (naive, layout.offset, layout.mode)
        let change = rows.change(from: version, to: version.following())
        version = change.to
        naive.rows = rows.rows
        let current = naive.rows
        geometry.apply(change) { (current[$0].id, current[$0].height) }
        _ = layout.handle(.swapped(geometry, change, sendsOwn: false))
        var view = CollectionViewModel(old.rows)
        #expect(view.perform(change, dataSource: naive.rows) == nil)
        let leaving = Set(change.deletions + change.moves.map(\.from))
        seen.subtract(leaving.map { old.rows[$0].id })
        let over = offset - min(max(offset, old.minimum), old.maximum)
        if mode == .pinned {
            // Pinned stays pinned.
            #expect(layout.offset == naive.maximum + max(0, over))
            return
        }
        let place = held(old, offset, leaving) ?? offset
        let expected = min(
            max(place, naive.minimum + min(over, 0)), naive.maximum + max(over, 0))
        try #require(layout.offset == expected, "an anchor moved")
    }

    /// The offset at which the held row stands where it stood on the screen.
    private func held(_ old: NaiveLayout, _ offset: Int64, _ leaving: Set<Int>) -> Int64? {
        guard let start = old.edgeRow(offset) else { return nil }
        let below = Array(start..<old.rows.count)
        let above = Array((0..<start).reversed())
        let order = naive.options.anchorEdge == .top ? below + above : [start] + above + below
        func survivor(_ candidates: [Int], _ accepts: (TimelineRowID) -> Bool) -> Int? {
            candidates.first { !leaving.contains($0) && accepts(old.rows[$0].id) }
        }
        guard
            let row = survivor(order, \.isAnchorable)
                ?? survivor(below + above, { !$0.isAnchorable }),
            let new = naive.rows.firstIndex(where: { $0.id == old.rows[row].id })
        else { return nil }
        let (top, height) = (old.tops[row], Int64(old.rows[row].height))
        let (newTop, newHeight) = (naive.tops[new], Int64(naive.rows[new].height))
        let edge = old.edge(offset)
        let isOnEdge = top < edge && edge < top + height
        switch naive.options.anchorEdge {
        case .top:
            var distance = edge - top
            if isOnEdge { distance = min(distance, newHeight) }
            return newTop + distance - (edge - offset)
        case .bottom:
            var distance = top + height - edge
            if isOnEdge { distance = min(distance, newHeight) }
            return newTop + newHeight - distance - (edge - offset)
        }
    }

    private mutating func scroll() {
        // Sometimes beyond an end, as a finger pulls.
        let target = Int64.random(
            in: naive.minimum - 80...naive.maximum + 80, using: &rows.random)
        _ = layout.handle(.scrolled(to: target, by: .person))
        #expect(layout.offset == target)
        #expect(
            (layout.mode == .pinned)
                == (naive.maximum - target <= Int64(naive.options.bottomThreshold)))
    }

    private mutating func resizeScreen() {
        let (offset, old, wasPinned) = (layout.offset, naive, layout.mode == .pinned)
        naive.viewport = TimelineViewport(
            height: Int32.random(in: 300...1_200, using: &rows.random),
            topInset: Int32.random(in: 0...90, using: &rows.random),
            bottomInset: Int32.random(in: 0...290, using: &rows.random))
        guard naive.viewport != old.viewport else { return }
        _ = layout.handle(.viewport(naive.viewport))
        if wasPinned {
            #expect(layout.offset == naive.maximum)
            return
        }
        expectEdgeKept(old, offset)
    }

    /// Feature 8: space below lets a row stand at the upper edge.
    private mutating func raise() {
        let (offset, old, wasPinned) = (layout.offset, naive, layout.mode == .pinned)
        naive.raised = Bool.random(using: &rows.random) ? rows.rows.randomElement()?.id : nil
        let effects = layout.handle(.raised(naive.raised))
        guard naive.raised != old.raised else {
            #expect(effects.isEmpty)
            return
        }
        if wasPinned {
            // It goes there, and is pinned again.
            if layout.mode != .pinned { _ = layout.handle(.settled) }
            #expect(layout.mode == .pinned && layout.offset == naive.maximum)
            return
        }
        expectEdgeKept(old, offset)
    }

    private func expectEdgeKept(_ old: NaiveLayout, _ offset: Int64) {
        // The edge keeps its place among the rows.
        let line = old.edge(offset) - old.space
        var expected = line + naive.space
        switch naive.options.anchorEdge {
        case .top: expected -= Int64(naive.viewport.topInset)
        case .bottom:
            expected += Int64(naive.viewport.bottomInset) - Int64(naive.viewport.height)
        }
        if offset >= old.minimum, offset <= old.maximum {
            expected = min(max(expected, naive.minimum), naive.maximum)
        }
        #expect(layout.offset == expected)
    }

    private mutating func relay() {
        let wasPinned = layout.mode == .pinned
        let edge = layout.edge
        rows.resizeAll()
        naive.rows = rows.rows
        geometry = TimelineGeometry(naive: rows.rows, shape: TreeShape(leaf: 3, page: 3))
        _ = layout.handle(.relaid(geometry, inside: nil))
        if wasPinned {
            #expect(layout.offset == naive.maximum)
        } else if let edge, layout.offset > naive.minimum, layout.offset < naive.maximum,
            edge.inside >= 0, edge.inside < edge.height
        {
            // The same row lies at the edge, at the same fraction of it.
            let inside = naive.edge(layout.offset) - naive.tops[edge.row]
            let height = Int64(naive.rows[edge.row].height)
            #expect(inside == Int64(edge.inside) * height / Int64(max(edge.height, 1)))
        }
    }

    private mutating func look() {
        let bottom = layout.offset + Int64(naive.viewport.height - naive.viewport.bottomInset)
        guard let last = naive.seen(naive.space..<max(bottom, naive.space)).last else { return }
        for row in naive.rows[...last] where row.id.kind == .message { seen.insert(row.id) }
        // What stands before a seen message counts as seen.
        guard let end = naive.rows.lastIndex(where: { seen.contains($0.id) }) else { return }
        for row in naive.rows[...end] where row.id.kind == .message { seen.insert(row.id) }
    }

    private mutating func compare() throws {
        let (rows, tops) = (naive.rows, naive.tops)
        try #require(layout.geometry.count == rows.count)
        #expect(layout.contentHeight == naive.content)
        #expect(layout.trailingSpace == naive.trailing)
        #expect(layout.minimumOffset == naive.minimum && layout.maximumOffset == naive.maximum)
        #expect(layout.index(of: .unreadDivider) == nil)
        if let row = rows.indices.randomElement(using: &self.rows.random) {
            #expect(layout.geometry.ids[row] == rows[row].id)
            #expect(layout.index(of: rows[row].id) == row)
            #expect(layout.extent(of: row) == tops[row]..<tops[row] + Int64(rows[row].height))
        }
        let offset = layout.offset
        let end = offset + Int64(naive.viewport.height)
        let seenNow = naive.seen(offset..<end)
        let found = layout.rows(in: offset..<end)
        #expect(found.first == seenNow.first && found.last == seenNow.last)
        let visible = layout.visibleRows()
        #expect(seenNow.allSatisfy(visible.contains))
        let screen = Int64(naive.viewport.height)
        let prefetch = layout.prefetchRows
        let ahead = layout.scrollsTowards == .newer ? (screen / 2, screen) : (screen, screen / 2)
        let ready = naive.seen(offset - ahead.0..<end + ahead.1)
        #expect(prefetch.first == ready.first && prefetch.last == ready.last)
        let end2 = rows.lastIndex { seen.contains($0.id) }.map { $0 + 1 } ?? 0
        #expect(layout.newerCount == rows[end2...].count { $0.id.kind == .message })
        compareHeader(rows, tops)
    }

    private func compareHeader(_ rows: [NaiveRow], _ tops: [Int64]) {
        let edge = layout.offset + Int64(naive.viewport.topInset)
        let headers = rows.indices.filter { rows[$0].id.kind == .header }
        let first =
            rows.indices.first { tops[$0] + Int64(rows[$0].height) > edge } ?? rows.count - 1
        guard edge >= naive.space, let row = headers.last(where: { $0 <= first }) else {
            #expect(layout.stickyHeader == nil)
            return
        }
        let limit = headers.first { $0 > first }.map { tops[$0] - Int64(rows[row].height) }
        #expect(layout.stickyHeader?.row == row)
        #expect(layout.stickyHeader?.top == max(min(edge, limit ?? edge), tops[row]))
    }
}
