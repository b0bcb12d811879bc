import Foundation
public import RejoinModel
public import RejoinSync

/// A room of a backend on which ``messageSenderChecks(_:)`` try a sender. Each check gets a fresh
/// one that holds no message of the person who sends.
public protocol MessageSenderBench: Sendable {
    /// What is tried.
    var sender: any MessageSender { get }
    /// The room.
    var room: RoomID { get }
    /// The person on whose behalf ``sender`` sends.
    var user: UserID { get }
    /// What the backend keeps.
    var capabilities: BackendCapabilities { get }

    /// The room's messages as the server has them now, ascending.
    func messages() async throws -> [Message]
    /// Stores a message of somebody else.
    func storeForeignMessage() async throws -> Message
    /// Lets the server carry out the next mutation and loses its answer.
    func loseNextAnswer() async throws
}

/// What every ``RejoinSync/MessageSender`` keeps, with the backend behind it: what the outbox
/// relies on when it promises that a message arrives exactly once (promise P5).
///
/// - Parameter make: makes a fresh room.
public func messageSenderChecks(
    _ make: @escaping @Sendable () async throws -> any MessageSenderBench
) -> [ContractCheck] {
    let checks = MessageSenderChecks(make: make)
    return [
        ContractCheck("send.stores-once", promise: "P5", body: checks.storesOnce),
        ContractCheck("send.keeps-order", promise: "P3", body: checks.keepsOrder),
        ContractCheck("send.repeats-by-key", promise: "P5", body: checks.repeatsByKey),
        ContractCheck("send.lost-answer-is-unknown", promise: "P5", body: checks.lostAnswer),
        ContractCheck("send.too-large-is-refused", promise: "P7", body: checks.tooLarge),
        ContractCheck("edit.changes-content", promise: "P5", body: checks.edit),
        ContractCheck("edit.foreign-is-refused", promise: "P5", body: checks.foreignEdit),
        ContractCheck("edit.unknown-is-refused", promise: "P5", body: checks.unknownEdit),
        ContractCheck("edit.twice-is-once", promise: "P5", body: checks.editTwice),
        ContractCheck("delete.leaves-tombstone", promise: "P1", body: checks.delete),
        ContractCheck("delete.twice-is-once", promise: "P5", body: checks.deleteTwice),
        ContractCheck("react.puts-and-takes-back", promise: "P5", body: checks.react),
        ContractCheck("react.twice-is-once", promise: "P5", body: checks.reactTwice),
    ]
}

private struct MessageSenderChecks: Sendable {
    let make: @Sendable () async throws -> any MessageSenderBench

    private static let impatient = "a person whose message appears twice, or never"

    // MARK: Sends

    @Sendable
    func storesOnce() async throws {
        let bench = try await make()
        let draft = draft(1)
        let answer = try await bench.sender.perform(.send(draft), in: bench.room)
        let own = try await ownMessages(bench)
        try require(
            own.map(\.content), equals: [draft.content], "send.stores-once",
            whoIsHurt: Self.impatient)
        switch answer {
        case .stored(let message):
            try require(
                message, equals: own[0], "send.stores-once",
                whoIsHurt: "a person whose message stays unsent on screen beside its copy")
        case .accepted:
            try require(
                own[0].clientID, equals: draft.clientID, "send.stores-once",
                whoIsHurt: "an outbox that can tell its message from no other")
        }
        if let key = own[0].clientID {
            try require(
                key, equals: draft.clientID, "send.stores-once", whoIsHurt: Self.impatient)
        }
    }

    @Sendable
    func keepsOrder() async throws {
        let bench = try await make()
        let drafts = (1...5).map { draft($0) }
        for draft in drafts {
            _ = try await bench.sender.perform(.send(draft), in: bench.room)
        }
        let own = try await ownMessages(bench)
        try require(
            own.map(\.content), equals: drafts.map(\.content), "send.keeps-order",
            whoIsHurt: "people who read an answer before its question")
    }

    @Sendable
    func repeatsByKey() async throws {
        let bench = try await make()
        guard bench.capabilities.idempotentSendRetention != nil else {
            throw ContractSkip("the backend declares no idempotent sends")
        }
        let draft = draft(1)
        for _ in 0..<3 {
            do {
                _ = try await bench.sender.perform(.send(draft), in: bench.room)
            } catch {
                try require(
                    error.code, equals: .conflict, "send.repeats-by-key",
                    whoIsHurt: "a person who is told that a sent message has failed")
            }
        }
        try require(
            try await ownMessages(bench).count, equals: 1, "send.repeats-by-key",
            whoIsHurt: Self.impatient)
    }

    @Sendable
    func lostAnswer() async throws {
        let bench = try await make()
        try await bench.loseNextAnswer()
        do {
            let answer = try await bench.sender.perform(.send(draft(1)), in: bench.room)
            throw ContractFailure(
                check: "send.lost-answer-is-unknown", expected: "a failure whose effect is open",
                got: inWords(answer), whoIsHurt: Self.impatient)
        } catch let failure as BackendFailure {
            try require(
                failure.mayHaveTakenEffect, "send.lost-answer-is-unknown",
                expected: "a failure that may have taken effect, such as outcome_unknown",
                got: inWords(failure),
                whoIsHurt: "a person whose message is sent twice, because it seemed unsent")
        }
        try require(
            try await ownMessages(bench).count, equals: 1, "send.lost-answer-is-unknown",
            whoIsHurt: Self.impatient)
        guard bench.capabilities.idempotentSendRetention != nil else { return }
        _ = try await bench.sender.perform(.send(draft(1)), in: bench.room)
        try require(
            try await ownMessages(bench).count, equals: 1, "send.lost-answer-is-unknown",
            whoIsHurt: Self.impatient)
    }

    @Sendable
    func tooLarge() async throws {
        let bench = try await make()
        let text = String(repeating: "x", count: bench.capabilities.maximumContentBytes + 1)
        let draft = MessageDraft(clientID: Self.key(1), content: [.text(text)])
        try await expectFailure(
            .send(draft), as: [.tooLarge, .rejected], on: bench, "send.too-large-is-refused")
        try require(
            try await ownMessages(bench).count, equals: 0, "send.too-large-is-refused",
            whoIsHurt: "everybody who must load the room")
    }

    // MARK: Edits

    @Sendable
    func edit() async throws {
        let bench = try await make()
        let message = try await send(bench)
        _ = try await bench.sender.perform(.edit(message.id, [.text("new")]), in: bench.room)
        let own = try await ownMessages(bench)
        try require(
            own.map(\.content), equals: [[.text("new")]], "edit.changes-content",
            whoIsHurt: "a person whose correction is not seen")
        try require(
            own.map(\.id), equals: [message.id], "edit.changes-content",
            whoIsHurt: "everybody's order of the room")
    }

    @Sendable
    func foreignEdit() async throws {
        let bench = try await make()
        let foreign = try await bench.storeForeignMessage()
        try await expectFailure(
            .edit(foreign.id, [.text("mine")]), as: [.forbidden, .rejected, .notFound], on: bench,
            "edit.foreign-is-refused")
        try require(
            try await bench.messages().contains { $0.content == foreign.content },
            "edit.foreign-is-refused", expected: "the other person's words", got: "ours",
            whoIsHurt: "the person who is quoted with words of somebody else")
    }

    @Sendable
    func unknownEdit() async throws {
        let bench = try await make()
        try await expectFailure(
            .edit(MessageID(UInt128(UInt32.max)), [.text("new")]), as: [.notFound, .rejected],
            on: bench, "edit.unknown-is-refused")
    }

    @Sendable
    func editTwice() async throws {
        try await twice("edit.twice-is-once") { .edit($0, [.text("new")]) }
    }

    // MARK: Deletions and reactions

    @Sendable
    func delete() async throws {
        let bench = try await make()
        let message = try await send(bench)
        _ = try await bench.sender.perform(.delete(message.id), in: bench.room)
        let left = try await bench.messages().first { $0.id == message.id }
        try require(
            left?.isDeleted ?? true, "delete.leaves-tombstone", expected: "a tombstone, or nothing",
            got: "the message", whoIsHurt: "a person whose words others can still read")
        try require(
            left?.content ?? [], equals: [], "delete.leaves-tombstone",
            whoIsHurt: "a person whose words others can still read")
    }

    @Sendable
    func deleteTwice() async throws {
        try await twice("delete.twice-is-once") { .delete($0) }
    }

    @Sendable
    func react() async throws {
        let bench = try await make()
        let foreign = try await bench.storeForeignMessage()
        for isPut in [true, false] {
            _ = try await bench.sender.perform(
                .react(foreign.id, emoji: "👍", isPut), in: bench.room)
            let now = try await bench.messages().first { $0.id == foreign.id }
            try require(
                now?.reactions.contains { $0.users.contains(bench.user) } ?? false,
                equals: isPut, "react.puts-and-takes-back",
                whoIsHurt: "a person whose reaction is not the one they gave")
        }
    }

    @Sendable
    func reactTwice() async throws {
        try await twice("react.twice-is-once") { .react($0, emoji: "👍", true) }
    }

    // MARK: Steps

    /// A change whose answer was lost is repeated: the second time is refused as done, or changes
    /// nothing.
    private func twice(
        _ check: String, _ mutation: (MessageID) -> Mutation
    ) async throws {
        let bench = try await make()
        let message = try await send(bench)
        let mutation = mutation(message.id)
        try await bench.loseNextAnswer()
        _ = try? await bench.sender.perform(mutation, in: bench.room)
        let once = try await bench.messages()
        do {
            _ = try await bench.sender.perform(mutation, in: bench.room)
        } catch {
            try require(
                [.conflict, .notFound].contains(error.code), check,
                expected: "an answer, or a failure that says that it is done", got: inWords(error),
                whoIsHurt: "a person who is told that a change has failed that was made")
        }
        let again = try await bench.messages()
        try require(
            again.map(Effect.init), equals: once.map(Effect.init), check,
            whoIsHurt: "everybody who sees the change made twice")
    }

    /// What people see of a message.
    private struct Effect: Equatable, Sendable {
        let id: MessageID
        let content: [ContentBlock]
        let reactions: [Reaction]
        let isDeleted: Bool

        init(_ message: Message) {
            id = message.id
            content = message.content
            reactions = message.reactions
            isDeleted = message.isDeleted
        }
    }

    private func send(_ bench: any MessageSenderBench) async throws -> Message {
        _ = try await bench.sender.perform(.send(draft(1)), in: bench.room)
        guard let message = try await ownMessages(bench).first else {
            throw ContractFailure(
                check: "send.stores-once", expected: "one message", got: "none",
                whoIsHurt: Self.impatient)
        }
        return message
    }

    private func ownMessages(_ bench: any MessageSenderBench) async throws -> [Message] {
        try await bench.messages().filter { $0.author == bench.user }
    }

    private func expectFailure(
        _ mutation: Mutation, as codes: [BackendFailure.Code], on bench: any MessageSenderBench,
        _ check: String
    ) async throws {
        do {
            let answer = try await bench.sender.perform(mutation, in: bench.room)
            throw ContractFailure(
                check: check, expected: "one of \(codes.map(\.rawValue).joined(separator: ", "))",
                got: inWords(answer),
                whoIsHurt: "a person who believes that it was done")
        } catch let failure as BackendFailure {
            try require(
                codes.contains(failure.code), check,
                expected: "one of \(codes.map(\.rawValue).joined(separator: ", "))",
                got: inWords(failure),
                whoIsHurt: "an outbox that repeats what can never succeed, or shows a wrong reason")
        }
    }

    private func draft(_ number: UInt8) -> MessageDraft {
        MessageDraft(clientID: Self.key(number), content: [.text("message \(number)")])
    }

    private static func key(_ number: UInt8) -> ClientMessageID {
        ClientMessageID(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }
}
