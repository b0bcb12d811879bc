import RejoinModel
public import RejoinWire

/// What every HTTP exchange must keep, checked against a scripted peer on 127.0.0.1.
///
/// - Parameter makeExchange: Makes an exchange with an origin such as `http://127.0.0.1:8080`.
public func httpExchangeChecks(
    _ makeExchange: @escaping @Sendable (_ origin: String) throws -> any HTTPExchange
) -> [ContractCheck] {
    let checks = HTTPExchangeChecks(makeExchange: makeExchange)
    return [
        ContractCheck("http.carries", promise: "section 9", body: checks.carries),
        ContractCheck("http.any-status", promise: "section 9", body: checks.anyStatus),
        ContractCheck("http.refused", promise: "P5", body: checks.refused),
        ContractCheck("http.lost", promise: "P5", body: checks.lost),
        ContractCheck("http.cut-short", promise: "P1", body: checks.cutShort),
        ContractCheck("http.ends-in-header", promise: "P5", body: checks.endsInHeader),
        ContractCheck("http.no-injection", promise: "section 9", body: checks.noInjection),
        ContractCheck("http.timeout", promise: "P5", body: checks.timeout),
        ContractCheck("http.too-large", promise: "P7", body: checks.tooLarge),
        ContractCheck("http.cancelled", promise: "P8", body: checks.cancelled),
        ContractCheck("http.redirect", promise: "section 4", body: checks.redirect),
        ContractCheck("http.forgets", promise: "section 4", body: checks.forgets),
    ]
}

private struct HTTPExchangeChecks: Sendable {
    let makeExchange: @Sendable (String) throws -> any HTTPExchange

    private typealias Outcome = Result<HTTPResponse, BackendFailure>

    private static let secret = "s3cr3t-t0ken"
    private let request = HTTPRequest(
        .post, "/v1/rooms/a%2Fb/messages", query: [HTTPQueryItem("after", "1 2")],
        headers: ["Authorization": "Bearer \(secret)", "Content-Type": "application/json"],
        body: ContiguousArray("{\"content\":\"\(secret)\"}".utf8))

    private func answer(
        _ status: String = "200 OK", _ headers: String = "", body: String = "{}"
    ) -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
            + headers + "\r\n" + body
    }

    private func exchange(
        _ origin: String, _ request: HTTPRequest? = nil, timeout: Duration = .seconds(15),
        maximumBytes: Int = 1_000
    ) async throws -> Outcome {
        let exchange = try makeExchange(origin)
        do throws(BackendFailure) {
            return .success(
                try await exchange.response(
                    to: request ?? self.request, timeout: timeout, maximumBytes: maximumBytes))
        } catch {
            try require(
                !"\(error)".contains(Self.secret), "http.secrets",
                expected: "no header and no body in the error", got: "the secret",
                whoIsHurt: "a person whose token stands in a log")
            return .failure(error)
        }
    }

    private func requireFailure(
        _ code: BackendFailure.Code, _ check: String,
        _ result: Result<HTTPResponse, BackendFailure>,
        whoIsHurt: String
    ) throws(ContractFailure) {
        switch result {
        case .success(let response):
            throw ContractFailure(
                check: check, expected: code.rawValue, got: "status \(response.status)",
                whoIsHurt: whoIsHurt)
        case .failure(let failure):
            try require(failure.code, equals: code, check, whoIsHurt: whoIsHurt)
        }
    }

    // MARK: Answers

    @Sendable
    func carries() async throws {
        let peer = try LoopbackPeer([[.readRequest, .send(answer("200 OK", "X-A: b\r\n"))]])
        let response = try await exchange(peer.origin).get()
        try require(response.status, equals: 200, "http.carries", whoIsHurt: "everybody")
        try require(
            response.headers["x-a"], equals: "b", "http.carries",
            whoIsHurt: "a client that is told to wait and does not hear it")
        try require(
            String(decoding: response.body, as: UTF8.self), equals: "{}", "http.carries",
            whoIsHurt: "everybody")
        var requests = peer.requests.makeAsyncIterator()
        let received = await requests.next() ?? ""
        try require(
            received.hasPrefix("POST /v1/rooms/a%2Fb/messages?after=1%202 HTTP/1.1\r\n"),
            "http.carries", expected: "the path with its escapes",
            got: String(received.prefix { $0 != "\r\n" }),
            whoIsHurt: "a person whose room's name has a slash in it")
        for part in ["Bearer \(Self.secret)\r\n", "\r\n\r\n{\"content\":\"\(Self.secret)\"}"] {
            try require(
                received.contains(part), "http.carries", expected: "headers and body",
                got: "a request without them", whoIsHurt: "everybody")
        }
    }

    @Sendable
    func anyStatus() async throws {
        for status in [
            "204 No Content", "401 Unauthorized", "404 Not Found", "429 Slow", "503 Busy",
        ] {
            let body = status.hasPrefix("204") ? "" : "no"
            let peer = try LoopbackPeer([
                [.readRequest, .send(answer(status, "Retry-After: 7\r\n", body: body))]
            ])
            let response = try await exchange(peer.origin).get()
            try require(
                response.status, equals: Int(status.prefix(3)) ?? 0, "http.any-status",
                whoIsHurt: "a client that must tell a refusal from an outage")
            try require(
                response.headers["Retry-After"], equals: "7", "http.any-status",
                whoIsHurt: "a server that asked to be left alone")
        }
    }

    // MARK: Failures

    @Sendable
    func refused() async throws {
        let port = try RefusingPort()
        try requireFailure(
            .unreachable, "http.refused", try await exchange(port.origin),
            whoIsHurt: "a person whose message is shown as unconfirmed though it never left")
    }

    @Sendable
    func lost() async throws {
        for script: [LoopbackPeer.Step] in [
            [.readRequest, .reset], [.readRequest],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Le"), .reset],
        ] {
            let peer = try LoopbackPeer([script])
            try requireFailure(
                .outcomeUnknown, "http.lost", try await exchange(peer.origin),
                whoIsHurt: "a person whose message is sent twice")
        }
    }

    @Sendable
    func cutShort() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"messages\":["
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"mes\r\n"
        for script: [LoopbackPeer.Step] in [
            [.readRequest, .send(head)], [.readRequest, .send(head), .reset],
            [.readRequest, .send(chunked)],
        ] {
            let peer = try LoopbackPeer([script])
            try requireFailure(
                .outcomeUnknown, "http.cut-short", try await exchange(peer.origin),
                whoIsHurt: "a person who is shown half an answer as the whole")
        }
    }

    /// An answer that ends inside its header is `outcome_unknown` and traps nothing.
    @Sendable
    func endsInHeader() async throws {
        let header = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        for count in [0, 5, 20, 60] {
            let peer = try LoopbackPeer([
                [.readRequest, .send(String(decoding: header.utf8.prefix(count), as: UTF8.self))]
            ])
            try requireFailure(
                .outcomeUnknown, "http.ends-in-header", try await exchange(peer.origin),
                whoIsHurt: "a person whose app ends because a network is bad")
        }
        let informational = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let peer = try LoopbackPeer([[.readRequest, .send(informational)]])
        try requireFailure(
            .outcomeUnknown, "http.ends-in-header", try await exchange(peer.origin),
            whoIsHurt: "a person whose app takes a hint for the answer")
    }

    @Sendable
    func noInjection() async throws {
        let peer = try LoopbackPeer([[.readRequest]])
        for value in ["a\r\nX-B: c", "a\nb", "a\rb", "a\0b"] {
            let request = HTTPRequest(.get, "/", headers: ["X-A": value])
            try requireFailure(
                .rejected, "http.no-injection", try await exchange(peer.origin, request),
                whoIsHurt: "a person in whose name somebody else writes a header")
        }
        peer.stop()
        for await request in peer.requests {
            try require(
                false, "http.no-injection", expected: "nothing is sent",
                got: "\(request.utf8.count) bytes", whoIsHurt: "a server that takes half a request")
        }
    }

    @Sendable
    func timeout() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
        for script: [LoopbackPeer.Step] in [
            [.readRequest, .hold], [.readRequest, .send(head), .hold],
        ] {
            let peer = try LoopbackPeer([script])
            try requireFailure(
                .outcomeUnknown, "http.timeout",
                try await exchange(peer.origin, timeout: .milliseconds(300)),
                whoIsHurt: "a person who waits for ever")
        }
    }

    @Sendable
    func tooLarge() async throws {
        let big = String(repeating: "x", count: 2_000)
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n\(big)\r\n0\r\n\r\n"
        for text in [answer(body: big), chunked] {
            let peer = try LoopbackPeer([[.readRequest, .send(text), .hold]])
            try requireFailure(
                .malformedAnswer, "http.too-large", try await exchange(peer.origin),
                whoIsHurt: "a phone that runs out of memory")
        }
        let fits = String(repeating: "x", count: 1_000)
        let peer = try LoopbackPeer([[.readRequest, .send(answer(body: fits))]])
        try require(
            try await exchange(peer.origin).get().body.count, equals: 1_000, "http.too-large",
            whoIsHurt: "a person whose page is just as large as allowed")
    }

    @Sendable
    func cancelled() async throws {
        let peer = try LoopbackPeer([[.readRequest, .hold], [.hold]])
        let result = try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { try await exchange(peer.origin) }
            var requests = peer.requests.makeAsyncIterator()
            _ = await requests.next()
            group.cancelAll()
            return try await group.next() ?? .failure(BackendFailure(.rejected, "no result"))
        }
        try requireFailure(
            .cancelled, "http.cancelled", result,
            whoIsHurt: "a person who left the room and whose phone goes on working")
        let early = try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.cancelAll()
            group.addTask { try await exchange(peer.origin) }
            return try await group.next() ?? .failure(BackendFailure(.rejected, "no result"))
        }
        try requireFailure(
            .cancelled, "http.cancelled", early,
            whoIsHurt: "a person whose request leaves after they gave it up")
    }

    // MARK: Safety

    @Sendable
    func redirect() async throws {
        let elsewhere = try LoopbackPeer([[.readRequest, .send(answer())]])
        let peer = try LoopbackPeer([
            [
                .readRequest,
                .send(answer("307 Temporary Redirect", "Location: \(elsewhere.origin)/x\r\n")),
            ]
        ])
        let result = try await exchange(peer.origin)
        elsewhere.stop()
        for await request in elsewhere.requests {
            try require(
                !request.contains(Self.secret), "http.redirect",
                expected: "no credentials for another origin", got: "the token",
                whoIsHurt: "a person whose token is sent to a stranger")
        }
        if case .success(let response) = result {
            try require(
                response.status == 307 || response.status == 200, "http.redirect",
                expected: "the redirect itself, or its target without credentials",
                got: "status \(response.status)", whoIsHurt: "an engineer who looks for the cause")
        }
    }

    @Sendable
    func forgets() async throws {
        let headers = "Set-Cookie: a=b; Path=/\r\nCache-Control: max-age=600\r\nETag: \"1\"\r\n"
        let peer = try LoopbackPeer([
            [.readRequest, .send(answer("200 OK", headers, body: "1"))],
            [.readRequest, .send(answer("200 OK", headers, body: "2"))],
        ])
        let same = try makeExchange(peer.origin)
        let request = HTTPRequest(.get, "/v1/rooms")
        for number in ["1", "2"] {
            let response = try await same.response(
                to: request, timeout: .seconds(15), maximumBytes: 1_000)
            try require(
                String(decoding: response.body, as: UTF8.self), equals: number, "http.forgets",
                whoIsHurt: "a person who is shown yesterday's page")
        }
        for await request in peer.requests {
            try require(
                !request.lowercased().contains("\r\ncookie:"), "http.forgets",
                expected: "no cookies", got: "a Cookie header",
                whoIsHurt: "a person who signed out and is taken for the one before")
        }
    }
}
