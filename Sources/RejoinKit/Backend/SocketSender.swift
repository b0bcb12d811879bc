public import RejoinModel
public import RejoinSync
public import RejoinTransport
public import RejoinWire

/// The socket's credentials, from the desk that REST shares.
struct SocketCredentials: StompCredentialsProvider {
    let desk: CredentialsDesk

    func credentials(for reason: StompCredentialsReason) async throws(StompCredentialsFailure)
        -> StompCredentials
    {
        try await desk.forConnection(reason).stomp
    }
}

/// Sends mutations by STOMP SEND with a receipt, which means "stored"; what the wire format has no
/// SEND for goes by REST.
public struct SocketSender: MessageSender {
    private let stomp: StompClient
    private let format: any WireFormat
    private let rest: RESTBackend

    /// Creates a sender over a client that somebody else runs.
    public init(stomp: StompClient, format: any WireFormat, rest: RESTBackend) {
        self.stomp = stomp
        self.format = format
        self.rest = rest
    }

    public func perform(_ mutation: Mutation, in room: RoomID) async throws(BackendFailure)
        -> MutationAnswer
    {
        guard let send = format.encode(RoomCommand(room: room, kind: mutation.command)) else {
            return try await rest.perform(mutation, in: room)
        }
        do throws(StompClientError) {
            try await stomp.send(
                send.destination, headers: ["content-type": send.contentType], bytes: send.body,
                receipt: true)
            return .accepted
        } catch {
            throw BackendFailure(error)
        }
    }
}

extension Mutation {
    /// The same change as a command of the socket.
    package var command: RoomCommand.Kind {
        switch self {
        case .send(let draft): .send(draft)
        case .edit(let id, let content): .edit(id, content)
        case .delete(let id): .delete(id)
        case .react(let id, let emoji, let isPut): .react(id, emoji: emoji, isPut)
        }
    }
}

extension BackendFailure {
    /// A failed SEND. One that certainly had no effect may be repeated even where the backend is
    /// not idempotent; an ERROR of the server refuses it for good.
    package init(_ error: StompClientError) {
        switch error.code {
        case .rejected, .invalidRequest: self.init(.rejected, error.description)
        default:
            self.init(
                error.mayHaveTakenEffect ? .outcomeUnknown : .unreachable, error.description)
        }
    }
}
