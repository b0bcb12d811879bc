import RejoinContracts
import RejoinWebSocket
import Testing

/// The contract of the WebSocket seam, kept by the connector of this platform.
@Suite("WebSocket contract", .serialized)
struct WebSocketContractTests {
    private static let peer = Result { try LoopbackWebSocketPeer() }
    private static let connector = PlatformWebSocketConnector()

    private static var checks: [ContractCheck] {
        guard case .success(let peer) = peer else { return [] }
        return webSocketContract(connector: connector, peer: peer)
    }

    @Test("a loopback peer can be started")
    func peer() throws {
        _ = try Self.peer.get()
    }

    @Test("the platform's connector", arguments: checks.map(\.id))
    func platform(_ id: String) async throws {
        let check = try #require(Self.checks.first { $0.id == id })
        #expect(try await check.run() == .kept)
    }
}
