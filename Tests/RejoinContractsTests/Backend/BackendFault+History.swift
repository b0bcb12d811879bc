import RejoinContracts
import RejoinModel
import RejoinTime

extension BackendFault {
    /// Faults of pages and of the order of commits.
    static let history: [BackendFault] = [
        .pages("says that an empty room has a past", foundBy: "history-empty-room") { _, _, page in
            if page.tip == nil { page.hasBefore = true }
        },
        .pages("drops a message from a page", foundBy: "history-pages-cover") {
            anchor, limit, page in
            if case .after = anchor, limit == 5, page.messages.count == 5 {
                page.messages.remove(at: 2)
            }
        },
        .pages(
            "gives more than it was asked for", foundBy: "history-pages-cover",
            also: ["access", "tombstones"]
        ) { _, limit, page in
            if limit == 1, let message = page.messages.first { page.messages.append(message) }
        },
        inclusiveBound,
        .pages(
            "states a `through` beyond what the page holds", foundBy: "history-from-through",
            also: ["history-says-what-follows", "commits-in-order"]
        ) { _, _, page in
            if page.hasAfter { page.through = page.tip }
        },
        .pages(
            "states a `from` above its own messages", foundBy: "history-from-through",
            also: ["history-says-what-follows"]
        ) { anchor, limit, page in
            if case .around = anchor, limit == 30, page.messages.count > 2 {
                page.from = page.messages[1].id
            }
        },
        .pages("says too early that nothing follows", foundBy: "history-says-what-follows") {
            anchor, limit, page in
            if case .after = anchor, limit == 4 { page.hasAfter = false }
        },
        .pages("states an old tip", foundBy: "history-says-what-follows") { anchor, limit, page in
            if limit == 30, case .before = anchor { page.tip = page.messages.first?.id }
        },
        .pages("leaves out the message that it was asked to show", foundBy: "history-around") {
            anchor, limit, page in
            if case .around(let id) = anchor, limit == 5 {
                page.messages.removeAll { $0.id == id }
            }
        },
        trimsSilently,
        .pages(
            "gives the same page for ever", foundBy: "commits-in-order",
            also: ["pages-under-writers"]
        ) { anchor, limit, page in
            // Pages of three are those that a reader follows by its cursor.
            guard limit == 3, case .after(let bound) = anchor else { return }
            page.hasAfter = true
            page.through = bound
        },
        .pages("states a horizon above what it still serves", foundBy: "history-horizon") {
            _, _, page in
            if page.messages.count > 1 || page.hasAfter { page.horizon = page.tip }
        },
        .answers("forgets who wrote", foundBy: "order", also: ["changes"]) { call, answer in
            guard case .message(_, _) = call, case .message(let message) = answer else { return }
            answer = .message(message.written(by: UserID("nobody"), as: message.clientID))
        },
        .answers(
            "forgets the client ID", foundBy: "order", also: ["access", "changes", "tombstones"]
        ) { call, answer in
            guard case .message(let message) = answer else { return }
            answer = .message(message.written(by: message.author, as: nil))
        },
        commits("commits out of order", foundBy: "commits-in-order", within: nil),
        commits(
            "settles later than it declares", foundBy: "settles-in-time",
            within: .milliseconds(5)),
        losesRacingSends,
    ]

    /// Bounds that the page includes.
    private static let inclusiveBound = BackendFault.calls(
        "takes bounds as inclusive", foundBy: "history-bounds-exclusive",
        also: [
            "history-pages-cover", "history-says-what-follows", "history-from-through",
            "history-horizon", "pages-under-writers", "send-idempotent", "order",
        ]
    ) {
        { (call, base) async throws(BackendFailure) in
            guard case .history(let room, let anchor, let limit) = call else {
                return try await base.perform(call)
            }
            let wider: HistoryAnchor =
                switch anchor {
                case .after(let bound?): .after(MessageID(bound.rawValue - 1))
                case .before(let bound): .before(MessageID(bound.rawValue + 1))
                case .newest, .around, .after: anchor
                }
            return try await base.perform(.history(room, wider, limit: limit))
        }
    }

    /// A room that forgets all but its newest messages and says nothing.
    private static let trimsSilently = BackendFault.calls(
        "trims its history in silence", foundBy: "history-horizon"
    ) {
        { (call, base) async throws(BackendFailure) in
            guard case .history(let room, .after(let bound), let limit) = call,
                case .history(let newest) = try await base.perform(
                    .history(room, .newest, limit: 45)),
                newest.hasBefore, let floor = newest.messages.first?.id,
                bound.map({ $0 < floor }) ?? true,
                case .history(var page) = try await base.perform(
                    .history(room, .after(MessageID(floor.rawValue - 1)), limit: limit))
            else { return try await base.perform(call) }
            page.from = bound
            page.hasBefore = false
            return .history(page)
        }
    }

    /// A message that draws its ID and becomes visible only after a later one was shown; with a
    /// declared settling time only when that time has passed, too.
    ///
    /// It waits for what its reader has seen and not for a time, so that it is late on a busy
    /// machine as well. Where nobody reads meanwhile it would wait for ever, so it does so in the
    /// room of the check that races readers against writers, and once: the last send of all is
    /// passed by nothing.
    private static func commits(
        _ name: String, foundBy check: String, within declared: Duration?
    ) -> BackendFault {
        .calls(name, foundBy: check) {
            let late = Shared(LateCommit(declared: declared))
            let time = SystemTime()
            return { (call, base) async throws(BackendFailure) in
                let start = time.now
                if case .send(let room, let draft) = call, room.rawValue.hasSuffix(check),
                    late.update({ $0.holdsBack(draft.clientID) })
                {
                    let answer = try await base.perform(call)
                    while !late.value.isDone {
                        do {
                            try await time.sleep(for: .milliseconds(1))
                        } catch {
                            throw BackendFailure(.cancelled, "the send was cancelled")
                        }
                    }
                    return answer
                }
                let answer = try await base.perform(call)
                switch answer {
                case .capabilities(var stated):
                    if let declared { stated.commitOrder = .settles(within: declared) }
                    return .capabilities(stated)
                case .history(let page):
                    return .history(late.update { $0.hide(in: page, readAt: start) })
                default:
                    return answer
                }
            }
        }
    }

    /// Of two sends at once, one is answered and not stored.
    private static let losesRacingSends = BackendFault.calls(
        "loses one of two sends at once", foundBy: "pages-under-writers",
        also: [
            "send-repeats-at-once", "changes-under-writers", "subscription-is-complete",
        ]
    ) {
        let running = Shared(0)
        let harmed = Shared<Set<RoomID>>([])
        return { (call, base) async throws(BackendFailure) in
            guard case .send(let room, let draft) = call else {
                return try await base.perform(call)
            }
            let count = running.update {
                $0 += 1
                return $0
            }
            defer { running.update { $0 -= 1 } }
            try? await SystemTime().sleep(for: .milliseconds(1))
            guard count > 1, harmed.update({ $0.insert(room).inserted }),
                case .history(let page) = try await base.perform(
                    .history(room, .newest, limit: 1))
            else { return try await base.perform(call) }
            return .message(
                Message(
                    id: MessageID((page.tip?.rawValue ?? 0) + 5), author: base.user,
                    clientID: draft.clientID, sentAt: WallTime(milliseconds: 0),
                    content: draft.content))
        }
    }
}

/// The message that a backend commits late, and how far its reader is.
private struct LateCommit {
    private enum Stage {
        /// Not passed by a page that shows a later message.
        case hidden
        /// Passed; the reader's next look tells when the look that passed it had ended.
        case passed
        /// Looks that begin after this instant are later than declared.
        case settling(Instant)
        /// The reader looked too late, and its next look surely began too late.
        case overdue
        case done
    }

    let declared: Duration?
    private var sends = 0
    private var key: ClientMessageID?
    private var stage = Stage.hidden

    init(declared: Duration?) {
        self.declared = declared
    }

    var isDone: Bool {
        if case .done = stage { true } else { false }
    }

    /// Counts a send; whether it is the one.
    mutating func holdsBack(_ clientID: ClientMessageID) -> Bool {
        sends += 1
        guard sends == 4 else { return false }
        key = clientID
        return true
    }

    /// The page as if the message were not committed yet, which it notes to be the reader's look.
    mutating func hide(in page: HistoryPage, readAt start: Instant) -> HistoryPage {
        guard let key, !isDone, let unseen = page.messages.first(where: { $0.clientID == key })
        else { return page }
        var page = page
        page.messages.removeAll { $0.id == unseen.id }
        if unseen.id == page.through { page.through = page.messages.last?.id ?? page.from }
        switch stage {
        case .hidden:
            guard let last = page.messages.last?.id, unseen.id < last else { break }
            stage = declared == nil ? .done : .passed
        case .passed:
            stage = .settling(start + (declared ?? .zero))
        case .settling(let end):
            if start > end { stage = .overdue }
        case .overdue, .done:
            stage = .done
        }
        return page
    }
}

extension Message {
    func written(by author: UserID, as clientID: ClientMessageID?) -> Message {
        Message(
            id: id, author: author, clientID: clientID, sentAt: sentAt, content: content,
            revision: revision, editedAt: editedAt, isDeleted: isDeleted, reactions: reactions)
    }
}
