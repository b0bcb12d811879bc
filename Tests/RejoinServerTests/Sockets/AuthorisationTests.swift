#if os(Linux)
import RejoinModel
import RejoinServer
import RejoinTransport
import RejoinWire
import Testing

/// What somebody comes with.
enum Caller: CaseIterable, CustomStringConvertible {
    case nobody
    case garbage
    case expired
    case foreignSecret
    case stranger
    case member

    var description: String {
        switch self {
        case .nobody: "no token"
        case .garbage: "garbage"
        case .expired: "an expired token"
        case .foreignSecret: "another server's token"
        case .stranger: "somebody of another room"
        case .member: "a member"
        }
    }

    func token(_ test: TestServer) -> String? {
        switch self {
        case .nobody: nil
        case .garbage: "1.YW5u.99999999999999.AAAA"
        case .expired: test.server.token(for: TestServer.ann, lifetime: .seconds(-1))
        case .foreignSecret:
            ReferenceServer(
                ServerConfiguration(directory: "/nowhere", secret: .random())
            ).token(for: TestServer.ann)
        case .stranger: test.token(TestServer.eve)
        case .member: test.token(TestServer.ann)
        }
    }

    /// The REST status and the code for a call about the room of ann and bob; `nil`: allowed.
    func refusal(concernsRoom: Bool) -> (status: Int, code: String)? {
        switch self {
        case .nobody, .garbage, .foreignSecret: (401, "token_invalid")
        case .expired: (401, "token_expired")
        case .stranger: concernsRoom ? (403, "forbidden") : nil
        case .member: nil
        }
    }
}

@Suite("Authorisation: every route and destination, whoever comes (section 9)")
struct AuthorisationTests {
    @Test("REST", arguments: Caller.allCases)
    func rest(caller: Caller) async throws {
        try await TestServer.run { test in
            let message = try await test.say("hello", as: TestServer.ann)
            let room = TestServer.room
            let calls: [(BackendCall, concernsRoom: Bool)] = [
                (.capabilities, false), (.rooms, false), (.room(room), true),
                (.history(room, .newest, limit: 5), true),
                (.history(room, .after(nil), limit: 5), true),
                (.history(room, .before(message.id), limit: 5), true),
                (.history(room, .around(message.id), limit: 5), true),
                (.message(room, message.id), true),
                (.changes(room, after: Revision(0), limit: 5), true),
                (.send(room, draft("x")), true),
                (.edit(room, message.id, [.text("y")]), true),
                (.react(room, message.id, emoji: "👍", true), true),
                (.react(room, message.id, emoji: "👍", false), true),
                (.markRead(room, ReadMark(version: 0, position: message.id)), true),
                (.markUnread(room, ReadMark(version: 1, position: nil)), true),
                (.delete(room, message.id), true),
            ]
            let before = try await test.server.messages(in: room)
            let http = try RawHTTP(port: test.port)
            for (call, concernsRoom) in calls {
                let response = try await http.response(
                    to: test.format.encode(call), token: caller.token(test))
                if let refusal = caller.refusal(concernsRoom: concernsRoom) {
                    #expect(response.status == refusal.status, "\(call)")
                    #expect(response.text.contains("\"\(refusal.code)\""), "\(call)")
                } else {
                    #expect(response.status == 200, "\(call): \(response.text)")
                }
            }
            let after = try await test.server.messages(in: room)
            #expect((before == after) == (caller != .member))
        }
    }

    @Test("an unknown route is no way around the token", arguments: Caller.allCases)
    func unknownRoute(caller: Caller) async throws {
        try await TestServer.run { test in
            let http = try RawHTTP(port: test.port)
            let response = try await http.response(
                to: HTTPRequest(.get, "/v1/secrets"), token: caller.token(test))
            #expect(response.status == caller.refusal(concernsRoom: false)?.status ?? 404)
        }
    }

    @Test("the upgrade", arguments: Caller.allCases)
    func upgrade(caller: Caller) async throws {
        try await TestServer.run { test in
            let socket = try await RawWebSocket(port: test.port, token: caller.token(test))
            // Without a token CONNECT has to bring one, so the upgrade itself is allowed.
            let refusal = caller == .nobody ? nil : caller.refusal(concernsRoom: false)
            #expect(await socket.status == refusal?.status ?? 101)
            guard await socket.status == 101 else { return }
            let answer = try await socket.connect(nil)
            #expect(answer.command == (caller == .nobody ? .error : .connected))
        }
    }

    @Test("CONNECT", arguments: Caller.allCases)
    func connect(caller: Caller) async throws {
        try await TestServer.run { test in
            let socket = try await RawWebSocket(port: test.port)
            let answer = try await socket.connect(caller.token(test))
            if let refusal = caller.refusal(concernsRoom: false) {
                #expect(answer.command == .error)
                #expect(answer.headers["code"] == refusal.code)
                await #expect(throws: RawWebSocket.Closed(code: 1008, reason: refusal.code)) {
                    _ = try await socket.frame()
                }
            } else {
                #expect(answer.command == .connected)
            }
        }
    }

    @Test("two tokens of two people are refused")
    func twoPeople() async throws {
        try await TestServer.run { test in
            let socket = try await RawWebSocket(
                port: test.port, token: test.token(TestServer.ann))
            let answer = try await socket.connect(test.token(TestServer.bob))
            #expect(answer.headers["code"] == "token_invalid")
        }
    }

    @Test("SUBSCRIBE", arguments: [Caller.stranger, .member])
    func subscribe(caller: Caller) async throws {
        try await TestServer.run { test in
            let destinations = [
                (test.format.roomsDestination, true),
                (test.format.destination(of: TestServer.room), caller == .member),
                (test.format.destination(of: RoomID("hers")), caller == .stranger),
                (test.format.destination(of: RoomID("nowhere")), false),
                ("/queue/other", false),
            ]
            for (destination, isAllowed) in destinations {
                let socket = try await RawWebSocket(port: test.port)
                try await socket.connect(caller.token(test))
                let answer = try await socket.subscribe(destination)
                #expect(answer.command == (isAllowed ? .receipt : .error), "\(destination)")
                if !isAllowed { #expect(answer.headers["receipt-id"] == "sub-0") }
            }
        }
    }

    @Test("SEND", arguments: [Caller.stranger, .member])
    func send(caller: Caller) async throws {
        try await TestServer.run { test in
            let message = try await test.say("hello", as: TestServer.ann)
            let kinds: [RoomCommand.Kind] = [
                .send(draft("x")), .edit(message.id, [.text("y")]),
                .react(message.id, emoji: "👍", true),
                .markRead(ReadMark(version: 0, position: message.id)),
                .markUnread(ReadMark(version: 1, position: nil)), .typing, .delete(message.id),
            ]
            let before = try await test.server.messages(in: TestServer.room)
            for kind in kinds {
                let command = RoomCommand(room: TestServer.room, kind: kind)
                guard let send = test.format.encode(command) else { continue }
                let socket = try await RawWebSocket(port: test.port)
                try await socket.connect(caller.token(test))
                try await socket.send(
                    StompFrame(
                        .send,
                        headers: [
                            ("destination", send.destination),
                            ("content-type", send.contentType), ("receipt", "r"),
                        ], body: send.body))
                let answer = try await socket.frame()
                #expect(answer.command == (caller == .member ? .receipt : .error), "\(kind)")
                #expect(answer.headers["receipt-id"] == "r")
                if caller == .stranger { #expect(answer.headers["code"] == "forbidden") }
            }
            let after = try await test.server.messages(in: TestServer.room)
            #expect((before == after) == (caller == .stranger))
        }
    }

    @Test("who leaves a room loses the subscription at once, and cannot come back")
    func revocation() async throws {
        try await TestServer.run { test in
            let destination = test.format.destination(of: TestServer.room)
            let socket = try await test.socket(TestServer.bob)
            try await socket.subscribe(destination)
            try await test.server.createRoom(TestServer.room, users: [TestServer.ann])
            let error = try await socket.frame()
            #expect(error.headers["code"] == "forbidden")
            #expect(error.headers["subscription"] == "0")
            let again = try await test.socket(TestServer.bob)
            #expect(try await again.subscribe(destination).headers["code"] == "forbidden")
        }
    }
}
#endif
