import Foundation
import RejoinContracts
import RejoinModel
import RejoinTime

extension BackendFault {
    /// Faults of sends and other mutations.
    static let sends: [BackendFault] = [
        .calls(
            "doubles a message on a repeated client ID", foundBy: "send-idempotent",
            also: ["send-repeats-at-once"]
        ) {
            let known = Shared<Set<ClientMessageID>>([])
            return { (call, base) async throws(BackendFailure) in
                guard case .send(let room, let draft) = call,
                    !known.update({ $0.insert(draft.clientID).inserted })
                else { return try await base.perform(call) }
                return try await base.perform(.send(room, draft.copied))
            }
        },
        .calls("doubles a message whose repeats race", foundBy: "send-repeats-at-once") {
            let running = Shared<Set<ClientMessageID>>([])
            return { (call, base) async throws(BackendFailure) in
                guard case .send(let room, let draft) = call else {
                    return try await base.perform(call)
                }
                guard running.update({ $0.insert(draft.clientID).inserted }) else {
                    return try await base.perform(.send(room, draft.copied))
                }
                defer { running.update { _ = $0.remove(draft.clientID) } }
                try? await SystemTime().sleep(for: .milliseconds(5))
                return try await base.perform(call)
            }
        },
        .hooks("gives a receipt before it stores", foundBy: "receipt-means-stored") {
            let waiting = Shared<[BackendCall]>([])
            return { account in
                account.send = { command, _ in
                    waiting.update { $0 += command.call.map { [$0] } ?? [] }
                    return true
                }
                account.call = { (call, base) async throws(BackendFailure) in
                    let answer = try await base.perform(call)
                    let late = waiting.update { calls in
                        defer { calls = [] }
                        return calls
                    }
                    for call in late { _ = try await base.perform(call) }
                    return answer
                }
            }
        },
        .calls("does a repeated change once more", foundBy: "mutations-repeat") {
            let last = Shared<BackendCall?>(nil)
            return { (call, base) async throws(BackendFailure) in
                let isRepeat = last.update { last in
                    defer { last = call }
                    return last == call
                }
                if isRepeat, case .react(let room, let message, let emoji, let isOn) = call {
                    _ = try await base.perform(.react(room, message, emoji: emoji, !isOn))
                }
                return try await base.perform(call)
            }
        },
        .pages("still shows what was deleted", foundBy: "tombstones") { _, _, page in
            for index in page.messages.indices where page.messages[index].isDeleted {
                page.messages[index].content = [.text("what was deleted")]
            }
        },
        .answers("leaves deletions out of its feed", foundBy: "changes") { _, answer in
            guard case .changes(var page) = answer else { return }
            page.messages.removeAll(where: \.isDeleted)
            answer = .changes(page)
        },
        .answers(
            "gives the same page of changes for ever", foundBy: "changes",
            also: ["changes-under-writers"]
        ) { call, answer in
            guard case .changes(_, let after, _) = call, case .changes(var page) = answer else {
                return
            }
            page.hasMore = true
            page.revision = after
            answer = .changes(page)
        },
        .answers("skips the last change of a full page", foundBy: "changes-under-writers") {
            _, answer in
            guard case .changes(var page) = answer, page.hasMore, page.messages.count > 1 else {
                return
            }
            page.messages.removeLast()
            answer = .changes(page)
        },
        .calls("goes on from a revision that it never gave", foundBy: "changes-gone") {
            { (call, base) async throws(BackendFailure) in
                do throws(BackendFailure) {
                    return try await base.perform(call)
                } catch {
                    guard case .changes(_, let revision, _) = call, error.code == .gone else {
                        throw error
                    }
                    return .changes(ChangePage(messages: [], revision: revision, hasMore: false))
                }
            }
        },
    ]

    /// Faults of subscriptions and their events.
    static let live: [BackendFault] = [
        .hooks("gives a SUBSCRIBE's receipt before it is active", foundBy: "subscribe-receipt") {
            let waiting = Shared<[@Sendable () async throws -> Bool]>([])
            return { account in
                account.subscribe = { room, connection, deliver in
                    waiting.update {
                        $0.append { try await connection.subscribe(to: room, deliver) }
                    }
                    return true
                }
                account.call = { (call, base) async throws(BackendFailure) in
                    let answer = try await base.perform(call)
                    let late = waiting.update { late in
                        defer { late = [] }
                        return late
                    }
                    for subscribe in late { _ = try? await subscribe() }
                    return answer
                }
            }
        },
        .hooks(
            "gives no receipt for a SUBSCRIBE", foundBy: "subscribe-receipt",
            also: [
                "subscription-is-complete", "events-arrive-once", "events-count-revisions",
                "event-means-stored",
            ]
        ) {
            { account in
                account.subscribe = {
                    _ = try await $1.subscribe(to: $0, $2)
                    return false
                }
            }
        },
        .events("drops an event", foundBy: "subscription-is-complete") { number, event in
            number.isMultiple(of: 9) ? [] : [event]
        },
        .events("doubles an event", foundBy: "events-arrive-once") { number, event in
            number.isMultiple(of: 4) ? [event, event] : [event]
        },
        .events("counts revisions in twos", foundBy: "events-count-revisions") { _, event in
            var event = event
            event.revision = event.revision.map { Revision($0.rawValue * 2) }
            return [event]
        },
        .calls("announces a message before it is stored", foundBy: "event-means-stored") {
            let unfinished = Shared<Int>(0)
            return { (call, base) async throws(BackendFailure) in
                switch call {
                case .send:
                    unfinished.update { $0 += 1 }
                    defer { unfinished.update { $0 -= 1 } }
                    let answer = try await base.perform(call)
                    try? await SystemTime().sleep(for: .milliseconds(20))
                    return answer
                case .message where unfinished.value > 0:
                    throw BackendFailure(.notFound, "there is no such message yet")
                default:
                    return try await base.perform(call)
                }
            }
        },
    ]

    /// Faults of read marks, access and tokens.
    static let people: [BackendFault] = [
        movesReadMarksBack,
        .answers("takes a read mark beyond the last message", foundBy: "read-clamps") {
            call, answer in
            guard case .markRead(_, let mark) = call, case .read(var read) = answer,
                let asked = mark.position, let stored = read.mark.position,
                asked.rawValue >= stored.rawValue + 1_000
            else { return }
            read.mark = mark
            answer = .read(read)
        },
        .calls("lets the second mark-unread overwrite the first", foundBy: "unread-is-versioned") {
            { (call, base) async throws(BackendFailure) in
                do throws(BackendFailure) {
                    return try await base.perform(call)
                } catch {
                    guard case .markUnread(_, let mark) = call, error.code == .conflict else {
                        throw error
                    }
                    return .read(ReadAnswer(mark: mark, unread: 0, unreadAsOf: nil))
                }
            }
        },
        .answers("counts own messages as unread", foundBy: "unread-count") { _, answer in
            guard case .room(var summary) = answer else { return }
            summary.unread += 1
            answer = .room(summary)
        },
        BackendFault("lets strangers in", foundBy: "access") { backend in
            guard let outsider = backend.outsider else { return }
            let member = backend.first
            var hooked = HookedAccount(base: outsider)
            hooked.call = { (call, base) async throws(BackendFailure) in
                if case .history = call { return try await member.perform(call) }
                return try await base.perform(call)
            }
            backend.outsider = hooked
        },
        BackendFault("calls a made-up token expired", foundBy: "token-invalid") { backend in
            backend.impostor = backend.expired
        },
        BackendFault("calls an expired token invalid", foundBy: "token-expired") { backend in
            backend.expired = backend.impostor
        },
        BackendFault("says not when to come back", foundBy: "deferrals-say-when") { backend in
            backend.deferrals = { [BackendFailure(.rateLimited, "too many requests")] }
        },
    ]

    /// A backend that takes the latest report for the truth.
    private static let movesReadMarksBack = BackendFault.calls(
        "moves read marks back", foundBy: "read-folds"
    ) {
        { (call, base) async throws(BackendFailure) in
            let answer = try await base.perform(call)
            guard case .markRead(_, let mark) = call, case .read(var read) = answer,
                mark < read.mark, mark.version == read.mark.version
            else { return answer }
            read.mark = mark
            return .read(read)
        }
    }
}

extension MessageDraft {
    /// The same words under another key.
    fileprivate var copied: MessageDraft {
        MessageDraft(clientID: ClientMessageID(UUID()), content: content)
    }
}
