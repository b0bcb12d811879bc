#if os(Linux)
import Foundation
import RejoinContracts
import RejoinHTTP
import RejoinKit
import RejoinModel
import RejoinServer
import RejoinWebSocket
import RejoinWire
import Testing

/// Over real sockets: libcurl, libwebsockets and the reference format.
@Suite("The reference backend keeps the contract of backends (section 9)", .serialized)
struct BackendContractTests {
    @Test("with every capability")
    func complete() async throws {
        let skipped = try await skippedChecks(ServerBehaviour())
        #expect(skipped == ["backend.settles-in-time", "backend.deferrals-say-when"])
    }

    @Test("without idempotent sends, revisions and SUBSCRIBE receipts")
    func reduced() async throws {
        let behaviour = ServerBehaviour(
            subscribeReceipts: false, idempotentSends: false, revisions: false)
        let skipped = try await skippedChecks(behaviour)
        #expect(
            skipped == [
                "backend.settles-in-time", "backend.send-idempotent",
                "backend.send-repeats-at-once", "backend.subscribe-receipt",
                "backend.events-count-revisions", "backend.changes",
                "backend.changes-under-writers", "backend.changes-gone",
                "backend.deferrals-say-when",
            ])
    }

    @Test("with commits that come late")
    func late() async throws {
        let skipped = try await skippedChecks(ServerBehaviour(settle: .milliseconds(50)))
        #expect(skipped == ["backend.commits-in-order", "backend.deferrals-say-when"])
    }

    @Test("with a rate limit that the checks run into")
    func limited() async throws {
        let skipped = try await skippedChecks(
            ServerBehaviour(), rate: RateLimit(perSecond: 400, burst: 50))
        #expect(skipped == ["backend.settles-in-time"])
    }

    /// Runs all checks, each in a fresh room; the names of those that were skipped.
    private func skippedChecks(
        _ behaviour: ServerBehaviour, rate: RateLimit? = nil
    ) async throws -> [String] {
        let directory = NSTemporaryDirectory() + "rejoin-contract-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = ServerConfiguration(
            directory: directory, secret: .random(), behaviour: behaviour)
        configuration.limits.rate = rate
        let server = ReferenceServer(configuration)
        let port = try await server.start()
        var skipped: [String] = []
        for check in backendChecks(try backend(server, port)) {
            let result = await check.result()
            #expect(result.failure == nil, "\(result)")
            if case .success(.skipped) = result.outcome { skipped.append(check.id) }
        }
        await server.stop()
        return skipped
    }

    private func backend(_ server: ReferenceServer, _ port: UInt16) throws -> BackendUnderTest {
        let origin = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let network = BackendNetwork(
            format: ReferenceFormat(), exchange: try #require(PlatformHTTPExchange(origin: origin)),
            connector: PlatformWebSocketConnector(), endpoint: "ws://127.0.0.1:\(port)/ws",
            subscribeTimeout: .milliseconds(100))
        let (ann, bob) = (UserID("ann"), UserID("bob"))
        let account = { (user: UserID, token: String) in
            NetworkAccount(user, credentials: .bearer(token), network: network)
        }
        return BackendUnderTest(
            first: account(ann, server.token(for: ann)),
            second: account(bob, server.token(for: bob)),
            outsider: account(UserID("eve"), server.token(for: UserID("eve"))),
            impostor: account(ann, "made-up"),
            expired: account(ann, server.token(for: ann, lifetime: .seconds(-1))),
            room: { check in
                let room = RoomID(check.replacing(".", with: "-"))
                try await server.createRoom(room, users: [ann, bob])
                return room
            },
            deferrals: { network.deferrals })
    }
}
#endif
