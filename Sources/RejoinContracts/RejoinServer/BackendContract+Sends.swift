import Foundation
import RejoinModel

extension MessageDraft {
    /// A text that was never sent before.
    static func fresh(_ text: String) -> MessageDraft {
        MessageDraft(clientID: ClientMessageID(UUID()), content: [.text(text)])
    }
}

extension BackendRoom {
    private static let doubled = "the sender whose answer was lost: the message is doubled"

    /// The same client ID is the same message, for its sender alone, over any connection.
    func idempotentSend() async throws {
        try requireIdempotence()
        let draft = MessageDraft.fresh("once")
        let first = try await message(.send(room, draft))
        try expect(try await message(.send(room, draft)), first, hurts: Self.doubled)
        if ann.canConnect {
            for _ in 0..<2 {
                try await connected { connection in
                    _ = try? await connection.send(RoomCommand(room: room, kind: .send(draft)))
                }
            }
        }
        var expected = [first.id]
        if let bob = backend.second {
            let other = try await message(.send(room, draft), as: bob)
            try expect(
                other.id != first.id, "a message of its own for another person's client ID",
                got: "the first person's message",
                hurts: "a sender whose message vanishes because somebody else drew the same ID")
            expected.append(other.id)
        }
        try expect(try await all().map(\.id), expected, hurts: Self.doubled)
    }

    /// Repeats that race with each other over several connections are one message.
    func repeatsAtOnce() async throws {
        try requireIdempotence()
        let drafts = (1...4).map { MessageDraft.fresh("raced \($0)") }
        for draft in drafts {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { _ = try await message(.send(room, draft)) }
                }
                if ann.canConnect {
                    group.addTask {
                        try await ann.withConnection { connection in
                            _ = try await connection.send(
                                RoomCommand(room: room, kind: .send(draft)))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let stored = try await all()
        for draft in drafts {
            let count = stored.count { $0.content == draft.content }
            try expect(
                count == 1, "one message for a client ID that was sent several times at once",
                got: "\(count)",
                hurts: "a person on a bad network, whose retry overtakes the first attempt")
        }
    }

    private func requireIdempotence() throws(ContractSkip) {
        guard capabilities.idempotentSendRetention != nil else {
            throw ContractSkip("the backend declares no idempotent sends")
        }
    }

    /// An answer or a receipt comes only once pages hold the message.
    func receiptMeansStored() async throws {
        for number in 1...5 {
            let message = try await say("answered \(number)")
            try expectStored(
                message.content, try await page(.newest, limit: 10), after: "the answer")
        }
        guard ann.canConnect else { return }
        try await connected { connection in
            for number in 1...5 {
                let draft = MessageDraft.fresh("receipted \(number)")
                guard try await connection.send(RoomCommand(room: room, kind: .send(draft)))
                else { return }
                try expectStored(
                    draft.content, try await page(.newest, limit: 10), after: "the receipt")
            }
        }
    }

    private func expectStored(
        _ content: [ContentBlock], _ page: HistoryPage, after sign: String
    ) throws {
        try expect(
            page.messages.contains { $0.content == content },
            "the message in a page that is asked for after \(sign)", got: "a page without it",
            hurts: "a sender whose message is shown as sent and is lost when the server restarts")
    }

    /// What is asked twice is done once: a retry after a lost answer harms nobody.
    func repeatedMutations() async throws {
        let message = try await say("hello")
        for call in [
            BackendCall.edit(room, message.id, [.text("hello!")]),
            .react(room, message.id, emoji: "👍", true),
            .react(room, message.id, emoji: "👍", false),
            .delete(room, message.id),
        ] {
            let first = try await self.message(call)
            try expect(
                try await self.message(call), first, hurts: "whoever retries after a lost answer")
        }
    }

    /// A deleted message keeps its place, without content, and nobody else can delete it.
    func tombstones() async throws {
        let message = try await say("to be deleted")
        if let bob = backend.second {
            try expect(
                await failure(of: .delete(room, message.id), as: bob), .forbidden,
                hurts: "the author, whose message others can delete")
            try expect(
                await failure(of: .edit(room, message.id, [.text("forged")]), as: bob), .forbidden,
                hurts: "the author, into whose mouth words are put")
        }
        let deleted = try await self.message(.delete(room, message.id))
        try expect(deleted.isDeleted, true, hurts: "readers who still see a deleted message")
        try expect(deleted.content, [], hurts: "the author, whose deleted words stay readable")
        try expect(
            try await page(.newest, limit: 1).messages, [deleted],
            hurts: "a client that missed the deletion and keeps the message")
    }
}
