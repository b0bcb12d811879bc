#if os(Linux)
import RejoinContracts
import RejoinModel
import RejoinServer
import RejoinTransport
import RejoinWire
import Testing

@Suite("Bad input never harms the server (\"never traps\", issue: bad input)")
struct HostileInputTests {
    @Test("malformed HTTP: an error or the end of that connection, and the server goes on")
    func http() async throws {
        try await TestServer.run {
            $0.limits.requestTimeout = .seconds(5)
        } _: { test in
            let token = "Authorization: Bearer \(test.token(TestServer.ann))\r\n"
            let requests = [
                "", "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "FOO / HTTP/1.1\r\n\r\n",
                "CONNECT x:1 HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /v1/%zz HTTP/1.1\r\n\r\n", "GET /v1/%00 HTTP/1.1\r\n\r\n",
                "GET /../../etc/passwd HTTP/1.1\r\n\(token)\r\n",
                "GET * HTTP/1.1\r\n\(token)\r\n", "HEAD /v1/rooms HTTP/1.1\r\n\(token)\r\n",
                "OPTIONS /v1/rooms HTTP/1.1\r\n\(token)\r\n",
                "GET /v1/rooms HTTP/1.1\r\nUpgrade: h2c\r\n\(token)\r\n",
                "GET /v1/rooms HTTP/1.1\r\nUpgrade: foo\r\n\(token)\r\n",
                "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                "GET /other HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)content-length: -1\r\n\r\n{}",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)content-length: x\r\n\r\n{}",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)\r\n{}",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)content-length: 99999999999\r\n\r\n{",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)content-length: 4000000\r\n\r\n{",
                "POST /v1/rooms/room/messages HTTP/1.1\r\n\(token)transfer-encoding: chunked\r\n\r\n"
                    + "2\r\n{}\r\n0\r\n\r\n",
                "GET /v1/rooms HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 5_000)
                    + "\r\n",
                "GET /" + String(repeating: "x", count: 60_000) + " HTTP/1.1\r\n\r\n",
                "GET /v1/rooms?" + String(repeating: "a=b&", count: 500) + " HTTP/1.1\r\n\r\n",
            ]
            for request in requests {
                let socket = try RawSocket(port: test.port)
                try? await socket.send(request)
                socket.endWriting()
                let answer = String(decoding: await socket.receiveAll(), as: UTF8.self)
                #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(request.prefix(60))")
            }
            try await expectHealthy(test)
        }
    }

    @Test("RFC 9110 section 9.3.2: the answer to HEAD has no body that the next one would follow")
    func head() async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            let token = "Authorization: Bearer \(test.token(TestServer.ann))\r\n"
            let refused = try await http.response(
                toRaw: Array("HEAD /v1/rooms HTTP/1.1\r\nHost: a\r\n\(token)\r\n".utf8))
            #expect(refused.status == 405)
            #expect(refused.body.isEmpty)
            let rooms = try await http.response(
                toRaw: Array("GET /v1/rooms HTTP/1.1\r\nHost: a\r\n\(token)\r\n".utf8))
            #expect(rooms.status == 200)
        }
    }

    @Test(
        "RFC 9110 section 9.1: a method that the server does not know is 501, in its own form",
        arguments: [
            ("BREW /v1/rooms HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n", 501),
            (
                "M-SEARCH * HTTP/1.1\r\nHost: a\r\ncontent-length: 60000\r\n\r\n"
                    + String(repeating: "x", count: 60_000), 501
            ),
            ("\u{16}\u{3}\u{1}", 400), ("{\"json\":1}\r\n\r\n", 400),
        ])
    func unknownMethod(_ request: String, _ status: Int) async throws {
        try await TestServer.run { test in
            let socket = try RawSocket(port: test.port)
            try await socket.send(request)
            // The server ends the connection by itself.
            let answer = String(decoding: await socket.receiveAll(), as: UTF8.self)
            let parts = answer.split(separator: "\r\n\r\n")
            #expect(parts.count == 2, "\(answer)")
            let head = parts[0].lowercased()
            #expect(head.hasPrefix("http/1.1 \(status) "))
            #expect(head.contains("content-type: application/json"))
            #expect(head.contains("content-length: \(parts[1].utf8.count)"))
            #expect(head.contains("connection: close"))
            let code = status == 501 ? "method_not_implemented" : "rejected"
            #expect(parts[1].hasPrefix("{\"code\":\"\(code)\",\"message\":"))
            try await expectHealthy(test)
        }
    }

    @Test("an unknown method is told from whatever part of the line comes first, and after others")
    func unknownMethodInPieces() async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            let token = test.token(TestServer.ann)
            #expect(
                try await http.response(to: test.format.encode(.rooms), token: token).status == 200)
            let answer = try await http.response(toRaw: Array("BRE".utf8))
            #expect(answer.status == 501)
            await #expect(throws: RawHTTP.Unreadable.self) {
                _ = try await http.response(toRaw: Array("W / HTTP/1.1\r\n\r\n".utf8))
            }
        }
    }

    @Test("RFC 9110 section 15.5.6: 405 says which methods the path has")
    func allow() async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            for (line, allowed) in [
                ("OPTIONS /v1/rooms", "GET"), ("PUT /v1/rooms/room/messages", "GET, POST"),
                ("POST /v1/rooms/room/messages/1", "GET, PATCH, DELETE"),
                ("GET /v1/rooms/room/read", "PUT"),
            ] {
                let response = try await http.response(
                    toRaw: Array(
                        ("\(line) HTTP/1.1\r\nHost: a\r\ncontent-length: 0\r\n"
                            + "Authorization: Bearer \(test.token(TestServer.ann))\r\n\r\n").utf8))
                #expect(response.status == 405, "\(line)")
                #expect(response.headers["allow"] == allowed, "\(line)")
            }
        }
    }

    @Test("malformed JSON is answered by 400 with its place, and changes nothing")
    func json() async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            let good = test.format.encode(.send(TestServer.room, draft("hello")))
            var bodies: [ContiguousArray<UInt8>] = [
                [], [0xFF], ContiguousArray("null".utf8), ContiguousArray("{}".utf8),
                ContiguousArray(String(repeating: "[", count: 50_000).utf8),
            ]
            for end in stride(from: 1, to: good.body.count, by: 7) {
                bodies.append(ContiguousArray(good.body[..<end]))
            }
            for body in bodies {
                var request = good
                request.body = body
                let response = try await http.response(
                    to: request, token: test.token(TestServer.ann))
                #expect((400..<500).contains(response.status))
            }
            #expect(try await test.server.messages(in: TestServer.room).isEmpty)
        }
    }

    @Test("malformed STOMP is answered by ERROR and the end of that connection")
    func stomp() async throws {
        try await TestServer.run { test in
            let room = test.format.destination(of: TestServer.room)
            let streams: [[UInt8]] = [
                "FOO\n\n\0", "SEND\n\n\0", "SEND\ndestination:/nowhere\n\n{}\0",
                "SEND\ndestination:/pub/chat/message\nreceipt:r\n\n{\"room\":\0",
                "SUBSCRIBE\ndestination:\(room)\n\n\0", "SUBSCRIBE\nid:1\n\n\0",
                "SUBSCRIBE\nnocolon\n\n\0", "SUBSCRIBE\nx:a\\tb\n\n\0",
                "BEGIN\ntransaction:t\n\n\0",
                "SEND\ndestination:/pub/chat/message\ncontent-length:99999999999\n\n",
                "SEND\ndestination:/pub/chat/message\ncontent-length:2\n\nabc\0",
                "CONNECT\naccept-version:1.2\n\n\0", "MESSAGE\n\n\0",
                "SEND\n" + String(repeating: "a:b\n", count: 1_000),
                "SEND\na:" + String(repeating: "b", count: 20_000),
            ].map { Array($0.utf8) }
            for stream in streams {
                let socket = try await test.socket(TestServer.ann)
                try await socket.send(opcode: 2, stream)
                #expect(try await socket.frame().command == .error)
                await #expect(throws: RawWebSocket.Closed.self) { _ = try await socket.frame() }
            }
            try await expectHealthy(test)
        }
    }

    @Test("a frame beyond the limit is refused before its body is taken (too_large, 1009)")
    func tooLarge() async throws {
        try await TestServer.run {
            $0.limits.contentBytes = 1_000
        } _: { test in
            let socket = try await test.socket(TestServer.ann)
            try await socket.send(
                text: Array("SEND\ndestination:/d\ncontent-length:9999999\n\n".utf8))
            #expect(try await socket.frame().headers["code"] == "too_large")
            await #expect(throws: RawWebSocket.Closed(code: 1009, reason: "too_large")) {
                _ = try await socket.frame()
            }
        }
    }

    @Test("malformed WebSocket frames end that connection alone")
    func webSocket() async throws {
        try await TestServer.run { test in
            let streams: [[UInt8]] = [
                [0xF1, 0x80, 1, 2, 3, 4],
                [0x83, 0x80, 1, 2, 3, 4],
                [0x80, 0x80, 1, 2, 3, 4], RawWebSocket.frame(opcode: 1, [0xC3, 0x28]),
                RawWebSocket.frame(opcode: 9, [UInt8](repeating: 0, count: 126)),
                RawWebSocket.frame(opcode: 8, [0x03]),
                RawWebSocket.frame(opcode: 8, [0x03, 0xED]),
                [0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4],
            ]
            for stream in streams {
                let socket = try await test.socket(TestServer.ann)
                try await socket.send(raw: stream)
                await #expect(throws: RawWebSocket.Closed.self) { _ = try await socket.frame() }
            }
            try await expectHealthy(test)
        }
    }

    @Test("random bytes on every layer, from seeds", arguments: 1...8)
    func noise(seed: Int) async throws {
        try await TestServer.run { test in
            var random = SeededGenerator(seed: UInt64(seed))
            for layer in 0..<12 {
                let count = Int.random(in: 1...2_000, using: &random)
                let bytes = (0..<count).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                switch layer % 3 {
                case 0:
                    let socket = try RawSocket(port: test.port)
                    try? await socket.send(bytes)
                    socket.endWriting()
                    _ = await socket.receiveAll()
                case 1:
                    let socket = try await test.socket(TestServer.ann)
                    try? await socket.send(raw: bytes)
                default:
                    let socket = try await test.socket(TestServer.ann)
                    try? await socket.send(opcode: 2, bytes)
                }
            }
            try await expectHealthy(test)
        }
    }

    @Test(
        "more connections than the limit are closed at once, and room comes back (promise P7)")
    func connectionLimit() async throws {
        try await TestServer.run {
            $0.limits.connections = 8
        } _: { test in
            var held: [RawSocket] = []
            var isRefused = false
            for _ in 0..<20 {
                let socket = try RawSocket(port: test.port)
                held.append(socket)
                try? await socket.send("GET /v1/rooms HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = (try? await socket.receive()) ?? []
                isRefused = isRefused || answer.isEmpty
            }
            #expect(isRefused)
            held = []
            // The server notices the ends one after the other; a try costs it a round.
            var status: Int?
            for _ in 0..<10_000 where status == nil {
                status = try? await RawHTTP(port: test.port)
                    .response(to: test.format.encode(.rooms), token: nil).status
            }
            #expect(status == 401)
        }
    }

    /// The server still serves: a person can send and read, over both ways.
    private func expectHealthy(_ test: TestServer) async throws {
        let message = try await test.say("still here", as: TestServer.bob)
        #expect(try await test.server.messages(in: TestServer.room).last == message)
        let socket = try await test.socket(TestServer.bob)
        let answer = try await socket.subscribe(test.format.destination(of: TestServer.room))
        #expect(answer.command == .receipt)
    }
}
#endif
