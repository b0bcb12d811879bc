import RejoinContracts
import RejoinModel
import Testing

private func id(_ value: Int) -> MessageID { MessageID(UInt128(value)) }

private func interval(_ from: Int?, _ through: Int) -> Coverage.Interval {
    Coverage.Interval(from: from.map(id), through: id(through))
}

@Suite("Coverage is a set of half-open intervals (section 3, promise P1)")
struct CoverageTests {
    @Test("Intervals that touch or overlap are one; others stay apart")
    func joining() {
        var coverage = Coverage([interval(10, 20), interval(30, 40)])
        #expect(coverage.intervals == [interval(10, 20), interval(30, 40)])
        coverage.insert(interval(20, 25))
        #expect(coverage.intervals == [interval(10, 25), interval(30, 40)])
        coverage.insert(interval(24, 30))
        #expect(coverage.intervals == [interval(10, 40)])
        coverage.insert(interval(nil, 5))
        #expect(coverage.uncovered == [interval(5, 10)])
    }

    @Test("The lower bound is outside, the upper inside, and nil is the beginning")
    func bounds() {
        let coverage = Coverage([interval(nil, 3), interval(10, 20)])
        #expect(coverage.contains(id(0)) && coverage.contains(id(3)))
        #expect(!coverage.contains(id(4)) && !coverage.contains(id(10)))
        #expect(coverage.contains(id(11)) && coverage.contains(id(20)))
        #expect(!coverage.contains(id(21)))
        #expect(coverage.covers(interval(12, 20)) && !coverage.covers(interval(9, 20)))
        #expect(coverage.interval(endingAt: id(20)) == interval(10, 20))
        #expect(coverage.interval(endingAt: id(19)) == nil)
        #expect(coverage.newest == id(20))
    }

    @Test("An empty interval proves nothing (mattermost-mobile#9827)")
    func emptyInterval() {
        var coverage = Coverage([interval(1, 5)])
        let grew = [interval(9, 9), interval(9, 7)].map { coverage.insert($0) }
        #expect(grew == [false, false])
        #expect(coverage.intervals == [interval(1, 5)])
    }

    @Test("What lies below a horizon is uncovered")
    func trimming() {
        var coverage = Coverage([interval(nil, 5), interval(10, 20)])
        coverage.trim(below: id(15))
        #expect(coverage.intervals == [interval(14, 20)])
    }

    @Test("At the limit the oldest interval is forgotten, never the new one (promise P7)")
    func limit() {
        var coverage = Coverage()
        for place in 1...Coverage.maximumIntervals {
            coverage.insert(interval(place * 10, place * 10 + 1))
        }
        coverage.insert(interval(1, 2))
        #expect(coverage.intervals.count == Coverage.maximumIntervals)
        #expect(coverage.contains(id(2)) && !coverage.contains(id(11)))
        coverage.insert(interval(90_000, 90_001))
        #expect(coverage.intervals.count == Coverage.maximumIntervals)
        #expect(coverage.contains(id(90_001)) && !coverage.contains(id(2)))
    }

    @Test("It agrees with a set of IDs under random edits", arguments: 0..<50 as Range<UInt64>)
    func randomEdits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var coverage = Coverage()
        var covered: Set<Int> = []
        for _ in 0..<200 {
            let from = Int.random(in: -1..<300, using: &random)
            let through = from + Int.random(in: 0...20, using: &random)
            guard through >= 0 else { continue }
            let edit = interval(from < 0 ? nil : from, through)
            let ids = from < through ? Set((from + 1)...through) : []
            if Int.random(in: 0..<4, using: &random) == 0 {
                coverage.subtract(edit)
                covered.subtract(ids)
            } else {
                coverage.insert(edit)
                covered.formUnion(ids)
            }
            #if DEBUG
            coverage.checkInvariants()
            #endif
        }
        for place in 0..<330 {
            #expect(coverage.contains(id(place)) == covered.contains(place), "\(place)")
        }
    }
}
