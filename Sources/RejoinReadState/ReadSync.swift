public import RejoinModel
public import RejoinTime

/// Keeps one room's read position true on this device and on the server (promise P4).
///
/// A pure core. An advance applies here at once, is stored, and is reported until the server has
/// acknowledged it; advances that come close together share a report. Marks of other devices,
/// answers and summaries fold in by `max`. "Mark unread" is the one way back: a compare-and-set to
/// the next version, which gives in where another device was first.
///
/// ```
///            advance                coalescing over, or flush
///    idle ──────────▶ gathering ──────────────────────────────▶ in flight ──▶ idle
///     ▲  ▲                                                       │  │  │
///     │  │ summary                                      conflict │  │  │ refused
///     │  └────────────────────────── asking ◀────────────────────┘  │  └────▶ held
///     │                                                   transient │          │
///     │           backoff over, or flush ──▶ in flight   ◀─ waiting ◀┘          │
///     └────────────────────── activated, reconnected ◀──────────────────────────┘
/// ```
///
/// What advances the position: visible rows of an active scene, up to the newest of them and past
/// the invisible rows that follow, but never over a gap; and the host's explicit
/// ``ReadSyncInput/markRead(through:)``. Own sends and arriving messages do not.
///
/// Bounds: one report, one commit and one timer of each name at a time; the rows of one window.
/// Inputs cost O(rows) at worst.
public struct ReadSync: Sendable {
    /// The token of one report; an answer with another token is stale.
    public struct AttemptID: Hashable, Comparable, Sendable {
        /// The count, unique within one core.
        public let rawValue: UInt64

        /// Wraps a count.
        public init(_ rawValue: UInt64) { self.rawValue = rawValue }

        public static func < (lhs: AttemptID, rhs: AttemptID) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }

    /// The room.
    public let room: RoomID
    /// The waits.
    public let configuration: ReadSyncConfiguration
    /// What the room shows, as last given.
    public private(set) var facts = ReadFacts()
    /// How many messages are unread.
    public private(set) var unread: UnreadCount

    var record: ReadRecord
    private var lastKnown: MessageID?
    /// The recounts heard of lately, each of which may come by an event and by a page.
    private var recounted: [ReadRecount] = []
    /// How often what the server counts has changed behind its back: an answer that was asked for
    /// before the last time may count what is gone, or not what became visible late.
    private var recounts = 0
    private var scene = Scene.inactive
    private var generation: UInt64 = 0
    private var visible: ClosedRange<MessageID>?

    private var sending = Sending.idle
    private var backoff: Backoff
    private var conflicts = 0
    private var lastAttempt: UInt64 = 0

    private var summaryRetryAt: Instant?
    private var summaryBackoff: Backoff

    private var storing: ReadCommit?
    private var storeRetryAt: Instant?
    private var storeBackoff: Backoff
    private var stored: ReadRecord
    private var lastCommit: UInt64 = 0

    /// Creates the read state of a room, from what the store kept.
    public init(
        room: RoomID, configuration: ReadSyncConfiguration = ReadSyncConfiguration(),
        resuming record: ReadRecord = ReadRecord()
    ) {
        self.room = room
        self.configuration = configuration
        self.record = record
        stored = record
        lastKnown = record.summary?.asOf
        backoff = configuration.backoff
        summaryBackoff = configuration.backoff
        storeBackoff = configuration.backoff
        unread = .atLeast(0)
        unread = currentUnread
    }

    /// How far the person has read.
    public var mark: ReadMark { record.mark }

    /// The leave to report visible rows; `nil` while no scene is active.
    public var visibilityToken: VisibilityToken? {
        switch scene {
        case .active: VisibilityToken(room: room, generation: generation)
        case .inactive, .paused, .closed: nil
        }
    }

    /// Whether the server and the store have everything, as far as it can be brought about now: a
    /// closing room waits for it.
    public var isSettled: Bool {
        guard storing == nil, storeRetryAt == nil else { return false }
        switch sending {
        case .idle, .held: return true
        case .gathering, .inFlight, .waiting, .asking: return false
        }
    }

    /// Takes one input and returns what is to be done, in order.
    ///
    /// - Complexity: O(rows).
    public mutating func handle(
        _ input: ReadSyncInput, at now: Instant, using random: inout some RandomNumberGenerator
    ) -> [ReadSyncEffect] {
        var turn = Turn(now: now, before: record, token: visibilityToken)
        switch input {
        case .activated: activated(&turn)
        case .deactivated: deactivated(closing: false, &turn)
        case .closed: deactivated(closing: true, &turn)
        case .reconnected: reconnected(&turn)
        case .timeline(let facts): timeline(facts, &turn)
        case .visible(let token, let range): visible(token, range)
        case .markRead(let id): markRead(through: id)
        case .markUnread(let id): markUnread(from: id)
        case .remote(let marks): remote(marks)
        case .recount(let recounts): recount(recounts, &turn)
        case .summary(let summary): received(summary, &turn)
        case .summaryMissed: summaryMissed(&turn, &random)
        case .reported(let attempt, let result): reported(attempt, result, &turn, &random)
        case .committed(let id): committed(id)
        case .commitFailed(let id): commitFailed(id, &turn, &random)
        case .timer(let timer): fired(timer, &turn, &random)
        }
        readVisibleRows()
        schedule(&turn)
        return finish(turn)
    }
}

// MARK: - What the core remembers

extension ReadSync {
    private enum Scene: Sendable, Hashable {
        case inactive
        case active
        /// Active, but the room was just marked unread, here or on another device: what is on
        /// screen must not undo that. Rows count again from the next activation.
        case paused
        case closed
    }

    /// How far the reporting has come.
    private enum Sending: Sendable, Hashable {
        /// Nothing is on its way.
        case idle
        /// Advances gather until then.
        case gathering(until: Instant)
        /// A report is under way until the deadline.
        case inFlight(AttemptID, ReadMark, unread: Bool, deadline: Instant, recounts: Int)
        /// The next attempt comes then; `isOrdered` where the server asked for the wait.
        case waiting(until: Instant, isOrdered: Bool)
        /// The server holds a newer state; its summary was asked for, and is again then.
        case asking(until: Instant)
        /// The server refused; nothing is tried until something changes.
        case held
    }

    /// What one call of `handle` gathers.
    private struct Turn {
        let now: Instant
        let before: ReadRecord
        let token: VisibilityToken?
        /// Whether what is unsent goes out at once.
        var flushes = false
        var effects: [ReadSyncEffect] = []
    }

    /// Recounts remembered; one that is heard of again after so many others costs a request.
    private static let recountLimit = 64

    /// Conflicts in a row after which the server is left alone until something changes.
    private static let conflictLimit = 3

    private var isActive: Bool {
        switch scene {
        case .active, .paused: true
        case .inactive, .closed: false
        }
    }

    private var needsReport: Bool {
        record.pendingUnread != nil || record.acknowledged < record.mark
    }
}

// MARK: - What the person does

extension ReadSync {
    private mutating func activated(_ turn: inout Turn) {
        guard scene != .closed else { return }
        scene = .active
        generation += 1
        visible = nil
        release()
    }

    private mutating func deactivated(closing: Bool, _ turn: inout Turn) {
        guard scene != .closed else { return }
        scene = closing ? .closed : .inactive
        visible = nil
        turn.flushes = true
        guard closing, summaryRetryAt != nil else { return }
        summaryRetryAt = nil
        turn.effects.append(.cancelTimer(.summary))
    }

    private mutating func reconnected(_ turn: inout Turn) {
        guard scene != .closed else { return }
        release()
        if case .waiting(_, isOrdered: false) = sending {
            sending = .idle
            turn.effects.append(.cancelTimer(.report))
            turn.flushes = true
        }
    }

    private mutating func release() {
        guard case .held = sending else { return }
        sending = .idle
        conflicts = 0
    }

    private mutating func timeline(_ facts: ReadFacts, _ turn: inout Turn) {
        let isLate = facts.hasLateRow(since: self.facts)
        self.facts = facts
        know(facts.last)
        guard isLate else { return }
        // A backend that settles counts such a message only from now on, below what it has
        // counted before.
        recounts += 1
        record.summary = nil
        if scene != .closed { turn.effects.append(.fetchSummary) }
    }

    private mutating func visible(_ token: VisibilityToken, _ range: ClosedRange<MessageID>) {
        guard token == visibilityToken else { return }
        visible = range
    }

    /// Advances to the rows on screen. Runs after every input: what was out of reach behind a gap
    /// may have come within reach while it stayed on screen.
    private mutating func readVisibleRows() {
        guard let visible, let seen = facts.newestRow(in: visible) else { return }
        let position = record.mark.position
        guard facts.isUnbroken(after: position, through: seen) else { return }
        let reached = position.map { max($0, seen) } ?? seen
        advance(to: facts.passingInvisibleRows(after: reached))
    }

    private mutating func markRead(through id: MessageID) {
        guard scene != .closed else { return }
        advance(to: id)
    }

    private mutating func advance(to id: MessageID) {
        var state = ReadState(record.mark)
        guard state.advance(to: id, last: lastKnown) else { return }
        record.mark = state.mark
    }

    private mutating func markUnread(from id: MessageID) {
        guard scene != .closed, let position = record.mark.position, id <= position else { return }
        let row = facts.rows.last { $0.id < id }?.id
        let cut = facts.isUnbroken(after: row, through: id) ? row : id.predecessor
        guard let unread = ReadState(record.mark).markedUnread(after: cut) else { return }
        record.mark = unread
        record.pendingUnread = unread
        pause()
    }

    private mutating func pause() {
        visible = nil
        if scene == .active { scene = .paused }
    }

    private mutating func know(_ id: MessageID?) {
        guard let id else { return }
        lastKnown = lastKnown.map { max($0, id) } ?? id
    }
}

// MARK: - What the server does

extension ReadSync {
    private mutating func remote(_ marks: [ReadMark]) {
        let before = ReadMark(version: 0, position: record.mark.position)
        for mark in marks { learn(mark) }
        if ReadMark(version: 0, position: record.mark.position) < before { pause() }
    }

    /// Takes in a mark that the server has.
    private mutating func learn(_ mark: ReadMark) {
        know(mark.position)
        record.acknowledged = max(record.acknowledged, mark)
        guard let pending = record.pendingUnread,
            record.acknowledged.version >= pending.version
        else {
            record.mark = max(record.mark, mark)
            return
        }
        // The server has moved to our version or beyond: by our own act, or because another device
        // was first. Its state stands; what was read here after our act stays read.
        record.pendingUnread = nil
        record.mark = max(record.acknowledged, readSince(pending, version: pending.version))
    }

    /// What was read since a "mark unread", as a mark of another version.
    private func readSince(_ pending: ReadMark, version: UInt64) -> ReadMark {
        guard record.mark.version == pending.version, pending < record.mark else {
            return .unread
        }
        return ReadMark(version: version, position: record.mark.position)
    }

    private mutating func received(_ summary: RoomSummary, _ turn: inout Turn) {
        guard summary.room == room else { return }
        summaryBackoff.reset()
        if summaryRetryAt != nil {
            summaryRetryAt = nil
            turn.effects.append(.cancelTimer(.summary))
        }
        know(summary.lastMessage?.id)
        know(summary.unreadAsOf)
        note(
            UnreadSummary(
                mark: summary.read, unread: summary.unread, asOf: summary.unreadAsOf))
        guard case .asking = sending else {
            learn(summary.read)
            return
        }
        sending = .idle
        turn.effects.append(.cancelTimer(.report))
        if let pending = record.pendingUnread, summary.read.version < pending.version,
            let rebased = ReadState(summary.read).markedUnread(after: pending.position)
        {
            // It refused our version, yet its own is lower: an earlier act of ours never arrived.
            record.mark = max(rebased, readSince(pending, version: rebased.version))
            record.pendingUnread = rebased
            record.acknowledged = summary.read
        } else {
            learn(summary.read)
        }
    }

    /// What another device read or marked unread while this one was away comes by the summary
    /// alone.
    private mutating func summaryMissed(
        _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        guard scene != .closed else { return }
        let due = turn.now + summaryBackoff.next(using: &random)
        summaryRetryAt = due
        turn.effects.append(.setTimer(.summary, due))
    }

    private mutating func note(_ summary: UnreadSummary) {
        if let known = record.summary, summary.isOlder(than: known) { return }
        record.summary = summary
    }

    private mutating func reported(
        _ attempt: AttemptID, _ result: Result<ReadAnswer, BackendFailure>, _ turn: inout Turn,
        _ random: inout some RandomNumberGenerator
    ) {
        guard case .inFlight(attempt, let mark, let unread, _, let recounts) = sending else {
            // Stale; but the server's state is a fact, whichever attempt brought it.
            if case .success(let answer) = result {
                received(answer, countsAll: recounts == 0)
            }
            return
        }
        sending = .idle
        turn.effects.append(.cancelTimer(.attempt))
        switch result {
        case .success(let answer):
            received(answer, countsAll: recounts == self.recounts)
            // Where the server answers with less than it was told (it may clamp), it has still been
            // told: repeating would not help.
            record.acknowledged = max(record.acknowledged, mark)
            if unread, record.pendingUnread == mark { record.pendingUnread = nil }
            backoff.reset()
            conflicts = 0
            // What came meanwhile gathers again, except where the flush is not over.
            turn.flushes = !isActive
        case .failure(let failure):
            failed(failure, &turn, &random)
        }
    }

    private mutating func received(_ answer: ReadAnswer, countsAll: Bool) {
        know(answer.unreadAsOf)
        if countsAll {
            note(UnreadSummary(mark: answer.mark, unread: answer.unread, asOf: answer.unreadAsOf))
        }
        learn(answer.mark)
    }

    /// The server's count may hold messages that are gone, or lack some that became visible late:
    /// it has to count anew. Until it has, what is held is all that is certain.
    private mutating func recount(_ recounts: [ReadRecount], _ turn: inout Turn) {
        var isCounted = false
        for recount in recounts where !recounted.contains(recount) {
            recounted.append(recount)
            if recounted.count > Self.recountLimit { recounted.removeFirst() }
            self.recounts += 1
            guard let summary = record.summary else { continue }
            let isUnread = summary.mark.position.map { $0 < recount.id } ?? true
            if isUnread, let asOf = summary.asOf, recount.id <= asOf { isCounted = true }
        }
        guard isCounted else { return }
        record.summary = nil
        if !currentUnread.isExact, scene != .closed { turn.effects.append(.fetchSummary) }
    }

    private mutating func failed(
        _ failure: BackendFailure, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        // A closed room does not try again; the store keeps what is unsent for the next opening.
        guard scene != .closed else {
            sending = .held
            return
        }
        if failure.code == .conflict {
            conflicts += 1
            guard conflicts < Self.conflictLimit else {
                sending = .held
                return
            }
            ask(&turn, &random)
        } else if failure.isTransient {
            // The drawn wait comes on top of an ordered one, so that clients come back spread out.
            let asked = min(
                max(failure.retryAfter ?? .zero, .zero), configuration.longestOrderedWait)
            let until = turn.now + asked + backoff.next(using: &random)
            sending = .waiting(until: until, isOrdered: failure.retryAfter != nil)
            turn.effects.append(.setTimer(.report, until))
        } else {
            sending = .held
        }
    }

    private mutating func ask(
        _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        let until = turn.now + configuration.attemptTimeout + backoff.next(using: &random)
        sending = .asking(until: until)
        turn.effects.append(.fetchSummary)
        turn.effects.append(.setTimer(.report, until))
    }
}

// MARK: - What the store and the clock do

extension ReadSync {
    private mutating func committed(_ id: ReadCommit.ID) {
        guard let commit = storing, commit.id == id else { return }
        stored = commit.record
        storing = nil
        storeBackoff.reset()
    }

    private mutating func commitFailed(
        _ id: ReadCommit.ID, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        guard let commit = storing, commit.id == id else { return }
        storing = nil
        let due = turn.now + storeBackoff.next(using: &random)
        storeRetryAt = due
        turn.effects.append(.setTimer(.store, due))
    }

    private mutating func fired(
        _ timer: ReadSyncTimer, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        switch timer {
        case .report:
            switch sending {
            case .gathering(let until) where until <= turn.now,
                .waiting(let until, _) where until <= turn.now:
                sending = .idle
                turn.flushes = true
            case .asking(let until) where until <= turn.now:
                ask(&turn, &random)
            case .idle, .gathering, .inFlight, .waiting, .asking, .held:
                break
            }
        case .attempt:
            guard case .inFlight(let attempt, _, _, let deadline, _) = sending, deadline <= turn.now
            else { return }
            sending = .idle
            turn.effects.append(.abandon(attempt))
            failed(
                BackendFailure(
                    .outcomeUnknown, "No answer came within \(configuration.attemptTimeout)."),
                &turn, &random)
        case .store:
            if let due = storeRetryAt, due <= turn.now { storeRetryAt = nil }
        case .summary:
            guard let due = summaryRetryAt, due <= turn.now, scene != .closed else { return }
            summaryRetryAt = nil
            turn.effects.append(.fetchSummary)
        }
    }

    /// Lets what is unsent gather, or sends it.
    private mutating func schedule(_ turn: inout Turn) {
        switch sending {
        case .idle:
            guard needsReport else { return }
            if turn.flushes || !isActive {
                report(&turn)
            } else {
                let until = turn.now + configuration.coalescing
                sending = .gathering(until: until)
                turn.effects.append(.setTimer(.report, until))
            }
        case .gathering, .waiting(_, isOrdered: false):
            if !needsReport {
                sending = .idle
                turn.effects.append(.cancelTimer(.report))
            } else if turn.flushes {
                turn.effects.append(.cancelTimer(.report))
                report(&turn)
            }
        case .waiting(_, isOrdered: true), .asking:
            if scene == .closed {
                sending = .held
                turn.effects.append(.cancelTimer(.report))
            }
        case .inFlight, .held:
            return
        }
    }

    private mutating func report(_ turn: inout Turn) {
        lastAttempt += 1
        let attempt = AttemptID(lastAttempt)
        let deadline = turn.now + configuration.attemptTimeout
        let mark = record.pendingUnread ?? record.mark
        let unread = record.pendingUnread != nil
        sending = .inFlight(
            attempt, mark, unread: unread, deadline: deadline, recounts: recounts)
        turn.effects.append(.report(attempt, mark, unread: unread))
        turn.effects.append(.setTimer(.attempt, deadline))
    }

    /// Ends a turn: what is stored comes first, then what is shown, then what is sent.
    private mutating func finish(_ turn: Turn) -> [ReadSyncEffect] {
        var effects: [ReadSyncEffect] = []
        if storing == nil, storeRetryAt == nil, stored != record {
            lastCommit += 1
            let commit = ReadCommit(id: ReadCommit.ID(lastCommit), record: record)
            storing = commit
            effects.append(.commit(commit))
        }
        let count = currentUnread
        if count != unread || record.mark != turn.before.mark || visibilityToken != turn.token {
            unread = count
            effects.append(.publish)
        }
        return effects + turn.effects
    }
}

// MARK: - For whoever checks a run

extension ReadSync {
    /// Until when the core waits by a timer; `nil`: by none, and then none is set. So a timer never
    /// fires into nothing that was there once.
    package func deadline(of timer: ReadSyncTimer) -> Instant? {
        switch timer {
        case .report:
            switch sending {
            case .gathering(let until), .waiting(let until, _), .asking(let until): return until
            case .idle, .inFlight, .held: return nil
            }
        case .attempt:
            guard case .inFlight(_, _, _, let deadline, _) = sending else { return nil }
            return deadline
        case .store: return storeRetryAt
        case .summary: return summaryRetryAt
        }
    }

    /// Whether everything that is kept is within its limit.
    package var isWithinLimits: Bool { recounted.count <= Self.recountLimit }
}
