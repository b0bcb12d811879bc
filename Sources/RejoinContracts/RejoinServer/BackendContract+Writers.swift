import RejoinModel
import RejoinTime

extension BackendRoom {
    /// What a reader met who paged forwards while others wrote.
    private struct Race: Sendable {
        /// The messages whose sends were answered.
        var answered: [MessageID] = []
        /// What the reader met, page by page.
        var met: [MessageID] = []
        /// The room in the end.
        var final: [MessageID] = []
    }

    private static let writers = 4
    private static let perWriter = 10

    /// Runs writers, and `read` again and again until they have ended and once more.
    private func race(
        _ read: @escaping @Sendable (_ isLast: Bool) async throws -> Void
    ) async throws -> [MessageID] {
        let answered = Shared<[MessageID]>([])
        let running = Shared(Self.writers)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.writers {
                group.addTask {
                    defer { running.update { $0 -= 1 } }
                    for number in 1...Self.perWriter {
                        let message = try await say(
                            "writer \(writer), \(number)", as: members[writer % members.count])
                        answered.update { $0.append(message.id) }
                    }
                }
            }
            while running.value > 0 {
                try await read(false)
                try await SystemTime().sleep(for: .milliseconds(1))
            }
            try await group.waitForAll()
            try await read(true)
        }
        return answered.value
    }

    /// A reader who follows its own cursor through pages while others write.
    private func followedPages() async throws -> Race {
        let state = Shared<(met: [MessageID], cursor: MessageID?)>(([], base))
        let answered = try await race { isLast in
            while true {
                let cursor = state.value.cursor
                let page = try await page(.after(cursor), limit: 3)
                let next = [cursor, page.through].compactMap(\.self).max()
                state.update { state in
                    state.met += page.messages.map(\.id)
                    state.cursor = next
                }
                guard isLast, page.hasAfter else { return }
                try expect(
                    next != cursor, "a `through` beyond the asked bound while more follows",
                    got: page.through?.description ?? "none",
                    hurts: "the server, which is asked for the same page for ever")
            }
        }
        return Race(
            answered: answered, met: state.value.met, final: try await all().map(\.id))
    }

    /// Nothing appears below an ID that a page has shown.
    func commitsInOrder() async throws {
        guard case .ordered = capabilities.commitOrder else {
            throw ContractSkip("the backend declares a settling time instead of ordered commits")
        }
        let race = try await followedPages()
        let late = Set(race.final).subtracting(race.met)
        try expect(
            late.isEmpty, "no message that becomes visible below one that a page has shown",
            got: "\(late.count) of \(race.final.count) came below the reader's cursor, such as "
                + "\(late.min().map(\.description) ?? "none")",
            hurts: "everybody who catches up while others write: the message is never fetched. "
                + "Draw IDs inside the commit, or declare settleMilliseconds")
    }

    /// Pages read while others write hold everything that was answered, once and in order.
    func pagesUnderWriters() async throws {
        let race = try await followedPages()
        try expect(
            race.final, race.final.sorted(), hurts: "everybody who reads the room")
        let lost = Set(race.answered).subtracting(race.final)
        try expect(
            lost.isEmpty, "every message whose send was answered",
            got: "\(inWords(lost.sorted())) missing",
            hurts: "senders whose messages vanish when several people write at once")
        try expect(
            race.met.count == Set(race.met).count && race.met == race.met.sorted(),
            "each message once and ascending, in pages read one after the other",
            got: inWords(race.met), hurts: "a client whose cursor runs back")
    }

    /// What appears late appears within the declared time.
    func settlesInTime() async throws {
        guard case .settles(let settle) = capabilities.commitOrder else {
            throw ContractSkip("the backend declares ordered commits")
        }
        // One clock for all looks: its instants mean nothing to another.
        let time = SystemTime()
        let looks = Shared<[(start: Instant, end: Instant, ids: [MessageID])]>([])
        _ = try await race { _ in
            let start = time.now
            let ids = try await all().map(\.id)
            looks.update { $0.append((start, time.now, ids)) }
        }
        try await time.sleep(for: settle)
        let final = try await all().map(\.id)
        for id in final {
            let taken = looks.value
            guard let passed = taken.first(where: { $0.ids.last.map { $0 > id } ?? false }) else {
                continue
            }
            let late = taken.last { !$0.ids.contains(id) && $0.start > passed.end + settle }
            try expect(
                late == nil, "each message within \(settle) after a later one was shown",
                got: late.map { "one that took over \(passed.end.duration(to: $0.start))" } ?? "",
                hurts: "people whose client has called that stretch complete already")
        }
    }
}
