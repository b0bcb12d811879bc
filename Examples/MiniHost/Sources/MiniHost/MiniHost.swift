import Foundation
import RejoinChat
import RejoinServer

/// A whole host in two hundred lines: a backend that speaks the host's own payload, two people, a
/// connection that breaks, and a conversation that comes back whole.
@main
enum MiniHost {
    static let room = RoomID("lobby")

    static func main() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "minihost-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(directory: directory, secret: .random(), format: HostFormat()))
        let port = try await server.start()
        try await server.createRoom(room, users: [UserID("ann"), UserID("ben")])
        let proxy = try FaultProxy(to: port)

        let ann = try client("ann", of: server, port: port)
        let ben = try client("ben", of: server, port: proxy.port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await ann.run() }
            group.addTask { await ben.run() }
            await ann.enterForeground()
            await ben.enterForeground()
            let hers = try await ann.room(room)
            let his = try await ben.room(room)

            try await hers.send("Hello, Ben!")
            await shown(1, in: his)
            proxy.refuse()
            proxy.reset()
            try await hers.send("Can you hear me?")
            try await hers.send("Ben?")
            proxy.pass()
            await ben.networkPathChanged(isSatisfied: true)
            try await his.send("I was in a tunnel, but I have it all.")
            await shown(4, in: his)
            await shown(4, in: hers)
            for row in await his.snapshot?.timeline.messages ?? [] {
                print("\(row.author): \(row.text)")
            }
            await hers.close()
            await his.close()
            group.cancelAll()
        }
        proxy.stop()
        await server.stop()
    }

    static func client(_ name: String, of server: ReferenceServer, port: UInt16) throws
        -> ChatClient
    {
        let user = UserID(name)
        guard let origin = URL(string: "http://127.0.0.1:\(port)") else { exit(1) }
        let services = try ChatServices.platform(
            origin: origin, format: HostFormat(),
            credentials: FixedCredentials(.bearer(server.token(for: user))))
        let configuration = ChatConfiguration(
            user: user, endpoints: ["ws://127.0.0.1:\(port)/ws"])
        return ChatClient(configuration: configuration, services: services)
    }

    /// Waits until a room shows so many messages and says that nothing is missing.
    static func shown(_ count: Int, in room: ChatRoom) async {
        for await update in room.updates
        where update.snapshot.timeline.messages.count == count
            && update.snapshot.recovery == .upToDate
        {
            return
        }
        print("the room closed before it showed \(count) messages")
        exit(1)
    }
}
