import RejoinContracts
import RejoinKit
import RejoinTime
import Testing

@Suite("TimerTable")
struct TimerTableTests {
    private func at(_ milliseconds: Int64) -> Instant {
        .origin.advanced(by: .milliseconds(milliseconds))
    }

    @Test("A timer set anew fires once, at its new deadline")
    func replaces() {
        var timers = TimerTable<String>()
        #expect(timers.set("a", to: at(10)) == at(10))
        #expect(timers.set("a", to: at(30)) == nil, "the earlier sleeper will look")
        let (early, next) = timers.wake(at(10), at: at(10))
        #expect(early.isEmpty)
        #expect(next == at(30))
        #expect(timers.wake(at(30), at: at(30)).due == ["a"])
    }

    @Test("An earlier deadline needs a sleeper of its own")
    func earlier() {
        var timers = TimerTable<String>()
        _ = timers.set("late", to: at(50))
        #expect(timers.set("early", to: at(5)) == at(5))
        #expect(timers.wake(at(5), at: at(5)).due == ["early"])
        #expect(timers.wake(at(50), at: at(50)).due == ["late"])
    }

    @Test("A cancelled timer does not fire, and leaves no sleeper behind")
    func cancel() {
        var timers = TimerTable<String>()
        _ = timers.set("a", to: at(10))
        timers.cancel("a")
        let (due, next) = timers.wake(at(10), at: at(10))
        #expect(due.isEmpty)
        #expect(next == nil)
    }

    @Test("Timers that are due fire by deadline, then by the order in which they were set")
    func order() {
        var timers = TimerTable<String>()
        for (name, deadline) in [("b", 10), ("a", 10), ("c", 5)] {
            _ = timers.set(name, to: at(Int64(deadline)))
        }
        #expect(timers.wake(at(5), at: at(20)).due == ["c", "b", "a"])
    }

    @Test("P7: a timer set ten thousand times keeps few sleepers, and every deadline is met")
    func fewSleepers() {
        var random = SeededGenerator(seed: 3)
        var timers = TimerTable<Int>()
        var sleepers: [Instant] = []
        var deadlines: [Int: Instant] = [:]
        var now = Instant.origin
        for _ in 0..<10_000 {
            now = now.advanced(by: .milliseconds(1))
            let key = Int.random(in: 0..<5, using: &random)
            let deadline = now.advanced(
                by: .milliseconds(Int64.random(in: 1...500, using: &random)))
            deadlines[key] = deadline
            if let sleeper = timers.set(key, to: deadline) { sleepers.append(sleeper) }
            while let index = sleepers.firstIndex(where: { $0 <= now }) {
                let (due, next) = timers.wake(sleepers.remove(at: index), at: now)
                if let next { sleepers.append(next) }
                for key in due { deadlines[key] = nil }
            }
            #expect(sleepers.count < 40)
            #expect(deadlines.values.allSatisfy { $0 >= now })
        }
    }
}
