#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinWire

/// A server on a free port with its own directory, gone with the test.
final class TestServer: Sendable {
    let server: ReferenceServer
    let port: UInt16
    let directory: String
    static let ann = UserID("ann")
    static let bob = UserID("bob")
    static let eve = UserID("eve")
    static let room = RoomID("room")
    static let secret = TokenSecret.random()
    let format = ReferenceFormat()

    /// Runs `body` against a server with one room of ann and bob, and a room of eve alone.
    static func run<Result>(
        _ adjust: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let directory = NSTemporaryDirectory() + "rejoin-server-\(UUID().uuidString)"
        var configuration = ServerConfiguration(directory: directory, secret: secret)
        adjust(&configuration)
        let server = ReferenceServer(configuration)
        let test = TestServer(server, port: try await server.start(), directory: directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let result: Result
        do {
            try await server.createRoom(room, users: [ann, bob])
            try await server.createRoom(RoomID("hers"), users: [eve])
            result = try await body(test)
        } catch {
            await server.kill()
            throw error
        }
        await server.stop()
        return result
    }

    private init(_ server: ReferenceServer, port: UInt16, directory: String) {
        self.server = server
        self.port = port
        self.directory = directory
    }

    func token(_ user: UserID) -> String { server.token(for: user) }

    /// A connected STOMP client.
    func socket(_ user: UserID, heartbeat: String = "0,0") async throws -> RawWebSocket {
        let socket = try await RawWebSocket(port: port)
        try await socket.connect(token(user), heartbeat: heartbeat)
        return socket
    }

    /// Makes a call over a connection of its own.
    func perform(_ call: BackendCall, as user: UserID) async throws -> BackendAnswer {
        try await perform(call, as: user, over: RawHTTP(port: port))
    }

    func perform(_ call: BackendCall, as user: UserID, over http: RawHTTP) async throws
        -> BackendAnswer
    {
        let response = try await http.response(to: format.encode(call), token: token(user))
        return try format.decode(response, answering: call)
    }

    /// Sends a text and returns the message.
    @discardableResult
    func say(_ text: String, as user: UserID, in room: RoomID = room) async throws -> Message {
        let answer = try await perform(.send(room, draft(text)), as: user)
        guard case .message(let message) = answer else { throw RawHTTP.Unreadable() }
        return message
    }
}

/// A draft with a new client ID.
func draft(_ text: String, _ client: UUID = UUID()) -> MessageDraft {
    MessageDraft(clientID: ClientMessageID(client), content: [.text(text)])
}
#endif
