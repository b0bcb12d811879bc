import RejoinContracts
import RejoinTypography
import Testing

/// Where a typesetter tells the order of its runs and no levels (UAX #9), the levels that are found
/// lead to the same order by rule L2.
@Suite("Levels by visual order")
struct VisualOrderTests {
    private typealias Run = VisualOrder.Run

    /// Rule L2: from the highest level to the lowest odd one, turns round what has that level or a
    /// higher one. Takes runs in logical order, and answers them from left to right.
    private func reordered(_ runs: [(run: Run, level: UInt8)]) -> [Run] {
        var line = runs
        for level in stride(from: line.map(\.level).max() ?? 0, to: 0, by: -1) {
            var first = 0
            while first < line.count {
                var end = first
                while end < line.count, line[end].level >= level { end += 1 }
                line[first..<end].reverse()
                first = max(end, first + 1)
            }
        }
        return line.map(\.run)
    }

    private func logical(_ runs: [(run: Run, level: UInt8)]) -> [(run: Run, level: UInt8)] {
        runs.sorted { $0.run.range.lowerBound < $1.run.range.lowerBound }
    }

    @Test(
        "Known lines get the levels of UAX #9",
        arguments: [
            // English, Arabic, English.
            ([0, 1, 0], 0),
            // Arabic with a number inside, in an English paragraph and in an Arabic one.
            ([0, 1, 2, 1, 0], 0), ([1, 2, 1], 1),
            // English in an Arabic paragraph, a number at the end.
            ([2, 1, 2], 1), ([0, 1, 2], 0), ([0], 0), ([1], 0), ([2], 1),
        ] as [([UInt8], UInt8)])
    func known(_ levels: [UInt8], _ base: UInt8) {
        let runs = levels.enumerated().map { place, level in
            (
                run: Run(range: place * 3..<place * 3 + 3, isRightToLeft: level % 2 == 1),
                level: level
            )
        }
        let found = VisualOrder.levels(of: reordered(runs), base: base)
        #expect(logical(found).map(\.level) == levels)
    }

    @Test("Any levels: the order and the directions are the same, and no level is higher")
    func random() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let base = UInt8.random(in: 0...1, using: &random)
            var start = 0
            let runs = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                let level = base + UInt8.random(in: 0...5, using: &random)
                let length = Int.random(in: 1...4, using: &random)
                defer { start += length }
                return (
                    run: Run(range: start..<start + length, isRightToLeft: level % 2 == 1),
                    level: level
                )
            }
            let found = logical(VisualOrder.levels(of: reordered(runs), base: base))
            #expect(reordered(found) == reordered(runs))
            for (one, other) in zip(found, runs) {
                #expect(one.run == other.run)
                #expect(one.level <= other.level && (one.level % 2 == 1) == one.run.isRightToLeft)
            }
        }
    }

    @Test("An order that no levels lead to, and runs that are missing, are no reason to stop")
    func impossible() {
        let places = [2, 0, 3, 1].map { Run(range: $0..<$0 + 1, isRightToLeft: false) }
        let found = VisualOrder.levels(of: places, base: 0)
        #expect(found.count == 4)
        #expect(found.allSatisfy { $0.level <= VisualOrder.maximumLevel })
    }
}
