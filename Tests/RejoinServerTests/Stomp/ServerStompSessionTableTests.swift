#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinTransport
import RejoinWire
import Testing

@Suite("The server's STOMP session: every state against every input")
struct ServerStompSessionTableTests {
    @Test("the transition table is the committed one (section 11)")
    func table() throws {
        var lines: [String] = []
        for state in ServerStompSession.State.allCases {
            lines.append("## \(state)")
            for (name, input) in SessionInputs.all {
                var session = SessionInputs.session(in: state)
                let effects = session.handle(input, at: SessionInputs.later)
                let told = effects.map(SessionInputs.describe).joined(separator: "; ")
                let outcome = told.isEmpty ? "nothing" : told
                lines.append("\(name) -> \(session.state): \(outcome)")
            }
            lines.append("")
        }
        try expectSnapshot(lines.joined(separator: "\n"), "ServerStompSession")
    }

    @Test("no input brings a closed session back, and none makes any state trap")
    func closedIsFinal() {
        for (_, input) in SessionInputs.all {
            var session = SessionInputs.session(in: .closed)
            let effects = session.handle(input, at: SessionInputs.later)
            #expect(effects.isEmpty)
            #expect(session.state == .closed)
            #expect(session.nextDeadline == nil)
        }
    }
}

/// A session in each state, and an input of each kind.
enum SessionInputs {
    static let room = RoomID("r")
    static let later = Instant.origin + .milliseconds(1)
    static let failure = BackendFailure(.forbidden, "not a member", retryAfter: nil)

    static let configuration = ServerStompSession.Configuration(
        session: "s1", heartbeat: .seconds(10), connectTimeout: .seconds(5),
        maximumSubscriptions: 3, subscribeReceipts: true)

    /// In `connected`: subscriptions `room` (to a room) and `asked` (not answered yet), a SEND with
    /// the token 1.
    static func session(in state: ServerStompSession.State) -> ServerStompSession {
        var session = ServerStompSession(configuration, openedAt: .origin)
        let start = Instant.origin
        if state == .closed {
            _ = session.handle(.stopping, at: start)
            return session
        }
        guard state != .awaitingConnect else { return session }
        _ = session.handle(
            .frame(
                StompFrame(
                    .connect,
                    headers: [("accept-version", "1.2"), ("heart-beat", "10000,10000")])),
            at: start)
        guard state != .authenticating else { return session }
        _ = session.handle(
            .authenticated(.success(.init(remaining: .seconds(3_600)))), at: start)
        for id in ["room", "asked"] {
            _ = session.handle(.frame(subscribe(id)), at: start)
        }
        _ = session.handle(.authorised("room", .success(.room(room))), at: start)
        _ = session.handle(
            .frame(StompFrame(.send, headers: [("destination", "/p"), ("receipt", "r9")])),
            at: start)
        return session
    }

    static func subscribe(_ id: String, ack: String? = nil) -> StompFrame {
        var headers = [("id", id), ("destination", "/sub/\(id)"), ("receipt", "r-\(id)")]
        if let ack { headers.append(("ack", ack)) }
        return StompFrame(.subscribe, headers: StompHeaders(headers))
    }

    static var all: [(String, ServerStompSession.Input)] {
        let token = ServerStompSession.SendToken(rawValue: 1)
        let client = ClientMessageID(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        let receipt = ("receipt", "r1")
        let frames: [(String, StompFrame)] = [
            ("CONNECT", StompFrame(.connect, headers: [("accept-version", "1.1,1.2")])),
            ("CONNECT with a token", StompFrame(.connect, headers: [("X-AUTH-TOKEN", "t")])),
            ("CONNECT 2.0", StompFrame(.connect, headers: [("accept-version", "2.0")])),
            ("CONNECT odd beat", StompFrame(.connect, headers: [("heart-beat", "1,x")])),
            ("STOMP", StompFrame(.stomp, headers: [("accept-version", "1.0,1.1")])),
            ("SUBSCRIBE", subscribe("new")),
            ("SUBSCRIBE again", subscribe("room")),
            ("SUBSCRIBE ack:client", subscribe("new", ack: "client")),
            ("SUBSCRIBE ack:odd", subscribe("new", ack: "odd")),
            (
                "SUBSCRIBE no id",
                StompFrame(.subscribe, headers: [("destination", "/d"), receipt])
            ),
            ("SUBSCRIBE no destination", StompFrame(.subscribe, headers: [("id", "i")])),
            ("UNSUBSCRIBE", StompFrame(.unsubscribe, headers: [("id", "room"), receipt])),
            ("UNSUBSCRIBE unknown", StompFrame(.unsubscribe, headers: [("id", "x"), receipt])),
            ("UNSUBSCRIBE no id", StompFrame(.unsubscribe)),
            ("SEND", StompFrame(.send, headers: [("destination", "/p")], text: "b")),
            ("SEND no destination", StompFrame(.send, headers: [receipt])),
            (
                "SEND in a transaction",
                StompFrame(.send, headers: [("destination", "/p"), ("transaction", "t")])
            ),
            ("ACK", StompFrame(.ack, headers: [("id", "m"), receipt])),
            ("ACK no id", StompFrame(.ack)),
            ("NACK", StompFrame(.nack, headers: [("id", "m")])),
            ("BEGIN", StompFrame(.begin, headers: [("transaction", "t"), receipt])),
            ("COMMIT", StompFrame(.commit)),
            ("ABORT", StompFrame(.abort)),
            ("DISCONNECT", StompFrame(.disconnect)),
            ("DISCONNECT with a receipt", StompFrame(.disconnect, headers: [receipt])),
            ("CONNECTED", StompFrame(.connected)),
            ("MESSAGE", StompFrame(.message)),
            ("RECEIPT", StompFrame(.receipt)),
            ("ERROR", StompFrame(.error)),
        ]
        let others: [(String, ServerStompSession.Input)] = [
            ("bytes", .bytes),
            ("broken", .broken(StompError(.missingColon, offset: 3, "a line has no colon"))),
            ("authenticated", .authenticated(.success(.init(remaining: .seconds(60))))),
            (
                "not authenticated",
                .authenticated(.failure(BackendFailure(.tokenExpired, "old")))
            ),
            ("authorised asked", .authorised("asked", .success(.rooms(UserID("u"))))),
            ("authorised room again", .authorised("room", .success(.room(room)))),
            ("authorised unknown", .authorised("x", .success(.room(room)))),
            ("refused asked", .authorised("asked", .failure(failure))),
            ("stored", .performed(token, .stored)),
            ("stored unknown", .performed(.init(rawValue: 9), .stored)),
            ("dropped", .performed(token, .dropped)),
            ("refused with client ID", .performed(token, .refused(room, client, failure))),
            ("refused without", .performed(token, .refused(room, nil, failure))),
            (
                "refused elsewhere",
                .performed(token, .refused(RoomID("other"), client, failure))
            ),
            (
                "refused for now",
                .performed(
                    token,
                    .refused(
                        room, nil, BackendFailure(.rateLimited, "slow", retryAfter: .seconds(2))
                    ))
            ),
            (
                "malformed",
                .performed(token, .malformed(WireError(.malformed, "odd", offset: 2)))
            ),
            ("event", .event(subscription: "room", [1])),
            ("event not yet", .event(subscription: "asked", [1])),
            ("event unknown", .event(subscription: "x", [1])),
            ("revoked", .revoked(.room(room))),
            ("revoked unknown", .revoked(.room(RoomID("other")))),
            ("tick", .tick),
            ("stopping", .stopping),
        ]
        return frames.map { ($0, .frame($1)) } + others
    }

    static func describe(_ effect: ServerStompSession.Effect) -> String {
        switch effect {
        case .send(let frame):
            let headers = frame.headers.filter { $0.name != "content-type" }
                .map { "\($0.name):\($0.value)" }
            return "send \(frame.command.rawValue) [\(headers.joined(separator: " "))]"
        case .beat: return "beat"
        case .authenticate(let token): return "authenticate \(token ?? "without a token")"
        case .authorise(let id, let destination): return "authorise \(id) at \(destination)"
        case .listen(let topic, let id): return "listen \(id) to \(name(topic))"
        case .unlisten(let topic, let id): return "unlisten \(id) from \(name(topic))"
        case .perform(let send, let token):
            return "perform \(send.destination) #\(token.rawValue)"
        case .deliver(let event, let id): return "deliver an event of \(event.room) to \(id)"
        case .close(let code, let reason): return "close \(code) \(reason)"
        }
    }

    private static func name(_ topic: ServerStompSession.Topic) -> String {
        switch topic {
        case .rooms(let user): "rooms of \(user)"
        case .room(let room): "room \(room)"
        }
    }
}
#endif
