import Foundation
import RejoinContracts
import RejoinHTTP
import RejoinModel
import RejoinWire
import Testing

@Suite("The platform's exchange beyond its contract")
struct PlatformHTTPExchangeTests {
    private func makeExchange(_ origin: String) -> PlatformHTTPExchange? {
        URL(string: origin).flatMap { PlatformHTTPExchange(origin: $0) }
    }

    @Test("origins are http or https with a host, a path is allowed")
    func origins() {
        for origin in ["http://h", "https://h:1/", "https://h/base/", "HTTPS://h"] {
            #expect(makeExchange(origin) != nil, "\(origin)")
        }
        for origin in [
            "ws://h", "h", "/a", "https://", "https://h?a=b", "https://h#a", "file:///a",
            "http://user:pw@h",
        ] {
            #expect(makeExchange(origin) == nil, "\(origin)")
        }
    }

    @Test("the origin's path stands before the request's")
    func basePath() async throws {
        let peer = try LoopbackPeer([
            [.readRequest, .send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")]
        ])
        let exchange = try #require(makeExchange(peer.origin + "/base/"))
        _ = try await exchange.response(
            to: HTTPRequest(.get, "/v1/rooms"), timeout: .seconds(15), maximumBytes: 0)
        var requests = peer.requests.makeAsyncIterator()
        #expect(await requests.next()?.hasPrefix("GET /base/v1/rooms HTTP/1.1\r\n") == true)
    }

    @Test("a name that is not found is unreachable, and the error does not show it")
    func unknownHost() async throws {
        let exchange = try #require(makeExchange("http://no-such-host.invalid"))
        let failure = await #expect(throws: BackendFailure.self) {
            try await exchange.response(
                to: HTTPRequest(.get, "/"), timeout: .seconds(15), maximumBytes: 0)
        }
        #expect(failure?.code == .unreachable)
        #expect(failure?.message.contains("invalid") == false)
    }

    @Test("a server that speaks no TLS is unreachable: nothing was sent")
    func noTLS() async throws {
        let peer = try LoopbackPeer([[.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .hold]])
        let exchange = try #require(makeExchange("https://127.0.0.1:\(peer.port)"))
        let failure = await #expect(throws: BackendFailure.self) {
            try await exchange.response(
                to: HTTPRequest(.get, "/"), timeout: .seconds(15), maximumBytes: 100)
        }
        #expect(failure?.code == .unreachable)
    }

    @Test("what is no HTTP may have had its effect")
    func noHTTP() async throws {
        let peer = try LoopbackPeer([[.readRequest, .send("SSH-2.0-OpenSSH\r\n\r\n")]])
        let exchange = try #require(makeExchange(peer.origin))
        let failure = await #expect(throws: BackendFailure.self) {
            try await exchange.response(
                to: HTTPRequest(.get, "/"), timeout: .seconds(15), maximumBytes: 100)
        }
        #expect(failure?.mayHaveTakenEffect == true)
    }

    @Test("many requests at once are each sent once and answered")
    func concurrent() async throws {
        let scripts = (0..<20).map { _ -> [LoopbackPeer.Step] in
            [
                .readRequest,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n1"),
            ]
        }
        let peer = try LoopbackPeer(scripts)
        let exchange = try #require(makeExchange(peer.origin))
        try await withThrowingTaskGroup { group in
            for index in scripts.indices {
                group.addTask {
                    try await exchange.response(
                        to: HTTPRequest(.get, "/\(index)"), timeout: .seconds(15), maximumBytes: 10)
                }
            }
            for try await response in group { #expect(response.body.count == 1) }
        }
        var paths: Set<String> = []
        for await request in peer.requests {
            paths.insert(String(request.split(separator: " ")[1]))
        }
        #expect(paths.count == scripts.count)
    }

    @Test("a path that is not absolute cannot lead to another host")
    func relativePath() async throws {
        let exchange = try #require(makeExchange("http://127.0.0.1:1"))
        for path in ["", "a", "@h/", ".h/", "/a b", "/a#b", "/a\r\nb", "/\u{e9}"] {
            let failure = await #expect(throws: BackendFailure.self) {
                try await exchange.response(
                    to: HTTPRequest(.get, path), timeout: .seconds(15), maximumBytes: 0)
            }
            #expect(failure?.code == .rejected, "\(path)")
        }
    }

    @Test("connections are kept: requests in sequence need one")
    func keepAlive() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
        // The one connection that the peer takes serves all three.
        let peer = try LoopbackPeer([
            [
                .readRequest, .send(answer + "1"), .readRequest, .send(answer + "2"),
                .readRequest, .send(answer + "3"),
            ]
        ])
        let exchange = try #require(makeExchange(peer.origin))
        for number in ["1", "2", "3"] {
            let response = try await exchange.response(
                to: HTTPRequest(.post, "/"), timeout: .seconds(15), maximumBytes: 10)
            #expect(String(decoding: response.body, as: UTF8.self) == number)
        }
    }

    #if os(Linux)
    @Test("on a kept connection that is lost, only what is idempotent is sent again")
    func repeats() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1"
        for (method, isRepeated) in [(HTTPMethod.get, true), (.post, false)] {
            let peer = try LoopbackPeer([
                [.readRequest, .send(answer), .readRequest], [.readRequest, .send(answer)],
            ])
            let exchange = try #require(makeExchange(peer.origin))
            let request = HTTPRequest(method, "/")
            _ = try await exchange.response(
                to: request, timeout: .seconds(15), maximumBytes: 10)
            if isRepeated {
                _ = try await exchange.response(
                    to: request, timeout: .seconds(15), maximumBytes: 10)
            } else {
                let failure = await #expect(throws: BackendFailure.self) {
                    try await exchange.response(
                        to: request, timeout: .seconds(15), maximumBytes: 10)
                }
                #expect(failure?.code == .outcomeUnknown)
            }
        }
    }

    @Test("a header without end is given up at 64 KiB")
    func endlessHeader() async throws {
        let line = "X-A: \(String(repeating: "a", count: 1_000))\r\n"
        let header = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 100)
        let peer = try LoopbackPeer([[.readRequest, .send(header), .hold]])
        let exchange = try #require(makeExchange(peer.origin))
        let failure = await #expect(throws: BackendFailure.self) {
            try await exchange.response(
                to: HTTPRequest(.get, "/"), timeout: .seconds(15), maximumBytes: 10)
        }
        #expect(failure?.code == .malformedAnswer)
    }
    #endif
}
