import RejoinTime
import RejoinTransport
import Testing

/// Rows of the requirement table about opening, greeting and being refused.
@Suite("StompSession: getting in")
struct ConnectionTests {
    @Test("CONNECT: versions and heart-beat without spaces, host apart from the URL's")
    func connectFrame() {
        var bench = SessionBench { $0.virtualHost = .named("/") }
        bench.start()
        bench.authorize(StompCredentials(connectHeaders: ["login": "a:b\\c"]))
        bench.open()
        let sent = bench.effects.frames(.connect)
        #expect(sent.count == 1)
        let headers = sent.first.map { $0.headers.map { "\($0.name)=\($0.value)" } }
        #expect(
            headers == [
                "accept-version=1.2,1.1,1.0", "host=/", "heart-beat=10000,10000", "login=a:b\\c",
            ])
    }

    @Test("CONNECT: the host is the URL's unless told otherwise")
    func hostFromURL() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        #expect(bench.effects.frames.first?.headers["host"] == "chat.example")
        var other = SessionBench { $0.virtualHost = .omitted }
        other.start()
        other.authorize()
        other.open()
        #expect(other.effects.frames.first?.headers.contains("host") == false)
    }

    @Test("R-15: upgrade, CONNECT and SUBSCRIBE headers are separate settings")
    func separateHeaders() {
        var bench = SessionBench()
        bench.start()
        bench.authorize(
            StompCredentials(
                upgradeHeaders: [.init("Authorization", "Bearer u")],
                connectHeaders: ["X-AUTH-TOKEN": "c"], subscribeHeaders: ["token": "s"]))
        #expect(bench.effects.opened.first?.headers == [.init("Authorization", "Bearer u")])
        bench.open()
        #expect(bench.effects.frames.first?.headers["X-AUTH-TOKEN"] == "c")
        #expect(bench.effects.frames.first?.headers.contains("Authorization") == false)
        bench.greet()
        bench.subscribe(1)
        #expect(bench.effects.frames(.subscribe).first?.headers["token"] == "s")
    }

    @Test(
        "C-06, CONNECT injection: CR, LF and NUL are refused here", arguments: ["\r", "\n", "\0"])
    func injection(_ character: String) {
        var bench = SessionBench()
        bench.start()
        bench.authorize(StompCredentials(connectHeaders: ["passcode": "a\(character)b:c"]))
        bench.open()
        #expect(bench.effects.frames.isEmpty)
        #expect(bench.session.stopCode == .invalidConfiguration)
    }

    @Test("R-41: three subprotocols in order; none is tolerated, another is not")
    func subprotocols() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        #expect(
            bench.effects.opened.first?.subprotocols == ["v12.stomp", "v11.stomp", "v10.stomp"])
        bench.open(subprotocol: nil)
        bench.greet()
        #expect(bench.session.isConnected)

        var other = SessionBench()
        other.start()
        other.authorize()
        other.open(subprotocol: "mqtt")
        #expect(other.effects.isSocketEnded)
        #expect(other.session.isWaiting)
    }

    @Test("S: CONNECTED without version is 1.0")
    func missingVersion() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet([:])
        #expect(bench.session.isConnected)
        // No escapes in 1.0: a value that would need one is refused, one with a colon is not.
        bench.give(
            .send(StompRequestID(1), StompSend("/a", headers: ["x": "a\nb"], body: [])))
        #expect(bench.effects.failure(1) == .invalidRequest)
    }

    @Test("S: CONNECTED without version is refused where 1.2 is required")
    func versionRequired() {
        var bench = SessionBench { $0.versions = [.v12] }
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet([:])
        #expect(bench.session.stopCode == .noCommonVersion)
    }

    @Test("S: a version that was not offered is an error", arguments: ["9.9", "", "1.2 "])
    func foreignVersion(_ version: String) {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet(["version": version])
        #expect(bench.session.stopCode == .noCommonVersion)
        bench.pass(.seconds(3_600))
        #expect(bench.effects.attempts == 0)
    }

    @Test("S: no common version is a typed error and no loop")
    func noCommonVersion() {
        var bench = SessionBench { $0.versions = [.v11] }
        bench.start()
        bench.authorize()
        bench.open(subprotocol: nil)
        bench.server(StompFrame(.error, headers: ["version": "1.2,2.1"], text: "no"))
        #expect(bench.session.stopCode == .noCommonVersion)
        bench.pass(.seconds(3_600))
        #expect(bench.effects.attempts == 0)
    }

    @Test("C-17, C-18: CONNECTED without heart-beat, session and server")
    func bareConnected() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet(["version": "1.2"])
        #expect(bench.session.isConnected)
        bench.pass(.seconds(20))
        #expect(bench.effects.heartbeats == 0)
    }

    @Test("R-13: 401 is answered by one refresh at once, then by a typed stop")
    func expiredOnUpgrade() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.fail(.upgradeRefused, status: 401)
        #expect(bench.effects.contains(.requestCredentials(ConnectionEpoch(2), .expired)))
        bench.authorize()
        bench.fail(.upgradeRefused, status: 401)
        #expect(bench.session.stopCode == .unauthorized)
        bench.pass(.seconds(3_600))
        #expect(bench.effects.attempts == 0)
    }

    @Test("R-13: an invalid token is final at once, by the body's code")
    func invalidOnUpgrade() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.fail(
            .upgradeRefused, status: 401, body: #"{"code":"token_invalid","message":"no"}"#)
        #expect(bench.session.stopCode == .unauthorized)
        guard case .stopped(.failed(let error)) = bench.session.status else { return }
        #expect(error.httpStatus == 401)
    }

    @Test("R-13: 403 stops with the status to be seen")
    func forbiddenOnUpgrade() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.fail(.upgradeRefused, status: 403)
        #expect(bench.session.stopCode == .forbidden)
    }

    @Test("R-42: another status than 101 is a typed error with a hint, and tried again calmly")
    func wrongStatus() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.fail(.upgradeRefused, status: 200)
        guard case .waiting(_, let error?) = bench.session.status else {
            Issue.record("expected a wait, got \(bench.session.status)")
            return
        }
        #expect(error.code == .upgradeRefused && error.httpStatus == 200)
        #expect(error.message.contains("/websocket"))
    }

    @Test(
        "A wrong login by ERROR: one refresh, then a stop",
        arguments: [
            StompHeaders([("message", "Bad CONNECT")]), StompHeaders([("code", "token_expired")]),
        ])
    func refusedLogin(_ headers: StompHeaders) {
        var bench = SessionBench()
        bench.start()
        for reason in [StompCredentialsReason.initial, .expired] {
            #expect(bench.effects.contains(.requestCredentials(bench.epoch, reason)))
            bench.authorize()
            bench.open()
            bench.server(StompFrame(.error, headers: headers, text: "Access refused"))
        }
        #expect(bench.session.stopCode == .unauthorized)
    }

    @Test("An ERROR without a code during the greeting is not taken for a wrong login")
    func brokerDown() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.server(StompFrame(.error, headers: ["message": "Broker not available"]))
        #expect(bench.session.isWaiting)
        #expect(bench.effects.isSocketEnded)
    }

    @Test("A token that expires while connected is refreshed, however often")
    func expiredWhileConnected() {
        var bench = SessionBench()
        bench.connect()
        for _ in 0..<5 {
            bench.server(StompFrame(.error, headers: ["code": "token_expired"]))
            #expect(bench.session.isWaiting)
            bench.passUntilAttempt()
            #expect(bench.history.contains(.requestCredentials(bench.epoch, .expired)))
            bench.climb()
            #expect(bench.session.isConnected)
        }
    }

    @Test("2g 81: a provider that fails is asked again with backoff; one that is signed out is not")
    func providerFails() {
        var bench = SessionBench()
        bench.start()
        for _ in 0..<8 {
            bench.give(
                .credentialsFailed(
                    bench.epoch, StompCredentialsFailure(isTransient: true, "offline")))
            bench.passUntilAttempt()
        }
        #expect(bench.history.attempts == 9)
        bench.give(
            .credentialsFailed(bench.epoch, StompCredentialsFailure(isTransient: false, "gone")))
        #expect(bench.session.stopCode == .signedOut)
    }

    @Test("A step that takes too long ends the attempt, not the session")
    func timeouts() {
        var bench = SessionBench()
        bench.start()
        bench.pass(.seconds(30))
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(1))))
        bench.passUntilAttempt()
        bench.authorize()
        bench.pass(.seconds(15))
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(2))))
        bench.passUntilAttempt()
        bench.authorize()
        bench.open()
        bench.pass(.seconds(10))
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(3))))
        #expect(bench.session.isWaiting)
    }

    @Test("Several endpoints: a failed one is tried again when its turn comes")
    func endpoints() {
        let urls = ["wss://a.example/ws", "wss://b.example/ws"]
        var bench = SessionBench(endpoints: urls)
        bench.start()
        for _ in 0..<3 {
            bench.authorize()
            bench.fail(.unreachable)
            bench.passUntilAttempt()
        }
        #expect(bench.history.opened.map(\.url) == [urls[0], urls[1], urls[0]])
        bench.climb()
        bench.fail(close: 1006)
        bench.passUntilAttempt()
        bench.authorize()
        #expect(bench.effects.opened.first?.url == urls[1], "what has worked stays")
    }

    @Test("Secrets reach no description")
    func secrets() {
        let credentials = StompCredentials(connectHeaders: ["passcode": "hunter2"])
        #expect(!"\(credentials)".contains("hunter2"))
        #expect(!String(reflecting: credentials).contains("hunter2"))
        let input = StompSession.Input.credentialsReady(ConnectionEpoch(1), credentials)
        #expect(!"\(input)".contains("hunter2"))
    }
}
