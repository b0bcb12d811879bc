#if os(Linux)
import Foundation
import RejoinTime

/// The proxy's sockets and what it does with them; used by the loop's thread alone.
struct ProxyWorld {
    let listener: Int32
    var target: UInt16
    var refuses = false
    private(set) var statistics = FaultProxy.Statistics()
    private let bufferBytes: Int
    private let maximumConnections: Int
    private var flows: [FaultProxy.Direction: FaultProxy.Flow] = [:]
    private var links: [Link] = []
    private let time = SystemTime()
    private var scratch: [UInt8]

    /// One connection: the client's socket, ours to the server, and a pipe each way.
    private struct Link {
        let client: Int32
        let server: Int32
        var isConnected = false
        var up: ProxyPipe
        var down: ProxyPipe
        var upIsEnded = false
        var downIsEnded = false
    }

    init(listener: Int32, target: UInt16, bufferBytes: Int, maximumConnections: Int) {
        self.listener = listener
        self.target = target
        self.bufferBytes = bufferBytes
        self.maximumConnections = maximumConnections
        scratch = [UInt8](repeating: 0, count: min(bufferBytes, 64 << 10))
    }

    // MARK: Commands

    mutating func set(_ flow: FaultProxy.Flow, for direction: FaultProxy.Direction?) {
        let now = time.now
        for way in FaultProxy.Direction.allCases where direction == nil || direction == way {
            flows[way] = flow
            for index in links.indices {
                switch way {
                case .up: links[index].up.set(flow, at: now)
                case .down: links[index].down.set(flow, at: now)
                }
            }
        }
    }

    mutating func closeAll(resetting: Bool) {
        for link in links { close(link, resetting: resetting) }
        links = []
        statistics.open = 0
    }

    // MARK: Polling

    /// What to poll: the waker first, the listener, then two sockets for each connection.
    func interests(and waker: Int32) -> [pollfd] {
        let now = time.now
        var polled = [
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: links.count < maximumConnections ? listener : -1, events: Int16(POLLIN),
                revents: 0),
        ]
        for link in links {
            polled.append(
                Self.interest(link.client, reading: link.up, writing: link.down, at: now))
            var server = Self.interest(
                link.server, reading: link.down, writing: link.up, at: now)
            if !link.isConnected { server.events = Int16(POLLOUT) }
            polled.append(server)
        }
        return polled
    }

    private static func interest(
        _ descriptor: Int32, reading: ProxyPipe, writing: ProxyPipe, at now: Instant
    ) -> pollfd {
        var events: Int32 = 0
        if reading.room > 0, !reading.hasEnded { events |= POLLIN }
        if writing.ready(at: now) > 0 { events |= POLLOUT }
        // Without interest the socket is left out: a hang-up would end every poll at once.
        return pollfd(fd: events == 0 ? -1 : descriptor, events: Int16(events), revents: 0)
    }

    /// How long `poll` may wait, in milliseconds.
    var pollTimeout: Int32 {
        let now = time.now
        let due = links.lazy.flatMap {
            [$0.up.nextDeadline(at: now), $0.down.nextDeadline(at: now)].compactMap(\.self)
        }.min()
        guard let due else { return -1 }
        // Rounded up, so that the byte is due when the poll ends.
        return Int32(clamping: max(0, now.duration(to: due).wholeNanoseconds / 1_000_000 + 1))
    }

    /// Does what the poll found possible.
    mutating func serve(_ polled: ArraySlice<pollfd>) {
        let now = time.now
        var kept: [Link] = []
        kept.reserveCapacity(links.count + 1)
        for (index, link) in links.enumerated() {
            var link = link
            let client = polled[polled.startIndex + 1 + 2 * index]
            let server = polled[polled.startIndex + 2 + 2 * index]
            switch move(&link, client.revents, server.revents, at: now) {
            case .goesOn: kept.append(link)
            case .ends(let resetting):
                close(link, resetting: resetting)
                statistics.open -= 1
            }
        }
        links = kept
        if let first = polled.first, first.revents != 0 { accept(at: now) }
    }

    private enum Fate {
        case goesOn
        case ends(resetting: Bool)
    }

    // MARK: Connections

    private mutating func accept(at now: Instant) {
        while links.count < maximumConnections {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            ProxySocket.prepare(client)
            let server = refuses ? -1 : ProxySocket.connecting(to: target)
            guard server >= 0 else {
                statistics.refused += 1
                ProxySocket.close(client, resetting: true)
                continue
            }
            statistics.accepted += 1
            statistics.open += 1
            links.append(
                Link(
                    client: client, server: server,
                    up: ProxyPipe(flows[.up] ?? .pass, capacity: bufferBytes, at: now),
                    down: ProxyPipe(flows[.down] ?? .pass, capacity: bufferBytes, at: now)))
        }
    }

    private mutating func move(
        _ link: inout Link, _ client: Int16, _ server: Int16, at now: Instant
    ) -> Fate {
        if !link.isConnected, server != 0 {
            guard !ProxySocket.hasFailed(link.server) else { return .ends(resetting: true) }
            link.isConnected = true
        }
        guard
            read(link.client, client, into: &link.up, at: now),
            read(link.server, link.isConnected ? server : 0, into: &link.down, at: now)
        else { return .ends(resetting: true) }
        let (up, down) = (link.up.passed, link.down.passed)
        guard
            !link.isConnected || write(&link.up, to: link.server, at: now),
            write(&link.down, to: link.client, at: now)
        else { return .ends(resetting: true) }
        statistics.bytesUp += link.up.passed - up
        statistics.bytesDown += link.down.passed - down
        if link.up.isCut || link.down.isCut { return .ends(resetting: false) }
        if link.up.passesEnd, !link.upIsEnded {
            link.upIsEnded = true
            ProxySocket.endWriting(link.server)
        }
        if link.down.passesEnd, !link.downIsEnded {
            link.downIsEnded = true
            ProxySocket.endWriting(link.client)
        }
        // Both are gone: nobody is left to notice, not even where the ends were swallowed.
        return link.up.isOver && link.down.isOver ? .ends(resetting: false) : .goesOn
    }

    /// `false` where the connection broke. A half-open direction hides that, too.
    private mutating func read(
        _ descriptor: Int32, _ events: Int16, into pipe: inout ProxyPipe, at now: Instant
    ) -> Bool {
        guard Int32(events) & (POLLIN | POLLHUP | POLLERR) != 0, pipe.room > 0, !pipe.hasEnded
        else { return true }
        let room = min(pipe.room, scratch.count)
        let reading = scratch.withUnsafeMutableBytes {
            ProxySocket.read(
                descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room]))
        }
        switch reading {
        case .bytes(let count): pipe.take(scratch[..<count], at: now)
        case .end: pipe.end()
        case .nothing: break
        case .failed:
            guard case .swallow = pipe.flow else { return false }
            pipe.end()
        }
        return true
    }

    private func write(_ pipe: inout ProxyPipe, to descriptor: Int32, at now: Instant) -> Bool {
        let ready = pipe.ready(at: now)
        guard ready > 0 else { return true }
        let count = pipe.withBytes(ready) { ProxySocket.write($0, to: descriptor) }
        guard count >= 0 else { return false }
        pipe.pass(count, at: now)
        return true
    }

    private func close(_ link: Link, resetting: Bool) {
        ProxySocket.close(link.client, resetting: resetting)
        ProxySocket.close(link.server, resetting: resetting)
    }
}
#endif
