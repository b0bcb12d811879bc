#if os(Linux)
import RejoinServer
import RejoinTime
import Testing

@Suite("One direction of the fault proxy")
struct ProxyPipeTests {
    private let start = Instant.origin

    private func at(_ milliseconds: Int64) -> Instant { start + .milliseconds(milliseconds) }

    /// Takes all that may go on now.
    private func drain(_ pipe: inout ProxyPipe, at now: Instant) -> [UInt8] {
        let count = pipe.ready(at: now)
        let bytes = pipe.withBytes(count) { Array($0) }
        pipe.pass(count, at: now)
        return bytes
    }

    @Test("bytes pass in order, whatever pieces the receiver takes")
    func pass() {
        var pipe = ProxyPipe(.pass, capacity: 10, at: start)
        pipe.take([1, 2, 3], at: start)
        pipe.take([4, 5], at: start)
        #expect(pipe.room == 5)
        #expect(pipe.withBytes(2) { Array($0) } == [1, 2])
        pipe.pass(2, at: start)
        pipe.take([6], at: start)
        #expect(drain(&pipe, at: start) == [3, 4, 5, 6])
        #expect(pipe.room == 10)
        #expect(pipe.nextDeadline(at: start) == nil)
    }

    @Test("a delay keeps the order and the distances")
    func delay() {
        var pipe = ProxyPipe(.delay(.milliseconds(50)), capacity: 100, at: start)
        pipe.take([1, 2], at: at(0))
        pipe.take([3], at: at(10))
        #expect(pipe.nextDeadline(at: at(10)) == at(50))
        #expect(drain(&pipe, at: at(49)) == [])
        #expect(drain(&pipe, at: at(50)) == [1, 2])
        #expect(pipe.nextDeadline(at: at(50)) == at(60))
        #expect(drain(&pipe, at: at(60)) == [3])
        pipe.take([4], at: at(61))
        pipe.set(.pass, at: at(62))
        #expect(drain(&pipe, at: at(62)) == [4])
    }

    @Test("a throttle lets one byte go each interval")
    func throttle() {
        var pipe = ProxyPipe(.throttle(interval: .milliseconds(5)), capacity: 100, at: start)
        pipe.take([1, 2, 3], at: start)
        #expect(drain(&pipe, at: start) == [1])
        #expect(drain(&pipe, at: at(4)) == [])
        #expect(pipe.nextDeadline(at: at(4)) == at(5))
        #expect(drain(&pipe, at: at(5)) == [2])
        #expect(drain(&pipe, at: at(100)) == [3])
    }

    @Test("a cut lets exactly so many bytes pass, counted from the command", arguments: 0...4)
    func cut(count: Int) {
        var pipe = ProxyPipe(.pass, capacity: 100, at: start)
        pipe.take([9, 9], at: start)
        _ = drain(&pipe, at: start)
        pipe.set(.cut(after: count), at: start)
        #expect(pipe.isCut == (count == 0))
        pipe.take([1, 2, 3, 4, 5], at: start)
        #expect(drain(&pipe, at: start) == Array([1, 2, 3, 4, 5].prefix(count)))
        #expect(pipe.isCut)
    }

    @Test("what is swallowed never blocks the sender and never comes back, nor does its end")
    func swallow() {
        var pipe = ProxyPipe(.pass, capacity: 4, at: start)
        pipe.take([1, 2, 3, 4], at: start)
        #expect(pipe.room == 0)
        pipe.set(.swallow, at: start)
        #expect(pipe.room == 4)
        pipe.take([5, 6, 7, 8], at: start)
        pipe.end()
        #expect(pipe.ready(at: start) == 0)
        #expect(!pipe.passesEnd)
        #expect(pipe.isOver)
        pipe.set(.pass, at: start)
        #expect(pipe.ready(at: start) == 0)
        #expect(pipe.passesEnd)
    }

    @Test("an end is passed on after the last byte")
    func end() {
        var pipe = ProxyPipe(.pass, capacity: 4, at: start)
        pipe.take([1], at: start)
        pipe.end()
        #expect(pipe.room == 0)
        #expect(!pipe.passesEnd)
        _ = drain(&pipe, at: start)
        #expect(pipe.passesEnd)
    }
}
#endif
