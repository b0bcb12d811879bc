public import RejoinTime

/// One conversation with a STOMP server over any number of connections, without a socket, a clock
/// or a task in it.
///
/// It asks for credentials, opens sockets, greets, keeps the registry of wanted subscriptions in
/// step, watches for signs of life, completes requests, says farewell, and comes back after
/// failures. All of that is decided here; a shell such as ``StompClient`` turns the world into
/// ``Input``s and executes ``Effect``s in order.
///
/// Every buffer has its limit in ``StompConfiguration``. There is no send queue: a request made
/// without a connection fails at once.
public struct StompSession: Sendable {
    /// How it behaves.
    public let configuration: StompConfiguration

    var phase = Phase.idle
    var epoch = ConnectionEpoch(0)
    /// What belongs to the present socket; there from its opening to its end.
    var link: Link?
    var registry = SubscriptionRegistry()
    var isForeground = true

    var endpoint = 0
    var backoff: Backoff
    var shortcuts: TokenBucket
    /// The server asked not to come before this.
    var notBefore: Instant?
    /// Why the next attempt asks for credentials.
    var credentialsReason = StompCredentialsReason.initial
    var lastFailure: StompClientError?
    var armed: Instant?
    var announced = ConnectionStatus.idle
    var effects: [Effect] = []

    /// Creates a session that waits for ``Input/start``.
    public init(configuration: StompConfiguration) {
        self.configuration = configuration
        backoff = configuration.backoff
        shortcuts = TokenBucket(
            capacity: configuration.shortcutLimit, refill: configuration.shortcutRefill)
    }

    /// Where the session stands.
    enum Phase: Hashable, Sendable {
        /// Never started.
        case idle
        /// The provider has been asked.
        case authorizing(Attempt)
        /// The socket is being opened.
        case opening(Attempt)
        /// CONNECT has left.
        case handshaking(Attempt)
        /// CONNECTED has come.
        case connected
        /// DISCONNECT has left; nothing more is sent.
        case disconnecting(Farewell)
        /// The next attempt comes by itself.
        case waiting(until: Instant)
        /// The next attempt comes with the foreground, and not before `until` unless a permit is
        /// left.
        case paused(until: Instant)
        /// No attempt comes.
        case stopped(ConnectionStatus.StopReason)
    }

    /// An attempt that has to get on before its deadline.
    struct Attempt: Hashable, Sendable {
        let reason: StompCredentialsReason
        var deadline: Instant
        var credentials = StompCredentials()
    }

    /// A farewell that has to end before its deadline.
    struct Farewell: Hashable, Sendable {
        let receipt: String
        let deadline: Instant
        /// Somebody asked for a connection meanwhile.
        var thenStart = false
    }

    /// The state of the connection, as a person can be shown it.
    public var status: ConnectionStatus {
        switch phase {
        case .idle: .idle
        case .authorizing, .opening, .handshaking: .connecting
        case .connected: .connected
        case .disconnecting: .disconnecting
        case .waiting(let until): .waiting(until: until, after: lastFailure)
        case .paused: .waiting(until: nil, after: lastFailure)
        case .stopped(let reason): .stopped(reason)
        }
    }

    /// Takes one input and says what to do about it.
    ///
    /// - Complexity: O(1) for a message; O(*n*) in the subscriptions where the connection changes.
    public mutating func handle(
        _ input: Input, at now: Instant, using random: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch input {
        case .start: start(now)
        case .stop: stop(now)
        case .enterForeground: enterForeground(now, &random)
        case .enterBackground: enterBackground()
        case .networkPathChanged(let isSatisfied): pathChanged(isSatisfied, now, &random)
        case .timePassed: timePassed(now, &random)
        case .credentialsReady(let epoch, let credentials):
            credentialsReady(epoch, credentials, now)
        case .credentialsFailed(let epoch, let failure):
            credentialsFailed(epoch, failure, now, &random)
        case .socketOpened(let epoch, let subprotocol):
            socketOpened(epoch, subprotocol, now, &random)
        case .socketFailed(let epoch, let error): socketFailed(epoch, error, now, &random)
        case .received(let epoch, let bytes): received(epoch, bytes, now, &random)
        case .ponged(let epoch): ponged(epoch, now)
        case .wrote(let epoch): wrote(epoch, now)
        case .subscribe(let key, let request):
            subscribe(key, request, now)
            endFullConnection(now, &random)
        case .unsubscribe(let key):
            unsubscribe(key, now)
            endFullConnection(now, &random)
        case .send(let id, let send): self.send(id, send, now)
        case .acknowledge(let id, let acknowledgement): acknowledge(id, acknowledgement, now)
        case .begin(let id, let transaction): begin(id, transaction, now)
        case .commit(let id, let transaction): end(transaction, by: .commit, id, now)
        case .abort(let id, let transaction): end(transaction, by: .abort, id, now)
        }
        return takeEffects(at: now)
    }
}

// MARK: - For whoever checks a run

extension StompSession {
    /// When the one timer of the session is due; `nil`: none is set, as nothing waits.
    package var deadline: Instant? { armed }

    /// Whether everything that is kept is within its limit.
    package var isWithinLimits: Bool {
        let unwritten = link?.ledger.unwrittenCount ?? 0
        let receipts = link?.ledger.pendingRequestCount ?? 0
        let transactions = link?.transactions.count ?? 0
        return registry.count <= configuration.maximumSubscriptions
            && unwritten
                <= configuration.maximumUnwrittenMessages + 2 * configuration.maximumSubscriptions
            && receipts <= configuration.maximumPendingReceipts
            && transactions <= configuration.maximumTransactions
    }
}
