#if os(Linux)
import Foundation
import RejoinChat
import RejoinContracts
import RejoinServer
import Testing

/// The whole chat with the reference format, the platform's adapters and the reference backend.
@Suite("Chat contract", .serialized)
struct ChatContractTests {
    private static let count = 4

    @Test("Reference backend", arguments: 0..<count, [ChatConfiguration.Sending.rest, .socket])
    func referenceBackend(_ index: Int, _ sending: ChatConfiguration.Sending) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-contract-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory, secret: .random(), format: ReferenceFormat()))
        let port = try await server.start()
        try await server.createRoom(
            RoomID("contract"), users: [UserID("ann"), UserID("ben")])
        let client = { @Sendable (name: String) async throws -> ChatClient in
            let origin = try #require(URL(string: "http://127.0.0.1:\(port)"))
            var configuration = ChatConfiguration(
                user: UserID(name), endpoints: ["ws://127.0.0.1:\(port)/ws"])
            configuration.sending = sending
            return ChatClient(
                configuration: configuration,
                services: try .platform(
                    origin: origin,
                    credentials: FixedCredentials(.bearer(server.token(for: UserID(name))))))
        }
        let environment = ChatContract.Environment(
            room: "contract", first: { try await client("ann") },
            second: { try await client("ben") })
        let checks = ChatContract.checks(environment)
        #expect(checks.count == Self.count)
        try await checks[index].run()
        await server.stop()
    }
}
#endif
