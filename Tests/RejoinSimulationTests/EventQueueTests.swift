import RejoinContracts
import RejoinSimulation
import RejoinTime
import Testing

@Suite("Event queue")
struct EventQueueTests {
    @Test("Earliest first, and in the order of planning within one instant, as a sorted array says")
    func order() {
        var random = SeededGenerator(seed: 1)
        var queue = EventQueue<Int>()
        var model: [(time: Int64, turn: Int)] = []
        var turn = 0
        for _ in 0..<2_000 {
            if model.isEmpty || Int.random(in: 0..<5, using: &random) < 3 {
                let time = Int64.random(in: 0..<50, using: &random)
                queue.add(turn, at: Instant(nanoseconds: time))
                model.append((time, turn))
                turn += 1
            } else {
                let expected = model.min { $0 < $1 }
                model.removeAll { $0.turn == expected?.turn }
                let got = queue.next(before: Instant(nanoseconds: .max))
                #expect(got?.1 == expected?.turn)
                #expect(got?.0.nanoseconds == expected?.time)
            }
            #expect(queue.count == model.count)
        }
    }

    @Test("What is not due stays")
    func bound() {
        var queue = EventQueue<String>()
        queue.add("later", at: Instant(nanoseconds: 10))
        #expect(queue.next(before: Instant(nanoseconds: 10)) == nil)
        #expect(queue.count == 1)
        #expect(queue.next(before: Instant(nanoseconds: 11))?.1 == "later")
        #expect(queue.next(before: Instant(nanoseconds: .max)) == nil)
    }
}
