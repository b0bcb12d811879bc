import RejoinContracts
import RejoinModel

/// An account whose calls, subscriptions and sends pass through a fault.
struct HookedAccount: BackendAccount {
    typealias Call =
        @Sendable (BackendCall, any BackendAccount) async throws(BackendFailure) -> BackendAnswer
    typealias Deliver = @Sendable (RoomEvent) -> Void
    typealias Subscribe =
        @Sendable (RoomID, any BackendConnection, @escaping Deliver) async throws -> Bool
    typealias Send = @Sendable (RoomCommand, any BackendConnection) async throws -> Bool

    let base: any BackendAccount
    var call: Call = { (call, base) async throws(BackendFailure) in try await base.perform(call) }
    var subscribe: Subscribe = { try await $1.subscribe(to: $0, $2) }
    var send: Send = { try await $1.send($0) }

    var user: UserID { base.user }
    var canConnect: Bool { base.canConnect }

    func perform(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        try await self.call(call, base)
    }

    func withConnection(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws {
        try await base.withConnection { connection in
            try await body(HookedConnection(base: connection, account: self))
        }
    }
}

private struct HookedConnection: BackendConnection {
    let base: any BackendConnection
    let account: HookedAccount

    func subscribe(
        to room: RoomID, _ deliver: @escaping @Sendable (RoomEvent) -> Void
    ) async throws -> Bool {
        try await account.subscribe(room, base, deliver)
    }

    func send(_ command: RoomCommand) async throws -> Bool {
        try await account.send(command, base)
    }
}
