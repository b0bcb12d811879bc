import Foundation
import RejoinContracts
import RejoinModel
import RejoinReadState
import RejoinSync

extension BrokenFake {
    static let senders: [BrokenFake] = [
        sender("stores each message twice", foundBy: "send.stores-once", also: everySend) {
            () in
            { (mutation, base) async throws(BackendFailure) in
                if case .send(let draft) = mutation {
                    _ = try await base(.send(draft.copied))
                }
                return try await base(mutation)
            }
        },
        BrokenFake("shows its room in another order", foundBy: "send.keeps-order") {
            messageSenderChecks {
                BrokenSender(
                    { (mutation, base) async throws(BackendFailure) in try await base(mutation) },
                    shown: { $0.count < 5 ? $0 : $0.reversed() })
            }
        },
        sender(
            "stores a repeated key again", foundBy: "send.repeats-by-key",
            also: ["send.lost-answer-is-unknown"]
        ) {
            let known = Shared<Set<ClientMessageID>>([])
            return { (mutation, base) async throws(BackendFailure) in
                guard case .send(let draft) = mutation,
                    !known.update({ $0.insert(draft.clientID).inserted })
                else { return try await base(mutation) }
                return try await base(.send(draft.copied))
            }
        },
        sender("takes a lost answer for an unsent request", foundBy: "send.lost-answer-is-unknown")
        {
            { (mutation, base) async throws(BackendFailure) in
                do throws(BackendFailure) {
                    return try await base(mutation)
                } catch {
                    guard error.code == .outcomeUnknown else { throw error }
                    throw BackendFailure(.unreachable, "nobody was there")
                }
            }
        },
        sender("cuts what is too large", foundBy: "send.too-large-is-refused") {
            { (mutation, base) async throws(BackendFailure) in
                guard case .send(let draft) = mutation, draft.content.first?.isLong == true else {
                    return try await base(mutation)
                }
                return try await base(
                    .send(MessageDraft(clientID: draft.clientID, content: [.text("cut")])))
            }
        },
        ignoring(
            "answers an edit without making it", foundBy: "edit.changes-content",
            also: ["edit.foreign-is-refused"]
        ) {
            if case .edit(let id, _) = $0 { id.rawValue < 1_000 } else { false }
        },
        sender("claims to have edited others' words", foundBy: "edit.foreign-is-refused") {
            answeringAll { if case .edit = $0 { $1.code == .forbidden } else { false } }
        },
        sender("claims to have edited what is not there", foundBy: "edit.unknown-is-refused") {
            answeringAll { if case .edit = $0 { $1.code == .notFound } else { false } }
        },
        refusingRepeats("edit.twice-is-once") { if case .edit = $0 { true } else { false } },
        ignoring("answers a deletion without making it", foundBy: "delete.leaves-tombstone") {
            if case .delete = $0 { true } else { false }
        },
        refusingRepeats("delete.twice-is-once") { if case .delete = $0 { true } else { false } },
        ignoring("answers a reaction without giving it", foundBy: "react.puts-and-takes-back") {
            if case .react = $0 { true } else { false }
        },
        refusingRepeats("react.twice-is-once") { if case .react = $0 { true } else { false } },
    ]

    private static let everySend: Set<String> = [
        "send.keeps-order", "send.repeats-by-key", "send.lost-answer-is-unknown",
        "edit.changes-content", "delete.leaves-tombstone",
    ]

    private static func sender(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ make: @escaping @Sendable () -> BrokenSender.Perform
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check, also: also) {
            messageSenderChecks { BrokenSender(make()) }
        }
    }

    private static func ignoring(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ isIgnored: @escaping @Sendable (Mutation) -> Bool
    ) -> BrokenFake {
        sender(name, foundBy: check, also: also) {
            { (mutation, base) async throws(BackendFailure) in
                isIgnored(mutation) ? .accepted : try await base(mutation)
            }
        }
    }

    private static func refusingRepeats(
        _ check: String, _ isRefused: @escaping @Sendable (Mutation) -> Bool
    ) -> BrokenFake {
        sender("refuses as wrong what is done already", foundBy: check) {
            let done = Shared<Set<Mutation>>([])
            return { (mutation, base) async throws(BackendFailure) in
                guard !isRefused(mutation) || done.update({ $0.insert(mutation).inserted }) else {
                    throw BackendFailure(.rejected, "this was done already")
                }
                return try await base(mutation)
            }
        }
    }

    private static func answeringAll(
        _ isHidden: @escaping @Sendable (Mutation, BackendFailure) -> Bool
    ) -> BrokenSender.Perform {
        { (mutation, base) async throws(BackendFailure) in
            do throws(BackendFailure) {
                return try await base(mutation)
            } catch {
                guard isHidden(mutation, error) else { throw error }
                return .accepted
            }
        }
    }
}

extension BrokenFake {
    static let reporters: [BrokenFake] = [
        reporter("counts nothing as unread", foundBy: "read.advances") { _, isUnread, answer in
            if !isUnread { answer.unread = 0 }
        },
        reporter("answers with the latest report", foundBy: "read.never-goes-back") {
            mark, isUnread, answer in
            if !isUnread, mark.version == answer.mark.version, mark < answer.mark {
                answer.mark = mark
            }
        },
        BrokenFake(
            "keeps the latest report", foundBy: "read.folds-in-any-order",
            also: ["read.never-goes-back", "unread.outlives-old-reads", "unread.second-is-told"]
        ) {
            readReporterChecks { BrokenReporter(keepsLatest: true) }
        },
        reporter("goes beyond the last message", foundBy: "read.clamps-to-last") {
            mark, _, answer in
            if let asked = mark.position, let last = answer.unreadAsOf, asked > last {
                answer.mark = mark
            }
        },
        BrokenFake(
            "takes a lost answer for a refusal", foundBy: "read.lost-answer-changes-nothing"
        ) {
            readReporterChecks { BrokenReporter(refusesLost: true) }
        },
        reporter("counts nothing after a mark-unread", foundBy: "unread.takes-next-version") {
            _, isUnread, answer in
            if isUnread { answer.unread = 0 }
        },
        BrokenFake("lets the second mark-unread pass", foundBy: "unread.second-is-told") {
            readReporterChecks { BrokenReporter(foldsUnread: true) }
        },
        BrokenFake(
            "does not compare versions", foundBy: "unread.outlives-old-reads"
        ) {
            readReporterChecks { BrokenReporter(ignoresVersions: true) }
        },
    ]

    private static func reporter(
        _ name: String, foundBy check: String,
        _ change: @escaping @Sendable (ReadMark, Bool, inout ReadAnswer) -> Void
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check) {
            readReporterChecks { BrokenReporter(change: change) }
        }
    }
}

/// The model's sender with one rule broken.
private struct BrokenSender: MessageSenderBench, MessageSender {
    typealias Base = @Sendable (Mutation) async throws(BackendFailure) -> MutationAnswer
    typealias Perform =
        @Sendable (Mutation, Base) async throws(BackendFailure) -> MutationAnswer

    private let base = ModelMessageSender()
    private let perform: Perform
    private let shown: @Sendable ([Message]) -> [Message]

    init(
        _ perform: @escaping Perform,
        shown: @escaping @Sendable ([Message]) -> [Message] = { $0 }
    ) {
        self.perform = perform
        self.shown = shown
    }

    var sender: any MessageSender { self }
    var room: RoomID { base.room }
    var user: UserID { base.user }
    var capabilities: BackendCapabilities { base.capabilities }

    func messages() async throws -> [Message] { shown(await base.messages()) }
    func storeForeignMessage() async throws -> Message { await base.storeForeignMessage() }
    func loseNextAnswer() async throws { await base.loseNextAnswer() }

    func perform(_ mutation: Mutation, in room: RoomID) async throws(BackendFailure)
        -> MutationAnswer
    {
        try await perform(mutation) { (mutation) async throws(BackendFailure) in
            try await base.perform(mutation, in: room)
        }
    }
}

/// The model's reporter with one rule broken.
private struct BrokenReporter: ReadReporterBench, ReadReporter {
    private let base = ModelReadReporter()
    private let latest = Shared<ReadMark?>(nil)
    var keepsLatest = false
    var refusesLost = false
    var foldsUnread = false
    var ignoresVersions = false
    var change: @Sendable (ReadMark, Bool, inout ReadAnswer) -> Void = { _, _, _ in }

    var reporter: any ReadReporter { self }
    var room: RoomID { base.room }

    func messages() async throws -> [MessageID] { await base.messages() }
    func loseNextAnswer() async throws { await base.loseNextAnswer() }

    func mark() async throws -> ReadMark {
        let stored = await base.mark()
        return keepsLatest ? latest.value ?? stored : stored
    }

    func report(_ mark: ReadMark, unread: Bool, in room: RoomID)
        async throws(BackendFailure) -> ReadAnswer
    {
        latest.update { $0 = mark }
        var mark = mark
        if ignoresVersions, !unread {
            mark = ReadMark(version: await base.mark().version, position: mark.position)
        }
        do throws(BackendFailure) {
            var answer = try await base.report(mark, unread: unread && !foldsUnread, in: room)
            change(mark, unread, &answer)
            return answer
        } catch {
            guard refusesLost, error.code == .outcomeUnknown else { throw error }
            throw BackendFailure(.rejected, "no answer came")
        }
    }
}

extension MessageDraft {
    /// The same words under another key.
    fileprivate var copied: MessageDraft {
        MessageDraft(clientID: ClientMessageID(UUID()), content: content)
    }
}

extension ContentBlock {
    fileprivate var isLong: Bool {
        if case .text(let text) = self { text.utf8.count > 10_000 } else { false }
    }
}
