import Foundation
import RejoinContracts
import RejoinHTTP
import Testing

@Suite("Contract of the HTTP exchange")
struct HTTPExchangeContractTests {
    @Test("URLSession keeps it", arguments: checks.map(\.id))
    func urlSession(id: String) async throws {
        for check in checks where check.id == id { try await check.run() }
    }
}

private let checks = httpExchangeChecks { origin in
    guard let exchange = URL(string: origin).flatMap({ URLSessionExchange(origin: $0) }) else {
        throw URLError(.badURL)
    }
    return exchange
}
