#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTransport
import RejoinWire
import Testing

@Suite("The fault proxy on real sockets (each fault is what it says)")
struct FaultProxyTests {
    /// Runs `body` with a server and a proxy before it.
    private func run(_ body: (TestServer, FaultProxy) async throws -> Void) async throws {
        try await TestServer.run { test in
            let proxy = try FaultProxy(to: test.port)
            defer { proxy.stop() }
            try await body(test, proxy)
        }
    }

    private func socket(_ test: TestServer, _ proxy: FaultProxy) async throws -> RawWebSocket {
        let socket = try await RawWebSocket(port: proxy.port)
        #expect(try await socket.connect(test.token(TestServer.bob)).command == .connected)
        let destination = test.format.destination(of: TestServer.room)
        #expect(try await socket.subscribe(destination).command == .receipt)
        return socket
    }

    /// A request that is answered by 401, and the whole of its answer's beginning.
    private let request = "GET /v1/rooms HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("pass: a conversation goes through, and the bytes are counted")
    func pass() async throws {
        try await run { test, proxy in
            let socket = try await socket(test, proxy)
            try await test.say("hello", as: TestServer.ann)
            #expect(try await socket.frame().command == .message)
            let statistics = await proxy.statistics()
            #expect(statistics.open == 1)
            #expect(statistics.accepted == 1)
            #expect(statistics.bytesUp > 100)
            #expect(statistics.bytesDown > 100)
        }
    }

    @Test("refuse: a new connection is reset, an open one goes on, and later all is well")
    func refuse() async throws {
        try await run { test, proxy in
            let open = try await socket(test, proxy)
            proxy.refuse()
            let refused = try RawSocket(port: proxy.port)
            try? await refused.send(request)
            #expect(await refused.receiveAll().isEmpty)
            try await test.say("hello", as: TestServer.ann)
            #expect(try await open.frame().command == .message)
            proxy.pass()
            _ = try await socket(test, proxy)
            #expect(await proxy.statistics().refused == 1)
        }
    }

    @Test("a target that nobody listens on is a refusal too, and a new target a way out")
    func retarget() async throws {
        try await run { test, proxy in
            await test.server.stop()
            let refused = try RawSocket(port: proxy.port)
            #expect(await refused.receiveAll().isEmpty)
            let port = try await test.server.start()
            proxy.retarget(to: port)
            _ = try await socket(test, proxy)
        }
    }

    @Test("reset: both sides see RST")
    func reset() async throws {
        try await run { _, proxy in
            let raw = try RawSocket(port: proxy.port)
            try await raw.send(request)
            #expect(try await !raw.receive().isEmpty)
            proxy.reset()
            let failure = await #expect(throws: RawSocket.Failure.self) {
                _ = try await raw.receive()
            }
            #expect(failure?.isReset == true)
            #expect(await proxy.statistics().open == 0)
        }
    }

    @Test("close: both sides see an ordinary end")
    func close() async throws {
        try await run { _, proxy in
            let raw = try RawSocket(port: proxy.port)
            try await raw.send(request)
            #expect(try await !raw.receive().isEmpty)
            proxy.close()
            #expect(try await raw.receive().isEmpty)
        }
    }

    @Test("cut: the connection ends after exactly so many bytes", arguments: [0, 1, 40, 77])
    func cut(count: Int) async throws {
        try await run { _, proxy in
            let raw = try RawSocket(port: proxy.port)
            try await raw.send(request)
            #expect(try await !raw.receive().isEmpty)
            proxy.set(.cut(after: count), for: .down)
            await proxy.settle()
            try? await raw.send(request)
            #expect(await raw.receiveAll().count == count)
        }
    }

    @Test("half-open: both ways are swallowed, the socket stays, and new ones are caught too")
    func halfOpen() async throws {
        try await run { test, proxy in
            let socket = try await socket(test, proxy)
            proxy.set(.swallow)
            await proxy.settle()
            let lost = try await test.say("lost", as: TestServer.ann)
            try await socket.send(StompFrame(.unsubscribe, headers: [("id", "0")]))
            let fresh = try RawSocket(port: proxy.port)
            try await fresh.send(request)
            // The proxy has read both once they have come through another, whole connection.
            var open = 0
            for _ in 0..<10_000 where open < 2 { open = await proxy.statistics().open }
            #expect(open == 2)
            try await test.say("lost too", as: TestServer.ann)
            for _ in 0..<100 { await proxy.settle() }
            proxy.pass()
            await proxy.settle()
            let next = try await test.say("next", as: TestServer.ann)
            let event = try test.format.decodeEvent(
                try await socket.frame().body, at: test.format.destination(of: TestServer.room))
            guard case .created(let message, _) = event.kind else {
                Issue.record("\(event)")
                return
            }
            #expect(message == next)
            #expect(message.id > lost.id)
        }
    }

    @Test("one direction alone: what goes up arrives although nothing comes down")
    func oneWay() async throws {
        try await run { test, proxy in
            let socket = try await socket(test, proxy)
            let witness = try await test.socket(TestServer.ann)
            try await witness.subscribe(test.format.destination(of: TestServer.room))
            proxy.set(.swallow, for: .down)
            await proxy.settle()
            let sent = draft("arrives")
            let wire = try #require(
                test.format.encode(RoomCommand(room: TestServer.room, kind: .send(sent))))
            try await socket.send(
                StompFrame(.send, headers: [("destination", wire.destination)], body: wire.body)
            )
            #expect(try await witness.frame().command == .message)
            let stored = try await test.server.messages(in: TestServer.room)
            #expect(stored.map(\.clientID) == [sent.clientID])
        }
    }

    @Test("throttle: a read sees a single byte, and what was sent is whole in the end")
    func throttle() async throws {
        try await run { _, proxy in
            let raw = try RawSocket(port: proxy.port)
            proxy.set(.throttle(interval: .seconds(3_600)), for: .down)
            await proxy.settle()
            try await raw.send(request)
            let first = try await raw.receive()
            #expect(first == [UInt8(ascii: "H")])
            proxy.pass()
            let rest = try await raw.receive()
            #expect(String(decoding: first + rest, as: UTF8.self).hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test("delay: nothing is lost or reordered")
    func delay() async throws {
        try await run { test, proxy in
            let socket = try await socket(test, proxy)
            proxy.set(.delay(.milliseconds(20)))
            await proxy.settle()
            var sent: [MessageID] = []
            for number in 1...10 {
                sent.append(try await test.say("message \(number)", as: TestServer.ann).id)
            }
            var met: [MessageID] = []
            for _ in sent {
                let event = try test.format.decodeEvent(
                    try await socket.frame().body,
                    at: test.format.destination(of: TestServer.room))
                if case .created(let message, _) = event.kind { met.append(message.id) }
            }
            #expect(met == sent)
        }
    }

    @Test("a stopped proxy refuses, and its commands do no harm")
    func stopped() async throws {
        try await run { _, proxy in
            let raw = try RawSocket(port: proxy.port)
            proxy.stop()
            #expect(await raw.receiveAll().isEmpty)
            proxy.reset()
            #expect(await proxy.statistics().accepted == 0)
        }
    }
}
#endif
