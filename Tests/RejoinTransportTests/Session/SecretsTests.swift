import RejoinTransport
import Testing

/// Section 8, "Secrets and message texts never reach logs": a server may say what it was sent.
@Suite("StompSession: secrets in what a server says")
struct SecretsTests {
    private static let token = "eyJhbGciOiJIUzI1NiJ9.0f3a9c0f3a9c0f3a9c"
    private static let credentials = StompCredentials(
        upgradeHeaders: [.init("Authorization", "Bearer \(token)")],
        connectHeaders: ["login": "ann-of-the-hill", "passcode": token],
        subscribeHeaders: ["x-room-key": "key-of-the-room"])

    /// An ERROR that repeats what came, and is cut in the midst of it.
    private static let echo = StompFrame(
        .error,
        headers: [
            ("code", "bad \(token)"), ("message", "no 'Bearer \(token)', nor key-of-the-room"),
            ("ann", "login:ann-of-the-hill"), ("receipt-id", "r-1"),
        ].reduce(into: StompHeaders()) { $0.append($1.0, $1.1) },
        text: "SUBSCRIBE x-room-key:key-of-the-room passcode:\(token.prefix(20))")

    /// Everything that goes out of the session, as text.
    private func told(_ effects: [StompSession.Effect]) -> [String] {
        func texts(_ error: StompClientError) -> [String] {
            [error.message, error.serverCode ?? "", error.serverMessage ?? ""]
        }
        return effects.flatMap { effect -> [String] in
            switch effect {
            case .report(.serverError(let frame)):
                frame.headers.map(\.value) + [frame.bodyText ?? "no text"]
            case .report(.connectionEnded(_, let error)): texts(error)
            case .complete(_, .failed(let error)): texts(error)
            case .status(.waiting(_, after: let error?)): texts(error)
            default: []
            }
        }
    }

    private func expectNoSecret(_ texts: [String]) {
        #expect(texts.contains { $0.contains("[redacted]") })
        for text in texts {
            for secret in [String(Self.token.prefix(20)), "ann-of-the-hill", "key-of-the-room"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }

    @Test("before CONNECTED: neither the error nor the report holds what the server was sent")
    func refused() throws {
        var bench = SessionBench()
        bench.start()
        bench.authorize(Self.credentials)
        bench.open()
        bench.server(Self.echo)
        guard case .waiting(_, after: let error?) = bench.session.status else {
            Issue.record("\(bench.session.status)")
            return
        }
        #expect(error.serverMessage == "no '[redacted]', nor [redacted]")
        #expect(error.serverCode == "bad [redacted]")
        expectNoSecret(told(bench.effects))
    }

    @Test("a request that the server refuses, and the others that it takes with it, tell nothing")
    func request() throws {
        var bench = SessionBench()
        bench.start()
        bench.authorize(Self.credentials)
        bench.open()
        bench.greet()
        for number in 1...2 {
            bench.give(
                .send(
                    StompRequestID(UInt64(number)),
                    StompSend("/a", body: [], wantsReceipt: true)))
        }
        let receipt = try #require(
            bench.history.frames(.send).first?.headers["receipt"])
        var answer = Self.echo
        answer.headers = StompHeaders(
            answer.headers.map { ($0.name, $0.name == "receipt-id" ? receipt : $0.value) })
        bench.server(answer)
        let failures = bench.effects.compactMap { effect -> StompClientError? in
            if case .complete(_, .failed(let error)) = effect { error } else { nil }
        }
        #expect(failures.map(\.code) == [.rejected, .connectionLost])
        #expect(failures.allSatisfy { $0.serverMessage == "no '[redacted]', nor [redacted]" })
        expectNoSecret(told(bench.effects))
    }

    @Test("a secret that the cut at 256 characters divides leaves no beginning behind")
    func cut() {
        for length in 200...256 {
            var bench = SessionBench()
            bench.start()
            bench.authorize(Self.credentials)
            bench.open()
            let text = String(repeating: "x", count: length) + Self.token
            bench.server(StompFrame(.error, headers: ["message": text]))
            for text in told(bench.effects) {
                #expect(!text.contains(Self.token.prefix(6)), "\(text)")
            }
        }
    }
}
