public import RejoinModel
public import RejoinReadState
public import RejoinSync
internal import RejoinTransport
public import RejoinWire

/// The backend's REST half: fills the history, sending and read seams by one wire format over one
/// HTTP exchange.
public struct RESTBackend: HistorySource, MessageSender, ReadReporter {
    private let format: any WireFormat
    private let exchange: any HTTPExchange
    private let desk: CredentialsDesk
    private let timeout: Duration
    private let maximumBytes: Int

    init(
        format: any WireFormat, exchange: any HTTPExchange, desk: CredentialsDesk,
        timeout: Duration, maximumBytes: Int
    ) {
        self.format = format
        self.exchange = exchange
        self.desk = desk
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }

    /// Creates a backend of its own, for programs that need REST alone.
    ///
    /// - Parameters:
    ///   - timeout: For one request, from the call to the last byte of the answer.
    ///   - maximumBytes: The largest answer taken.
    public init(
        format: any WireFormat, exchange: any HTTPExchange,
        credentials: any ChatCredentialsProvider, timeout: Duration = .seconds(20),
        maximumBytes: Int = 32 << 20
    ) {
        self.init(
            format: format, exchange: exchange, desk: CredentialsDesk(credentials),
            timeout: timeout, maximumBytes: maximumBytes)
    }

    /// Makes a call and brings its answer. Credentials that were refused as expired are renewed
    /// once.
    ///
    /// - Throws: ``BackendFailure``.
    public func answer(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        let held = try await credentials { () async throws(StompCredentialsFailure) in
            try await desk.current()
        }
        do {
            return try await attempt(call, held.credentials)
        } catch {
            guard error.code == .tokenExpired else { throw error }
        }
        let fresh = try await credentials { () async throws(StompCredentialsFailure) in
            try await desk.refreshed(after: held.generation)
        }
        do {
            return try await attempt(call, fresh.credentials)
        } catch {
            // Still expired after a refresh: asking on and on would hammer the sign-in (P8).
            guard error.code == .tokenExpired else { throw error }
            throw BackendFailure(.tokenInvalid, "the renewed token is refused as expired too")
        }
    }

    private func credentials(
        _ ask: () async throws(StompCredentialsFailure) -> CredentialsDesk.Held
    ) async throws(BackendFailure) -> CredentialsDesk.Held {
        do {
            return try await ask()
        } catch {
            // Nothing was sent, so a later attempt is safe; without a sign-in it is useless.
            throw BackendFailure(error.isTransient ? .unreachable : .tokenInvalid, error.message)
        }
    }

    private func attempt(_ call: BackendCall, _ credentials: ChatCredentials)
        async throws(BackendFailure) -> BackendAnswer
    {
        try await exchange.answer(
            to: call, by: format, with: credentials, timeout: timeout, maximumBytes: maximumBytes)
    }

    public func answer(_ request: HistoryRequest, in room: RoomID) async throws(BackendFailure)
        -> HistoryAnswer
    {
        switch request {
        case .page(let anchor, let limit):
            if case .history(let page) = try await answer(.history(room, anchor, limit: limit)) {
                return .page(page)
            }
        case .changes(let after, let limit):
            let call = BackendCall.changes(room, after: after, limit: limit)
            if case .changes(let page) = try await answer(call) { return .changes(page) }
        case .summary:
            if case .room(let summary) = try await answer(.room(room)) { return .summary(summary) }
        }
        throw Self.wrongKind
    }

    public func perform(_ mutation: Mutation, in room: RoomID) async throws(BackendFailure)
        -> MutationAnswer
    {
        let call: BackendCall =
            switch mutation {
            case .send(let draft): .send(room, draft)
            case .edit(let id, let content): .edit(room, id, content)
            case .delete(let id): .delete(room, id)
            case .react(let id, let emoji, let isPut): .react(room, id, emoji: emoji, isPut)
            }
        guard case .message(let message) = try await answer(call) else { throw Self.wrongKind }
        return .stored(message)
    }

    public func report(_ mark: ReadMark, unread: Bool, in room: RoomID)
        async throws(BackendFailure) -> ReadAnswer
    {
        let call: BackendCall = unread ? .markUnread(room, mark) : .markRead(room, mark)
        guard case .read(let stored) = try await answer(call) else { throw Self.wrongKind }
        return stored
    }

    /// A wire format that answers a call with another call's answer is broken.
    private static var wrongKind: BackendFailure {
        BackendFailure(
            .malformedAnswer,
            "the wire format answered with another kind of answer than the call has; "
                + "run its contract checks")
    }
}
