import RejoinTime
import Testing

@Suite("Instants and durations saturate instead of overflowing")
struct InstantTests {
    @Test("An instant moves by a duration, to the ends of the clock at most")
    func advance() {
        let start = Instant(nanoseconds: 5)
        #expect(start + .nanoseconds(7) == Instant(nanoseconds: 12))
        #expect(start + .nanoseconds(-7) == Instant(nanoseconds: -2))
        #expect(Instant(nanoseconds: .max) + .seconds(1) == Instant(nanoseconds: .max))
        #expect(Instant(nanoseconds: .min) + .seconds(-1) == Instant(nanoseconds: .min))
        #expect(start + .seconds(Int64.max) == Instant(nanoseconds: .max))
    }

    @Test("The difference of two instants is a duration")
    func difference() {
        let start = Instant(nanoseconds: 1_000)
        #expect((start + .milliseconds(3)) - start == .milliseconds(3))
        #expect(start.duration(to: .origin) == .nanoseconds(-1_000))
        #expect(Instant.origin < start)
    }

    @Test("Whole nanoseconds and milliseconds round towards zero and saturate")
    func wholeUnits() {
        #expect(Duration.nanoseconds(1_999_999).wholeMilliseconds == 1)
        #expect(Duration.nanoseconds(-1_999_999).wholeMilliseconds == -1)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
    }

    @Test("Calendar time moves, compares and saturates")
    func wallTime() {
        let time = WallTime(milliseconds: 1_000)
        #expect(time.advanced(by: .seconds(2)) == WallTime(milliseconds: 3_000))
        #expect(time.duration(to: WallTime(milliseconds: 400)) == .milliseconds(-600))
        #expect(WallTime(milliseconds: .max).advanced(by: .seconds(1)).milliseconds == .max)
        #expect(time < WallTime(milliseconds: 1_001))
    }
}

@Suite("Backoff keeps its jitter at the cap (promise P8)")
struct BackoffTests {
    @Test("The ceiling doubles from the base to the cap")
    func ceilings() {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(10), floor: .milliseconds(100))
        var random = SplitMix64(seed: 1)
        var ceilings: [Duration] = []
        for _ in 0..<6 {
            ceilings.append(backoff.ceiling)
            _ = backoff.next(using: &random)
        }
        #expect(ceilings == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(backoff.attempts == 6)
        backoff.reset()
        #expect(backoff.ceiling == .seconds(1))
    }

    @Test("Waits spread over the whole range between floor and ceiling, also at the cap")
    func spread() {
        var random = SplitMix64(seed: 2)
        var backoff = Backoff(base: .seconds(1), cap: .seconds(8), floor: .milliseconds(100))
        for _ in 0..<5 { _ = backoff.next(using: &random) }
        let waits = (0..<2_000).map { _ in backoff.next(using: &random) }
        #expect(waits.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(8) })
        // An even draw puts about an eighth of the waits into each eighth.
        for eighth in 0..<8 {
            let share = waits.filter { $0 >= .seconds(eighth) && $0 < .seconds(eighth + 1) }
            #expect((150...350).contains(share.count), "\(share.count) waits in second \(eighth)")
        }
    }

    @Test("A thousand failures neither overflow nor leave the cap")
    func manyFailures() {
        var random = SplitMix64(seed: 3)
        var backoff = Backoff()
        for _ in 0..<1_000 { _ = backoff.next(using: &random) }
        #expect(backoff.ceiling == .seconds(30))
    }

    @Test("A floor above the cap still gives a wait")
    func floorAboveCap() {
        var random = SplitMix64(seed: 4)
        var backoff = Backoff(base: .seconds(1), cap: .seconds(1), floor: .seconds(5))
        let wait = backoff.next(using: &random)
        #expect(wait == .seconds(5))
    }
}
