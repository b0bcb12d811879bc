import RejoinContracts
import RejoinTime
import RejoinTransport

extension FuzzTarget {
    /// Decisions: what the server sends, what the sockets do, what the host wishes, and time.
    static let stompSession = FuzzTarget(
        "stomp-session", words: "stomp",
        promise: "whatever the server sends, one socket at a time, each request ends once, no spin",
        maximumBytes: 2 << 10,
        seeds: { StompSessionLife.seeds },
        run: { bytes in
            var life = StompSessionLife(seed: UInt64(bytes.first ?? 0))
            try life.run(FuzzInput(bytes))
        })
}

/// One client session whose server, sockets, host and clock are the fuzzer's.
private struct StompSessionLife {
    private var session: StompSession
    private var now = Instant.origin
    private var random: SeededGenerator

    /// The last epoch that was asked for, and how far its socket is.
    private var epoch = ConnectionEpoch(0)
    private var socket = Socket.none
    private var unwritten = 0
    private var timer: Instant?
    private var requests: Set<UInt64> = []
    private var issued: UInt64 = 0
    private var subscriptions: [StompSubscriptionKey: Bool] = [:]
    private var messages: [StompMessage] = []
    /// What the client has asked receipts for over this socket.
    private var receipts: [String] = []
    private var subscribed: [String] = []

    private enum Socket { case none, asking, opening, open }

    init(seed: UInt64) {
        var configuration = StompConfiguration(endpoints: ["ws://a/ws", "ws://b/ws"])
        configuration.maximumSubscriptions = 4
        configuration.maximumPendingReceipts = 4
        configuration.maximumUnwrittenMessages = 8
        configuration.maximumTransactions = 2
        configuration.maximumMessageBytes = 1 << 10
        session = StompSession(configuration: configuration)
        random = SeededGenerator(seed: seed)
    }

    static let seeds: [ContiguousArray<UInt8>] = {
        let begin: ContiguousArray<UInt8> = [0, 0, 10, 1, 11, 1, 12]
        let connected: ContiguousArray<UInt8> = [14, 0]
        let lives: [ContiguousArray<UInt8>] = [
            [], [1, 2], [3, 0], [4, 0, 0, 1], [15, 0], [16, 0], [3, 0, 15, 0, 16, 0],
            [20, 50, 20, 255, 21], [17, 0], [18, 2], [19, 0], [2, 20, 5], [7, 0, 3, 1, 8, 0],
            [13, 8] + "MESSAGE\n".utf8, [13, 3, 10, 10, 10], [5, 0, 6, 0], [22, 0, 22, 1],
        ]
        return lives.map { begin + connected + $0 }
            + [[0, 0, 10, 0], [0, 0, 10, 1, 18, 0], [0, 0, 10, 2, 0, 20, 200], []]
    }()

    mutating func run(_ decisions: FuzzInput) throws {
        var input = decisions
        _ = input.byte()
        while !input.isAtEnd {
            try step(input.number(below: 23), &input)
        }
        try end()
    }

    private mutating func step(_ choice: Int, _ input: inout FuzzInput) throws {
        switch choice {
        case 0: try give(.start)
        case 1: try give(.enterForeground)
        case 2: try give(.enterBackground)
        case 3: try subscribe(input.byte())
        case 4: try send(input.byte(), input.byte(), input.chunk())
        case 5: try acknowledge(input.byte())
        case 6: try give(.networkPathChanged(isSatisfied: input.bool()))
        case 7: try transact(input.byte())
        case 8: try unsubscribe(input.byte())
        case 9: try give(.stop)
        case 10: try answerCredentials(input.byte())
        case 11: try open(input.bool())
        case 12: try give(.wrote(epoch))
        case 13: try receive(input.chunk())
        case 14: try receiveConnected(input.byte())
        case 15: try receiveReceipt(input.byte())
        case 16: try receiveMessage(input.byte())
        case 17: try receiveError(input.byte())
        case 18: try fail(input.byte())
        case 19: try give(.ponged(epoch))
        case 20: try pass(.milliseconds(Int(input.byte()) * 100))
        case 21: try passToTimer()
        default: try giveStale(input.byte())
        }
    }

    // MARK: The host

    private mutating func subscribe(_ choice: UInt8) throws {
        issued += 1
        let key = StompSubscriptionKey(issued)
        subscriptions[key] = true
        let mode: StompAckMode = choice & 1 == 0 ? .auto : .clientIndividual
        let headers: StompHeaders = choice & 2 == 0 ? [] : [("selector", "a\rb:c\\")]
        try give(
            .subscribe(key, StompSubscriptionRequest("/sub/\(choice)", ack: mode, headers: headers))
        )
    }

    private mutating func unsubscribe(_ choice: UInt8) throws {
        let keys = subscriptions.filter(\.value).keys.sorted()
        guard !keys.isEmpty else { return try give(.unsubscribe(StompSubscriptionKey(999))) }
        try give(.unsubscribe(keys[Int(choice) % keys.count]))
    }

    private mutating func request(_ input: (StompRequestID) -> StompSession.Input) throws {
        issued += 1
        requests.insert(issued)
        try give(input(StompRequestID(issued)))
    }

    private mutating func send(
        _ choice: UInt8, _ transaction: UInt8, _ body: ContiguousArray<UInt8>
    ) throws {
        let name = choice & 2 == 0 ? "x" : String(decoding: body.prefix(4), as: UTF8.self)
        try request {
            .send(
                $0,
                StompSend(
                    "/pub", headers: [(name, "v")], body: body, wantsReceipt: choice & 1 == 1,
                    transaction: transaction == 0
                        ? nil : StompTransactionID(UInt64(transaction))))
        }
    }

    private mutating func acknowledge(_ choice: UInt8) throws {
        guard !messages.isEmpty else { return }
        let message = messages[Int(choice) % messages.count]
        try request {
            .acknowledge(
                $0,
                StompAcknowledgement(
                    message, isPositive: choice & 1 == 1, wantsReceipt: choice & 2 == 2))
        }
    }

    private mutating func transact(_ choice: UInt8) throws {
        let transaction = StompTransactionID(UInt64(choice & 3))
        try request {
            switch choice >> 2 % 3 {
            case 0: .begin($0, transaction)
            case 1: .commit($0, transaction)
            default: .abort($0, transaction)
            }
        }
    }

    // MARK: The world

    private mutating func answerCredentials(_ choice: UInt8) throws {
        guard socket == .asking else { return }
        switch choice & 3 {
        case 0:
            let failure = StompCredentialsFailure(isTransient: choice & 4 == 0, "no")
            socket = .none
            try give(.credentialsFailed(epoch, failure))
        case 1: try give(.credentialsReady(epoch, StompCredentials()))
        default:
            try give(
                .credentialsReady(
                    epoch,
                    StompCredentials(
                        connectHeaders: [("passcode", choice & 4 == 0 ? "a:b" : "a\nb")],
                        subscribeHeaders: [("token", "t")])))
        }
    }

    private mutating func open(_ isWanted: Bool) throws {
        guard socket == .opening else { return }
        socket = .open
        unwritten = 0
        receipts = []
        subscribed = []
        try give(.socketOpened(epoch, subprotocol: isWanted ? "v12.stomp" : nil))
    }

    private mutating func fail(_ choice: UInt8) throws {
        guard socket == .opening || socket == .open else { return }
        let failures = [
            WebSocketError(.unreachable, "no"),
            WebSocketError(.upgradeRefused, "no", httpStatus: 401),
            WebSocketError(.closed, "no", closeCode: UInt16(choice) + 1000),
            WebSocketError(.upgradeRefused, "no", httpStatus: 429, retryAfter: .seconds(5)),
            WebSocketError(.upgradeRefused, "no", httpStatus: 403), WebSocketError(.timedOut, "no"),
        ]
        socket = .none
        try give(.socketFailed(epoch, failures[Int(choice) % failures.count]))
    }

    private mutating func receive(_ bytes: ContiguousArray<UInt8>) throws {
        guard socket == .open else { return }
        try give(.received(epoch, bytes))
    }

    private mutating func receive(_ frame: StompFrame) throws {
        guard let bytes = try? StompEncoder().encode(frame) else { return }
        try receive(bytes)
    }

    private mutating func receiveConnected(_ choice: UInt8) throws {
        let version = ["1.2", "1.1", "1.0", "2.0"][Int(choice & 3)]
        let beats = ["10000,10000", "0,0", "x", "1,99999999999"][Int(choice >> 2 & 3)]
        try receive(
            StompFrame(.connected, headers: [("version", version), ("heart-beat", beats)]))
    }

    private mutating func receiveReceipt(_ choice: UInt8) throws {
        let id = receipts.isEmpty ? "none" : receipts[Int(choice) % receipts.count]
        try receive(StompFrame(.receipt, headers: [("receipt-id", id)]))
    }

    private mutating func receiveMessage(_ choice: UInt8) throws {
        let id = subscribed.isEmpty ? "none" : subscribed[Int(choice) % subscribed.count]
        try receive(
            StompFrame(
                .message,
                headers: [
                    ("subscription", id), ("message-id", "m"), ("destination", "/sub"),
                    ("ack", "m"),
                ], text: "{}"))
    }

    private mutating func receiveError(_ choice: UInt8) throws {
        let codes = ["token_expired", "token_invalid", "forbidden", "rate_limited", "other"]
        var headers = [("code", codes[Int(choice) % codes.count])]
        if choice & 8 == 8, let id = subscribed.last { headers.append(("subscription", id)) }
        if choice & 16 == 16, let id = receipts.last { headers.append(("receipt-id", id)) }
        try receive(StompFrame(.error, headers: StompHeaders(headers)))
    }

    /// What an earlier socket, or nobody's, still says changes nothing.
    private mutating func giveStale(_ choice: UInt8) throws {
        guard epoch.number > 0 else { return }
        let stale = ConnectionEpoch(epoch.number - 1)
        let inputs: [StompSession.Input] = [
            .received(stale, [10]), .wrote(stale), .ponged(stale),
            .socketFailed(stale, WebSocketError(.closed, "old")),
            .socketOpened(stale, subprotocol: nil), .credentialsReady(stale, StompCredentials()),
        ]
        let effects = session.handle(
            inputs[Int(choice) % inputs.count], at: now, using: &random)
        // A socket that opens too late is dropped.
        try require(
            effects.filter { $0 != .abandon(stale) }, equals: [], "fuzz.stomp-session.stale",
            whoIsHurt: "whose new connection is ended by the old one")
    }

    // MARK: Time

    private mutating func pass(_ duration: Duration) throws {
        now = now + duration
        try give(.timePassed)
    }

    private mutating func passToTimer() throws {
        guard let timer else { return }
        now = max(now, timer)
        try give(.timePassed)
        try require(
            self.timer.map { $0 > now } ?? true, "fuzz.stomp-session.spins",
            expected: "a timer after now", got: "one that is due",
            whoIsHurt: "whose battery is empty by noon")
    }

    /// After a stop everything ends, whatever the server does.
    private mutating func end() throws {
        try give(.stop)
        for _ in 0..<64 where timer != nil { try passToTimer() }
        try require(
            timer == nil && requests.isEmpty, "fuzz.stomp-session.ends",
            expected: "no timer and no request left after a stop",
            got: "\(requests.count) requests, \(session.status)",
            whoIsHurt: "whose screen waits for ever")
        guard case .stopped = session.status else {
            throw ContractFailure(
                check: "fuzz.stomp-session.stopped", expected: "stopped",
                got: "\(session.status)", whoIsHurt: "who signed out and is still connected")
        }
    }

    // MARK: What must hold

    private mutating func give(_ input: StompSession.Input) throws {
        if case .wrote = input {
            guard socket == .open, unwritten > 0 else { return }
            unwritten -= 1
        }
        for effect in session.handle(input, at: now, using: &random) { try check(effect) }
    }

    private mutating func check(_ effect: StompSession.Effect) throws {
        switch effect {
        case .requestCredentials(let asked, _):
            try require(
                asked > epoch && socket == .none, "fuzz.stomp-session.one-socket",
                expected: "a new epoch once the old one is over", got: "\(asked), \(socket)",
                whoIsHurt: "a server that sees one person twice")
            epoch = asked
            socket = .asking
        case .open(let opened, _):
            try require(
                opened == epoch && socket == .asking, "fuzz.stomp-session.open",
                expected: "a socket for the epoch whose credentials came", got: "\(opened)",
                whoIsHurt: "a server that sees one person twice")
            socket = .opening
        case .transmit(let sent, let message):
            try requireOpen(sent, "transmit")
            unwritten += 1
            // The limits of requests and subscriptions; then what one input may add, and a farewell.
            try require(
                unwritten <= 8 + 2 * 4 + (1 + 4) + 1, "fuzz.stomp-session.unwritten",
                expected: "a bounded number of unwritten messages", got: "\(unwritten)",
                whoIsHurt: "whoever pays for the memory")
            try read(message)
        case .ping(let pinged): try requireOpen(pinged, "ping")
        case .close(let closed, _), .abandon(let closed):
            try require(
                closed, equals: epoch, "fuzz.stomp-session.close", whoIsHurt: anybody)
            socket = .none
        case .setTimer(let deadline): timer = deadline
        case .status, .report: break
        case .phase(let key, let phase):
            try require(
                subscriptions[key] == true, "fuzz.stomp-session.phase",
                expected: "a subscription that has not ended", got: "\(phase)", whoIsHurt: anybody)
            if phase.isFinal { subscriptions[key] = false }
        case .message(let message):
            try require(
                message.epoch == epoch && subscriptions[message.subscription] == true,
                "fuzz.stomp-session.message", expected: "a message of a wanted subscription",
                got: "\(message.epoch)", whoIsHurt: "who sees messages of a room they left")
            if messages.count < 8 { messages.append(message) }
        case .complete(let id, _):
            try require(
                requests.remove(id.number) != nil, "fuzz.stomp-session.complete",
                expected: "one end of a request", got: "a second", whoIsHurt: anybody)
        }
    }

    private func requireOpen(_ used: ConnectionEpoch, _ what: String) throws {
        try require(
            used == epoch && socket == .open, "fuzz.stomp-session.\(what)",
            expected: "the open socket", got: "\(used), \(socket)",
            whoIsHurt: "who talks into a socket that has ended")
    }

    /// What leaves is one frame or heart-beat, and shows the server what it may answer.
    private mutating func read(_ message: WebSocketMessage) throws {
        let readings = StompVersion.allCases.map {
            StompDecoding(
                StompDecoder(role: .server, version: $0), pieces: [message.bytes])
        }
        guard let reading = readings.last(where: { $0.error == nil && !$0.needsMore }),
            let event = reading.events.first, reading.events.count == 1
        else {
            throw ContractFailure(
                check: "fuzz.stomp-session.frame", expected: "one frame", got: "\(readings)",
                whoIsHurt: "whose connection the server ends")
        }
        guard case .frame(let frame) = event else { return }
        if let receipt = frame.headers["receipt"] { receipts.append(receipt) }
        if frame.command == .subscribe, let id = frame.headers["id"] { subscribed.append(id) }
    }
}
