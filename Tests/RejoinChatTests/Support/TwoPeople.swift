#if os(Linux)
import RejoinChat
import RejoinServer
import Testing

/// Ann and Ben in one room, who chat and read while something goes wrong, and who must agree with
/// the server afterwards.
struct TwoPeople: Sendable {
    static let names = ["ann", "ben"]
    private static let messageCount = 15

    let world: ChatWorld
    let rooms: [(room: ChatRoom, name: String)]
    /// Whether each message must have arrived; else it may be shown as unconfirmed.
    let isIdempotent: Bool

    /// Runs both clients while `body` goes on.
    static func with(
        _ clients: [ChatClient], in world: ChatWorld, isIdempotent: Bool = true,
        _ body: (TwoPeople) async throws -> Void
    ) async throws {
        try await world.with(clients[0]) { hers in
            try await world.with(clients[1]) { his in
                try await body(
                    TwoPeople(
                        world: world, rooms: [(hers, names[0]), (his, names[1])],
                        isIdempotent: isIdempotent))
            }
        }
    }

    /// Both write and read while `trouble` goes on.
    func chat(while trouble: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for (room, name) in rooms {
                group.addTask {
                    for number in 1...Self.messageCount {
                        try await room.send("\(name) \(number)")
                        try await SystemTime().sleep(for: .milliseconds(100))
                        if let last = await room.snapshot?.timeline.messages.last?.id {
                            await room.markRead(through: last)
                        }
                    }
                }
            }
            group.addTask { try await trouble() }
        }
    }

    /// After the last trouble: every message is stored once and in the order of its author, both
    /// hold what the server holds, and both have read it all.
    func expectAgreement() async throws {
        for (room, _) in rooms { try await settle(room) }
        try await world.post(["the end"])
        let stored = try await world.server.messages(in: ChatWorld.room)
        let texts = stored.compactMap(\.text)
        if isIdempotent {
            for name in Self.names {
                #expect(
                    texts.filter { $0.hasPrefix(name) }
                        == (1...Self.messageCount).map { "\(name) \($0)" })
            }
        }
        #expect(Set(texts).count == texts.count)
        let last = try #require(stored.last?.id)
        for (room, name) in rooms {
            let shown = try await room.snapshot {
                $0.recovery == .upToDate && $0.timeline.messages.last?.text == "the end"
            }
            #expect(shown.timeline.messages.map(\.id) == stored.map(\.id))
            await room.markRead(through: last)
            while try await world.server.readMark(of: UserID(name), in: ChatWorld.room).position
                != last
            { await Task.yield() }
        }
    }

    private func settle(_ room: ChatRoom) async throws {
        guard !isIdempotent else {
            try await room.snapshot { $0.unsent.isEmpty && $0.recovery == .upToDate }
            return
        }
        while await room.outbox.contains(where: {
            switch $0.state {
            case .waiting, .accepted, .outcomeUnknown: true
            case .unconfirmed, .failed: false
            }
        }) { await Task.yield() }
    }
}
#endif
