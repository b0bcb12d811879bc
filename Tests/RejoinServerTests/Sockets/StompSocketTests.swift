#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTransport
import RejoinWire
import Testing

@Suite("STOMP over a real WebSocket (section 9)")
struct StompSocketTests {
    @Test("an event reaches every subscriber after its commit, and the receipt its sender")
    func events() async throws {
        try await TestServer.run { test in
            let destination = test.format.destination(of: TestServer.room)
            let ann = try await test.socket(TestServer.ann)
            let bob = try await test.socket(TestServer.bob)
            try await ann.subscribe(destination)
            try await bob.subscribe(destination)
            let sent = draft("hello")
            try await send(.send(sent), on: ann, test)
            let own = try await ann.frame()
            #expect(try await ann.frame().headers["receipt-id"] == "r")
            let others = try await bob.frame()
            #expect(own.body == others.body)
            let event = try test.format.decodeEvent(others.body, at: destination)
            guard case .created(let message, let author) = event.kind else {
                Issue.record("\(event)")
                return
            }
            #expect(message.clientID == sent.clientID)
            #expect(author?.id == TestServer.ann)
            #expect(event.revision == message.revision)
            #expect(try await test.server.messages(in: TestServer.room) == [message])
        }
    }

    @Test("every kind of change is told, with revisions that follow each other")
    func kinds() async throws {
        try await TestServer.run { test in
            let destination = test.format.destination(of: TestServer.room)
            let bob = try await test.socket(TestServer.bob)
            try await bob.subscribe(destination)
            let message = try await test.say("hello", as: TestServer.ann)
            let room = TestServer.room
            let mark = ReadMark(version: 0, position: message.id)
            for call in [
                BackendCall.edit(room, message.id, [.text("hello!")]),
                .react(room, message.id, emoji: "👍", true), .markRead(room, mark),
                .markRead(room, mark), .delete(room, message.id),
            ] {
                _ = try await test.perform(call, as: TestServer.ann)
            }
            var kinds: [String] = []
            var revisions: [Revision] = []
            for _ in 0..<5 {
                let event = try test.format.decodeEvent(
                    try await bob.frame().body, at: destination)
                revisions += [event.revision].compactMap(\.self)
                switch event.kind {
                case .created: kinds.append("created")
                case .changed(let message):
                    kinds.append(message.isDeleted ? "deleted" : "changed")
                case .read(let user, let told): kinds.append("read \(user) \(told == mark)")
                default: kinds.append("other")
                }
            }
            // A repeated mark changes nothing and is not told again.
            #expect(kinds == ["created", "changed", "changed", "read ann true", "deleted"])
            #expect(revisions == [1, 2, 3, 4].map { Revision($0) })
        }
    }

    @Test("a person's list hears of all rooms, of own reads, and of no one else's")
    func list() async throws {
        try await TestServer.run { test in
            let bob = try await test.socket(TestServer.bob)
            try await bob.subscribe(test.format.roomsDestination)
            let message = try await test.say("hello", as: TestServer.ann)
            let mark = ReadMark(version: 0, position: message.id)
            _ = try await test.perform(.markRead(TestServer.room, mark), as: TestServer.ann)
            _ = try await test.perform(.markRead(TestServer.room, mark), as: TestServer.bob)
            for expected in [
                RoomEvent.Kind.created(
                    message, author: Member(id: TestServer.ann, name: "ann")),
                .read(TestServer.bob, mark),
            ] {
                let frame = try await bob.frame()
                let event = try test.format.decodeEvent(
                    frame.body, at: test.format.roomsDestination)
                #expect(event.kind == expected)
                #expect(event.room == TestServer.room)
            }
        }
    }

    @Test("a refused SEND is told to its sender's room subscription alone, without a receipt")
    func rejected() async throws {
        try await TestServer.run {
            $0.limits.contentBytes = 100
        } _: { test in
            let destination = test.format.destination(of: TestServer.room)
            let ann = try await test.socket(TestServer.ann)
            let bob = try await test.socket(TestServer.bob)
            try await ann.subscribe(destination)
            try await bob.subscribe(destination)
            let tooLong = draft(String(repeating: "x", count: 200))
            try await send(.send(tooLong), on: ann, test)
            let event = try test.format.decodeEvent(try await ann.frame().body, at: destination)
            guard case .rejected(let client, let failure) = event.kind else {
                Issue.record("\(event)")
                return
            }
            #expect(client == tooLong.clientID)
            #expect(failure.code == .tooLarge)
            // The connection goes on, and the next thing that both hear is the next message.
            let good = draft("short")
            try await send(.send(good), on: ann, test)
            for socket in [ann, bob] {
                let event = try test.format.decodeEvent(
                    try await socket.frame().body, at: destination)
                guard case .created(let message, _) = event.kind else {
                    Issue.record("\(event)")
                    continue
                }
                #expect(message.clientID == good.clientID)
            }
        }
    }

    @Test("typing is told to the others and kept nowhere")
    func typing() async throws {
        try await TestServer.run { test in
            let destination = test.format.destination(of: TestServer.room)
            let ann = try await test.socket(TestServer.ann)
            let bob = try await test.socket(TestServer.bob)
            try await ann.subscribe(destination)
            try await bob.subscribe(destination)
            try await send(.typing, on: ann, test)
            #expect(try await ann.frame().command == .receipt)
            let event = try test.format.decodeEvent(try await bob.frame().body, at: destination)
            #expect(event == RoomEvent(room: TestServer.room, kind: .typing(TestServer.ann)))
        }
    }

    @Test("heart-beats come in silence; frames may be cut and joined in any way")
    func shapes() async throws {
        try await TestServer.run {
            $0.heartbeat = .milliseconds(200)
        } _: { test in
            let socket = try await test.socket(TestServer.ann, heartbeat: "0,100")
            #expect(try await socket.message() == [UInt8(ascii: "\n")])
            let subscribe = Array(
                try StompEncoder().encode(
                    StompFrame(
                        .subscribe,
                        headers: [
                            ("id", "a"), ("receipt", "1"),
                            ("destination", test.format.destination(of: TestServer.room)),
                        ])))
            // Byte by byte, each a WebSocket message of its own.
            for byte in subscribe { try await socket.send(opcode: 2, [byte]) }
            #expect(try await socket.frame().headers["receipt-id"] == "1")
            // Fragments of one message, with a ping between them, and two frames in it.
            let one = "UNSUBSCRIBE\nid:a\nreceipt:"
            let end = Array("\(one)2\n\n\0\r\n\n\(one)3\n\n\0".utf8)
            try await socket.send(opcode: 1, isFinal: false, Array(end[..<9]))
            try await socket.send(opcode: 9, [1, 2, 3])
            try await socket.send(opcode: 0, isFinal: true, Array(end[9...]))
            #expect(try await socket.frame().headers["receipt-id"] == "2")
            #expect(try await socket.frame().headers["receipt-id"] == "3")
        }
    }

    @Test("DISCONNECT is answered by its receipt and close code 1000")
    func disconnect() async throws {
        try await TestServer.run { test in
            let socket = try await test.socket(TestServer.ann)
            try await socket.send(StompFrame(.disconnect, headers: [("receipt", "bye")]))
            #expect(try await socket.frame().headers["receipt-id"] == "bye")
            await #expect(throws: RawWebSocket.Closed(code: 1000)) {
                _ = try await socket.frame()
            }
        }
    }

    @Test(
        "subprotocols: the one that both know, none where none was offered",
        arguments: [
            ("v12.stomp, v11.stomp", 101, "v12.stomp"), ("v11.stomp", 101, "v11.stomp"),
            ("mqtt, v10.stomp", 101, "v10.stomp"), ("mqtt", 400, nil),
            ("rejoin-http", 400, nil),
            (nil, 101, nil),
        ] as [(String?, Int, String?)])
    func subprotocols(offered: String?, status: Int, chosen: String?) async throws {
        try await TestServer.run { test in
            let socket = try await RawWebSocket(port: test.port, subprotocols: offered)
            #expect(await socket.status == status)
            let header = await socket.handshake.split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("sec-websocket-protocol:")
            }
            #expect(header?.split(separator: " ").last.map(String.init) == chosen)
        }
    }

    @Test("a consumer that does not read is disconnected, and nobody else notices (promise P7)")
    func slowConsumer() async throws {
        try await TestServer.run {
            $0.limits.outboundBytes = 300_000
        } _: { test in
            let destination = test.format.destination(of: TestServer.room)
            let slow = try await RawWebSocket(port: test.port, receiveBufferBytes: 4_096)
            try await slow.connect(test.token(TestServer.bob))
            try await slow.subscribe(destination)
            let ann = try await test.socket(TestServer.ann)
            try await ann.subscribe(destination)
            let text = String(repeating: "x", count: 100_000)
            // Far more than the limit and both socket buffers hold.
            for _ in 0..<120 {
                try await test.server.post(
                    [draft(text)], as: TestServer.ann, in: TestServer.room)
                #expect(try await ann.frame().command == .message)
            }
            var received = 0
            await #expect(throws: RawWebSocket.Closed.self) {
                while true {
                    _ = try await slow.frame()
                    received += 1
                }
            }
            #expect(received < 120)
        }
    }

    private func send(_ kind: RoomCommand.Kind, on socket: RawWebSocket, _ test: TestServer)
        async throws
    {
        let command = RoomCommand(room: TestServer.room, kind: kind)
        let send = try #require(test.format.encode(command))
        try await socket.send(
            StompFrame(
                .send,
                headers: [
                    ("destination", send.destination), ("content-type", send.contentType),
                    ("receipt", "r"),
                ], body: send.body))
    }
}
#endif
