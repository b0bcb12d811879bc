#if os(Linux)
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinWire
import Testing

@Suite("Requests that do not wait for answers (RFC 9112 section 9.3.2)")
struct PipeliningTests {
    @Test(
        "pipelined bodies, with or without a token, end that connection at worst; the server goes on",
        arguments: [true, false])
    func bodies(hasToken: Bool) async throws {
        try await TestServer.run { test in
            let token = hasToken ? test.token(TestServer.ann) : "none"
            let get = "GET /v1/rooms HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n\r\n"
            func with(_ method: String, _ path: String, _ body: String) -> String {
                "\(method) /v1/rooms/room/\(path) HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n"
                    + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            let post = with("POST", "messages", "{}")
            let put = with("PUT", "read", "{}")
            let empty = with("PUT", "read", "")
            let delete = with("DELETE", "messages/1", "{}")
            for requests in [
                [post, post], [get, post], [post, get], [get, post, get], [put, put], [get, put],
                [empty, empty], [get, empty], [empty, post], [delete, delete], [get, delete],
                [get, get, get, post, post, post],
            ] {
                let socket = try RawSocket(port: test.port)
                try await socket.send(requests.joined())
                socket.endWriting()
                let answer = String(decoding: await socket.receiveAll(), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 "))
                _ = try await test.perform(.rooms, as: TestServer.ann)
            }
        }
    }

    @Test("pipelined requests without bodies are all answered, in order")
    func answers() async throws {
        try await TestServer.run { test in
            let token = test.token(TestServer.ann)
            let socket = try RawSocket(port: test.port)
            try await socket.send(
                String(
                    repeating: "GET /v1/rooms HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n\r\n",
                    count: 20))
            socket.endWriting()
            let answer = String(decoding: await socket.receiveAll(), as: UTF8.self)
            #expect(answer.split(separator: "HTTP/1.1 200").count == 20)
        }
    }

    @Test("pipelining behind a send that waits for its late commit harms that connection alone")
    func late() async throws {
        try await TestServer.run {
            $0.behaviour.settle = .milliseconds(500)
        } _: { test in
            let token = test.token(TestServer.ann)
            let send = test.format.encode(.send(TestServer.room, draft("hello")))
            let post =
                "POST \(send.path) HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n"
                + "content-length: \(send.body.count)\r\n\r\n"
                + String(decoding: send.body, as: UTF8.self)
            let socket = try RawSocket(port: test.port)
            try await socket.send(post + post)
            _ = try await test.perform(.rooms, as: TestServer.ann)
            _ = await socket.receiveAll()
            _ = try await test.say("and another", as: TestServer.bob)
        }
    }

    @Test("a body that trickles in for longer than a request may take ends the connection")
    func trickle() async throws {
        try await TestServer.run {
            $0.limits.requestTimeout = .seconds(1)
        } _: { test in
            let socket = try RawSocket(port: test.port)
            try await socket.send(
                "POST /v1/rooms/room/messages HTTP/1.1\r\n"
                    + "Authorization: Bearer \(test.token(TestServer.ann))\r\n"
                    + "content-length: 100000\r\n\r\n")
            await #expect(throws: RawSocket.Failure.self) {
                for _ in 1...60 {
                    try await socket.send(" ")
                    try await SystemTime().sleep(for: .milliseconds(100))
                }
            }
        }
    }
}
#endif
