import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// A session on the bench: virtual time, seeded randomness, and a server played by the test.
struct SessionBench {
    var session: StompSession
    var now = Instant.origin
    var random: SeededGenerator
    /// Effects of the last input.
    var effects: [StompSession.Effect] = []
    /// Effects of all inputs.
    var history: [StompSession.Effect] = []
    /// Whether the history grows.
    var keepsHistory = true
    /// The last epoch for which credentials were asked.
    private(set) var epoch = ConnectionEpoch(0)
    /// The timer that the effects have set.
    var timer: Instant?

    init(
        seed: UInt64 = 1, endpoints: [String] = ["wss://chat.example/ws"],
        _ configure: (inout StompConfiguration) -> Void = { _ in }
    ) {
        var configuration = StompConfiguration(endpoints: endpoints)
        configure(&configuration)
        session = StompSession(configuration: configuration)
        random = SeededGenerator(seed: seed)
    }

    @discardableResult
    mutating func give(_ input: StompSession.Input) -> [StompSession.Effect] {
        effects = session.handle(input, at: now, using: &random)
        if keepsHistory { history += effects }
        for effect in effects {
            switch effect {
            case .setTimer(let deadline): timer = deadline
            case .requestCredentials(let asked, _): epoch = asked
            default: break
            }
        }
        return effects
    }

    /// Lets time pass as a shell would: each timer that is set fires in its turn.
    mutating func pass(_ duration: Duration) {
        let target = now + duration
        var passed: [StompSession.Effect] = []
        while let deadline = timer, deadline <= target {
            now = max(now, deadline)
            passed += give(.timePassed)
            precondition(passed.count < 100_000, "the timer fires in place")
        }
        now = target
        effects = passed
    }

    /// Lets time pass over a connection whose server beats.
    mutating func passAlive(_ duration: Duration) {
        let target = now + duration
        while now < target {
            pass(min(.seconds(5), target - now))
            server(raw: "\n")
        }
    }

    // MARK: The way up

    mutating func start() { give(.start) }

    mutating func authorize(_ credentials: StompCredentials = StompCredentials()) {
        give(.credentialsReady(epoch, credentials))
    }

    mutating func open(subprotocol: String? = "v12.stomp") {
        let opened = give(.socketOpened(epoch, subprotocol: subprotocol))
        guard !opened.frames.isEmpty else { return }
        give(.wrote(epoch))
        effects = opened
    }

    mutating func greet(_ headers: StompHeaders = ["version": "1.2", "heart-beat": "10000,10000"]) {
        server(StompFrame(.connected, headers: headers))
    }

    /// All the way up to CONNECTED, from any state in which an attempt begins or has begun.
    mutating func connect() {
        start()
        climb()
    }

    /// From "credentials asked" to CONNECTED; the socket takes everything at once.
    mutating func climb() {
        authorize()
        open()
        greet()
    }

    /// Lets time pass until the next attempt begins, and climbs.
    mutating func reconnect() {
        passUntilAttempt()
        climb()
    }

    /// Lets the timers fire until the next attempt begins.
    mutating func passUntilAttempt() {
        for _ in 0..<100 {
            guard let deadline = timer else { return }
            now = max(now, deadline)
            if give(.timePassed).attempts > 0 { return }
        }
    }

    // MARK: The server

    mutating func server(_ frame: StompFrame, version: StompVersion = .v12) {
        let bytes = try? StompEncoder(version: version).encode(frame)
        give(.received(epoch, bytes ?? []))
    }

    mutating func server(raw text: String) {
        give(.received(epoch, ContiguousArray(text.utf8)))
    }

    mutating func fail(
        _ code: WebSocketError.Code = .closed, close: UInt16? = nil, status: Int? = nil,
        retryAfter: Duration? = nil, body: String = ""
    ) {
        give(
            .socketFailed(
                epoch,
                WebSocketError(
                    code, "test", httpStatus: status, retryAfter: retryAfter, closeCode: close,
                    body: ContiguousArray(body.utf8))))
    }

    mutating func subscribe(
        _ key: UInt64, _ destination: String = "/sub/a", ack: StompAckMode = .auto
    ) {
        give(
            .subscribe(
                StompSubscriptionKey(key), StompSubscriptionRequest(destination, ack: ack)))
    }

    mutating func receipt(for frame: StompFrame?) {
        server(StompFrame(.receipt, headers: ["receipt-id": frame?.headers["receipt"] ?? "none"]))
    }

    mutating func message(_ key: UInt64, extra: [(String, String)] = []) {
        server(
            StompFrame(
                .message,
                headers: StompHeaders(
                    [
                        ("subscription", "s\(epoch.number)-\(key)"), ("message-id", "m1"),
                        ("destination", "/sub/a"),
                    ] + extra), text: "hello"))
    }
}

// MARK: - Reading effects

extension [StompSession.Effect] {
    /// The frames that left, decoded as a server would; heart-beats are left out.
    var frames: [StompFrame] {
        var frames: [StompFrame] = []
        for case .transmit(_, let message) in self {
            var decoder = StompDecoder(role: .server)
            decoder.append(message.bytes)
            while let event = try? decoder.next() {
                if case .frame(let frame) = event { frames.append(frame) }
            }
        }
        return frames
    }

    func frames(_ command: StompCommand) -> [StompFrame] {
        frames.filter { $0.command == command }
    }

    var heartbeats: Int {
        count { effect in
            if case .transmit(_, .text([0x0A])) = effect { true } else { false }
        }
    }

    var pings: Int { count { if case .ping = $0 { true } else { false } } }
    var attempts: Int { count { if case .requestCredentials = $0 { true } else { false } } }
    var opened: [WebSocketRequest] {
        compactMap { if case .open(_, let request) = $0 { request } else { nil } }
    }
    var messages: [StompMessage] {
        compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
    var reports: [StompReport] {
        compactMap { if case .report(let report) = $0 { report } else { nil } }
    }
    var statuses: [ConnectionStatus] {
        compactMap { if case .status(let status) = $0 { status } else { nil } }
    }
    var isSocketEnded: Bool {
        contains {
            switch $0 {
            case .close, .abandon: true
            default: false
            }
        }
    }

    func phases(_ key: UInt64) -> [StompSubscriptionPhase] {
        compactMap {
            if case .phase(StompSubscriptionKey(key), let phase) = $0 { phase } else { nil }
        }
    }

    func outcome(_ id: UInt64) -> StompOutcome? {
        for case .complete(StompRequestID(id), let outcome) in self { return outcome }
        return nil
    }

    func failure(_ id: UInt64) -> StompClientError.Code? {
        if case .failed(let error)? = outcome(id) { error.code } else { nil }
    }
}

extension StompSession {
    var isConnected: Bool { status == .connected }
    var isWaiting: Bool { if case .waiting = status { true } else { false } }
    var stopCode: StompClientError.Code? {
        if case .stopped(.failed(let error)) = status { error.code } else { nil }
    }
}
