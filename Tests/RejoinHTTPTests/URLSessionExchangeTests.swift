import Foundation
import RejoinContracts
import RejoinHTTP
import RejoinModel
import RejoinWire
import Testing

@Suite("URLSessionExchange beyond its contract")
struct URLSessionExchangeTests {
    private func makeExchange(_ origin: String) -> URLSessionExchange? {
        URL(string: origin).flatMap { URLSessionExchange(origin: $0) }
    }

    @Test("origins are http or https with a host, a path is allowed")
    func origins() {
        for origin in ["http://h", "https://h:1/", "https://h/base/", "HTTPS://h"] {
            #expect(makeExchange(origin) != nil, "\(origin)")
        }
        for origin in [
            "ws://h", "h", "/a", "https://", "https://h?a=b", "https://h#a", "file:///a",
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
}
