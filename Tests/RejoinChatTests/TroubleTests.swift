#if os(Linux)
import RejoinChat
import RejoinContracts
import RejoinServer
import Testing

/// Two people chat and read through real sockets while things go wrong again and again.
@Suite("P1, P2, P3, P4, P5: two people in trouble", .serialized, .timeLimit(.minutes(1)))
struct TroubleTests {
    @Test(
        "the server is killed again and again",
        arguments: ["plain", "no revisions", "late", "not idempotent", "no receipts", "socket"])
    func restarts(kind: String) async throws {
        var behaviour = ServerBehaviour()
        switch kind {
        case "no revisions": behaviour.revisions = false
        case "late": behaviour.settle = .milliseconds(200)
        case "not idempotent": behaviour.idempotentSends = false
        case "no receipts": behaviour.subscribeReceipts = false
        default: break
        }
        let world = try await ChatWorld(behaviour: behaviour)
        guard
            case .capabilities(let capabilities) = try await world.server.perform(
                .capabilities, as: UserID("ann"))
        else {
            Issue.record("the server does not say what it keeps")
            return
        }
        let clients = try TwoPeople.names.map { name in
            try world.client(name) {
                $0.capabilities = capabilities
                if kind == "socket" { $0.sending = .socket }
                if kind == "no receipts" {
                    $0.stomp.subscribeTimeout = .milliseconds(300)
                    $0.stomp.settleTime = .milliseconds(300)
                    $0.stomp.subscriptionRest = .milliseconds(300)
                }
            }
        }
        let kills = kind == "no receipts" ? 6 : 3
        try await TwoPeople.with(clients, in: world, isIdempotent: kind != "not idempotent") {
            people in
            try await people.chat {
                for _ in 1...kills {
                    try await SystemTime().sleep(for: .milliseconds(350))
                    await world.server.kill()
                    try await SystemTime().sleep(for: .milliseconds(150))
                    try await world.server.start()
                }
            }
            try await people.expectAgreement()
        }
        await world.end()
    }

    /// One thing that a network does for a while.
    private enum Weather: CaseIterable {
        case reset, closed, refused, deafAndDumb, deaf, dumb, slow, drip, cut

        func begin(_ proxy: FaultProxy, _ random: inout SeededGenerator) {
            switch self {
            case .reset: proxy.reset()
            case .closed: proxy.close()
            case .refused:
                proxy.refuse()
                proxy.reset()
            case .deafAndDumb: proxy.set(.swallow)
            case .deaf: proxy.set(.swallow, for: .down)
            case .dumb: proxy.set(.swallow, for: .up)
            case .slow: proxy.set(.delay(.milliseconds(.random(in: 10...400, using: &random))))
            case .drip: proxy.set(.throttle(interval: .milliseconds(1)))
            case .cut: proxy.set(.cut(after: .random(in: 1...2_000, using: &random)))
            }
        }

        func end(_ proxy: FaultProxy) {
            switch self {
            // A stream whose bytes were taken out never goes on in a real network.
            case .deafAndDumb, .deaf, .dumb: proxy.reset()
            case .reset, .closed, .refused, .slow, .drip, .cut: break
            }
            proxy.pass()
        }
    }

    /// Tokens that live for a moment, so that they expire in the middle of everything.
    private struct ShortLived: ChatCredentialsProvider {
        let server: ReferenceServer
        let user: UserID

        func credentials(_ reason: StompCredentialsReason)
            async throws(StompCredentialsFailure) -> ChatCredentials
        {
            .bearer(server.token(for: user, lifetime: .seconds(2)))
        }
    }

    @Test("the network does whatever networks do, and tokens expire", arguments: 1...4)
    func weather(seed: Int) async throws {
        let world = try await ChatWorld()
        let clients = try TwoPeople.names.map { name in
            try world.client(
                name, credentials: ShortLived(server: world.server, user: UserID(name)))
        }
        try await TwoPeople.with(clients, in: world) { people in
            try await people.chat {
                var random = SeededGenerator(seed: UInt64(seed))
                var forecast = Weather.allCases + Weather.allCases
                forecast.shuffle(using: &random)
                for weather in forecast.prefix(7) {
                    weather.begin(world.proxy, &random)
                    let time = Int.random(in: 50...500, using: &random)
                    try await SystemTime().sleep(for: .milliseconds(time))
                    weather.end(world.proxy)
                }
            }
            try await people.expectAgreement()
        }
        await world.end()
    }
}
#endif
