#if os(Linux)
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinTransport
import Testing

@Suite("The server's STOMP session")
struct ServerStompSessionTests {
    @Test(
        "the best common version is chosen (STOMP 1.2, Protocol Negotiation)",
        arguments: [
            (nil, StompVersion.v10), ("1.0", .v10), ("1.1,1.0", .v11),
            ("1.2,1.1,1.0", .v12),
            ("1.1, 1.2", .v12), ("2.0,1.1", .v11), ("2.0", nil), ("", nil),
        ] as [(String?, StompVersion?)])
    func version(list: String?, expected: StompVersion?) {
        #expect(StompNegotiation.version(accepting: list) == expected)
    }

    @Test(
        "heart-beats that cannot be read are refused, never a trap",
        arguments: [
            "1", "1,2,3", "20r000,1", "-1,1", "99999999999999999999,1", ",", "", "1,", "a,b",
        ])
    func oddHeartbeats(text: String) {
        #expect(StompNegotiation.heartbeat(text) == nil)
    }

    @Test("heart-beats are the larger of both wishes, and none where one side has none")
    func heartbeatMath() {
        let both = Heartbeats(offering: .seconds(10), toClient: (sends: 20_000, wants: 4_000))
        #expect(both.outgoing == .seconds(10))
        #expect(both.incoming == .seconds(20))
        let none = Heartbeats(offering: .seconds(10), toClient: (sends: 0, wants: 0))
        #expect(none.outgoing == nil && none.incoming == nil)
        let off = Heartbeats(offering: .zero, toClient: (sends: 1_000, wants: 1_000))
        #expect(off.outgoing == nil && off.incoming == nil)
        #expect(StompNegotiation.heartbeat(nil).map { $0 == (0, 0) } == true)
        #expect(StompNegotiation.heartbeat("10000, 5000").map { $0 == (10_000, 5_000) } == true)
    }

    @Test("a beat goes before the agreed interval has passed in silence, and not after a frame")
    func beats() {
        var session = SessionInputs.session(in: .connected)
        let due = session.nextDeadline
        #expect(due == Instant.origin + .milliseconds(7_500))
        #expect(session.handle(.tick, at: Instant.origin + .milliseconds(7_499)).isEmpty)
        #expect(session.handle(.tick, at: Instant.origin + .milliseconds(7_500)) == [.beat])
        let body = ServerStompSession.Input.event(subscription: "room", [1])
        _ = session.handle(body, at: Instant.origin + .seconds(12))
        #expect(session.handle(.tick, at: Instant.origin + .seconds(15)).isEmpty)
        #expect(
            session.handle(.tick, at: Instant.origin + .milliseconds(19_500)) == [.beat])
    }

    @Test("a client that is silent for two intervals is dropped; any byte counts as life")
    func silence() {
        var session = SessionInputs.session(in: .connected)
        _ = session.handle(.bytes, at: Instant.origin + .seconds(15))
        _ = session.handle(.tick, at: Instant.origin + .seconds(30))
        #expect(session.state == .connected)
        let effects = session.handle(.tick, at: Instant.origin + .seconds(35))
        #expect(session.state == .closed)
        #expect(effects == [.close(code: 1002, reason: "no heart-beat came in time")])
    }

    @Test("a connection without CONNECT is dropped in time")
    func connectTimeout() {
        var session = SessionInputs.session(in: .awaitingConnect)
        #expect(session.nextDeadline == Instant.origin + .seconds(5))
        _ = session.handle(.bytes, at: Instant.origin + .seconds(4))
        _ = session.handle(.tick, at: Instant.origin + .seconds(5))
        #expect(session.state == .closed)
    }

    @Test("a session ends with token_expired when its token does")
    func expiry() {
        var session = ServerStompSession(SessionInputs.configuration, openedAt: .origin)
        _ = session.handle(.frame(StompFrame(.connect)), at: .origin)
        _ = session.handle(
            .authenticated(.success(.init(remaining: .seconds(60)))), at: .origin)
        #expect(session.nextDeadline == Instant.origin + .seconds(60))
        let effects = session.handle(.tick, at: Instant.origin + .seconds(60))
        guard case .send(let frame) = effects.first else {
            Issue.record("no frame was sent")
            return
        }
        #expect(frame.command == .error)
        #expect(frame.headers["code"] == "token_expired")
    }

    @Test("without the capability, SUBSCRIBE gets no receipt, and SEND still gets its own")
    func noSubscribeReceipts() {
        var configuration = SessionInputs.configuration
        configuration.subscribeReceipts = false
        var session = ServerStompSession(configuration, openedAt: .origin)
        _ = session.handle(.frame(StompFrame(.connect)), at: .origin)
        _ = session.handle(.authenticated(.success(.init(remaining: nil))), at: .origin)
        _ = session.handle(.frame(SessionInputs.subscribe("a")), at: .origin)
        let topic = ServerStompSession.Topic.room(SessionInputs.room)
        #expect(
            session.handle(.authorised("a", .success(topic)), at: .origin)
                == [.listen(topic, subscription: "a")])
        _ = session.handle(
            .frame(StompFrame(.send, headers: [("destination", "/p"), ("receipt", "x")])),
            at: .origin)
        let stored = session.handle(.performed(.init(rawValue: 1), .stored), at: .origin)
        #expect(stored == [.send(StompFrame(.receipt, headers: [("receipt-id", "x")]))])
    }

    @Test("subscriptions and unanswered SENDs have limits (promise P7)")
    func limits() {
        var session = SessionInputs.session(in: .connected)
        _ = session.handle(.frame(SessionInputs.subscribe("third")), at: .origin)
        #expect(session.state == .connected)
        _ = session.handle(.frame(SessionInputs.subscribe("fourth")), at: .origin)
        #expect(session.state == .closed)

        session = SessionInputs.session(in: .connected)
        let send = StompFrame(.send, headers: [("destination", "/p")])
        for _ in 1..<SessionInputs.configuration.maximumPendingSends {
            _ = session.handle(.frame(send), at: .origin)
        }
        #expect(session.state == .connected)
        _ = session.handle(.frame(send), at: .origin)
        #expect(session.state == .closed)
    }

    @Test("message IDs are unique in a session, and acks are asked for only where wished")
    func messageHeaders() {
        var session = SessionInputs.session(in: .connected)
        _ = session.handle(.frame(SessionInputs.subscribe("acked", ack: "client")), at: .origin)
        _ = session.handle(
            .authorised("acked", .success(.room(SessionInputs.room))), at: .origin)
        var ids: [String?] = []
        for id in ["room", "acked", "room"] {
            let effects = session.handle(.event(subscription: id, [1]), at: .origin)
            guard case .send(let frame) = effects.first else { continue }
            ids.append(frame.headers["message-id"])
            #expect(frame.headers["subscription"] == id)
            #expect(frame.headers.contains("ack") == (id == "acked"))
        }
        #expect(ids == ["s1-1", "s1-2", "s1-3"])
    }
}
#endif
