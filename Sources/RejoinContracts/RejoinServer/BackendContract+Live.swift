import RejoinModel
import RejoinTime

/// The events of one subscription as they came.
final class EventLog: Sendable {
    private let log = Shared<[RoomEvent]>([])

    var events: [RoomEvent] { log.value }

    func note(_ event: RoomEvent) { log.update { $0.append(event) } }

    /// The IDs of new messages, in order of arrival.
    var created: [MessageID] {
        events.compactMap { if case .created(let message, _) = $0.kind { message.id } else { nil } }
    }

    /// The revisions of what changed the room, in order of arrival.
    var revisions: [Revision] { events.compactMap(\.revision) }

    /// Waits until `isTrue`, at most for `patience`.
    func wait(for patience: Duration, until isTrue: () -> Bool) async throws {
        let time = SystemTime()
        let deadline = time.now + patience
        while !isTrue(), time.now < deadline { try await time.sleep(for: .milliseconds(2)) }
    }
}

extension BackendRoom {
    /// Subscribes on a connection of its own.
    private func subscribed(
        _ body: @escaping @Sendable (EventLog, any BackendConnection) async throws -> Void
    ) async throws {
        try await connected { connection in
            let log = EventLog()
            let isConfirmed = try await connection.subscribe(to: room) { log.note($0) }
            try expect(
                isConfirmed || !capabilities.hasSubscribeReceipts,
                "a receipt for SUBSCRIBE, as declared", got: "none in time",
                hurts: "everybody who opens a room: each opening waits for nothing")
            try await body(log, connection)
        }
    }

    /// What is stored after a SUBSCRIBE's receipt comes as an event.
    func subscribeReceipt() async throws {
        guard capabilities.hasSubscribeReceipts else {
            throw ContractSkip("the backend declares no SUBSCRIBE receipts")
        }
        for number in 1...5 {
            try await subscribed { log, _ in
                let message = try await say("right after the receipt \(number)")
                try await log.wait(for: backend.patience) { log.created.contains(message.id) }
                try expect(
                    log.created.contains(message.id),
                    "an event for a message stored after the receipt of the SUBSCRIBE",
                    got: "none within \(backend.patience)",
                    hurts: "a client that fetched history after the receipt: the message is in "
                        + "neither")
            }
        }
    }

    /// Pages that are fetched after the confirmation and events together hold everything, while
    /// others write; and what is stored later comes as events.
    func subscriptionIsComplete() async throws {
        try await subscribedUnderWriters { log, sent in
            let paged = try await all().map(\.id)
            let together = sent()
            try await log.wait(for: backend.patience) {
                Set(together).isSubset(of: Set(paged).union(log.created))
            }
            let lost = Set(together).subtracting(paged).subtracting(log.created)
            try expect(
                lost.isEmpty, "each message in the pages fetched after SUBSCRIBE, or as an event",
                got: "neither for \(inWords(lost.sorted()))",
                hurts: "people who open a room while others write: a silent hole")
            var later: [MessageID] = []
            for number in 1...12 { later.append(try await say("later \(number)").id) }
            try await log.wait(for: backend.patience) { Set(later).isSubset(of: log.created) }
            let dropped = Set(later).subtracting(log.created)
            try expect(
                dropped.isEmpty, "an event for each of \(later.count) messages",
                got: "none for \(inWords(dropped.sorted()))",
                hurts: "people who look at the room: the message comes with the next recovery only")
        }
    }

    /// Subscribes while everybody writes, and goes on once they have ended.
    private func subscribedUnderWriters(
        _ body: @escaping @Sendable (EventLog, @Sendable () -> [MessageID]) async throws -> Void
    ) async throws {
        guard ann.canConnect else { throw ContractSkip("no realtime connection was given") }
        let sent = Shared<[MessageID]>([])
        let running = Shared(3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    defer { running.update { $0 -= 1 } }
                    for number in 1...8 {
                        let message = try await say(
                            "writer \(writer), \(number)", as: members[writer % members.count])
                        sent.update { $0.append(message.id) }
                    }
                }
            }
            try await subscribed { log, _ in
                while running.value > 0 {
                    try await SystemTime().sleep(for: .milliseconds(2))
                }
                try await body(log) { sent.value }
            }
            try await group.waitForAll()
        }
    }

    /// Each event comes once.
    func eventsArriveOnce() async throws {
        try await subscribed { log, _ in
            let messages = try await twelve()
            let fence = try await say("the last")
            try await log.wait(for: backend.patience) { log.created.contains(fence.id) }
            var met: Set<MessageID> = []
            let repeated = log.created.filter { !met.insert($0).inserted }
            try expect(
                repeated.isEmpty, "one event for each of \(messages.count + 1) messages",
                got: "a second one for \(inWords(repeated))",
                hurts: "hosts that count or announce messages by events; the module itself copes")
        }
    }

    /// Events carry consecutive revisions, so that a client sees at once that one is missing.
    func eventsCountRevisions() async throws {
        try requireRevisions()
        try await subscribed { log, _ in
            let start = try await revision()
            let message = try await say("to be changed")
            _ = try await self.message(.edit(room, message.id, [.text("changed")]))
            _ = try await self.message(.react(room, message.id, emoji: "👍", true))
            _ = try await self.message(.delete(room, message.id))
            let expected = (1...4).map { Revision(start.rawValue + $0) }
            try await log.wait(for: backend.patience) { Set(log.revisions).count >= expected.count }
            try expect(
                Set(log.revisions).sorted(), expected,
                hurts: "a client that takes a jump in revisions for a loss, or overlooks one")
        }
    }

    /// Who hears of a message can fetch it, at once.
    func eventMeansStored() async throws {
        try await subscribed { log, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1...5 { _ = try await say("announced \(number)") }
                }
                for number in 1...5 {
                    try await log.wait(for: backend.patience) { log.created.count >= number }
                    guard log.created.count >= number else { break }
                    let id = log.created[number - 1]
                    try expect(
                        await failure(of: .message(room, id), as: ann), nil,
                        hurts: "a person who taps a notification for a message that is not there")
                }
                try await group.waitForAll()
            }
        }
    }
}
