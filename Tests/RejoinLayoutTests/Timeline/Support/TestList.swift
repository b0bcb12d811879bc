import RejoinLayout
import RejoinModel
import RejoinTime

/// A list of messages of known heights, and what happens to it.
struct TestList {
    private(set) var layout: TimelineLayout
    private(set) var rows: [NaiveRow]
    private(set) var version = SnapshotVersion()
    private(set) var effects: [TimelineEffect] = []

    /// Messages numbered from `first`, all of a height.
    static func messages(_ range: ClosedRange<Int>, height: Int32 = 100) -> [NaiveRow] {
        range.map { NaiveRow(id: message($0), height: height) }
    }

    /// Numbers may be negative, for history before the first message.
    static func message(_ number: Int) -> TimelineRowID {
        .message(.message(messageID(number + 100_000)))
    }

    init(
        _ rows: [NaiveRow], at opening: TimelineOpening = .newest,
        viewport: TimelineViewport = TimelineViewport(height: 800, topInset: 50, bottomInset: 70),
        options: TimelineOptions = TimelineOptions(), older: Bool = false, newer: Bool = false
    ) {
        self.rows = rows
        layout = TimelineLayout(viewport: viewport, options: options)
        give(.pages(older: older, newer: newer))
        give(
            .opened(TimelineGeometry(naive: rows, shape: TreeShape(leaf: 4, page: 3)), at: opening))
    }

    mutating func give(_ input: TimelineInput) { effects = layout.handle(input) }

    mutating func visibleRows() -> Range<Int> { layout.visibleRows() }

    mutating func scroll(to offset: Int64, by scroller: TimelineScroller = .person) {
        give(.scrolled(to: offset, by: scroller))
    }

    /// Removes rows at old places, then puts rows in at new ones, each with its place.
    mutating func change(
        removing gone: [Int] = [], inserting new: [(Int, NaiveRow)] = [],
        resizing heights: [(Int, Int32)] = [], sendsOwn: Bool = false
    ) {
        var geometry = layout.geometry
        let old = rows
        for (place, height) in heights { rows[place].height = height }
        for place in gone.sorted(by: >) { rows.remove(at: place) }
        for (place, row) in new { rows.insert(row, at: place) }
        let change = RowChangeSet(
            from: version, to: version.following(), oldCount: old.count, newCount: rows.count,
            gone: gone, come: new.map(\.0), pairs: [], reloads: heights.map(\.0))
        version = change.to
        geometry.apply(change) { (rows[$0].id, rows[$0].height) }
        give(.swapped(geometry, change, sendsOwn: sendsOwn))
    }

    mutating func prepend(_ new: [NaiveRow]) {
        change(inserting: Array(new.enumerated()).map { ($0.offset, $0.element) })
    }

    mutating func append(_ new: [NaiveRow], sendsOwn: Bool = false) {
        change(
            inserting: new.enumerated().map { (rows.count + $0.offset, $0.element) },
            sendsOwn: sendsOwn)
    }

    /// Where a row begins on the screen.
    func screen(_ id: TimelineRowID) -> Int64? {
        layout.index(of: id).map { layout.extent(of: $0).lowerBound - layout.offset }
    }

    func screen(_ number: Int) -> Int64? { screen(Self.message(number)) }
}
