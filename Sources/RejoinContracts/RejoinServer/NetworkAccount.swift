public import RejoinKit
public import RejoinModel
import RejoinTime
public import RejoinTransport
public import RejoinWire
import Synchronization

/// A person's way to a backend over the network: REST by an HTTP exchange, events by STOMP.
public struct NetworkAccount: BackendAccount {
    public let user: UserID
    private let credentials: ChatCredentials
    private let network: BackendNetwork

    /// Creates an account.
    public init(_ user: UserID, credentials: ChatCredentials, network: BackendNetwork) {
        self.user = user
        self.credentials = credentials
        self.network = network
    }

    public var canConnect: Bool { network.connector != nil }

    /// Makes a call. Where the backend asks to come back later, it waits as it is told, at most
    /// three times, as a client would.
    public func perform(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        var waits = 0
        var waited = Duration.zero
        while true {
            do throws(BackendFailure) {
                return try await attempt(call)
            } catch {
                guard error.code == .rateLimited else { throw error }
                network.note(error)
                let asked =
                    error.retryAfter.map { "asks to come back in \($0)" }
                    ?? "does not say when to come back"
                guard waits < 3 else {
                    throw BackendFailure(
                        error.code,
                        "\(error.message); after \(waits) waits of \(waited) together, the backend "
                            + "still \(asked)", retryAfter: error.retryAfter)
                }
                let wait = min(error.retryAfter ?? .seconds(1), .seconds(30))
                waits += 1
                waited += wait
                network.tell("the backend is busy and \(asked); waiting \(wait), \(waits) of 3")
                do {
                    try await SystemTime().sleep(for: wait)
                } catch {
                    throw BackendFailure(.cancelled, "the check was cancelled while it waited")
                }
            }
        }
    }

    private func attempt(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        try await network.exchange.answer(
            to: call, by: network.format, with: credentials, timeout: network.timeout,
            maximumBytes: 32 << 20)
    }

    public func withConnection(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws {
        guard let connector = network.connector else {
            throw ContractSkip("no realtime connection was given")
        }
        var configuration = StompConfiguration(endpoints: [network.endpoint])
        configuration.receiptTimeout = network.timeout
        configuration.subscribeTimeout = network.subscribeTimeout
        let client = StompClient(
            configuration: configuration, connector: connector,
            credentials: FixedStompCredentials(credentials.stomp))
        let connection = NetworkConnection(client: client, format: network.format)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask { await connection.pump() }
            await client.connect()
            try await connection.requireConnected()
            try await body(connection)
            await client.disconnect()
            group.cancelAll()
        }
    }
}

/// How a backend is reached.
public final class BackendNetwork: Sendable {
    let format: any WireFormat
    let exchange: any HTTPExchange
    let connector: (any WebSocketConnector)?
    let endpoint: String
    let timeout: Duration
    let subscribeTimeout: Duration
    private let progress: @Sendable (String) -> Void
    private let met = Mutex<[BackendFailure]>([])

    /// Names the way.
    ///
    /// - Parameters:
    ///   - connector: Opens WebSockets; `nil`: only REST is checked.
    ///   - endpoint: The `ws:` or `wss:` URL.
    ///   - timeout: For one request, and for one receipt.
    ///   - subscribeTimeout: For the receipt of a SUBSCRIBE.
    ///   - progress: Is told why nothing happens while a call waits as the backend asked.
    public init(
        format: any WireFormat, exchange: any HTTPExchange,
        connector: (any WebSocketConnector)? = nil, endpoint: String = "",
        timeout: Duration = .seconds(20), subscribeTimeout: Duration = .seconds(5),
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.format = format
        self.exchange = exchange
        self.connector = connector
        self.endpoint = endpoint
        self.timeout = timeout
        self.subscribeTimeout = subscribeTimeout
        self.progress = progress
    }

    /// The refusals met so far that ask to come back later; the first thousand.
    public var deferrals: [BackendFailure] { met.withLock { $0 } }

    func tell(_ text: String) { progress(text) }

    func note(_ failure: BackendFailure) {
        met.withLock { if $0.count < 1_000 { $0.append(failure) } }
    }
}

/// A STOMP connection of one check.
private struct NetworkConnection: BackendConnection {
    private struct Listener: Sendable {
        let subscription: StompSubscription
        let destination: String
        let deliver: @Sendable (RoomEvent) -> Void
        let phases = TestQueue<StompSubscriptionPhase>()
    }

    let client: StompClient
    let format: any WireFormat
    private let listeners = TestQueue<Listener>()

    init(client: StompClient, format: any WireFormat) {
        self.client = client
        self.format = format
    }

    /// Hands on events until the task is cancelled.
    func pump() async {
        await withDiscardingTaskGroup { group in
            while let listener = await listeners.next() {
                group.addTask {
                    for await event in listener.subscription { handle(event, for: listener) }
                    listener.phases.finish()
                }
            }
            group.cancelAll()
        }
    }

    private func handle(_ event: StompSubscription.Event, for listener: Listener) {
        switch event {
        case .phase(let phase):
            listener.phases.put(phase)
        case .message(let message):
            guard let decoded = try? format.decodeEvent(message.body, at: listener.destination)
            else { return }
            listener.deliver(decoded)
        case .overflowed:
            // Shows as events that never came.
            return
        }
    }

    func requireConnected() async throws {
        for await status in client.statusUpdates {
            switch status {
            case .connected: return
            case .waiting(_, let error?), .stopped(.failed(let error)): throw error
            case .idle, .connecting, .waiting, .disconnecting, .stopped: continue
            }
        }
        throw CancellationError()
    }

    func subscribe(
        to room: RoomID, _ deliver: @escaping @Sendable (RoomEvent) -> Void
    ) async throws -> Bool {
        let destination = format.destination(of: room)
        let subscription = await client.subscribe(destination, buffering: .bounded(10_000))
        let listener = Listener(
            subscription: subscription, destination: destination, deliver: deliver)
        listeners.put(listener)
        while let phase = await listener.phases.next() {
            switch phase {
            case .confirmed: return true
            case .proven: return false
            case .resting(let error, _), .denied(let error), .quarantined(let error),
                .refused(let error):
                throw error
            case .waiting, .pending, .assumed, .lost, .unsubscribed: continue
            }
        }
        throw CancellationError()
    }

    func send(_ command: RoomCommand) async throws -> Bool {
        guard let send = format.encode(command) else { return false }
        try await client.send(
            send.destination, headers: ["content-type": send.contentType], bytes: send.body,
            receipt: true)
        return true
    }
}
