#if os(Linux)
import RejoinContracts
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinTransport
import RejoinWire

extension FuzzTarget {
    /// Decisions: bytes of the client, answers of the server's other parts, and time.
    static let serverStomp = FuzzTarget(
        "server-stomp", words: "stomp",
        promise: "no client's bytes make a session speak out of turn, spin or outgrow its limits",
        maximumBytes: 2 << 10,
        seeds: { ServerStompLife.seeds },
        run: { bytes in
            var life = ServerStompLife()
            try life.run(FuzzInput(bytes))
        })
}

/// One session with a client that is the fuzzer, and a world that answers as the input says.
private struct ServerStompLife {
    private static let maximumSubscriptions = 3
    private static let maximumPendingSends = 3

    private var session: ServerStompSession
    private var decoder = StompDecoder(role: .server)
    private var now = Instant.origin
    private var pendingSends: [ServerStompSession.SendToken] = []
    private var pendingTopics: [String] = []
    private var listening: [String: ServerStompSession.Topic] = [:]
    private var askedReceipts: [String] = []
    private var isBroken = false

    init() {
        var configuration = ServerStompSession.Configuration(
            session: "s", heartbeat: .seconds(10), connectTimeout: .seconds(10),
            maximumSubscriptions: Self.maximumSubscriptions, subscribeReceipts: true)
        configuration.maximumPendingSends = Self.maximumPendingSends
        session = ServerStompSession(configuration, openedAt: now)
    }

    /// A conversation in good order, and its beginnings.
    static let seeds: [ContiguousArray<UInt8>] = {
        func bytes(_ frame: StompFrame) -> ContiguousArray<UInt8> {
            let encoded = (try? StompEncoder().encode(frame)) ?? []
            return [0, UInt8(clamping: encoded.count)] + encoded.prefix(255)
        }
        let steps: [ContiguousArray<UInt8>] = [
            bytes(
                StompFrame(
                    .connect,
                    headers: [
                        ("accept-version", "1.0,1.1,1.2"), ("heart-beat", "10000,10000"),
                        ("Authorization", "Bearer t"),
                    ])),
            [1, 1],
            bytes(
                StompFrame(
                    .subscribe,
                    headers: [
                        ("id", "a"), ("destination", "/sub/chat/room/r"), ("ack", "client"),
                        ("receipt", "1"),
                    ])),
            [2, 1, 0],
            bytes(
                StompFrame(
                    .send, headers: [("destination", "/pub/chat/message"), ("receipt", "2")],
                    text: "{}")),
            [3, 0, 0], [4, 0], [5, 200], [6, 0],
            bytes(StompFrame(.unsubscribe, headers: [("id", "a"), ("receipt", "3")])),
            bytes(StompFrame(.disconnect, headers: [("receipt", "4")])), [7],
        ]
        return (1...steps.count).map { ContiguousArray(steps.prefix($0).joined()) }
    }()

    mutating func run(_ decisions: FuzzInput) throws {
        var input = decisions
        while !input.isAtEnd {
            switch input.number(below: 8) {
            case 0: try receive(input.chunk())
            case 1: try authenticate(input.byte())
            case 2: try authorise(input.byte(), input.byte())
            case 3: try perform(input.byte(), input.byte())
            case 4: try give(.event(subscription: pick(input.byte()), [123, 125]))
            case 5: try pass(.milliseconds(Int(input.byte()) * 100))
            case 6: try give(.revoked(topic(input.byte())))
            default: try give(.stopping)
            }
        }
        try passToTheEnd()
    }

    private mutating func receive(_ bytes: ContiguousArray<UInt8>) throws {
        guard !isBroken else { return }
        try give(.bytes)
        decoder.append(bytes)
        do throws(StompError) {
            while let event = try decoder.next() {
                guard case .frame(let frame) = event else { continue }
                if let receipt = frame.headers["receipt"] { askedReceipts.append(receipt) }
                try wrap { try $0.give(.frame(frame)) }
            }
        } catch {
            isBroken = true
            try give(.broken(error))
        }
        if let failure { throw failure }
    }

    /// A broken promise inside a body that throws something else.
    private var failure: ContractFailure?

    private mutating func wrap(_ body: (inout Self) throws -> Void) throws(StompError) {
        do {
            try body(&self)
        } catch let error as ContractFailure {
            failure = failure ?? error
        } catch {}
    }

    private mutating func authenticate(_ choice: UInt8) throws {
        switch choice % 4 {
        case 0: try give(.authenticated(.failure(BackendFailure(.tokenInvalid, "no"))))
        case 1: try give(.authenticated(.success(.init(remaining: nil))))
        default: try give(.authenticated(.success(.init(remaining: .seconds(Int(choice))))))
        }
        decoder.version = session.version
    }

    private mutating func authorise(_ choice: UInt8, _ index: UInt8) throws {
        guard !pendingTopics.isEmpty else {
            return try give(.authorised("unasked", .success(topic(choice))))
        }
        let id = pendingTopics.remove(at: Int(index) % pendingTopics.count)
        let answer: Result<ServerStompSession.Topic, BackendFailure> =
            choice == 0 ? .failure(BackendFailure(.forbidden, "no")) : .success(topic(choice))
        try give(.authorised(id, answer))
    }

    private mutating func perform(_ choice: UInt8, _ index: UInt8) throws {
        guard !pendingSends.isEmpty else {
            return try give(.performed(.init(rawValue: UInt64(index)), .stored))
        }
        let token = pendingSends.remove(at: Int(index) % pendingSends.count)
        let failure = BackendFailure(.rateLimited, "no", retryAfter: .milliseconds(Int(choice)))
        let outcome: ServerStompSession.SendOutcome =
            switch choice % 4 {
            case 0: .stored
            case 1: .dropped
            case 2: .malformed(WireError(.malformed, "no"))
            default: .refused(RoomID("r"), choice & 4 == 4 ? clientID : nil, failure)
            }
        try give(.performed(token, outcome))
    }

    private let clientID: ClientMessageID = {
        var values = WireValues(seed: 1)
        return values.clientID()
    }()

    private func topic(_ choice: UInt8) -> ServerStompSession.Topic {
        choice & 1 == 1 ? .room(RoomID("r")) : .rooms(UserID("ana"))
    }

    private func pick(_ choice: UInt8) -> String {
        let ids = listening.keys.sorted()
        return ids.isEmpty ? "none" : ids[Int(choice) % ids.count]
    }

    // MARK: Time

    private mutating func pass(_ duration: Duration) throws {
        now = now + duration
        try give(.tick)
    }

    /// Every deadline leads somewhere: a tick there moves the deadline, or ends the session.
    private mutating func passToTheEnd() throws {
        for _ in 0..<4 {
            guard let deadline = session.nextDeadline else { return }
            now = max(now, deadline)
            try give(.tick)
            if let next = session.nextDeadline {
                try require(
                    next > now, "fuzz.server-stomp.spins", expected: "a deadline after now",
                    got: "the same one again", whoIsHurt: "everyone on this server: it spins")
            }
        }
    }

    // MARK: What must hold

    private mutating func give(_ input: ServerStompSession.Input) throws {
        let wasClosed = session.state == .closed
        let effects = session.handle(input, at: now)
        try require(
            !wasClosed || effects.isEmpty, "fuzz.server-stomp.after-the-end",
            expected: "nothing after the end", got: "\(effects)", whoIsHurt: anybody)
        var hasClosed = false
        for effect in effects {
            try require(
                !hasClosed, "fuzz.server-stomp.close-is-last", expected: "nothing after close",
                got: "\(effect)", whoIsHurt: anybody)
            if case .close = effect { hasClosed = true }
            try check(effect)
        }
        try require(
            (session.state == .closed) == (hasClosed || wasClosed),
            "fuzz.server-stomp.closed-is-told", expected: "close is told once and ends the session",
            got: "\(session.state)", whoIsHurt: "whose socket stays open without a session")
        try require(
            (session.nextDeadline == nil) == (session.state == .closed || isUntimed),
            "fuzz.server-stomp.deadline",
            expected: "a deadline until CONNECTED, and none at the end",
            got: "\(session.state)", whoIsHurt: "whoever pays for sockets that never connect")
    }

    /// A connected session without heart-beats and expiry needs no clock.
    private var isUntimed: Bool { session.state == .connected && session.nextDeadline == nil }

    private mutating func check(_ effect: ServerStompSession.Effect) throws {
        switch effect {
        case .send(let frame): try check(frame)
        case .beat, .close: break
        case .authenticate:
            try require(
                session.state, equals: .authenticating, "fuzz.server-stomp.authenticate",
                whoIsHurt: anybody)
        case .authorise(let id, _): pendingTopics.append(id)
        case .listen(let topic, let id):
            try require(
                listening.updateValue(topic, forKey: id) == nil, "fuzz.server-stomp.listen",
                expected: "one topic for a subscription", got: "two",
                whoIsHurt: "who gets another room's messages")
            try require(
                listening.count <= Self.maximumSubscriptions, "fuzz.server-stomp.subscriptions",
                expected: "at most \(Self.maximumSubscriptions)", got: "\(listening.count)",
                whoIsHurt: "whoever pays for the memory")
        case .unlisten(let topic, let id):
            try require(
                listening.removeValue(forKey: id), equals: topic, "fuzz.server-stomp.unlisten",
                whoIsHurt: "who still gets messages of a room they left")
        case .perform(_, let token):
            try require(
                !pendingSends.contains(token), "fuzz.server-stomp.token",
                expected: "a new token", got: "an old one", whoIsHurt: anybody)
            pendingSends.append(token)
            try require(
                pendingSends.count <= Self.maximumPendingSends, "fuzz.server-stomp.sends",
                expected: "at most \(Self.maximumPendingSends)", got: "\(pendingSends.count)",
                whoIsHurt: "whoever pays for the memory")
        case .deliver(_, let id):
            try require(
                listening[id] != nil, "fuzz.server-stomp.deliver",
                expected: "a subscription that listens", got: "another", whoIsHurt: anybody)
        }
    }

    private mutating func check(_ frame: StompFrame) throws {
        try require(
            frame.command.isFromServer, "fuzz.server-stomp.frame", expected: "a server's frame",
            got: "\(frame)", whoIsHurt: anybody)
        switch frame.command {
        case .message:
            try require(
                frame.headers["subscription"].map { listening[$0] != nil } ?? false,
                "fuzz.server-stomp.message", expected: "a subscription that listens",
                got: "another", whoIsHurt: "who gets messages of a room they may not see")
        case .receipt:
            let index = askedReceipts.firstIndex { receipt in
                frame.headers["receipt-id"].map { $0.utf8.elementsEqual(receipt.utf8) } ?? false
            }
            guard let index else {
                throw ContractFailure(
                    check: "fuzz.server-stomp.receipt", expected: "a receipt that was asked for",
                    got: "another", whoIsHurt: "who believes that a message is stored")
            }
            askedReceipts.remove(at: index)
        case .connect, .stomp, .send, .subscribe, .unsubscribe, .ack, .nack, .begin, .commit,
            .abort, .disconnect, .connected, .error:
            break
        }
    }
}
#endif
