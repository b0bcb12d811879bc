import RejoinModel

extension BackendRoom {
    /// Paging forwards and backwards meets every message once, in order.
    func pagesCover() async throws {
        let all = try await twelve().map(\.id)
        for limit in [1, 5, 12, 50] {
            var met: [MessageID] = []
            var cursor: MessageID?
            for _ in 0...all.count {
                let page = try await page(.after(cursor), limit: limit)
                try expect(
                    page.messages.count <= limit, true, hurts: "whoever reserved memory for a page")
                met += page.messages.map(\.id)
                cursor = page.through
                if !page.hasAfter { break }
            }
            try expect(met, all, hurts: "a client that catches up forwards in pages of \(limit)")

            met = []
            var anchor = HistoryAnchor.newest
            for _ in 0...all.count {
                let page = try await page(anchor, limit: limit)
                met = page.messages.map(\.id) + met
                guard page.hasBefore, let first = page.messages.first else { break }
                anchor = .before(first.id)
            }
            try expect(met, all, hurts: "a person who scrolls back in pages of \(limit)")
        }
    }

    /// What a page proves holds exactly its messages, and neighbouring pages leave no hole.
    func pagesAdjoin() async throws {
        let all = try await twelve().map(\.id)
        var anchors: [HistoryAnchor] = [.newest, .after(nil)]
        for id in all { anchors += [.after(id), .before(id), .around(id)] }
        for anchor in anchors {
            for limit in [1, 4, 30] {
                let page = try await page(anchor, limit: limit)
                let proven = all.filter { id in
                    page.from.map { $0 < id } ?? true && page.through.map { id <= $0 } ?? false
                }
                try expect(
                    page.messages.map(\.id), proven,
                    hurts: "a client that takes the interval of \(anchor) as covered")
                try expect(
                    page.hasBefore, all.contains { id in page.from.map { id <= $0 } ?? false },
                    hurts: "a person who scrolls back from \(anchor)")
                try expect(
                    page.hasAfter, all.contains { id in page.through.map { $0 < id } ?? true },
                    hurts: "a client that stops catching up at \(anchor)")
                try expect(
                    page.tip, all.last, hurts: "a client that compares its cursor with the tip")
            }
        }
        for (index, id) in all.enumerated() {
            let before = try await page(.before(id), limit: 30)
            let after = try await page(.after(id), limit: 30)
            try expect(
                before.messages.map(\.id) + after.messages.map(\.id),
                Array(all[..<index] + all[(index + 1)...]),
                hurts: "a client that takes bounds as exclusive")
        }
    }

    /// A page around a message holds it, and neighbours on both sides.
    func around() async throws {
        let all = try await twelve().map(\.id)
        for (index, id) in all.enumerated() {
            let met = try await page(.around(id), limit: 5).messages.map(\.id)
            try expect(
                met.contains(id), true, hurts: "a person who opens a quoted message")
            try expect(met.count, 5, hurts: "a person who opens a room at its first unread message")
            if index > 0 {
                try expect(
                    met.contains(all[index - 1]), true,
                    hurts: "a person who wants to see what came before")
            }
        }
    }

    /// An empty room proves itself empty.
    func emptyRoom() async throws {
        for anchor in [HistoryAnchor.newest, .after(nil)] {
            let page = try await page(anchor, limit: 10)
            try expect(page.messages, [], hurts: "a client that opens a new room")
            try expect(page.tip, nil, hurts: "a client that opens a new room")
            try expect(page.hasBefore, false, hurts: "a client that would page for ever")
            try expect(page.hasAfter, false, hurts: "a client that would page for ever")
        }
    }

    /// IDs ascend in the order of the sends, and the author and client ID come back.
    func order() async throws {
        var last: MessageID?
        for number in 1...5 {
            let message = try await say("number \(number)", as: bob)
            if let last {
                try expect(
                    message.id > last, true, hurts: "everybody: a reply would stand above")
            }
            last = message.id
            let again = try await self.message(.message(room, message.id), as: ann)
            try expect(again, message, hurts: "a client that fetches one message")
            try expect(again.author, bob, hurts: "the author, whose words become another's")
            try expect(again.clientID == nil, false, hurts: "the sender, who sees it twice")
        }
    }

    /// The change feed tells the latest state of all that changed, in order, once.
    func changes() async throws {
        guard try await capabilities().hasRevisions else { return }
        let all = try await twelve()
        let start = try await page(.newest, limit: 1).revision
        guard let start else { throw wrongAnswer("a revision on the page") }
        _ = try await message(
            .edit(room, all[0].id, [.text("edited")]), as: all[0].author)
        _ = try await message(.react(room, all[4].id, emoji: "👍", true), as: bob)
        _ = try await message(.delete(room, all[1].id), as: all[1].author)
        _ = try await message(.react(room, all[0].id, emoji: "👍", true), as: bob)
        let expected = [all[4].id, all[1].id, all[0].id]
        var met: [Message] = []
        var cursor = start
        for _ in 0...expected.count {
            let page = try await changes(after: cursor, limit: 1)
            met += page.messages
            cursor = page.revision
            if !page.hasMore { break }
        }
        try expect(
            met.map(\.id), expected,
            hurts: "a client that was away while messages were edited and deleted")
        for message in met {
            let now = try await self.message(.message(room, message.id), as: ann)
            try expect(message, now, hurts: "a client that takes the feed's state as the latest")
        }
        try expect(
            cursor, try await summary(as: ann).revision,
            hurts: "a client that would see a jump in live revisions")
        try expect(
            try await changes(after: cursor, limit: 10).messages, [],
            hurts: "a client that would fetch the same changes for ever")
    }
}
