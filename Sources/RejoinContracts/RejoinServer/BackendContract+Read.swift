import RejoinModel

extension BackendRoom {
    /// Advances fold by max.
    func readFolds() async throws {
        let reader = members[members.count - 1]
        let all = try await twelve().map(\.id)
        let before = try await summary(as: reader).read
        let mark = { (index: Int) in ReadMark(version: before.version, position: all[index]) }
        try expect(
            try await read(.markRead(room, mark(5)), as: reader).mark, mark(5),
            hurts: "a person whose read position is not taken")
        try expect(
            try await read(.markRead(room, mark(2)), as: reader).mark, mark(5),
            hurts: "a person whose second device is behind: the room becomes unread again")
        try expect(
            try await summary(as: reader).read, mark(5), hurts: "a person who signs in again")
        guard members.count > 1 else { return }
        try expect(
            try await summary(as: ann).read.position.map { $0 < all[0] } ?? true,
            "nobody else's position moved", got: "the first person's did",
            hurts: "the others, who did not read")
    }

    /// A position never passes the last message.
    func readClamps() async throws {
        let reader = members[members.count - 1]
        let last = try await say("the last")
        let version = try await summary(as: reader).read.version
        let beyond = ReadMark(
            version: version, position: MessageID(last.id.rawValue + 1_000))
        try expect(
            try await read(.markRead(room, beyond), as: reader).mark.position, last.id,
            hurts: "a person whose future messages would count as read")
    }

    /// Marking unread moves to the next version, from the version before it alone.
    func unreadIsVersioned() async throws {
        let reader = members[members.count - 1]
        let all = try await twelve().map(\.id)
        let version = try await summary(as: reader).read.version
        let advance = ReadMark(version: version, position: all[11])
        _ = try await read(.markRead(room, advance), as: reader)
        let back = ReadMark(version: version + 1, position: all[3])
        try expect(
            try await read(.markUnread(room, back), as: reader).mark, back,
            hurts: "a person who marks a room unread")
        try expect(
            try await read(.markUnread(room, back), as: reader).mark, back,
            hurts: "a person whose answer was lost: the retry is refused")
        try expect(
            await failure(
                of: .markUnread(room, ReadMark(version: version + 1, position: all[7])),
                as: reader),
            .conflict, hurts: "a person whose two devices both mark unread")
        try expect(
            try await read(.markRead(room, advance), as: reader).mark, back,
            hurts: "a person whose mark-unread is undone by a late advance")
    }

    /// Own messages and tombstones never count.
    func unreadCount() async throws {
        let bob = try bob()
        let version = try await summary(as: bob).read.version
        if let base {
            _ = try await read(
                .markRead(room, ReadMark(version: version, position: base)), as: bob)
        }
        let all = try await twelve()
        let foreign = all.filter { $0.author == ann.user }
        let summary = try await summary(as: bob)
        try expect(
            summary.unread, foreign.count, hurts: "the reader, whose badge counts own messages")
        try expect(
            summary.unreadAsOf, all.last?.id,
            hurts: "a client that adds live messages to the count")
        _ = try await message(.delete(room, foreign[0].id))
        try expect(
            try await self.summary(as: bob).unread, foreign.count - 1,
            hurts: "the reader, whose badge counts a message that nobody can see")
        let mark = ReadMark(version: version, position: foreign[3].id)
        try expect(
            try await read(.markRead(room, mark), as: bob).unread,
            foreign.count { $0.id > foreign[3].id },
            hurts: "the reader, whose badge is wrong after reading")
    }
}
