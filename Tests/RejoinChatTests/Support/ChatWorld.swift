#if os(Linux)
import Foundation
import RejoinChat
import RejoinServer
import Testing

/// A backend, a proxy before it, and clients of it: real sockets on loopback.
struct ChatWorld: Sendable {
    static let room = RoomID("room")

    let server: ReferenceServer
    let proxy: FaultProxy
    let port: UInt16
    private let directory: String

    init(
        behaviour: ServerBehaviour = ServerBehaviour(), limits: ServerLimits = ServerLimits(),
        users: [String] = ["ann", "ben"]
    ) async throws {
        directory =
            FileManager.default.temporaryDirectory
            .appending(path: "rejoin-chat-\(UUID().uuidString)").path
        server = ReferenceServer(
            ServerConfiguration(
                directory: directory, secret: .random(), format: ReferenceFormat(),
                limits: limits, behaviour: behaviour, heartbeat: .seconds(1)))
        port = try await server.start()
        proxy = try FaultProxy(to: port)
        try await server.createRoom(Self.room, users: users.map { UserID($0) })
    }

    func end() async {
        proxy.stop()
        await server.stop(within: .seconds(1))
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// A client behind the proxy that notices troubles soon.
    func client(
        _ name: String, _ pipeline: PipelineVariant = .refactored,
        store: any RoomStore = InMemoryRoomStore(),
        credentials: (any ChatCredentialsProvider)? = nil, rollout: FlagRollout? = nil,
        change: (inout ChatConfiguration) -> Void = { _ in }
    ) throws -> ChatClient {
        let user = UserID(name)
        let origin = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
        var configuration = ChatConfiguration(
            user: user, endpoints: ["ws://127.0.0.1:\(proxy.port)/ws"])
        configuration.stomp.outgoingHeartbeat = .seconds(1)
        configuration.stomp.incomingHeartbeat = .seconds(1)
        configuration.stomp.openTimeout = .seconds(3)
        configuration.stomp.backoff = Backoff(
            base: .milliseconds(100), cap: .milliseconds(500), floor: .milliseconds(20))
        configuration.recovery.backoff = configuration.stomp.backoff
        configuration.outbox.backoff = configuration.stomp.backoff
        configuration.reads.backoff = configuration.stomp.backoff
        configuration.reads.coalescing = .milliseconds(20)
        configuration.requestTimeout = .seconds(3)
        change(&configuration)
        var services = try ChatServices.platform(
            origin: origin,
            credentials: credentials ?? FixedCredentials(.bearer(server.token(for: user))))
        services.store = store
        services.selector = FixedPipelineSelector(pipeline)
        services.rollout = rollout
        return ChatClient(configuration: configuration, services: services)
    }

    /// Runs a client in the foreground while `body` goes on.
    func with(_ client: ChatClient, _ body: (ChatRoom) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            await client.enterForeground()
            try await body(try await client.room(Self.room))
            group.cancelAll()
        }
    }

    /// Stores messages as another person, without any client.
    func post(_ texts: [String], as user: String = "ann") async throws {
        try await server.post(
            texts.map {
                MessageDraft(clientID: ClientMessageID(UUID()), content: [.text($0)])
            }, as: UserID(user), in: Self.room)
    }
}

extension ChatRoom {
    /// The first snapshot of which `isTrue` holds; fails after ten seconds.
    @discardableResult
    func snapshot(where isTrue: @escaping @Sendable (RoomSnapshot) -> Bool) async throws
        -> RoomSnapshot
    {
        try await withThrowingTaskGroup(of: RoomSnapshot?.self) { group in
            group.addTask {
                for await update in updates where isTrue(update.snapshot) {
                    return update.snapshot
                }
                return nil
            }
            group.addTask {
                try await SystemTime().sleep(for: .seconds(10))
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            return try #require(first, "the room never came to the expected state")
        }
    }

    /// Waits until the room is up to date and shows these texts last.
    @discardableResult
    func shows(_ texts: [String]) async throws -> RoomSnapshot {
        try await snapshot { snapshot in
            snapshot.recovery == .upToDate
                && snapshot.timeline.messages.suffix(texts.count).map(\.text) == texts
        }
    }
}
#endif
