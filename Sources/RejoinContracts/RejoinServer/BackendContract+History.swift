import RejoinModel

extension BackendRoom {
    /// An empty room proves itself empty.
    func emptyRoom() async throws {
        guard base == nil else { throw ContractSkip("the room holds messages already") }
        for anchor in [HistoryAnchor.newest, .after(nil)] {
            let page = try await page(anchor, limit: 10)
            try expect(
                page.messages.isEmpty && page.tip == nil && !page.hasBefore && !page.hasAfter,
                "a page without messages, without a tip and without neighbours",
                got: inWords(page),
                hurts: "whoever opens a new room: it never counts as up to date")
        }
    }

    /// Paging forwards and backwards meets every message once, in order.
    func pagesCover() async throws {
        let all = try await twelve().map(\.id)
        for limit in [1, 5, 12, 50] {
            var met: [MessageID] = []
            var cursor = base
            for _ in 0...all.count {
                let page = try await page(.after(cursor), limit: limit)
                try expect(
                    page.messages.count <= limit, "at most \(limit) messages in a page",
                    got: "\(page.messages.count)", hurts: "whoever reserved memory for a page")
                met += page.messages.map(\.id)
                guard page.hasAfter, let last = page.messages.last?.id else { break }
                cursor = last
            }
            try expect(met, all, hurts: "a client that catches up forwards in pages of \(limit)")

            met = []
            var anchor = HistoryAnchor.newest
            for _ in 0...all.count where met.first.map({ $0 > all[0] }) ?? true {
                let page = try await page(anchor, limit: limit)
                met = page.messages.map(\.id) + met
                guard page.hasBefore, let first = page.messages.first else { break }
                anchor = .before(first.id)
            }
            try expect(
                met.filter { $0 >= all[0] }, all,
                hurts: "a person who scrolls back in pages of \(limit)")
        }
    }

    /// Neither bound is in its page.
    func boundsAreExclusive() async throws {
        let all = try await twelve().map(\.id)
        for id in all {
            for (anchor, isOutside) in [
                (HistoryAnchor.after(id), { @Sendable in $0 > id }),
                (.before(id), { @Sendable (other: MessageID) in other < id }),
            ] {
                let met = try await page(anchor, limit: 4).messages.map(\.id)
                try expect(
                    met.allSatisfy(isOutside), "only messages beyond \(id) for \(inWords(anchor))",
                    got: inWords(met),
                    hurts: "a catch-up, which fetches its cursor's message again and again")
            }
        }
    }

    /// The interval that a page states holds no message that the page leaves out.
    func intervals() async throws {
        let all = try await twelve().map(\.id)
        for anchor in anchors(all) {
            for limit in [1, 4, 30] {
                let page = try await page(anchor, limit: limit)
                let met = page.messages.map(\.id)
                let claimed = all.filter { id in
                    page.from.map { $0 < id } ?? true && page.through.map { id <= $0 } ?? false
                }
                let first = met.first
                let beyond = claimed.filter { id in
                    guard let first, let last = met.last else { return true }
                    return id < first || last < id
                }
                try expect(
                    beyond.isEmpty,
                    "an interval (from, through] that ends where the page's messages end, for "
                        + "\(inWords(anchor)) with limit \(limit)",
                    got: "one that also claims \(inWords(beyond))",
                    hurts: "people from whom messages stay hidden that a page called proven")
                let outside = met.filter { id in id >= all[0] && !claimed.contains(id) }
                try expect(
                    outside.isEmpty,
                    "all messages of the page inside of its interval, for \(inWords(anchor))",
                    got: "\(inWords(outside)) outside",
                    hurts: "people who scroll through a gap that never closes")
            }
        }
    }

    /// `hasBefore`, `hasAfter` and `tip` are true.
    func whatFollows() async throws {
        let all = try await twelve().map(\.id)
        for anchor in anchors(all) {
            for limit in [1, 4, 30] {
                let page = try await page(anchor, limit: limit)
                let about = "\(inWords(anchor)) with limit \(limit)"
                let mustHaveBefore =
                    all.contains { id in page.from.map { id <= $0 } ?? false }
                    || base.map { base in page.from.map { base <= $0 } ?? false } ?? false
                let mayHaveBefore = mustHaveBefore || base != nil
                try expect(
                    page.hasBefore ? mayHaveBefore : !mustHaveBefore,
                    "hasBefore \(mustHaveBefore) for \(about)", got: "\(page.hasBefore)",
                    hurts: "a person who scrolls back")
                let hasAfter = all.contains { id in page.through.map { $0 < id } ?? true }
                try expect(
                    page.hasAfter == hasAfter, "hasAfter \(hasAfter) for \(about)",
                    got: "\(page.hasAfter)",
                    hurts: "a client that stops catching up too early, or never does")
                try expect(
                    page.tip, all.last, hurts: "a client that compares its cursor with the tip")
            }
        }
    }

    /// A page around a message holds it, and neighbours on both sides.
    func around() async throws {
        let all = try await twelve().map(\.id)
        for (index, id) in all.enumerated() {
            let met = try await page(.around(id), limit: 5).messages.map(\.id)
            try expect(
                met.contains(id), "the message \(id) itself", got: inWords(met),
                hurts: "a person who opens a quoted message")
            try expect(
                met.count <= 5, "at most 5 messages in a page", got: "\(met.count)",
                hurts: "whoever reserved memory for a page")
            let neighbours = [index - 1, index + 1].filter(all.indices.contains).map { all[$0] }
            try expect(
                Set(neighbours).isSubset(of: met),
                "\(inWords(neighbours)), too, for a page around \(id)",
                got: inWords(met),
                hurts: "a person who opens a room at its first unread message and sees nothing of "
                    + "what came before, or after")
        }
    }

    /// What is no longer kept lies below a horizon that says so.
    func horizon() async throws {
        let first = try await say("the oldest")
        for number in 1...50 { _ = try await say("younger \(number)") }
        let page = try await page(.after(base), limit: 5)
        let oldest = try await self.page(.after(nil), limit: 1)
        if let horizon = page.horizon {
            try expect(
                oldest.messages.first?.id, horizon,
                hurts: "a client that compares its cursor with the horizon: it refetches what it "
                    + "holds, or misses that something was trimmed")
            try expect(
                oldest.from.map { $0.rawValue + 1 >= horizon.rawValue } ?? false,
                "a page from the beginning that proves nothing below the horizon \(horizon)",
                got: "from \(oldest.from.map(\.description) ?? "the beginning")",
                hurts: "people whose old messages are removed from the screen as if deleted")
        }
        guard page.horizon.map({ $0 <= first.id }) ?? true else { return }
        try expect(
            page.messages.first?.id == first.id,
            "the message \(first.id), written a moment ago, or a horizon above it",
            got: "a page that begins with "
                + (page.messages.first?.id.description ?? "nothing"),
            hurts: "people whose history was trimmed in silence: no gap is shown")
    }

    /// IDs ascend in the order of the sends, whoever sends and by whatever way, and the author and
    /// client ID come back.
    func order() async throws {
        var last: MessageID?
        for number in 1...6 {
            let author = number.isMultiple(of: 2) ? ann : try members.last ?? bob()
            let message = try await say("number \(number)", as: author)
            if let last {
                try expect(
                    message.id > last, "an ID above \(last)", got: "\(message.id)",
                    hurts: "everybody: a reply would stand above")
            }
            last = message.id
            let again = try await self.message(.message(room, message.id))
            try expect(again, message, hurts: "a client that fetches one message")
            try expect(again.author, author.user, hurts: "the author: the words become another's")
            try expect(
                again.clientID != nil, "the client ID that the sender chose", got: "none",
                hurts: "the sender, who sees it twice")
        }
        let shown = try await all().map(\.id)
        try expect(shown, shown.sorted(), hurts: "everybody who reads the room")
    }

    private func anchors(_ ids: [MessageID]) -> [HistoryAnchor] {
        [.newest, .after(base)] + ids.flatMap { [.after($0), .before($0), .around($0)] }
    }
}
