import RejoinContracts
import RejoinTransport
import Testing

@Suite("Contracts of RejoinTransport", .timeLimit(.minutes(1)))
struct TransportContractTests {
    @Test("The in-memory connector keeps the WebSocket contract, as far as it has no wire")
    func connector() async throws {
        let server = ScriptedServer()
        try await withThrowingTaskGroup { group in
            group.addTask { await server.run() }
            var kept = 0
            for check in webSocketContract(connector: server.connector, peer: server) {
                if try await check.run() == .kept { kept += 1 }
            }
            #expect(kept >= 35)
            group.cancelAll()
        }
    }

    @Test("The session keeps its promises under the configuration it starts with")
    func session() async throws {
        let configuration = StompConfiguration(endpoints: ["wss://chat.example/ws"])
        for check in stompSessionChecks(configuration) { try await check.run() }
    }
}
