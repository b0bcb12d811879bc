public import RejoinKit
internal import RejoinModel
internal import RejoinSync

/// What a host's whole chat must keep: its wire format, its adapters and its backend together.
///
/// The host gives two clients of two people who share a room; the checks talk through them.
public enum ChatContract {
    /// Two people and their room. Each check asks for fresh clients.
    public struct Environment: Sendable {
        /// The room, which both may read and write. It may hold messages already.
        public let room: String
        /// Makes a client of the first person.
        public let first: @Sendable () async throws -> ChatClient
        /// Makes a client of the second person.
        public let second: @Sendable () async throws -> ChatClient

        /// Creates an environment.
        public init(
            room: String, first: @escaping @Sendable () async throws -> ChatClient,
            second: @escaping @Sendable () async throws -> ChatClient
        ) {
            self.room = room
            self.first = first
            self.second = second
        }
    }

    /// The checks.
    public static func checks(_ environment: Environment) -> [ContractCheck] {
        [
            check("chat.messages-arrive-once-in-order", "P1 P2 P3", environment) { hers, his, id in
                let texts = (1...20).map { "chat contract \($0)" }
                for text in texts { try await hers.send(text) }
                let got = await text(of: his, until: { $0.suffix(20).elementsEqual(texts) })
                try require(
                    got ?? [], equals: texts, id,
                    whoIsHurt: "the reader, who misses a message or reads an answer before "
                        + "its question")
            },
            check("chat.echo-keeps-its-row", "P5", environment) { hers, _, id in
                let key = try await hers.send("echo")
                var rows: Set<RowID> = []
                for await update in hers.updates {
                    for row in update.snapshot.rows where row.shows(key) { rows.insert(row.id) }
                    if update.snapshot.unsent.isEmpty, !rows.isEmpty { break }
                }
                try require(
                    rows, equals: [.local(key)], id,
                    whoIsHurt: "the sender, whose message flickers or jumps when it is sent")
            },
            check("chat.change-sets-lead-from-state-to-state", "P7", environment) { hers, his, id in
                for number in 1...10 { try await hers.send("change \(number)") }
                var rows: [RoomRow] = []
                for await update in his.updates {
                    let new = update.snapshot.rows
                    if let changes = update.changes {
                        let applied = changes.applying(to: rows, takingFrom: new)
                        try require(
                            applied == new, id, expected: "the new rows",
                            got: "\(applied.count) other rows",
                            whoIsHurt: "the app: a collection view refuses such a change")
                    }
                    rows = new
                    if update.snapshot.timeline.messages.last?.text == "change 10" { break }
                }
            },
            check("chat.closing-ends-updates-and-refuses-sends", "P5", environment) {
                hers, _, id in
                await hers.close()
                for await _ in hers.updates {}
                do throws(ChatError) {
                    _ = try await hers.send("too late")
                } catch {
                    return
                }
                throw ContractFailure(
                    check: id, expected: "an error", got: "an accepted message",
                    whoIsHurt: "the sender, whose message nobody will ever send")
            },
        ]
    }

    private static func check(
        _ id: String, _ promise: String, _ environment: Environment,
        _ body: @escaping @Sendable (ChatRoom, ChatRoom, String) async throws -> Void
    ) -> ContractCheck {
        ContractCheck(id, promise: promise) {
            let first = try await environment.first()
            let second = try await environment.second()
            let room = RoomID(environment.room)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await first.run() }
                group.addTask { await second.run() }
                await first.enterForeground()
                await second.enterForeground()
                try await body(try await first.room(room), try await second.room(room), id)
                group.cancelAll()
            }
        }
    }

    /// The last twenty texts of a room once they are as wanted; `nil` where the room closes first.
    private static func text(
        of room: ChatRoom, until isEnough: ([String]) -> Bool
    ) async -> [String]? {
        for await update in room.updates {
            let texts = update.snapshot.timeline.messages.map(\.text)
            if isEnough(texts) { return texts.suffix(20) }
        }
        return nil
    }
}

extension RoomRow {
    fileprivate func shows(_ key: ClientMessageID) -> Bool {
        switch content {
        case .message(let message): message.clientID == key
        case .unsent(let message): message.clientID == key
        case .gap: false
        @unknown default: false
        }
    }
}
