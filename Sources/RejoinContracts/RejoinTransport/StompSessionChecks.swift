import RejoinTime
public import RejoinTransport

/// What a session must keep under a host's own configuration: promises that a setting can break.
public func stompSessionChecks(_ configuration: StompConfiguration) -> [ContractCheck] {
    [
        ContractCheck("session.waits-are-spread", promise: "P8") {
            var waits: Set<Duration> = []
            for seed in 0..<100 {
                var run = SessionRun(configuration, seed: UInt64(seed))
                for _ in 0..<10 { run.failAttempt() }
                if let wait = run.wait { waits.insert(wait) }
            }
            try require(
                waits.count >= 90, "session.waits-are-spread",
                expected: "at least 90 different waits among 100 clients after ten failures",
                got: "\(waits.count)",
                whoIsHurt: "all clients come back in the same instant and fell the server again")
        },
        ContractCheck("session.no-loop-without-wait", promise: "P8") {
            var run = SessionRun(configuration, seed: 1)
            for _ in 0..<20 {
                run.failAttempt()
                try require(
                    run.wait.map { $0 > .zero } ?? false, "session.no-loop-without-wait",
                    expected: "a wait above zero after each failure",
                    got: run.wait.map { "\($0)" } ?? "none",
                    whoIsHurt: "a failing server is hammered")
            }
        },
        ContractCheck("session.one-refresh-then-stop", promise: "section 4") {
            var run = SessionRun(configuration, seed: 1)
            for _ in 0..<2 {
                run.refuseAttempt(status: 401)
            }
            try require(
                run.isStopped, "session.one-refresh-then-stop",
                expected: "stopped after one refresh", got: inWords(run.session.status),
                whoIsHurt: "a signed-out device asks for tokens for ever")
        },
        ContractCheck("session.writes-within-a-minute", promise: "section 4") {
            let interval = configuration.outgoingHeartbeat
            let quiet = interval > .zero ? interval : configuration.pingInterval
            try require(
                quiet < .seconds(60), "session.writes-within-a-minute",
                expected: "a heart-beat or ping within 60 s", got: inWords(quiet),
                whoIsHurt: "RabbitMQ and many a proxy drop a client that is silent for a minute")
        },
        ContractCheck("session.stop-is-final", promise: "section 4") {
            var run = SessionRun(configuration, seed: 1)
            run.failAttempt()
            run.give(.stop)
            run.now = run.now + .seconds(86_400)
            let effects = run.give(.timePassed)
            try require(
                run.isStopped && effects.isEmpty, "session.stop-is-final",
                expected: "no attempt after stop", got: inWords(effects),
                whoIsHurt: "a person who has signed out is connected again")
        },
    ]
}

/// A started session in virtual time whose attempts all fail.
private struct SessionRun {
    var session: StompSession
    var now = Instant.origin
    private var random: SeededGenerator
    private var epoch = ConnectionEpoch(0)

    init(_ configuration: StompConfiguration, seed: UInt64) {
        session = StompSession(configuration: configuration)
        random = SeededGenerator(seed: seed)
        give(.start)
    }

    @discardableResult
    mutating func give(_ input: StompSession.Input) -> [StompSession.Effect] {
        let effects = session.handle(input, at: now, using: &random)
        for case .requestCredentials(let asked, _) in effects { epoch = asked }
        return effects
    }

    mutating func failAttempt() {
        if let wait {
            now = now + wait
            give(.timePassed)
        }
        give(.credentialsReady(epoch, StompCredentials()))
        give(.socketFailed(epoch, WebSocketError(.unreachable, "no server")))
    }

    mutating func refuseAttempt(status: Int) {
        give(.credentialsReady(epoch, StompCredentials()))
        give(
            .socketFailed(
                epoch, WebSocketError(.upgradeRefused, "refused", httpStatus: status)))
    }

    var wait: Duration? {
        if case .waiting(let until?, _) = session.status { until - now } else { nil }
    }

    var isStopped: Bool {
        if case .stopped = session.status { true } else { false }
    }
}
