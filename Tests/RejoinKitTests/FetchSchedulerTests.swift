import RejoinContracts
import RejoinKit
import RejoinModel
import RejoinSync
import Testing

@Suite("P8: FetchScheduler")
struct FetchSchedulerTests {
    private func fetch(_ room: String, _ id: UInt64) -> FetchScheduler.Fetch {
        FetchScheduler.Fetch(room: RoomID(room), id: RequestID(id), request: .summary)
    }

    @Test("No more than the limit run at a time; the rest starts as they end")
    func limit() {
        var scheduler = FetchScheduler(limit: 2)
        #expect(scheduler.add(fetch("a", 1), onScreen: []).count == 1)
        #expect(scheduler.add(fetch("b", 1), onScreen: []).count == 1)
        #expect(scheduler.add(fetch("c", 1), onScreen: []).isEmpty)
        #expect(scheduler.finish(onScreen: []) == [fetch("c", 1)])
    }

    @Test("A room on screen goes before rooms that came earlier")
    func onScreenFirst() {
        var scheduler = FetchScheduler(limit: 1)
        _ = scheduler.add(fetch("a", 1), onScreen: [])
        _ = scheduler.add(fetch("b", 1), onScreen: [])
        _ = scheduler.add(fetch("c", 1), onScreen: [RoomID("c")])
        #expect(scheduler.finish(onScreen: [RoomID("c")]) == [fetch("c", 1)])
        #expect(scheduler.finish(onScreen: [RoomID("c")]) == [fetch("b", 1)])
    }

    @Test("A cancelled fetch that waits never starts")
    func cancel() {
        var scheduler = FetchScheduler(limit: 1)
        _ = scheduler.add(fetch("a", 1), onScreen: [])
        _ = scheduler.add(fetch("b", 1), onScreen: [])
        _ = scheduler.add(fetch("b", 2), onScreen: [])
        scheduler.cancel(RequestID(1), in: RoomID("b"))
        #expect(scheduler.finish(onScreen: []) == [fetch("b", 2)])
        scheduler.cancelAll(in: RoomID("b"))
        #expect(scheduler.finish(onScreen: []).isEmpty)
    }

    @Test("Random rooms and ends: the limit is kept, and everything runs once")
    func random() {
        var random = SeededGenerator(seed: 8)
        var scheduler = FetchScheduler(limit: 3)
        var started: [FetchScheduler.Fetch] = []
        var ended = 0
        for number in 1...500 {
            let room = "\(Int.random(in: 0..<20, using: &random))"
            started += scheduler.add(fetch(room, UInt64(number)), onScreen: [RoomID("3")])
            while started.count - ended > 0, Bool.random(using: &random) {
                ended += 1
                started += scheduler.finish(onScreen: [])
            }
            #expect(started.count - ended <= 3)
        }
        while ended < started.count {
            ended += 1
            started += scheduler.finish(onScreen: [])
        }
        #expect(Set(started).count == 500)
        #expect(started.count == 500)
    }
}
