#if os(Linux)
import Foundation
import RejoinContracts
import RejoinTransport
import RejoinWebSocket
import Testing

/// What belongs to this connector alone; the rest is the contract.
@Suite("LibWebSocketsConnector")
struct LibWebSocketsConnectorTests {
    private func failure(
        _ request: WebSocketRequest, _ connector: LibWebSocketsConnector = .init()
    ) async -> WebSocketError? {
        do throws(WebSocketError) {
            (try await connector.connect(request)).abandon()
            return nil
        } catch {
            return error
        }
    }

    @Test("a port on which nobody listens is unreachable, in plain text and under TLS")
    func nobodyListens() async throws {
        let peer = try LoopbackWebSocketPeer()
        peer.stop()
        for scheme in ["ws", "wss"] {
            for host in ["127.0.0.1", "localhost"] {
                let error = await failure(
                    WebSocketRequest(
                        url: "\(scheme)://\(host):\(peer.port)/", timeout: .seconds(10)))
                #expect(error?.code == .unreachable, "\(scheme) \(host)")
            }
        }
    }

    @Test("a host without an address is unreachable")
    func unknownHost() async {
        let error = await failure(
            WebSocketRequest(url: "ws://does-not-exist.invalid/", timeout: .seconds(20)))
        #expect(error?.code == .unreachable || error?.code == .timedOut)
    }

    @Test("what the library would cut silently is refused")
    func libraryLimits() async {
        let longHost = String(repeating: "a", count: 120)
        let longPath = String(repeating: "a", count: 2100)
        for url in ["ws://\(longHost)/", "ws://h/\(longPath)", "wss://[::1]/"] {
            #expect(await failure(WebSocketRequest(url: url))?.code == .invalidRequest)
        }
    }

    @Test("a missing file of authorities is told before anything is opened")
    func missingAuthorities() async {
        let error = await failure(
            WebSocketRequest(url: "wss://localhost/"),
            LibWebSocketsConnector(certificateAuthorities: "/nonexistent/authorities.pem"))
        #expect(error?.code == .invalidRequest)
    }

    @Test("text that is not UTF-8 is refused before it leaves, and harms nothing")
    func invalidText() async throws {
        let peer = try LoopbackWebSocketPeer()
        defer { peer.stop() }
        let connection = try await LibWebSocketsConnector().connect(
            WebSocketRequest(url: peer.url(.echo)))
        let error = await #expect(throws: WebSocketError.self) {
            try await connection.send(.text([0xFF]))
        }
        #expect(error?.code == .invalidRequest)
        try await connection.send(.text([0x61]))
        #expect(try await connection.receive() == .text([0x61]))
    }

    @Test("two readers are told apart")
    func secondReader() async throws {
        let peer = try LoopbackWebSocketPeer()
        defer { peer.stop() }
        let connection = try await LibWebSocketsConnector().connect(
            WebSocketRequest(url: peer.url(.mute)))
        let codes = await withTaskGroup(of: WebSocketError.Code?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do throws(WebSocketError) {
                        _ = try await connection.receive()
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            let first = await group.next() ?? nil
            connection.abandon()
            let second = await group.next() ?? nil
            return [first, second]
        }
        #expect(codes == [.invalidRequest, .closed])
    }

    @Test("a connection outlives its connector")
    func outlives() async throws {
        let peer = try LoopbackWebSocketPeer()
        defer { peer.stop() }
        let connection = try await LibWebSocketsConnector().connect(
            WebSocketRequest(url: peer.url(.echo)))
        for number in 0..<20 {
            try await connection.send(.text(ContiguousArray("\(number)".utf8)))
            #expect(try await connection.receive() == .text(ContiguousArray("\(number)".utf8)))
        }
    }

    @Test("many connectors come and go together, each with its thread", .timeLimit(.minutes(1)))
    func comingAndGoing() async throws {
        let peer = try LoopbackWebSocketPeer()
        defer { peer.stop() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for round in 0..<5 {
                        let connector = LibWebSocketsConnector()
                        let connection = try await connector.connect(
                            WebSocketRequest(url: peer.url(.echo)))
                        try await connection.send(.text([0x61]))
                        #expect(try await connection.receive() == .text([0x61]))
                        if round % 2 == 0 { connection.abandon() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("one connector serves many connections, cancelled and abandoned at any moment")
    func stress() async throws {
        let peer = try LoopbackWebSocketPeer()
        defer { peer.stop() }
        let connector = LibWebSocketsConnector()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<60 {
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        inner.addTask {
                            guard
                                let connection = try? await connector.connect(
                                    WebSocketRequest(url: peer.url(.echo)))
                            else { return }
                            for number in 0..<10 {
                                try? await connection.send(
                                    .binary(ContiguousArray(repeating: 1, count: 20_000)))
                                if number == index % 10 { connection.abandon() }
                                _ = try? await connection.receive()
                            }
                        }
                        for _ in 0..<(index % 7) { await Task.yield() }
                        if index % 3 == 0 { inner.cancelAll() }
                    }
                }
            }
        }
        let connection = try await connector.connect(WebSocketRequest(url: peer.url(.echo)))
        try await connection.send(.text([0x62]))
        #expect(try await connection.receive() == .text([0x62]))
    }
}
#endif
