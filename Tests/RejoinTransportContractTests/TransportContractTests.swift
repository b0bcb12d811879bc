import RejoinContracts
import RejoinTransport
import Testing

@Suite("Contracts of RejoinTransport", .timeLimit(.minutes(1)))
struct TransportContractTests {
    @Test("The in-memory connector keeps the WebSocket contract")
    func connector() async throws {
        let server = ScriptedServer()
        try await withThrowingTaskGroup { group in
            group.addTask { await server.run() }
            for check in webSocketConnectorChecks(server) { try await check.run() }
            group.cancelAll()
        }
    }

    @Test("The session keeps its promises under the configuration it starts with")
    func session() async throws {
        let configuration = StompConfiguration(endpoints: ["wss://chat.example/ws"])
        for check in stompSessionChecks(configuration) { try await check.run() }
    }
}
