#if os(Linux)
package import RejoinTime

/// One direction of one proxied connection, without its sockets: what came in, when it may go
/// on, and when the connection is to be cut. A core; the loop moves the bytes.
package struct ProxyPipe {
    private(set) var flow = FaultProxy.Flow.pass
    /// Bytes taken and not yet passed on.
    private var buffer: ContiguousArray<UInt8> = []
    private var start = 0
    /// How many bytes came by when; only a delay needs it.
    private var arrivals: [Arrival] = []
    private let capacity: Int
    /// What may still pass before the cut.
    private var beforeCut: Int?
    private var nextByte = Instant.origin
    /// The sender has ended its stream.
    private(set) var hasEnded = false
    package private(set) var passed = 0

    private struct Arrival {
        var count: Int
        let due: Instant
    }

    package init(_ flow: FaultProxy.Flow, capacity: Int, at now: Instant) {
        self.capacity = capacity
        set(flow, at: now)
    }

    private var waiting: Int { buffer.count - start }

    /// How many bytes may be read from the sender now: back-pressure where it is 0.
    package var room: Int {
        if case .swallow = flow { return capacity }
        return hasEnded ? 0 : capacity - waiting
    }

    /// Changes what happens to bytes, those that wait included.
    package mutating func set(_ flow: FaultProxy.Flow, at now: Instant) {
        self.flow = flow
        beforeCut = nil
        switch flow {
        case .cut(let count): beforeCut = max(0, count)
        case .swallow: drop()
        case .throttle: nextByte = now
        case .pass, .delay: break
        }
        arrivals = waiting > 0 ? [Arrival(count: waiting, due: now)] : []
    }

    /// Bytes came from the sender.
    package mutating func take(_ bytes: some Collection<UInt8>, at now: Instant) {
        if case .swallow = flow { return }
        buffer.append(contentsOf: bytes)
        if case .delay(let wait) = flow {
            arrivals.append(Arrival(count: bytes.count, due: now + wait))
        }
    }

    /// The sender ended its stream.
    package mutating func end() {
        hasEnded = true
    }

    /// Whether the connection is to be cut now.
    package var isCut: Bool { beforeCut == 0 }

    /// Whether nothing more comes and nothing waits.
    package var isOver: Bool { hasEnded && waiting == 0 }

    /// Whether the end of the stream is to be passed on now.
    package var passesEnd: Bool {
        if case .swallow = flow { return false }
        return isOver
    }

    /// How many bytes may go on now.
    package func ready(at now: Instant) -> Int {
        guard waiting > 0 else { return 0 }
        switch flow {
        case .pass: return waiting
        case .swallow: return 0
        case .delay: return arrivals.prefix { $0.due <= now }.reduce(0) { $0 + $1.count }
        case .throttle: return now >= nextByte ? 1 : 0
        case .cut: return min(waiting, beforeCut ?? waiting)
        }
    }

    /// When more bytes may go on without anything coming in; `nil`: not by itself.
    package func nextDeadline(at now: Instant) -> Instant? {
        guard waiting > 0, ready(at: now) == 0 else { return nil }
        switch flow {
        case .delay: return arrivals.first?.due
        case .throttle: return nextByte
        case .pass, .swallow, .cut: return nil
        }
    }

    /// Lends the first `count` waiting bytes.
    package func withBytes<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        buffer.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
        }
    }

    /// The receiver has taken `count` bytes.
    package mutating func pass(_ count: Int, at now: Instant) {
        guard count > 0 else { return }
        start += count
        passed += count
        beforeCut = beforeCut.map { $0 - count }
        if case .throttle(let interval) = flow { nextByte = now + interval }
        var rest = count
        while rest > 0, let first = arrivals.first {
            let taken = min(rest, first.count)
            rest -= taken
            if taken == first.count {
                arrivals.removeFirst()
            } else {
                arrivals[0].count -= taken
            }
        }
        if start == buffer.count { drop() }
    }

    private mutating func drop() {
        buffer.removeAll(keepingCapacity: true)
        start = 0
        arrivals = []
    }
}
#endif
