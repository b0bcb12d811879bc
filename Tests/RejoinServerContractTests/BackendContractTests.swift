#if os(Linux)
import Foundation
import RejoinContracts
import RejoinServer
import Testing

@Suite("The reference backend keeps the contract of backends (section 9)")
struct BackendContractTests {
    @Test("with every capability", arguments: checkIDs)
    func complete(id: String) async throws {
        try await run(id, ServerBehaviour())
    }

    @Test("without idempotent sends and revisions", arguments: checkIDs)
    func reduced(id: String) async throws {
        try await run(id, ServerBehaviour(idempotentSends: false, revisions: false))
    }

    private func run(_ id: String, _ behaviour: ServerBehaviour) async throws {
        let directory = NSTemporaryDirectory() + "rejoin-contract-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory, secret: .random(), behaviour: behaviour))
        try await server.start()
        for check in backendChecks(backend(server)) where check.id == id {
            do {
                try await check.run()
            } catch {
                await server.kill()
                throw error
            }
        }
        await server.stop()
    }
}

private func backend(_ server: ReferenceServer) -> BackendUnderTest {
    BackendUnderTest(
        makeRoom: { try await server.createRoom($0, users: $1) },
        perform: { try await server.perform($0, as: $1) })
}

/// The names alone: nothing is run.
private let checkIDs = backendChecks(
    BackendUnderTest(makeRoom: { _, _ in }, perform: { _, _ in throw CancellationError() })
).map(\.id)
#endif
