public import RejoinModel
public import RejoinSync

/// A room of a backend on which ``historySourceChecks(_:)`` try a history. Each check gets a fresh,
/// empty one, in which nobody else writes.
public protocol HistorySourceBench: Sendable {
    /// What is tried.
    var source: any HistorySource { get }
    /// The room.
    var room: RoomID { get }
    /// What the backend keeps.
    var capabilities: BackendCapabilities { get }

    /// Stores a message and returns its ID.
    func write(_ text: String) async throws -> MessageID
    /// Changes a message's text.
    func edit(_ id: MessageID, _ text: String) async throws
}

/// What every ``RejoinSync/HistorySource`` keeps, with the backend behind it: what recovery relies
/// on when it calls a range covered (promise P1). What needs a change feed is skipped where the
/// backend declares none.
///
/// - Parameter make: makes a fresh, empty room.
public func historySourceChecks(
    _ make: @escaping @Sendable () async throws -> any HistorySourceBench
) -> [ContractCheck] {
    let checks = HistorySourceChecks(make: make)
    return [
        ContractCheck("history.empty-room", promise: "P1", body: checks.emptyRoom),
        ContractCheck("history.newest-is-the-tip", promise: "P1", body: checks.newest),
        ContractCheck("history.states-what-it-proves", promise: "P1", body: checks.interval),
        ContractCheck("history.bounds-are-exclusive", promise: "P2", body: checks.bounds),
        ContractCheck("history.pages-touch-forwards", promise: "P1", body: checks.forwards),
        ContractCheck("history.pages-touch-backwards", promise: "P1", body: checks.backwards),
        ContractCheck("history.around-includes-it", promise: "P1", body: checks.around),
        ContractCheck("history.anchor-need-not-exist", promise: "P1", body: checks.anchors),
        ContractCheck("history.nothing-follows-the-tip", promise: "P8", body: checks.afterTip),
        ContractCheck("history.shows-the-latest-state", promise: "P1", body: checks.latestState),
        ContractCheck("history.other-room-is-refused", promise: "P1", body: checks.otherRoom),
        ContractCheck("changes.bring-everything", promise: "P1", body: checks.changes),
        ContractCheck("changes.end-at-the-revision", promise: "P1", body: checks.changesEnd),
        ContractCheck("changes.of-the-future-are-gone", promise: "P1", body: checks.future),
    ]
}

private struct HistorySourceChecks: Sendable {
    let make: @Sendable () async throws -> any HistorySourceBench

    private func filled(
        _ count: Int
    ) async throws -> (bench: any HistorySourceBench, ids: [MessageID]) {
        let bench = try await make()
        var ids: [MessageID] = []
        for number in 0..<count { ids.append(try await bench.write("message \(number)")) }
        return (bench, ids)
    }

    private func page(
        _ bench: any HistorySourceBench, _ anchor: HistoryAnchor, limit: Int = 4
    ) async throws -> HistoryPage {
        let answer = try await bench.source.answer(.page(anchor, limit: limit), in: bench.room)
        guard case .page(let page) = answer else {
            throw ContractFailure(
                check: "history", expected: "a page for a page request", got: "another answer",
                whoIsHurt: "every catch-up")
        }
        return page
    }

    private func changes(
        _ bench: any HistorySourceBench, after: Revision, limit: Int = 3
    ) async throws -> ChangePage {
        let answer = try await bench.source.answer(
            .changes(after: after, limit: limit), in: bench.room)
        guard case .changes(let page) = answer else {
            throw ContractFailure(
                check: "changes", expected: "changes for a request of changes",
                got: "another answer", whoIsHurt: "every catch-up")
        }
        return page
    }

    // MARK: Pages

    func emptyRoom() async throws {
        let (bench, _) = try await filled(0)
        let page = try await page(bench, .newest)
        try require(
            page.messages.isEmpty && page.tip == nil && page.from == nil && page.through == nil
                && !page.hasBefore && !page.hasAfter, "history.empty-room",
            expected: "no messages, no bounds, nothing before or after", got: inWords(page),
            whoIsHurt: "whoever opens a new room: it never counts as up to date")
    }

    func newest() async throws {
        let (bench, ids) = try await filled(9)
        let page = try await page(bench, .newest)
        try require(
            page.messages.map(\.id), equals: Array(ids.suffix(4)), "history.newest-is-the-tip",
            whoIsHurt: "people who open a room and do not see its end")
        try require(
            !page.hasAfter && page.hasBefore && page.tip == ids.last,
            "history.newest-is-the-tip", expected: "more before, nothing after, the tip",
            got: "\(page.hasBefore), \(page.hasAfter), \(inWords(page.tip as Any))",
            whoIsHurt: "a catch-up that believes it has ended, or never does")
    }

    func interval() async throws {
        let (bench, ids) = try await filled(9)
        for anchor in anchors(ids) {
            let page = try await page(bench, anchor)
            let proven = ids.filter { id in
                (page.from.map { $0 < id } ?? true) && (page.through.map { id <= $0 } ?? false)
            }
            try require(
                page.messages.map(\.id), equals: proven, "history.states-what-it-proves",
                whoIsHurt: "people from whom messages are hidden that \(anchor) called proven")
        }
    }

    func bounds() async throws {
        let (bench, ids) = try await filled(9)
        let after = try await page(bench, .after(ids[3]))
        try require(
            after.messages.map(\.id), equals: Array(ids[4..<8]), "history.bounds-are-exclusive",
            whoIsHurt: "a catch-up, which fetches its cursor's message again and again")
        let before = try await page(bench, .before(ids[6]))
        try require(
            before.messages.map(\.id), equals: Array(ids[2..<6]), "history.bounds-are-exclusive",
            whoIsHurt: "people who scroll up")
    }

    func forwards() async throws {
        let (bench, ids) = try await filled(10)
        var coverage = Coverage()
        var cursor: MessageID?
        for _ in 0...ids.count {
            let page = try await page(bench, .after(cursor), limit: 3)
            if let through = page.through {
                coverage.insert(.init(from: page.from, through: through))
            }
            guard page.hasAfter else { break }
            cursor = page.through
        }
        try requireOneInterval(coverage, ids, "history.pages-touch-forwards")
    }

    func backwards() async throws {
        let (bench, ids) = try await filled(10)
        var coverage = Coverage()
        var anchor = HistoryAnchor.newest
        for _ in 0...ids.count {
            let page = try await page(bench, anchor, limit: 3)
            // As recovery reads it: a page before a message reaches up to that message.
            var through = page.through
            if case .before(let bound) = anchor, !page.messages.isEmpty || !page.hasBefore {
                through = bound.predecessor
            }
            if let through { coverage.insert(.init(from: page.from, through: through)) }
            guard page.hasBefore, let first = page.messages.first else { break }
            anchor = .before(first.id)
        }
        try requireOneInterval(coverage, ids, "history.pages-touch-backwards")
    }

    private func requireOneInterval(
        _ coverage: Coverage, _ ids: [MessageID], _ check: String
    ) throws {
        let last = ids.last ?? MessageID(0)
        try require(
            coverage.intervals.count == 1 && coverage.contains(last)
                && coverage.intervals.first?.from == nil, check,
            expected: "one interval from the beginning to the tip",
            got: inWords(coverage.intervals),
            whoIsHurt: "people who scroll through a gap that never closes")
    }

    func around() async throws {
        let (bench, ids) = try await filled(9)
        let page = try await page(bench, .around(ids[4]))
        try require(
            page.messages.contains { $0.id == ids[4] }, "history.around-includes-it",
            expected: "the message \(ids[4])", got: inWords(page.messages.map(\.id)),
            whoIsHurt: "people who follow a quote")
    }

    /// A message that was trimmed, or an own one that is unknown to another server, is still a
    /// place in the order.
    func anchors() async throws {
        let (bench, ids) = try await filled(6)
        let below = MessageID(ids[0].rawValue - 1)
        let after = try await page(bench, .after(below))
        try require(
            after.messages.map(\.id), equals: Array(ids.prefix(4)),
            "history.anchor-need-not-exist", whoIsHurt: "a catch-up from a trimmed cursor")
        let before = try await page(bench, .before(below))
        try require(
            before.messages.isEmpty && !before.hasBefore, "history.anchor-need-not-exist",
            expected: "nothing before the first message", got: inWords(before.messages.map(\.id)),
            whoIsHurt: "people who scroll to the beginning")
    }

    func afterTip() async throws {
        let (bench, ids) = try await filled(3)
        let page = try await page(bench, .after(ids[2]))
        try require(
            page.messages.isEmpty && !page.hasAfter && page.from == ids[2],
            "history.nothing-follows-the-tip",
            expected: "no messages, nothing after, from \(ids[2])",
            got: "\(page.messages.count) messages, hasAfter \(page.hasAfter)",
            whoIsHurt: "the server, which is asked in a loop")
    }

    func latestState() async throws {
        let (bench, ids) = try await filled(3)
        try await bench.edit(ids[1], "edited")
        let page = try await page(bench, .newest)
        try require(
            page.messages.first { $0.id == ids[1] }?.text, equals: "edited",
            "history.shows-the-latest-state", whoIsHurt: "people who read what was taken back")
    }

    func otherRoom() async throws {
        let (bench, _) = try await filled(1)
        do {
            _ = try await bench.source.answer(
                .page(.newest, limit: 4), in: RoomID("there is no such room"))
        } catch {
            let isRefusal = error.code == .notFound || error.code == .forbidden
            return try require(
                isRefusal, "history.other-room-is-refused",
                expected: "not_found or forbidden", got: error.code.rawValue,
                whoIsHurt: "the server, which is asked again and again")
        }
        throw ContractFailure(
            check: "history.other-room-is-refused", expected: "a refusal", got: "an answer",
            whoIsHurt: "people whose rooms can be read by others")
    }

    private func anchors(_ ids: [MessageID]) -> [HistoryAnchor] {
        [.newest, .after(nil)]
            + ids.flatMap { [HistoryAnchor.after($0), .before($0), .around($0)] }
    }

    // MARK: Changes

    func changes() async throws {
        let (bench, ids) = try await filled(4)
        guard bench.capabilities.hasRevisions else {
            throw ContractSkip("the backend declares no revisions")
        }
        let start = try await page(bench, .newest).revision
        guard let start else { return try missingRevision() }
        let created = try await bench.write("new")
        try await bench.edit(ids[0], "edited")
        try await bench.edit(created, "edited, too")
        let page = try await changes(bench, after: start, limit: 50)
        try require(
            page.messages.map(\.id), equals: [ids[0], created], "changes.bring-everything",
            whoIsHurt: "people who miss what was written or edited while they were away")
        try require(
            page.messages.map(\.text), equals: ["edited", "edited, too"],
            "changes.bring-everything", whoIsHurt: "people who read what was taken back")
    }

    func changesEnd() async throws {
        let (bench, _) = try await filled(8)
        guard bench.capabilities.hasRevisions else {
            throw ContractSkip("the backend declares no revisions")
        }
        guard let end = try await page(bench, .newest).revision else {
            return try missingRevision()
        }
        var cursor = Revision(0)
        var met = 0
        for _ in 0...8 {
            let page = try await changes(bench, after: cursor)
            try require(
                page.revision > cursor || !page.hasMore, "changes.end-at-the-revision",
                expected: "a revision that grows while more follows", got: "\(page.revision)",
                whoIsHurt: "the server, which is asked in a loop")
            met += page.messages.count
            cursor = page.revision
            guard page.hasMore else { break }
        }
        try require(
            cursor, equals: end, "changes.end-at-the-revision",
            whoIsHurt: "a catch-up whose cursor never meets the stream")
        try require(
            met, equals: 8, "changes.end-at-the-revision",
            whoIsHurt: "people who miss messages at a page's edge")
    }

    /// A server that was restored from a backup must not continue a count that it never gave.
    func future() async throws {
        let (bench, _) = try await filled(2)
        guard bench.capabilities.hasRevisions else {
            throw ContractSkip("the backend declares no revisions")
        }
        do {
            _ = try await bench.source.answer(
                .changes(after: Revision(1_000_000), limit: 3), in: bench.room)
        } catch {
            return try require(
                error.code.rawValue, equals: BackendFailure.Code.gone.rawValue,
                "changes.of-the-future-are-gone",
                whoIsHurt: "everybody, after the server was restored from a backup")
        }
        throw ContractFailure(
            check: "changes.of-the-future-are-gone", expected: "gone (410)", got: "an answer",
            whoIsHurt: "everybody, after the server was restored from a backup")
    }

    private func missingRevision() throws {
        throw ContractFailure(
            check: "changes", expected: "a revision on each page", got: "none",
            whoIsHurt: "a catch-up, which cannot begin its cursor")
    }
}
