import Foundation
import RejoinChat
import RejoinContracts

/// The accounts, the room and the checks of one run.
struct ConformanceRun {
    let room: RoomID
    let checks: [ContractCheck]
    private let first: NetworkAccount

    /// Reaches the backend, finds the room and learns who the tokens belong to.
    ///
    /// - Parameter progress: is told why a call waits.
    init(
        _ options: ConformanceOptions, progress: @escaping @Sendable (String) -> Void
    ) async throws {
        let services = try ChatServices.platform(
            origin: options.server,
            credentials: FixedCredentials(.bearer(options.token.text)))
        let network = BackendNetwork(
            format: services.format, exchange: services.exchange, connector: services.connector,
            endpoint: options.socket, subscribeTimeout: options.patience,
            progress: progress)
        let account = { (user: UserID, token: GivenToken) in
            NetworkAccount(user, credentials: .bearer(token.text), network: network)
        }
        func owner(of token: GivenToken, in room: RoomID) async throws -> UserID {
            let draft = MessageDraft(
                clientID: ClientMessageID(UUID()), content: [.text("rejoin conformance begins")])
            let anybody = account(UserID(""), token)
            let answer = try await Self.reaching(token) { () async throws(BackendFailure) in
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
            let answer = try await Self.reaching(options.token) { () async throws(BackendFailure) in
                try await anybody.perform(.rooms)
            }
            guard case .rooms(let rooms) = answer, let first = rooms.first else {
                throw CommandError.failure("the token's person is in no room; make one for the run")
            }
            room = first.room
        }
        self.room = room
        let first = account(try await owner(of: options.token, in: room), options.token)
        self.first = first
        var backend = BackendUnderTest(
            first: first, impostor: account(first.user, GivenToken(text: "made-up", source: "")),
            room: { _ in room },
            deferrals: { network.deferrals }, patience: options.patience)
        if let token = options.secondToken {
            let user = try await owner(of: token, in: room)
            guard user != first.user else {
                throw CommandError.failure(
                    "\(options.token.source) and \(token.source) belong to the same person; two are "
                        + "needed")
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
        _ token: GivenToken, _ call: () async throws(BackendFailure) -> BackendAnswer
    ) async throws(CommandError) -> BackendAnswer {
        do throws(BackendFailure) {
            return try await call()
        } catch {
            switch error.code {
            case .tokenExpired, .tokenInvalid, .forbidden, .notFound:
                throw .failure("the backend cannot be used with \(token.source): \(error)")
            default: throw .failure("the backend cannot be used: \(error)")
            }
        }
    }

    /// Why the backend does not answer anybody any more, so that the other checks would only say so
    /// too; `nil` where it does.
    func silence() async -> BackendFailure? {
        do throws(BackendFailure) {
            _ = try await first.perform(.capabilities)
            return nil
        } catch {
            return [.unreachable, .rateLimited].contains(error.code) ? error : nil
        }
    }
}
