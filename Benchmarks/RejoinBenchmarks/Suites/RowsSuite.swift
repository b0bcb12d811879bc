import RejoinContracts
import RejoinLayout
import RejoinModel

extension Suite {
    /// `TimelineLayout` against an array of prefix sums, in lists of three sizes.
    static let rows = Suite(
        name: "rows",
        summary: "a list's rows: what is visible, history above, another height, the row of an ID"
    ) { report in
        var small: Double?
        for count in [1_000, 100_000, 1_000_000] {
            report.progress("a list of \(count) rows")
            let prepend = try RowsBenchmark(report, count: count).run()
            small = small ?? prepend
            guard count == 1_000_000, let small else { continue }
            report.add(
                Figure(
                    name: "prepend a page, growth", value: prepend / small,
                    unit: "times from 1,000 to 1,000,000", bound: .atMost(3)))
        }
    }
}

/// What a careful list without a tree does: the end of each row, added up.
private struct PrefixSums {
    private(set) var ends: [Int64] = []

    init(_ heights: [Int32]) { insert(heights) }

    var height: Int64 { ends.last ?? 0 }

    func row(at offset: Int64) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func rows(in stretch: Range<Int64>) -> Range<Int> {
        row(at: stretch.lowerBound)..<min(row(at: stretch.upperBound - 1) + 1, ends.count)
    }

    mutating func resize(_ row: Int, by growth: Int64) {
        for place in row..<ends.count { ends[place] += growth }
    }

    mutating func insert(_ heights: [Int32]) {
        var end: Int64 = 0
        let new = heights.map { height in
            end += Int64(height)
            return end
        }
        for place in ends.indices { ends[place] += end }
        ends.insert(contentsOf: new, at: 0)
    }
}

private final class RowsBenchmark {
    private static let pageSize = 50
    private static let queries = 20_000

    private let report: Report
    private let count: Int
    private let label: String
    private var random = SeededGenerator(seed: 1)
    private let heights: [Int32]
    private var next = UInt128(1) << 64
    private var geometry: TimelineGeometry
    private var version = SnapshotVersion()

    init(_ report: Report, count: Int) {
        self.report = report
        self.count = count
        label = count == 1_000_000 ? "1,000,000" : count == 100_000 ? "100,000" : "1,000"
        var random = SeededGenerator(seed: 2)
        heights = (0..<count).map { _ in Int32.random(in: 40...400, using: &random) }
        let first = next
        geometry = TimelineGeometry(
            heights.lazy.enumerated().map { place, height in
                (TimelineRowID.message(.message(MessageID(first + UInt128(place)))), height)
            })
    }

    /// Answers the nanoseconds of prepending a page.
    func run() throws -> Double {
        try findVisible()
        try resize()
        try findID()
        return try prepend()
    }

    private func layout() -> TimelineLayout {
        var layout = TimelineLayout(
            viewport: TimelineViewport(height: 2_400, topInset: 100, bottomInset: 200))
        keep(layout.handle(.opened(geometry, at: .newest)))
        return layout
    }

    private func findVisible() throws {
        var layout = layout()
        let sums = PrefixSums(heights)
        // Each far from the last, so that each is searched for.
        let offsets = (0..<Self.queries).map { _ in
            Int64.random(in: 0...sums.height - 2_400, using: &random)
        }
        let times = try Measure.medians([
            {
                Measure.nanoseconds {
                    for offset in offsets {
                        keep(layout.handle(.scrolled(to: offset, by: .list)))
                        keep(layout.visibleRows())
                    }
                }
            },
            {
                Measure.nanoseconds {
                    for offset in offsets { keep(sums.rows(in: offset - 1_200..<offset + 3_600)) }
                }
            },
        ])
        add(
            "scroll and find what is visible", times, per: Self.queries,
            bound: count == 100_000 ? .atMost(2_000) : nil)
        keep(layout.handle(.scrolled(to: offsets[0], by: .list)))
        keep(layout.visibleRows())
        let allocations = Measure.allocations {
            for _ in 0..<Self.queries { keep(layout.visibleRows()) }
        }
        if let allocations {
            report.add(
                Figure(
                    name: "inside the last range, \(label)",
                    value: allocations / Double(Self.queries), unit: "allocations/query",
                    bound: .atMost(0)))
        }
    }

    private func resize() throws {
        var index = geometry.offsets
        var sums = PrefixSums(heights)
        let few = 200
        let rows = (0..<few).map { _ in Int.random(in: 0..<count, using: &random) }
        let times = try Measure.medians([
            { Measure.nanoseconds { for row in rows { index.resize(row, to: 77) } } },
            { Measure.nanoseconds { for row in rows { sums.resize(row, by: 1) } } },
        ])
        add("resize a row", times, per: few)
    }

    private func findID() throws {
        let layout = layout()
        let ids = (0..<Self.queries).map { _ in
            geometry.ids[Int.random(in: 0..<count, using: &random)]
        }
        let times = try Measure.medians([
            { Measure.nanoseconds { for id in ids { keep(layout.index(of: id)) } } }
        ])
        add("find the row of an ID", times, per: Self.queries)
    }

    /// A page above the first row: the change set, the geometry while the last one is held, as a
    /// frame that is shown holds it, and the layout with its anchor and its look-up by ID.
    private func prepend() throws -> Double {
        var layout = layout()
        keep(layout.handle(.scrolled(to: layout.maximumOffset / 2, by: .person)))
        var sums = PrefixSums(heights)
        let ours = { () -> Double? in
            self.next -= UInt128(Self.pageSize)
            let first = self.next
            return Measure.nanoseconds {
                let held = self.geometry
                let change = RowChangeSet(
                    from: self.version, to: self.version.following(), oldCount: held.count,
                    newCount: held.count + Self.pageSize, gone: [],
                    come: Array(0..<Self.pageSize), pairs: [], reloads: [])
                self.version = change.to
                self.geometry.apply(change) { place in
                    (.message(.message(MessageID(first + UInt128(place)))), 100)
                }
                keep(layout.handle(.swapped(self.geometry, change, sendsOwn: false)))
                keep(held)
            }
        }
        // One after the other: the array sweeps the caches, in a long list more than in a short
        // one.
        let page = [Int32](repeating: 100, count: Self.pageSize)
        let times =
            try Measure.medians(rounds: 25, [ours])
            + Measure.medians([{ Measure.nanoseconds { sums.insert(page) } }])
        add("prepend a page of 50", times, per: 1, bound: .atMost(50_000))
        return times[0] ?? 0
    }

    private func add(
        _ name: String, _ times: [Double?], per operations: Int, bound: Figure.Bound? = nil
    ) {
        guard let own = times[0] else { return }
        let peer = times.count > 1 ? times[1] : nil
        var figure = Figure.cost(
            "\(name), \(label)", own / Double(operations), "ns",
            peers: peer.map { [("prefix sums", $0 / Double(operations), nil)] } ?? [])
        figure.bound = bound
        report.add(figure)
    }
}
