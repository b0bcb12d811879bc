import Foundation
import RejoinChat
import RejoinContracts

/// The accounts, the room and the checks of one run.
struct ConformanceRun {
    let room: RoomID
    let checks: [ContractCheck]

    /// Reaches the backend, finds the room and learns who the tokens belong to.
    init(_ options: ConformanceOptions) async throws {
        let services = try ChatServices.platform(
            origin: options.server,
            credentials: FixedCredentials(.bearer(options.token)))
        let network = BackendNetwork(
            format: services.format, exchange: services.exchange, connector: services.connector,
            endpoint: options.socket, subscribeTimeout: options.patience)
        let account = { (user: UserID, token: String) in
            NetworkAccount(user, credentials: .bearer(token), network: network)
        }
        func owner(of token: String, in room: RoomID, _ option: String) async throws -> UserID {
            let draft = MessageDraft(
                clientID: ClientMessageID(UUID()), content: [.text("rejoin conformance begins")])
            let anybody = account(UserID(""), token)
            let answer = try await Self.reaching(option) { () async throws(BackendFailure) in
                try await anybody.perform(.send(room, draft))
            }
            guard case .message(let message) = answer else {
                throw CommandError.failure("the backend answered a message with something else")
            }
            return message.author
        }

        let room: RoomID
        if let named = options.room {
            room = named
        } else {
            let anybody = account(UserID(""), options.token)
            let answer = try await Self.reaching("--token") { () async throws(BackendFailure) in
                try await anybody.perform(.rooms)
            }
            guard case .rooms(let rooms) = answer, let first = rooms.first else {
                throw CommandError.failure("the token's person is in no room; make one for the run")
            }
            room = first.room
        }
        self.room = room
        let first = account(
            try await owner(of: options.token, in: room, "--token"), options.token)
        var backend = BackendUnderTest(
            first: first, impostor: account(first.user, "made-up"), room: { _ in room },
            deferrals: { network.deferrals }, patience: options.patience)
        if let token = options.secondToken {
            let user = try await owner(of: token, in: room, "--second-token")
            guard user != first.user else {
                throw CommandError.failure(
                    "--token and --second-token belong to the same person; two are needed")
            }
            backend.second = account(user, token)
        }
        backend.outsider = options.outsiderToken.map { account(UserID("outsider"), $0) }
        backend.expired = options.expiredToken.map { account(first.user, $0) }
        checks = backendChecks(backend).filter {
            options.only.isEmpty || $0.id.contains(options.only)
        }
        guard !checks.isEmpty else {
            throw CommandError.usage("no check's name contains '\(options.only)'")
        }
    }

    private static func reaching(
        _ option: String, _ call: () async throws(BackendFailure) -> BackendAnswer
    ) async throws(CommandError) -> BackendAnswer {
        do throws(BackendFailure) {
            return try await call()
        } catch {
            throw .failure("the backend cannot be used with \(option): \(error)")
        }
    }
}
