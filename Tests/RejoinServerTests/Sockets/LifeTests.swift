#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTransport
import RejoinWire
import Testing

@Suite("Start, stop, kill and start again")
struct LifeTests {
    @Test("a stop closes WebSockets with 1001, and everything is there after a new start")
    func gracefulStop() async throws {
        try await TestServer.run { test in
            let socket = try await test.socket(TestServer.ann)
            let message = try await test.say("hello", as: TestServer.ann)
            let idle = try RawSocket(port: test.port)
            await test.server.stop()
            await #expect(throws: RawWebSocket.Closed(code: 1001, reason: "the server stops")) {
                _ = try await socket.frame()
            }
            #expect(await idle.receiveAll() == [])
            #expect(throws: RawSocket.Failure.self) { try RawSocket(port: test.port) }
            // The log was folded into the file, so the file alone is a copy of everything.
            let log = test.directory + "/rejoin.sqlite-wal"
            #expect(!FileManager.default.fileExists(atPath: log))
            #expect(try await test.server.start() == test.port)
            #expect(try await test.server.messages(in: TestServer.room) == [message])
        }
    }

    @Test("after a kill, what was answered is there, and IDs and revisions go on")
    func kill() async throws {
        try await TestServer.run { test in
            let socket = try await test.socket(TestServer.bob)
            var answered: [Message] = []
            for round in 1...3 {
                for number in 1...5 {
                    answered.append(
                        try await test.say("\(round) \(number)", as: TestServer.ann))
                }
                await test.server.kill()
                #expect(try await test.server.start() == test.port)
                #expect(try await test.server.messages(in: TestServer.room) == answered)
            }
            #expect(answered.map(\.id) == answered.map(\.id).sorted())
            #expect(answered.compactMap(\.revision) == (1...15).map { Revision($0) })
            // The socket ended without a closing handshake.
            await #expect(throws: RawWebSocket.Closed(code: nil, reason: "end of stream")) {
                _ = try await socket.frame()
            }
        }
    }

    @Test("while it stops, a server answers 503 with the time to wait")
    func overload() async throws {
        try await TestServer.run { test in
            // A reader that does not read keeps the server from being done at once.
            let slow = try await RawWebSocket(port: test.port, receiveBufferBytes: 4_096)
            try await slow.connect(test.token(TestServer.bob))
            try await slow.subscribe(test.format.destination(of: TestServer.room))
            let text = String(repeating: "x", count: 200_000)
            for _ in 0..<20 {
                try await test.server.post(
                    [draft(text)], as: TestServer.ann, in: TestServer.room)
            }
            async let stop: Void = test.server.stop(within: .seconds(30))
            var refusal: HTTPResponse?
            while refusal?.status != 503 {
                let http = try RawHTTP(port: test.port)
                refusal = try? await http.response(
                    to: test.format.encode(.rooms), token: test.token(TestServer.ann))
            }
            #expect(refusal?.headers["retry-after"] == "1")
            await #expect(throws: RawWebSocket.Closed(code: 1001, reason: "the server stops")) {
                while true { _ = try await slow.frame() }
            }
            await slow.end()
            await stop
        }
    }

    @Test("late commits are finished by a stop, and lost by a kill before their answer")
    func lateCommits() async throws {
        try await TestServer.run {
            $0.behaviour.settle = .seconds(3_600)
        } _: { test in
            let send = draft("waits")
            let command = RoomCommand(room: TestServer.room, kind: .send(send))
            let wire = try #require(test.format.encode(command))
            let frame = StompFrame(
                .send, headers: [("destination", wire.destination), ("receipt", "r")],
                body: wire.body)
            var socket = try await test.socket(TestServer.ann)
            try await socket.send(frame)
            // The receipt of a later frame shows that the SEND was taken.
            try await socket.subscribe(test.format.destination(of: TestServer.room))
            await test.server.kill()
            try await test.server.start()
            #expect(try await test.server.messages(in: TestServer.room).isEmpty)

            socket = try await test.socket(TestServer.ann)
            try await socket.send(frame)
            try await socket.subscribe(test.format.destination(of: TestServer.room))
            await test.server.stop()
            #expect(try await socket.frame().command == .message)
            #expect(try await socket.frame().headers["receipt-id"] == "r")
            try await test.server.start()
            let stored = try await test.server.messages(in: TestServer.room)
            #expect(stored.map(\.clientID) == [send.clientID])
        }
    }

    @Test("what cannot start says why in one line")
    func failures() async throws {
        try await TestServer.run { test in
            var other = test.server.configuration
            other.directory = test.directory + "-other"
            other.port = test.port
            #expect(await code(of: other) == .portInUse)
            other.port = 0
            other.directory = test.directory
            #expect(await code(of: other) == .badDirectory)
            other.directory = "/proc/nowhere"
            #expect(await code(of: other) == .badDirectory)
            other.directory = test.directory + "-other"
            other.host = "example.org"
            #expect(await code(of: other) == .invalidArgument)
            other.host = "192.0.2.1"
            #expect(await code(of: other) == .cannotListen)
            other.host = "127.0.0.1"
            other.tls = TLSFiles(certificate: "/nowhere.pem", privateKey: "/nowhere.key")
            #expect(await code(of: other) == .badCertificate)
            try? FileManager.default.removeItem(atPath: test.directory + "-other")
            await #expect(throws: ReferenceServerError.self) { try await test.server.start() }
        }
    }

    @Test("a stopped server answers administration with wrong_state, and stops again in peace")
    func stopped() async throws {
        try await TestServer.run { test in
            await test.server.stop()
            await test.server.stop()
            await test.server.kill()
            await #expect(throws: ReferenceServerError.self) {
                _ = try await test.server.messages(in: TestServer.room)
            }
            await #expect(throws: BackendFailure.self) {
                _ = try await test.server.perform(.rooms, as: TestServer.ann)
            }
        }
    }

    private func code(of configuration: ServerConfiguration) async -> ReferenceServerError.Code? {
        let server = ReferenceServer(configuration)
        do throws(ReferenceServerError) {
            try await server.start()
            await server.stop()
            return nil
        } catch {
            #expect(!error.message.contains("\n"))
            return error.code
        }
    }
}
#endif
