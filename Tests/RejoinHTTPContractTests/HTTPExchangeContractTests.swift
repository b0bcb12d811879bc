import Foundation
import RejoinContracts
import RejoinHTTP
import Testing

@Suite("Contract of the HTTP exchange")
struct HTTPExchangeContractTests {
    @Test("The platform's exchange keeps it", arguments: platformChecks.map(\.id))
    func platform(id: String) async throws {
        for check in platformChecks where check.id == id { try await check.run() }
    }

    #if os(Linux)
    @Test("URLSession keeps it", arguments: sessionChecks.map(\.id))
    func urlSession(id: String) async throws {
        for check in sessionChecks where check.id == id { try await check.run() }
    }
    #endif
}

private let platformChecks = httpExchangeChecks { origin in
    guard let exchange = URL(string: origin).flatMap({ PlatformHTTPExchange(origin: $0) }) else {
        throw URLError(.badURL)
    }
    return exchange
}

#if os(Linux)
/// Without the check in which the peer hangs up inside a header: there Foundation on Linux ends
/// the process ("Transfer completed, but there's no response"), which is why the platform's
/// exchange is another.
private let sessionChecks = httpExchangeChecks { origin in
    guard let exchange = URL(string: origin).flatMap({ URLSessionExchange(origin: $0) }) else {
        throw URLError(.badURL)
    }
    return exchange
}
.filter { $0.id != "http.ends-in-header" }
#endif
