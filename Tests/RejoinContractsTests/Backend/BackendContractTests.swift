import RejoinContracts
import RejoinModel
import Testing

/// The contract of backends must be able to fail: each fault is found, by the check that is for it
/// and with a message of its own.
@Suite("The contract of backends (section 9)")
struct BackendContractTests {
    @Test("The model backend keeps it, and no check is skipped", arguments: Honest.checks())
    func model(_ check: ContractCheck) async throws {
        let outcome = try await check.run()
        // What needs a settling time, or an overloaded backend, has a test of its own.
        let isSkipped = ["backend.settles-in-time", "backend.deferrals-say-when"]
            .contains(check.id)
        #expect((outcome == .kept) != isSkipped, "\(outcome)")
    }

    @Test(
        "A model backend that declares little keeps that",
        arguments: Honest.checks(
            BackendCapabilities(
                commitOrder: .settles(within: .seconds(2)), idempotentSendRetention: nil,
                hasRevisions: false, hasSubscribeReceipts: false)))
    func modest(_ check: ContractCheck) async throws {
        try await check.run()
    }

    @Test("Without a second person, a stranger or a socket the rest is checked, and says why not")
    func alone() async throws {
        let skips: [String: String] = [
            "backend.unread-count": "it takes a second member of the room",
            "backend.access": "it takes somebody who is not in the room",
            "backend.token-invalid": "no account with a made-up token was given",
            "backend.subscribe-receipt": "no realtime connection was given",
        ]
        let model = ModelBackend()
        let ann = UserID("ann")
        let account = DirectBackendAccount(ann) { (call) async throws(BackendFailure) in
            try await model.perform(call, as: ann)
        }
        let room = RoomID("shared")
        await model.createRoom(room, users: [ann])
        for check in backendChecks(BackendUnderTest(first: account, room: { _ in room })) {
            let outcome = try await check.run()
            guard let why = skips[check.id] else { continue }
            #expect(outcome == .skipped(why: why))
        }
    }

    @Test("A broken backend is found out", arguments: BackendFault.all)
    func broken(_ fault: BackendFault) async throws {
        var found: [String] = []
        for result in await fault.results() {
            guard let failure = result.failure else { continue }
            failure.expectReadable()
            found.append(result.id)
        }
        #expect(found.contains(fault.check), "found by \(found)")
        let unforeseen = Set(found).subtracting(fault.also).subtracting([fault.check])
        #expect(unforeseen.isEmpty, "found by \(unforeseen.sorted()), too")
    }

    @Test("Each fault has a message of its own, and each check a fault that it finds")
    func messages() async throws {
        var messages: [String: String] = [:]
        for fault in BackendFault.all {
            let failure = await fault.results(of: fault.check).first?.failure
            let text = failure.map { "\($0.expected) \($0.whoIsHurt)" } ?? "nothing"
            #expect(messages[text] == nil, "\(fault.name) and \(messages[text] ?? "")")
            messages[text] = fault.name
        }
        let checks = Set(Honest.checks().map(\.id))
        #expect(checks.subtracting(BackendFault.all.map(\.check)).isEmpty)
    }
}

extension BackendFault {
    static let all = history + sends + live + people

    /// How the contract goes on an honest backend with this fault.
    func results(of id: String? = nil) async -> [ContractResult] {
        var results: [ContractResult] = []
        let checks = Honest.checks(breaking: breaking)
        for check in checks where check.id == id ?? check.id {
            results.append(await check.result())
        }
        return results
    }
}

/// A model backend with a fresh room for each check.
private enum Honest {
    static func checks(
        _ capabilities: BackendCapabilities = BackendCapabilities(),
        breaking: (inout BackendUnderTest) -> Void = { _ in }
    ) -> [ContractCheck] {
        let model = ModelBackend(capabilities: capabilities)
        let (ann, bob, eve) = (UserID("ann"), UserID("bob"), UserID("eve"))
        var backend = BackendUnderTest(
            first: model.account(ann), second: model.account(bob), outsider: model.account(eve),
            impostor: refused(.tokenInvalid), expired: refused(.tokenExpired),
            room: { check in
                let room = RoomID(check)
                await model.createRoom(room, users: [ann, bob])
                return room
            },
            patience: .milliseconds(500))
        breaking(&backend)
        return backendChecks(backend)
    }

    private static func refused(_ code: BackendFailure.Code) -> DirectBackendAccount {
        DirectBackendAccount(UserID("mallory")) { (_) async throws(BackendFailure) in
            throw BackendFailure(code, "the token is refused")
        }
    }
}
