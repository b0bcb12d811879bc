import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// Rows of the requirement table about coming back, and about staying away.
@Suite("StompSession: coming back")
struct ReconnectTests {
    @Test("R-09: a failed attempt schedules the next, again and again")
    func goesOn() {
        var bench = SessionBench()
        bench.start()
        for _ in 0..<20 {
            bench.authorize()
            bench.fail(.unreachable)
            #expect(bench.session.isWaiting)
            bench.passUntilAttempt()
        }
        #expect(bench.history.attempts == 21)
    }

    @Test("R-06: waits grow to a cap, never fall below the floor, and keep their spread at the cap")
    func backoff() {
        var waits: [Duration] = []
        for seed in 0..<200 {
            var bench = SessionBench(seed: UInt64(seed))
            bench.start()
            for attempt in 0..<8 {
                bench.authorize()
                bench.fail(.unreachable)
                guard case .waiting(let until?, _) = bench.session.status else { return }
                let wait = until - bench.now
                let ceiling = Duration.seconds(min(30, 1 << attempt))
                #expect(wait >= .milliseconds(100) && wait <= ceiling)
                if attempt == 7 { waits.append(wait) }
                bench.pass(wait)
            }
        }
        #expect(waits.contains { $0 < .seconds(5) } && waits.contains { $0 > .seconds(25) })
    }

    @Test("R-05: failures are forgotten once a connection has stayed up, and not before")
    func reset() throws {
        var bench = SessionBench(seed: 3)
        func ceiling(_ bench: inout SessionBench) -> Duration {
            var longest = Duration.zero
            for seed in 0..<300 {
                var copy = bench
                copy.random = .init(seed: UInt64(seed))
                copy.fail(close: 1006)
                if case .waiting(let until?, _) = copy.session.status {
                    longest = max(longest, until - copy.now)
                }
            }
            return longest
        }
        bench.start()
        for _ in 0..<6 {
            bench.authorize()
            bench.fail(.unreachable)
            bench.passUntilAttempt()
        }
        bench.climb()
        bench.pass(.seconds(19))
        #expect(ceiling(&bench) > .seconds(15), "a server that drops us soon still sees long waits")
        bench.server(raw: "\n")
        bench.pass(.seconds(12))
        #expect(ceiling(&bench) <= .seconds(1))
    }

    @Test(
        "R-10: any close, broken socket or end of file is a disconnect, also close 1000",
        arguments: [1000, 1001, 1002, 1006, 1007, 1011, 4500] as [UInt16])
    func anyClose(_ code: UInt16) {
        var bench = SessionBench()
        bench.connect()
        bench.fail(close: code)
        #expect(bench.session.isWaiting)
        bench.pass(.seconds(1))
        #expect(bench.history.attempts == 2)
    }

    @Test("R-43: a SEND that the server finds too large is told by its close code")
    func tooLarge() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.send(StompRequestID(1), StompSend("/a", body: [1], wantsReceipt: true)))
        bench.fail(close: 1009)
        guard case .failed(let error)? = bench.effects.outcome(1) else {
            Issue.record("the request still waits")
            return
        }
        #expect(error.closeCode == 1009 && error.code == .connectionLost)
    }

    @Test("R-07: stop cancels the pending attempt, whatever it has come to")
    func stopCancels() {
        for depth in 0..<5 {
            var bench = SessionBench()
            bench.start()
            if depth > 0 { bench.authorize() }
            if depth > 1 { bench.open() }
            if depth > 2 { bench.greet() }
            if depth > 3 { bench.fail(close: 1006) }
            bench.give(.stop)
            bench.pass(.seconds(3_600))
            #expect(bench.session.status == .stopped(.requested))
            #expect(bench.history.attempts == 1)
        }
    }

    @Test("R-11: connect, disconnect, connect: a fresh socket per attempt")
    func again() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.stop)
        bench.start()
        bench.receipt(for: bench.history.frames(.disconnect).last)
        #expect(bench.effects.contains(.requestCredentials(ConnectionEpoch(2), .initial)))
        bench.climb()
        #expect(bench.session.isConnected)
    }

    @Test("R-02: what an old socket still says is ignored")
    func epochs() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.fail(close: 1006)
        bench.reconnect()
        let old = ConnectionEpoch(1)
        let message = ContiguousArray(
            "MESSAGE\nsubscription:s1-1\nmessage-id:1\ndestination:/a\n\nx\0".utf8)
        #expect(bench.give(.received(old, message)).isEmpty)
        #expect(bench.give(.socketFailed(old, WebSocketError(.closed, "old"))).isEmpty)
        #expect(bench.give(.ponged(old)).isEmpty)
        #expect(bench.give(.wrote(old)).isEmpty)
        #expect(bench.give(.credentialsReady(old, StompCredentials())).isEmpty)
        #expect(bench.give(.socketOpened(old, subprotocol: nil)) == [.abandon(old)])
        #expect(bench.session.isConnected)
    }

    @Test("R-17: a farewell is bounded; it ends by receipt, by the close, or by time")
    func farewell() {
        for way in 0..<4 {
            var bench = SessionBench()
            bench.connect()
            bench.give(.stop)
            #expect(bench.session.status == .disconnecting)
            let goodbye = bench.effects.frames(.disconnect)
            #expect(goodbye.count == 1 && goodbye[0].headers.contains("receipt"))
            bench.give(.send(StompRequestID(1), StompSend("/a", body: [])))
            #expect(bench.effects.frames.isEmpty, "nothing is sent after DISCONNECT")
            #expect(bench.effects.failure(1) == .notConnected)
            switch way {
            case 0: bench.receipt(for: goodbye.first)
            case 1: bench.fail(close: 1000)
            case 2: bench.pass(.seconds(2))
            default: bench.server(StompFrame(.error, headers: [:]))
            }
            #expect(bench.session.status == .stopped(.requested))
            bench.pass(.seconds(3_600))
            #expect(bench.history.attempts == 1)
        }
    }

    @Test("Retry-After is honoured, with jitter, up to a limit", arguments: [429, 503])
    func retryAfter(_ status: Int) {
        var waits: Set<Duration> = []
        for seed in 0..<50 {
            var bench = SessionBench(seed: UInt64(seed))
            bench.start()
            bench.authorize()
            bench.fail(.upgradeRefused, status: status, retryAfter: .seconds(20))
            guard case .waiting(let until?, let error?) = bench.session.status else { return }
            #expect(error.code == .overloaded)
            let wait = until - bench.now
            #expect(wait >= .seconds(20) && wait <= .seconds(30))
            waits.insert(wait)
            // Neither the foreground nor the network may come before it.
            bench.give(.enterForeground)
            bench.give(.networkPathChanged(isSatisfied: true))
            bench.pass(.milliseconds(19_999))
            #expect(bench.history.attempts == 1)
        }
        #expect(waits.count > 40)
        var hostile = SessionBench()
        hostile.start()
        hostile.authorize()
        hostile.fail(.upgradeRefused, status: 503, retryAfter: .seconds(1_000_000_000))
        hostile.passUntilAttempt()
        #expect(hostile.history.attempts == 2)
        #expect(hostile.now - .origin <= .seconds(900))
    }

    @Test("Retry-After of an ERROR frame counts too")
    func retryAfterInError() {
        var bench = SessionBench()
        bench.connect()
        bench.server(StompFrame(.error, headers: ["code": "rate_limited", "retry-after": "20"]))
        bench.pass(.milliseconds(19_999))
        #expect(bench.history.attempts == 1)
        bench.pass(.seconds(11))
        #expect(bench.history.attempts == 2)
    }

    @Test("2g 87: the foreground ends a long wait at once")
    func foregroundShortens() {
        var bench = SessionBench()
        bench.start()
        for _ in 0..<6 {
            bench.authorize()
            bench.fail(.unreachable)
            bench.passUntilAttempt()
        }
        bench.authorize()
        bench.fail(.unreachable)
        bench.give(.enterBackground)
        bench.give(.enterForeground)
        #expect(bench.effects.attempts == 1)
    }

    @Test("A restored network shortens the wait, with a spread")
    func networkShortens() {
        var bench = SessionBench(seed: 9)
        bench.start()
        for _ in 0..<6 {
            bench.authorize()
            bench.fail(.unreachable)
            bench.passUntilAttempt()
        }
        bench.authorize()
        bench.fail(.unreachable)
        bench.give(.networkPathChanged(isSatisfied: false))
        bench.give(.networkPathChanged(isSatisfied: true))
        bench.pass(.seconds(1))
        #expect(bench.history.attempts == 8)
    }

    @Test("P8: a flapping network and a flapping app cannot make a loop")
    func flapping() {
        var bench = SessionBench(seed: 5)
        bench.start()
        for _ in 0..<3_000 {
            bench.give(.networkPathChanged(isSatisfied: false))
            bench.give(.networkPathChanged(isSatisfied: true))
            bench.give(.enterBackground)
            bench.give(.enterForeground)
            if bench.session.status == .connecting {
                bench.authorize()
                bench.fail(.unreachable)
            }
            bench.pass(.milliseconds(100))
        }
        // Five minutes: one permit in ten seconds, three at the start, and what backoff allows.
        #expect(bench.history.attempts < 75)
    }

    @Test("An unsatisfied path stops nothing: the system can be wrong")
    func pathIsAHint() {
        var bench = SessionBench()
        bench.give(.networkPathChanged(isSatisfied: false))
        bench.connect()
        #expect(bench.session.isConnected)
        bench.fail(close: 1006)
        bench.pass(.seconds(1))
        #expect(bench.history.attempts == 2)
    }

    @Test("Background: no new attempts; the foreground makes up for it")
    func background() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.enterBackground)
        bench.fail(close: 1006)
        #expect(bench.session.status.isPaused)
        bench.pass(.seconds(3_600))
        #expect(bench.history.attempts == 1)
        bench.give(.networkPathChanged(isSatisfied: true))
        bench.pass(.seconds(60))
        #expect(bench.history.attempts == 1)
        bench.give(.enterForeground)
        #expect(bench.history.attempts == 2)
    }

    @Test("A start in the background waits for the foreground")
    func startInBackground() {
        var bench = SessionBench()
        bench.give(.enterBackground)
        bench.start()
        #expect(bench.history.attempts == 0)
        bench.give(.enterForeground)
        #expect(bench.history.attempts == 1)
    }

    @Test("After a terminal stop only a new start tries again")
    func terminal() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.fail(.upgradeRefused, status: 403)
        for input: StompSession.Input in [
            .enterBackground, .enterForeground, .networkPathChanged(isSatisfied: true),
        ] {
            bench.give(input)
            bench.pass(.seconds(600))
        }
        #expect(bench.history.attempts == 1)
        bench.start()
        #expect(bench.history.attempts == 2)
    }

    @Test("R-38: the status comes from the state machine alone, and changes are told once")
    func status() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        #expect(bench.session.isConnected)
        bench.fail(close: 1006)
        bench.give(.stop)
        #expect(
            bench.history.statuses.map(\.name) == [
                "connecting", "connected", "waiting", "stopped",
            ])
    }
}

extension ConnectionStatus {
    var name: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "waiting"
        case .disconnecting: "disconnecting"
        case .stopped: "stopped"
        }
    }

    var isPaused: Bool {
        if case .waiting(nil, _) = self { true } else { false }
    }
}
