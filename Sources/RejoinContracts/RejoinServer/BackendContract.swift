import RejoinModel

/// What every backend must keep, so that the promises hold on it: the other half of what the client
/// does. What it does not declare as a capability is not asked for.
///
/// The checks write some hundreds of short messages. Run them one after the other: two at once
/// would see each other's messages where they share a room.
///
/// ```swift
/// let checks = backendChecks(BackendUnderTest(first: ann, second: bob) { _ in RoomID("test") })
/// for check in checks { print(await check.result()) }
/// ```
public func backendChecks(_ backend: BackendUnderTest) -> [ContractCheck] {
    func check(
        _ id: String, _ promise: String,
        _ body: @escaping @Sendable (BackendRoom) async throws -> Void
    ) -> ContractCheck {
        ContractCheck("backend.\(id)", promise: promise) {
            try await body(try await BackendRoom(check: "backend.\(id)", backend))
        }
    }
    return [
        check("history-empty-room", "P1") { try await $0.emptyRoom() },
        check("history-pages-cover", "P1") { try await $0.pagesCover() },
        check("history-bounds-exclusive", "P2") { try await $0.boundsAreExclusive() },
        check("history-from-through", "P1") { try await $0.intervals() },
        check("history-says-what-follows", "P1") { try await $0.whatFollows() },
        check("history-around", "P1") { try await $0.around() },
        check("history-horizon", "P1") { try await $0.horizon() },
        check("order", "P3") { try await $0.order() },
        check("commits-in-order", "P1") { try await $0.commitsInOrder() },
        check("settles-in-time", "P1") { try await $0.settlesInTime() },
        check("pages-under-writers", "P1") { try await $0.pagesUnderWriters() },
        check("send-idempotent", "P5") { try await $0.idempotentSend() },
        check("send-repeats-at-once", "P5") { try await $0.repeatsAtOnce() },
        check("receipt-means-stored", "P5") { try await $0.receiptMeansStored() },
        check("mutations-repeat", "P5") { try await $0.repeatedMutations() },
        check("tombstones", "P1") { try await $0.tombstones() },
        check("subscribe-receipt", "P1") { try await $0.subscribeReceipt() },
        check("subscription-is-complete", "P1") { try await $0.subscriptionIsComplete() },
        check("events-arrive-once", "P2") { try await $0.eventsArriveOnce() },
        check("events-count-revisions", "P1") { try await $0.eventsCountRevisions() },
        check("event-means-stored", "P1") { try await $0.eventMeansStored() },
        check("changes", "P1") { try await $0.changes() },
        check("changes-under-writers", "P1") { try await $0.changesUnderWriters() },
        check("changes-gone", "P1") { try await $0.changesGone() },
        check("read-folds", "P4") { try await $0.readFolds() },
        check("read-clamps", "P4") { try await $0.readClamps() },
        check("unread-is-versioned", "P4") { try await $0.unreadIsVersioned() },
        check("unread-count", "P4") { try await $0.unreadCount() },
        check("access", "access") { try await $0.access() },
        check("token-invalid", "sign-in") { try await $0.tokenInvalid() },
        check("token-expired", "sign-in") { try await $0.tokenExpired() },
        check("deferrals-say-when", "P8") { try await $0.deferrals() },
    ]
}

/// One check's room, and the steps that checks have in common.
struct BackendRoom: Sendable {
    let check: String
    let room: RoomID
    let backend: BackendUnderTest
    let capabilities: BackendCapabilities
    /// The newest message before the check began; `nil` in an empty room.
    let base: MessageID?

    init(check: String, _ backend: BackendUnderTest) async throws {
        self.check = check
        self.backend = backend
        room = try await backend.room(check)
        guard case .capabilities(let stated) = try await backend.first.perform(.capabilities)
        else { throw Self.wrongAnswer("capabilities", check) }
        capabilities = stated
        let newest = try await backend.first.perform(.history(room, .newest, limit: 1))
        guard case .history(let page) = newest else { throw Self.wrongAnswer("a page", check) }
        base = page.messages.last?.id
    }

    // MARK: People

    var ann: any BackendAccount { backend.first }

    /// The other member.
    func bob() throws(ContractSkip) -> any BackendAccount {
        guard let second = backend.second else {
            throw ContractSkip("it takes a second member of the room")
        }
        return second
    }

    /// Everybody there is.
    var members: [any BackendAccount] { [backend.first] + (backend.second.map { [$0] } ?? []) }

    /// Opens a connection of the first person.
    func connected(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws {
        guard ann.canConnect else { throw ContractSkip("no realtime connection was given") }
        try await ann.withConnection(body)
    }

    func requireRevisions() throws(ContractSkip) {
        guard capabilities.hasRevisions else {
            throw ContractSkip("the backend declares no revisions")
        }
    }

    // MARK: Calls

    func say(_ text: String, as account: (any BackendAccount)? = nil) async throws -> Message {
        try await message(.send(room, .fresh(text)), as: account)
    }

    func message(
        _ call: BackendCall, as account: (any BackendAccount)? = nil
    ) async throws -> Message {
        guard case .message(let message) = try await (account ?? ann).perform(call) else {
            throw wrongAnswer("a message")
        }
        return message
    }

    func page(_ anchor: HistoryAnchor, limit: Int) async throws -> HistoryPage {
        let limit = min(limit, capabilities.maximumPageSize)
        guard case .history(let page) = try await ann.perform(.history(room, anchor, limit: limit))
        else { throw wrongAnswer("a page") }
        return page
    }

    func changes(after revision: Revision, limit: Int) async throws -> ChangePage {
        guard
            case .changes(let page) = try await ann.perform(
                .changes(room, after: revision, limit: limit))
        else { throw wrongAnswer("a page of changes") }
        return page
    }

    func read(_ call: BackendCall, as account: any BackendAccount) async throws -> ReadAnswer {
        guard case .read(let answer) = try await account.perform(call) else {
            throw wrongAnswer("a read state")
        }
        return answer
    }

    func summary(as account: any BackendAccount) async throws -> RoomSummary {
        guard case .room(let summary) = try await account.perform(.room(room)) else {
            throw wrongAnswer("a summary")
        }
        return summary
    }

    /// The revision of the room now.
    func revision() async throws -> Revision {
        guard let revision = try await page(.newest, limit: 1).revision else {
            throw ContractFailure(
                check: check, expected: "a revision on each page, as declared", got: "none",
                whoIsHurt: "a catch-up, which cannot begin its cursor")
        }
        return revision
    }

    /// Every message after the base as pages show it, by the page's own last message and not by
    /// what the page says about itself.
    func all() async throws -> [Message] {
        var messages: [Message] = []
        var cursor = base
        while true {
            let page = try await page(.after(cursor), limit: 100)
            messages += page.messages
            guard page.hasAfter, let last = page.messages.last?.id,
                cursor.map({ $0 < last }) ?? true
            else { return messages }
            cursor = last
        }
    }

    /// Twelve messages, by everybody in turn.
    func twelve() async throws -> [Message] {
        var messages: [Message] = []
        for number in 1...12 {
            let author = number.isMultiple(of: 3) ? members.last : members.first
            messages.append(try await say("message \(number)", as: author))
        }
        return messages.sorted { $0.id < $1.id }
    }

    // MARK: Verdicts

    func expect<Value: Equatable & Sendable>(
        _ actual: Value, _ expected: Value, hurts: String
    ) throws(ContractFailure) {
        try require(actual, equals: expected, check, whoIsHurt: hurts)
    }

    func expect(
        _ condition: Bool, _ expected: String, got: @autoclosure () -> String, hurts: String
    ) throws(ContractFailure) {
        try require(condition, check, expected: expected, got: got(), whoIsHurt: hurts)
    }

    func wrongAnswer(_ expected: String) -> ContractFailure { Self.wrongAnswer(expected, check) }

    private static func wrongAnswer(_ expected: String, _ check: String) -> ContractFailure {
        ContractFailure(
            check: check, expected: expected, got: "an answer of another kind",
            whoIsHurt: "every client: the answer does not belong to the call")
    }

    /// The code with which a call fails; `nil` where it succeeds.
    func failure(of call: BackendCall, as account: any BackendAccount) async
        -> BackendFailure.Code?
    {
        do throws(BackendFailure) {
            _ = try await account.perform(call)
            return nil
        } catch {
            return error.code
        }
    }
}
