#if os(Linux)
import Foundation
import RejoinChat
import RejoinContracts
import RejoinServer
import Synchronization
import Testing

/// A reference server and the adapters of a person's client over real sockets; each bench is a
/// fresh room there.
struct ReferenceBackend: Sendable {
    let server: ReferenceServer
    let rest: RESTBackend
    let socket: WaitingSender
    let exchange: LossyExchange
    let connector: LossyConnector
    let capabilities: BackendCapabilities
    static let me = UserID("me")
    static let other = UserID("somebody")

    /// Starts a server, connects, and ends both with `body`.
    static func run(
        _ body: @Sendable (ReferenceBackend) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-contract-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(directory: directory, secret: .random()))
        let port = try await server.start()
        let origin = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let exchange = LossyExchange(base: try #require(PlatformHTTPExchange(origin: origin)))
        let connector = LossyConnector(base: PlatformWebSocketConnector())
        let credentials = ChatCredentials.bearer(server.token(for: me))
        let rest = RESTBackend(
            format: ReferenceFormat(), exchange: exchange,
            credentials: FixedCredentials(credentials))
        var configuration = StompConfiguration(endpoints: ["ws://127.0.0.1:\(port)/ws"])
        configuration.backoff = Backoff(
            base: .milliseconds(10), cap: .milliseconds(50), floor: .milliseconds(1))
        let stomp = StompClient(
            configuration: configuration, connector: connector,
            credentials: FixedStompCredentials(credentials.stomp))
        guard case .capabilities(let stated) = try await rest.answer(.capabilities) else {
            throw BackendFailure(.malformedAnswer, "no capabilities")
        }
        let backend = ReferenceBackend(
            server: server, rest: rest,
            socket: WaitingSender(
                stomp: stomp,
                base: SocketSender(stomp: stomp, format: ReferenceFormat(), rest: rest)),
            exchange: exchange, connector: connector, capabilities: stated)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await stomp.run() }
            await stomp.connect()
            try await body(backend)
            group.cancelAll()
        }
        await server.stop()
    }

    /// A fresh room.
    func bench(sending: ChatConfiguration.Sending = .rest) async throws -> ReferenceBench {
        let room = RoomID("room-\(UUID().uuidString.lowercased())")
        try await server.createRoom(room, users: [Self.me, Self.other])
        return ReferenceBench(backend: self, room: room, sending: sending)
    }
}

/// A room on a reference server, for the contracts of the seams that a backend fills.
struct ReferenceBench: HistorySourceBench, MessageSenderBench, ReadReporterBench {
    let backend: ReferenceBackend
    let room: RoomID
    let sending: ChatConfiguration.Sending

    var source: any HistorySource { backend.rest }
    var reporter: any ReadReporter { backend.rest }
    var user: UserID { ReferenceBackend.me }
    var capabilities: BackendCapabilities { backend.capabilities }

    var sender: any MessageSender {
        switch sending {
        case .rest: backend.rest
        case .socket: backend.socket
        }
    }

    func write(_ text: String) async throws -> MessageID { try await store(text).id }

    func edit(_ id: MessageID, _ text: String) async throws {
        try await backend.server.perform(
            .edit(room, id, [.text(text)]), as: ReferenceBackend.other)
    }

    func messages() async throws -> [Message] { try await backend.server.messages(in: room) }

    func storeForeignMessage() async throws -> Message { try await store("other words") }

    func messages() async throws -> [MessageID] {
        var stored: [Message] = try await messages()
        while stored.count < 12 { stored.append(try await store("unread")) }
        return stored.map(\.id)
    }

    func mark() async throws -> ReadMark {
        try await backend.server.readMark(of: user, in: room)
    }

    func loseNextAnswer() async throws {
        switch sending {
        case .rest: backend.exchange.loseNextAnswer()
        case .socket: backend.connector.loseNextReceipt()
        }
    }

    private func store(_ text: String) async throws -> Message {
        let draft = MessageDraft(clientID: ClientMessageID(UUID()), content: [.text(text)])
        let stored = try await backend.server.post([draft], as: ReferenceBackend.other, in: room)
        return try #require(stored.first)
    }
}

/// Carries a request out and loses its answer, when it is told to.
final class LossyExchange: HTTPExchange {
    private let base: any HTTPExchange
    private let losesNext = Mutex(false)

    init(base: any HTTPExchange) { self.base = base }

    func loseNextAnswer() { losesNext.withLock { $0 = true } }

    func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
        async throws(BackendFailure) -> HTTPResponse
    {
        let response = try await base.response(
            to: request, timeout: timeout, maximumBytes: maximumBytes)
        guard losesNext.withLock({ $0.takeTrue() }) else { return response }
        throw BackendFailure(.outcomeUnknown, "the answer was lost")
    }
}

/// Opens connections that break instead of delivering a receipt, when it is told to.
final class LossyConnector: WebSocketConnector {
    private let base: any WebSocketConnector
    private let losesNext = Mutex(false)

    init(base: any WebSocketConnector) { self.base = base }

    func loseNextReceipt() { losesNext.withLock { $0 = true } }

    func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> any WebSocketConnection
    {
        LossyConnection(base: try await base.connect(request), connector: self)
    }

    private struct LossyConnection: WebSocketConnection {
        let base: any WebSocketConnection
        let connector: LossyConnector

        var subprotocol: String? { base.subprotocol }

        func send(_ message: WebSocketMessage) async throws(WebSocketError) {
            try await base.send(message)
        }

        func ping() async throws(WebSocketError) { try await base.ping() }

        func receive() async throws(WebSocketError) -> WebSocketMessage {
            let message = try await base.receive()
            guard message.bytes.starts(with: "RECEIPT".utf8),
                connector.losesNext.withLock({ $0.takeTrue() })
            else { return message }
            base.abandon()
            throw WebSocketError(.closed, "the connection broke", closeCode: 1006)
        }

        func close(code: UInt16, reason: String, timeout: Duration) async {
            await base.close(code: code, reason: reason, timeout: timeout)
        }

        func abandon() { base.abandon() }
    }
}

/// Sends once there is a connection, as the outbox does.
struct WaitingSender: MessageSender {
    let stomp: StompClient
    let base: SocketSender

    func perform(_ mutation: Mutation, in room: RoomID) async throws(BackendFailure)
        -> MutationAnswer
    {
        for await status in stomp.statusUpdates {
            guard case .connected = status else { continue }
            return try await base.perform(mutation, in: room)
        }
        throw BackendFailure(.cancelled, "the client stopped running")
    }
}

extension Bool {
    fileprivate mutating func takeTrue() -> Bool {
        defer { self = false }
        return self
    }
}
#endif
