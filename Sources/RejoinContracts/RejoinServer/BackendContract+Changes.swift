import RejoinModel

extension BackendRoom {
    /// The change feed tells the latest state of all that changed, in order, once.
    func changes() async throws {
        try requireRevisions()
        let all = try await twelve()
        let start = try await revision()
        let author = { (message: Message) in
            members.first { $0.user == message.author } ?? ann
        }
        _ = try await message(.edit(room, all[0].id, [.text("edited")]), as: author(all[0]))
        _ = try await message(.react(room, all[4].id, emoji: "👍", true))
        _ = try await message(.delete(room, all[1].id), as: author(all[1]))
        _ = try await message(.react(room, all[0].id, emoji: "👍", true))
        let (met, end) = try await followChanges(from: start, limit: 1)
        try expect(
            met.map(\.id), [all[4].id, all[1].id, all[0].id],
            hurts: "a client that was away while messages were edited and deleted")
        for message in met {
            try expect(
                message, try await self.message(.message(room, message.id)),
                hurts: "a client that takes the feed's state as the latest")
        }
        try expect(
            end, try await summary(as: ann).revision,
            hurts: "a client that would see a jump in live revisions")
        try expect(
            try await changes(after: end, limit: 10).messages, [],
            hurts: "a client that would fetch the same changes for ever")
    }

    /// A feed that is followed while others write tells of everything.
    func changesUnderWriters() async throws {
        try requireRevisions()
        let start = try await revision()
        let state = Shared<(met: [MessageID], cursor: Revision)>(([], start))
        var written: [MessageID] = []
        try await withThrowingTaskGroup(of: [MessageID].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var ids: [MessageID] = []
                    for number in 1...8 {
                        ids.append(
                            try await say(
                                "writer \(writer), \(number)", as: members[writer % members.count]
                            ).id)
                    }
                    return ids
                }
            }
            for _ in 0..<12 { try await advance(state) }
            for try await ids in group { written += ids }
        }
        while try await advance(state) {}
        let told = Set(state.value.met)
        let missing = written.filter { !told.contains($0) }
        try expect(
            missing.isEmpty, "every message written meanwhile in the feed",
            got: "\(missing.count) of \(written.count) missing, such as "
                + "\(missing.first.map(\.description) ?? "none")",
            hurts: "a client that catches up by changes while others write: a silent hole")
    }

    /// A revision that was never given is gone, as one that was trimmed.
    func changesGone() async throws {
        try requireRevisions()
        let now = try await revision()
        try expect(
            await failure(
                of: .changes(room, after: Revision(now.rawValue + 1_000_000), limit: 10), as: ann),
            .gone,
            hurts: "everybody, after the server was restored from a backup: clients go on from a "
                + "count that it never gave, and miss what is new")
    }

    /// Takes one page; whether more follows, and the page leads there.
    @discardableResult
    private func advance(
        _ state: Shared<(met: [MessageID], cursor: Revision)>
    ) async throws -> Bool {
        let cursor = state.value.cursor
        let page = try await changes(after: cursor, limit: 3)
        state.update { state in
            state.met += page.messages.map(\.id)
            state.cursor = page.revision
        }
        return page.hasMore && page.revision > cursor
    }

    private func followChanges(
        from start: Revision, limit: Int
    ) async throws -> ([Message], Revision) {
        var met: [Message] = []
        var cursor = start
        while true {
            let page = try await changes(after: cursor, limit: limit)
            met += page.messages
            guard page.hasMore else { return (met, page.revision) }
            try expect(
                page.revision > cursor, "a revision above \(cursor) while more follows",
                got: "\(page.revision)",
                hurts: "the server, which is asked for the same changes for ever")
            cursor = page.revision
        }
    }
}
