public import RejoinTime

/// A STOMP client over a WebSocket: the shell around ``StompSession``.
///
/// It turns sockets, clocks and calls into the session's inputs and executes its effects in
/// order; it decides nothing. All of its work happens in child tasks of ``run()``, so that
/// cancelling that one call ends everything, and so that it runs under any executor and any
/// ``TimeSource``.
///
/// ```swift
/// let client = StompClient(
///     configuration: StompConfiguration(endpoints: ["wss://chat.example/ws"]),
///     connector: connector, credentials: provider)
/// async let running: Void = client.run()
/// await client.connect()
/// for await event in await client.subscribe("/sub/chat/room/7") { … }
/// ```
///
/// Sends and acknowledgements of one task keep their order. Nothing is queued while there is no
/// connection.
public actor StompClient {
    /// The connection's status, for any number of consumers.
    public nonisolated let statusUpdates = StompStatusUpdates()
    /// What engineers should know, for any number of consumers.
    public nonisolated let reports = StompReports()

    private let connector: any WebSocketConnector
    private let provider: any StompCredentialsProvider
    private let time: any TimeSource
    private var random: any RandomNumberGenerator & Sendable
    private var session: StompSession

    private var hasRun = false
    private var hasEnded = false
    /// Work that ``run()`` has not started yet. Bounded by the session: it asks for one step of
    /// one attempt at a time, and for a ping only when the last was answered.
    private var jobs = FirstInFirstOut<Job>()
    private let jobArrived = Signal(.onceEach)
    private var deadline: Instant?
    private let deadlineChanged = Signal(.onceEach)
    private var scopes: [ConnectionEpoch: Scope] = [:]
    private var subscriptions: [StompSubscriptionKey: StompSubscription] = [:]
    private var completions: [StompRequestID: Completion] = [:]
    /// Numbers subscriptions, requests and transactions.
    private var issued: UInt64 = 0

    /// Creates a client that does nothing before ``run()``.
    public init(
        configuration: StompConfiguration, connector: any WebSocketConnector,
        credentials: any StompCredentialsProvider = FixedStompCredentials(),
        time: any TimeSource = SystemTime(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        session = StompSession(configuration: configuration)
        self.connector = connector
        provider = credentials
        self.time = time
        self.random = random
    }

    // MARK: Running

    /// Does all of the client's work until the task is cancelled; call it once. Then every waiting
    /// request has failed and every sequence has ended. It returns once its child tasks have: a
    /// credentials provider that ignores cancellation holds it up.
    public func run() async {
        precondition(!hasRun, "run() may be called once; create another client")
        hasRun = true
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchTheClock() }
            while let job = await nextJob() {
                group.addTask { await self.perform(job) }
            }
            group.cancelAll()
        }
        shutDown()
    }

    private func shutDown() {
        hasEnded = true
        for epoch in scopes.keys.sorted() {
            receive(.socketFailed(epoch, WebSocketError(.cancelled, "the client stopped running")))
        }
        receive(.stop)
        for key in subscriptions.keys.sorted() { subscriptions[key]?.broadcast.finish() }
        subscriptions = [:]
        statusUpdates.broadcast.finish()
        reports.broadcast.finish()
    }

    // MARK: The connection

    /// The connection's status at this moment.
    public var status: ConnectionStatus { session.status }

    /// Connects, and stays connected. While a wait runs, it is cut short if a permit is left.
    public func connect() {
        receive(.start)
    }

    /// Says farewell and stays away; returns when that is done, after
    /// ``StompConfiguration/disconnectTimeout`` at the latest. Subscriptions stay wanted and come
    /// back with ``connect()``.
    public func disconnect() async {
        receive(.stop)
        for await status in statusUpdates {
            guard case .disconnecting = status else { return }
        }
    }

    /// The app has come to the foreground.
    public func enterForeground() {
        receive(.enterForeground)
    }

    /// The app has left the foreground. Returns at once: whoever wants to leave in good order calls
    /// ``disconnect()``.
    public func enterBackground() {
        receive(.enterBackground)
    }

    /// The system's opinion of the network has changed.
    public func networkPathChanged(isSatisfied: Bool) {
        receive(.networkPathChanged(isSatisfied: isSatisfied))
    }

    // MARK: Subscriptions

    /// Wants a subscription, now and over every connection to come, until it is ended. A request
    /// that cannot be served ends at once with the phase `refused`.
    ///
    /// - Parameter buffering: how much each consumer may lag behind.
    public func subscribe(
        _ destination: String, ack: StompAckMode = .auto, headers: StompHeaders = [],
        buffering: StompSubscription.Buffering = .bounded(256)
    ) -> StompSubscription {
        let subscription = StompSubscription(
            key: StompSubscriptionKey(issue()),
            request: StompSubscriptionRequest(destination, ack: ack, headers: headers),
            buffering: buffering)
        guard !hasEnded else {
            subscription.broadcast.finish()
            return subscription
        }
        subscriptions[subscription.key] = subscription
        receive(.subscribe(subscription.key, subscription.request))
        return subscription
    }

    /// Ends a subscription. One that has ended already stays as it is.
    public func unsubscribe(_ subscription: StompSubscription) {
        receive(.unsubscribe(subscription.key))
    }

    // MARK: Requests

    /// Performs one request and waits for its end.
    func request(_ input: (StompRequestID) -> StompSession.Input) async throws(StompClientError) {
        let id = StompRequestID(issue())
        let completion = Completion()
        completions[id] = completion
        receive(input(id))
        try await completion.wait()
    }

    func makeTransactionID() -> StompTransactionID {
        StompTransactionID(issue())
    }

    private func issue() -> UInt64 {
        issued += 1
        return issued
    }

    // MARK: The loop

    /// What ``run()`` starts a child task for.
    private enum Job: Sendable {
        case credentials(ConnectionEpoch, StompCredentialsReason)
        case connect(ConnectionEpoch, WebSocketRequest)
        case ping(ConnectionEpoch)
    }

    /// What belongs to one attempt and its socket.
    private struct Scope {
        let ended = Signal(.forever)
        let outgoingArrived = Signal(.onceEach)
        /// Bounded by ``StompConfiguration/maximumUnwrittenMessages`` and the subscriptions.
        var outgoing = FirstInFirstOut<WebSocketMessage>()
        var connection: (any WebSocketConnection)?
        /// How to close; `nil` abandons.
        var closeCode: UInt16?
        /// Whether a socket follows the credentials.
        var isOpening = false
    }

    /// Takes one input and dispatches its effects. Not asynchronous: nothing comes between a
    /// decision and its effects.
    private func receive(_ input: StompSession.Input) {
        for effect in session.handle(input, at: time.now, using: &random) { dispatch(effect) }
    }

    private func dispatch(_ effect: StompSession.Effect) {
        switch effect {
        case .requestCredentials(let epoch, let reason):
            scopes[epoch] = Scope()
            add(.credentials(epoch, reason))
        case .open(let epoch, let request):
            scopes[epoch]?.isOpening = true
            add(.connect(epoch, request))
        case .transmit(let epoch, let message):
            scopes[epoch]?.outgoing.append(message)
            scopes[epoch]?.outgoingArrived.raise()
        case .ping(let epoch): add(.ping(epoch))
        case .close(let epoch, let code):
            scopes[epoch]?.closeCode = code
            scopes[epoch]?.ended.raise()
        case .abandon(let epoch):
            scopes[epoch]?.connection?.abandon()
            scopes[epoch]?.ended.raise()
        case .setTimer(let deadline):
            self.deadline = deadline
            deadlineChanged.raise()
        case .status(let status): statusUpdates.broadcast.send(status, isState: true)
        case .phase(let key, let phase):
            subscriptions[key]?.broadcast.send(.phase(phase), isState: true)
            if phase.isFinal { subscriptions.removeValue(forKey: key)?.broadcast.finish() }
        case .message(let message):
            subscriptions[message.subscription]?.broadcast.send(.message(message))
        case .complete(let id, let outcome): completions.removeValue(forKey: id)?.resolve(outcome)
        case .report(let report): reports.broadcast.send(report)
        }
    }

    private func add(_ job: Job) {
        jobs.append(job)
        jobArrived.raise()
    }

    private func nextJob() async -> Job? {
        while !Task.isCancelled {
            if let job = jobs.popFirst() { return job }
            await jobArrived.wait()
        }
        return nil
    }

    private func perform(_ job: Job) async {
        switch job {
        case .credentials(let epoch, let reason): await fetchCredentials(epoch, reason)
        case .connect(let epoch, let request): await runSocket(epoch, request)
        case .ping(let epoch): await ping(epoch)
        }
    }

    /// Wakes the session at its deadlines.
    private func watchTheClock() async {
        while !Task.isCancelled {
            let deadline = deadline
            await withTaskGroup { group in
                group.addTask { await self.deadlineChanged.wait() }
                if let deadline {
                    group.addTask {
                        do { try await self.time.sleep(until: deadline) } catch { return }
                        await self.receive(.timePassed)
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    // MARK: One attempt

    private func fetchCredentials(
        _ epoch: ConnectionEpoch, _ reason: StompCredentialsReason
    ) async {
        guard let ended = scopes[epoch]?.ended else { return }
        await withTaskGroup { group in
            group.addTask {
                do throws(StompCredentialsFailure) {
                    let credentials = try await self.provider.credentials(for: reason)
                    await self.receive(.credentialsReady(epoch, credentials))
                } catch {
                    await self.receive(.credentialsFailed(epoch, error))
                }
            }
            group.addTask { await ended.wait() }
            await group.next()
            group.cancelAll()
        }
        if scopes[epoch]?.isOpening == false { scopes[epoch] = nil }
    }

    /// Opens a socket, serves it, and ends it as the session says.
    private func runSocket(_ epoch: ConnectionEpoch, _ request: WebSocketRequest) async {
        guard let ended = scopes[epoch]?.ended else { return }
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.serve(epoch, request)
                // Nobody closes a socket that has ended by itself.
                ended.raise()
                return false
            }
            group.addTask {
                await ended.wait()
                await self.endSocket(epoch)
                return true
            }
            for await isOver in group where isOver { group.cancelAll() }
        }
        scopes[epoch] = nil
    }

    private func serve(_ epoch: ConnectionEpoch, _ request: WebSocketRequest) async {
        do throws(WebSocketError) {
            let connection = try await connector.connect(request)
            guard scopes[epoch] != nil, !Task.isCancelled else { return connection.abandon() }
            scopes[epoch]?.connection = connection
            receive(.socketOpened(epoch, subprotocol: connection.subprotocol))
            await withDiscardingTaskGroup { group in
                group.addTask { await self.write(to: connection, epoch) }
                await read(from: connection, epoch)
                group.cancelAll()
            }
        } catch {
            receive(.socketFailed(epoch, error))
        }
    }

    /// Reads as fast as the socket gives: consumers have their own buffers, so a slow one cannot
    /// make a living connection look dead.
    private func read(from connection: any WebSocketConnection, _ epoch: ConnectionEpoch) async {
        do throws(WebSocketError) {
            while true { receive(.received(epoch, try await connection.receive().bytes)) }
        } catch {
            receive(.socketFailed(epoch, error))
        }
    }

    private func write(to connection: any WebSocketConnection, _ epoch: ConnectionEpoch) async {
        do throws(WebSocketError) {
            while let message = await nextOutgoing(epoch) {
                try await connection.send(message)
                receive(.wrote(epoch))
            }
        } catch {
            // The reader learns of the same end, and with the peer's close code.
        }
    }

    private func nextOutgoing(_ epoch: ConnectionEpoch) async -> WebSocketMessage? {
        while let arrived = scopes[epoch]?.outgoingArrived, !Task.isCancelled {
            if let message = scopes[epoch]?.outgoing.popFirst() { return message }
            await arrived.wait()
        }
        return nil
    }

    private func endSocket(_ epoch: ConnectionEpoch) async {
        guard let scope = scopes[epoch], let connection = scope.connection else { return }
        if let code = scope.closeCode {
            await connection.close(
                code: code, reason: "", timeout: session.configuration.disconnectTimeout)
        }
        connection.abandon()
    }

    private func ping(_ epoch: ConnectionEpoch) async {
        guard let connection = scopes[epoch]?.connection else { return }
        do throws(WebSocketError) {
            try await connection.ping()
            receive(.ponged(epoch))
        } catch {
            // The reader learns of the same end.
        }
    }
}
