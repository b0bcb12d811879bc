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

    @Test("with a rate limit that the checks of several writers run into")
    func limited() async throws {
        let skipped = try await skippedChecks(
            ServerBehaviour(), rate: RateLimit(perSecond: 400, burst: 25))
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
        let rateClock = VirtualTime()
        let server = ReferenceServer(configuration, rateClock: rateClock)
        let port = try await server.start()
        var skipped: [String] = []
        for check in backendChecks(try backend(server, port, rateClock)) {
            // Each begins with a full allowance; within it, the number of requests alone counts.
            rateClock.advance(by: .seconds(1))
            let result = await check.result()
            #expect(result.failure == nil, "\(result)")
            if case .success(.skipped) = result.outcome { skipped.append(check.id) }
        }
        await server.stop()
        return skipped
    }

    private func backend(
        _ server: ReferenceServer, _ port: UInt16, _ rateClock: VirtualTime
    ) throws -> BackendUnderTest {
        let origin = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let exchange = WaitingExchange(
            base: try #require(PlatformHTTPExchange(origin: origin)), rateClock: rateClock)
        // A receipt that is promised is waited for, however slow the machine is.
        let hasReceipts = server.configuration.behaviour.subscribeReceipts
        let network = BackendNetwork(
            format: ReferenceFormat(), exchange: exchange,
            connector: PlatformWebSocketConnector(), endpoint: "ws://127.0.0.1:\(port)/ws",
            subscribeTimeout: hasReceipts ? .seconds(20) : .milliseconds(100))
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

/// Lets the server's rate clock go on whenever a client is asked to wait.
private struct WaitingExchange: HTTPExchange {
    let base: PlatformHTTPExchange
    let rateClock: VirtualTime

    func response(
        to request: HTTPRequest, timeout: Duration, maximumBytes: Int
    ) async throws(BackendFailure) -> HTTPResponse {
        let response = try await base.response(
            to: request, timeout: timeout, maximumBytes: maximumBytes)
        if response.status == 429 { rateClock.advance(by: .seconds(1)) }
        return response
    }
}
#endif
