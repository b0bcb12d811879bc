import Foundation
import RejoinModel

extension BackendRoom {
    /// The same client ID is the same message, for its sender alone.
    func idempotentSend() async throws {
        guard try await capabilities().idempotentSendRetention != nil else { return }
        let draft = MessageDraft(clientID: ClientMessageID(UUID()), content: [.text("once")])
        let first = try await message(.send(room, draft), as: ann)
        let second = try await message(.send(room, draft), as: ann)
        try expect(second, first, hurts: "the sender whose answer was lost: the message is doubled")
        let other = try await message(.send(room, draft), as: bob)
        try expect(
            other.id == first.id, false,
            hurts: "a sender whose message vanishes because somebody else drew the same ID")
        try expect(
            try await page(.newest, limit: 10).messages.map(\.id), [first.id, other.id],
            hurts: "everybody who reads the room")
    }

    /// A deleted message keeps its place, without content, and nobody else can delete it.
    func tombstones() async throws {
        let message = try await say("to be deleted", as: ann)
        try expect(
            try await failure(of: .delete(room, message.id), as: bob), .forbidden,
            hurts: "the author, whose message others can delete")
        try expect(
            try await failure(of: .edit(room, message.id, [.text("forged")]), as: bob), .forbidden,
            hurts: "the author, into whose mouth words are put")
        let deleted = try await self.message(.delete(room, message.id), as: ann)
        try expect(deleted.isDeleted, true, hurts: "readers who still see a deleted message")
        try expect(deleted.content, [], hurts: "the author, whose deleted words stay readable")
        try expect(
            try await page(.newest, limit: 10).messages, [deleted],
            hurts: "a client that missed the deletion and keeps the message")
    }

    /// What is asked twice is done once: a retry after a lost answer harms nobody.
    func repeatedMutations() async throws {
        let message = try await say("hello", as: ann)
        for call in [
            BackendCall.edit(room, message.id, [.text("hello!")]),
            .react(room, message.id, emoji: "👍", true),
            .react(room, message.id, emoji: "👍", false),
            .delete(room, message.id),
        ] {
            let first = try await self.message(call, as: ann)
            let second = try await self.message(call, as: ann)
            try expect(second, first, hurts: "whoever retries after a lost answer")
        }
    }

    /// Advances fold by max and never pass the last message.
    func readFolds() async throws {
        let all = try await twelve().map(\.id)
        let mark = { (index: Int) in ReadMark(version: 0, position: all[index]) }
        try expect(
            try await read(.markRead(room, mark(5)), as: bob).mark, mark(5),
            hurts: "a person whose read position is not taken")
        try expect(
            try await read(.markRead(room, mark(2)), as: bob).mark, mark(5),
            hurts: "a person whose second device is behind: the room becomes unread again")
        let beyond = ReadMark(version: 0, position: MessageID(all[11].rawValue + 1_000))
        try expect(
            try await read(.markRead(room, beyond), as: bob).mark, mark(11),
            hurts: "a person whose future messages would count as read")
        try expect(
            try await summary(as: bob).read, mark(11), hurts: "a person who signs in again")
        try expect(
            try await summary(as: ann).read, .unread, hurts: "the others, who did not read")
    }

    /// Marking unread moves to the next version, from the version before it alone.
    func unreadIsVersioned() async throws {
        let all = try await twelve().map(\.id)
        _ = try await read(.markRead(room, ReadMark(version: 0, position: all[11])), as: bob)
        let back = ReadMark(version: 1, position: all[3])
        try expect(
            try await read(.markUnread(room, back), as: bob).mark, back,
            hurts: "a person who marks a room unread")
        try expect(
            try await read(.markUnread(room, back), as: bob).mark, back,
            hurts: "a person whose answer was lost: the retry is refused")
        try expect(
            try await failure(
                of: .markUnread(room, ReadMark(version: 1, position: all[7])), as: bob),
            .conflict, hurts: "a person whose two devices both mark unread")
        try expect(
            try await read(
                .markRead(room, ReadMark(version: 0, position: all[11])), as: bob
            ).mark, back, hurts: "a person whose mark-unread is undone by a late advance")
    }

    /// Own messages and tombstones never count.
    func unreadCount() async throws {
        let all = try await twelve()
        let fromAnn = all.filter { $0.author == ann }
        let summary = try await summary(as: bob)
        try expect(summary.unread, fromAnn.count, hurts: "bob, whose badge counts his own messages")
        try expect(
            summary.unreadAsOf, all.last?.id, hurts: "a client that adds live messages to the count"
        )
        _ = try await message(.delete(room, fromAnn[0].id), as: ann)
        try expect(
            try await self.summary(as: bob).unread, fromAnn.count - 1,
            hurts: "bob, whose badge counts a message that he cannot see")
        let mark = ReadMark(version: 0, position: fromAnn[3].id)
        let after = all.filter { $0.author == ann && $0.id > fromAnn[3].id }
        try expect(
            try await read(.markRead(room, mark), as: bob).unread, after.count,
            hurts: "bob, whose badge is wrong after reading")
    }

    /// Who is not a member can neither look nor act.
    func access() async throws {
        let message = try await say("private", as: ann)
        let draft = MessageDraft(clientID: ClientMessageID(UUID()), content: [.text("intrusion")])
        var calls: [BackendCall] = [
            .room(room), .history(room, .newest, limit: 10), .message(room, message.id),
            .send(room, draft), .edit(room, message.id, [.text("forged")]),
            .delete(room, message.id), .react(room, message.id, emoji: "👍", true),
            .markRead(room, ReadMark(version: 0, position: message.id)),
            .markUnread(room, ReadMark(version: 1, position: nil)),
        ]
        if try await capabilities().hasRevisions {
            calls.append(.changes(room, after: Revision(0), limit: 10))
        }
        for call in calls {
            try expect(
                try await failure(of: call, as: eve), .forbidden,
                hurts: "the members, whose room is open to strangers")
        }
        try expect(
            try await page(.newest, limit: 10).messages, [message],
            hurts: "the members, whose room a stranger has changed")
        guard case .rooms(let rooms) = try await backend.perform(.rooms, eve) else {
            throw wrongAnswer("the rooms")
        }
        try expect(
            rooms.contains { $0.room == room }, false,
            hurts: "the members, whose room is listed to strangers")
    }
}
