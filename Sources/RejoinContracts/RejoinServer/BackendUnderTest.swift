public import RejoinModel

/// A backend that is checked: in this process, or behind HTTP, a WebSocket and a wire format.
public struct BackendUnderTest: Sendable {
    /// The person in whose name most is done.
    public var first: any BackendAccount
    /// Another member of the same rooms; without one, what concerns two people is skipped.
    public var second: (any BackendAccount)?
    /// Somebody who is in none of the rooms; without one, access is not checked.
    public var outsider: (any BackendAccount)?
    /// Somebody whose token was never issued; without one, its refusal is not checked.
    public var impostor: (any BackendAccount)?
    /// Somebody whose token was good once; without one, its refusal is not checked.
    public var expired: (any BackendAccount)?
    /// Gives the room in which a check works, of `first` and `second`. It may be a fresh one for
    /// each check, or always the same one with messages in it, as long as nobody else writes there.
    public var room: @Sendable (_ check: String) async throws -> RoomID
    /// The refusals met so far that ask to come back later (429 and 503).
    public var deferrals: @Sendable () -> [BackendFailure]
    /// How long an event may take before it counts as lost.
    public var patience: Duration

    /// Names the backend.
    public init(
        first: any BackendAccount, second: (any BackendAccount)? = nil,
        outsider: (any BackendAccount)? = nil, impostor: (any BackendAccount)? = nil,
        expired: (any BackendAccount)? = nil,
        room: @escaping @Sendable (_ check: String) async throws -> RoomID,
        deferrals: @escaping @Sendable () -> [BackendFailure] = { [] },
        patience: Duration = .seconds(5)
    ) {
        self.first = first
        self.second = second
        self.outsider = outsider
        self.impostor = impostor
        self.expired = expired
        self.room = room
        self.deferrals = deferrals
        self.patience = patience
    }
}

/// A person's way to a backend.
public protocol BackendAccount: Sendable {
    /// Who it is.
    var user: UserID { get }
    /// Whether ``withConnection(_:)`` can be called.
    var canConnect: Bool { get }

    /// Makes a call, once, without repeating or renewing anything.
    func perform(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer

    /// Opens a realtime connection of its own for as long as `body` runs.
    func withConnection(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws
}

/// A realtime connection of a person to a backend.
public protocol BackendConnection: Sendable {
    /// Subscribes to a room's events; returns when the backend has confirmed it.
    ///
    /// - Parameter deliver: called with each event, in the order of their arrival.
    /// - Returns: whether a receipt confirmed it; where none came in time, it is assumed.
    func subscribe(
        to room: RoomID, _ deliver: @escaping @Sendable (RoomEvent) -> Void
    ) async throws -> Bool

    /// Sends a command; returns when its receipt has come.
    ///
    /// - Returns: `false` where the backend takes no such command by the socket.
    func send(_ command: RoomCommand) async throws -> Bool
}

extension BackendAccount {
    public var canConnect: Bool { false }

    public func withConnection(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws {
        throw ContractSkip("this account has no realtime connection")
    }
}

/// A person's way to a backend in this process, without a socket.
public struct DirectBackendAccount: BackendAccount {
    public let user: UserID
    private let call: @Sendable (BackendCall) async throws(BackendFailure) -> BackendAnswer

    /// Creates an account that makes its calls by `perform`.
    public init(
        _ user: UserID,
        perform: @escaping @Sendable (BackendCall) async throws(BackendFailure) -> BackendAnswer
    ) {
        self.user = user
        call = perform
    }

    public func perform(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        try await self.call(call)
    }
}
