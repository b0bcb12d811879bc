public import RejoinModel
public import RejoinTime

/// The queue of one room's unsent changes: first in, first out, one on its way at a time
/// (promise P5).
///
/// A pure core. What a person does is shown at once, stored before its first byte leaves, and kept
/// until the server is known to have it:
///
/// ```
///                   ┌────────── transient failure, no effect ─────────┐
///                   ▼                                                 │
///  submit ──▶ waiting ──(stored, gate open)──▶ departing ─▶ in flight ┤
///               ▲   │                                          │      ├▶ accepted ──▶ settled
///         retry │   │ too old                                  │      │     │           ▲
///               │   ▼                                          ▼      │     │ not seen  │ seen
///             failed / unconfirmed ◀─(not found)── outcome unknown ◀──┘ ◀───┘           │
///               └────────────────────────────────────┴──────────────────────────────────┘
/// ```
///
/// - An unknown outcome is repeated under the same key where the backend keeps keys for long enough
///   (a tenth of the retention stays as margin, for clocks that disagree); otherwise recovery looks
///   for the message, and what it does not find is *unconfirmed*: the person decides.
/// - The gate opens with the subscription; where the backend is not idempotent, only after
///   catch-up.
/// - Edits, deletions and reactions stand in the same queue. On a message that has not left, an
///   edit just changes its content; on one that has, it waits until the message has a server's ID.
/// - A failed item gives way to its successors.
/// - An upload will be one more condition on the head of the queue, beside the gate.
///
/// Bounds: ``OutboxConfiguration/itemLimit`` items, beyond which new ones are refused; one attempt,
/// one commit and one timer of each name at a time; the last 128 settled sends are remembered, so
/// that changes addressed by client ID still find them. Inputs cost O(items) at worst.
public struct Outbox: Sendable {
    /// The token of one attempt; an answer with another token is stale and ignored.
    public struct AttemptID: Hashable, Comparable, Sendable {
        /// The count, unique within one core.
        public let rawValue: UInt64

        /// Wraps a count.
        public init(_ rawValue: UInt64) { self.rawValue = rawValue }

        public static func < (lhs: AttemptID, rhs: AttemptID) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }

    /// The person who sends.
    public let user: UserID
    /// The limits and waits.
    public let configuration: OutboxConfiguration

    var entries: [ClientMessageID: Entry] = [:]
    /// The queue: the keys of `entries`, ascending by sequence.
    var order: [ClientMessageID] = []

    private var keyRetention: Duration?
    private var contentByteLimit: Int
    private var lastSequence: UInt64 = 0
    private var lastAttempt: UInt64 = 0
    private var lastCommit: UInt64 = 0

    private var openedAt: Instant?
    private var isCaughtUp = false
    private var slot = Slot.free
    private var wait: Wait?
    private var backoff: Backoff
    private var serverFailures = 0
    private var echoTimerDue: Instant?

    private var storing: Storing?
    private var storeRetryAt: Instant?
    private var storeBackoff: Backoff
    private var dirty: [ClientMessageID] = []
    private var removed: [ClientMessageID] = []
    private var acknowledgements: [Acknowledgement] = []
    private var settledSends: [SettledSend] = []

    /// Creates the outbox of a room for a person, from what the store kept.
    ///
    /// An item that was on its way when the process ended counts as one whose outcome is unknown.
    /// The caller then passes the own messages that it holds as ``OutboxInput/observed(_:)``, so
    /// that sends whose message is held already are settled.
    ///
    /// - Complexity: O(items).
    public init(
        user: UserID, capabilities: BackendCapabilities,
        configuration: OutboxConfiguration = OutboxConfiguration(),
        resuming record: OutboxRecord = OutboxRecord()
    ) {
        self.user = user
        self.configuration = configuration
        keyRetention = capabilities.idempotentSendRetention
        contentByteLimit = min(
            configuration.contentByteLimit, capabilities.maximumContentBytes)
        backoff = configuration.backoff
        storeBackoff = configuration.backoff
        for item in record.items {
            entries[item.id] = Entry(item: item, isStored: true)
            order.append(item.id)
            lastSequence = max(lastSequence, item.sequence)
        }
    }

    /// Takes one input and returns what is to be done, in order.
    ///
    /// - Complexity: O(items).
    public mutating func handle(
        _ input: OutboxInput, at now: Instant, wall: WallTime,
        using random: inout some RandomNumberGenerator
    ) -> [OutboxEffect] {
        var turn = Turn(now: now, wall: wall)
        switch input {
        case .submit(let id, let work): submit(id, work, &turn)
        case .retry(let id): retry(id, &turn)
        case .cancel(let id): cancel(id, &turn)
        case .discard(let id): discard(id, &turn)
        case .subscription(let isOpen): subscription(isOpen: isOpen, &turn)
        case .recovered(let begunAt): recovered(begunAt: begunAt, &turn)
        case .observed(let message): observed(message, &turn)
        case .rejected(let id, let failure): rejected(id, failure, &turn, &random)
        case .capabilities(let capabilities):
            keyRetention = capabilities.idempotentSendRetention
            contentByteLimit = min(
                configuration.contentByteLimit, capabilities.maximumContentBytes)
        case .performed(let attempt, let result): performed(attempt, result, &turn, &random)
        case .committed(let id): committed(id, &turn)
        case .commitFailed(let id): commitFailed(id, &turn, &random)
        case .timer(let timer): fired(timer, &turn, &random)
        }
        advance(&turn)
        flush(&turn)
        assert(invariantsHold)
        return turn.effects
    }
}

// MARK: - What the core remembers

extension Outbox {
    /// One item and what only this process knows of it.
    struct Entry: Sendable, Hashable {
        var item: OutboxItem
        /// Whether any commit with it is stored.
        var isStored = false
        /// Whether it changed since the last commit that carries it.
        var isDirty = false
        /// When its present state came to be known; recovery that began before proves nothing about
        /// it. `nil`: before this process.
        var knownSince: Instant?
        /// Whether recovery was asked to look for it.
        var isSought = false
    }

    /// The one place from which an item leaves.
    private enum Slot: Sendable, Hashable {
        case free
        /// The departure is being stored.
        case departing(ClientMessageID, Origin)
        /// The attempt is under way until the deadline.
        case inFlight(ClientMessageID, AttemptID, Origin, deadline: Instant)

        var id: ClientMessageID? {
            switch self {
            case .free: nil
            case .departing(let id, _), .inFlight(let id, _, _, _): id
            }
        }
    }

    /// What was known before a departure; taken up again where the attempt had no effect.
    private struct Origin: Sendable, Hashable {
        var leftAt: WallTime?
        var mayBeStored: Bool
    }

    /// A wait before the next attempt.
    private struct Wait: Sendable, Hashable {
        var until: Instant
        /// Whether the server asked for it; such a wait outlives a reconnect.
        var isOrdered: Bool
    }

    /// A commit on its way to the store.
    private struct Storing: Sendable, Hashable {
        var commit: OutboxCommit
        var acknowledgements: [Acknowledgement]
    }

    /// What a caller is told once the next commit is stored.
    private enum Acknowledgement: Sendable, Hashable {
        case accepted(ClientMessageID)
        case cancelled(ClientMessageID)

        var effect: OutboxEffect {
            switch self {
            case .accepted(let id): .accepted(id)
            case .cancelled(let id): .cancelled(id)
            }
        }
    }

    private struct SettledSend: Sendable, Hashable {
        var clientID: ClientMessageID
        var messageID: MessageID
    }

    /// What one call of `handle` gathers.
    private struct Turn {
        let now: Instant
        let wall: WallTime
        var effects: [OutboxEffect] = []
        var publishes = false
        var seeks = false
    }

    private static let settledSendLimit = 128

    private var isIdempotent: Bool { keyRetention != nil }
    private var isGateOpen: Bool { openedAt != nil && (isIdempotent || isCaughtUp) }

    /// The item that is on its way, or whose departure is being stored.
    var leaving: ClientMessageID? { slot.id }

    /// Whether the server cannot have the item. A departure that is still being stored has not
    /// happened yet.
    private func hasNotLeft(_ item: OutboxItem) -> Bool {
        switch slot {
        case .departing(item.id, let origin): !origin.mayBeStored
        case .inFlight(item.id, _, _, _): false
        case .free, .departing, .inFlight: !item.mayBeStored
        }
    }
}

// MARK: - What the person does

extension Outbox {
    private mutating func submit(
        _ id: ClientMessageID, _ work: OutboxWork, _ turn: inout Turn
    ) {
        // The same key is the same wish: a second tap on "send" must not send twice.
        if let entry = entries[id] {
            if entry.isStored {
                turn.effects.append(.accepted(id))
            } else if !isAcknowledgementPending(.accepted(id)) {
                acknowledgements.append(.accepted(id))
            }
            return
        }
        if settledSends.contains(where: { $0.clientID == id }) {
            turn.effects.append(.accepted(id))
            return
        }
        if let content = work.content, byteCount(of: content) > contentByteLimit {
            refuse(
                id, .tooLarge,
                "The content takes more than \(contentByteLimit) bytes; shorten it or split it.",
                &turn)
            return
        }
        guard let work = resolve(work) else {
            refuse(
                id, .unknownTarget,
                "The message is neither waiting here nor was it sent from here lately; "
                    + "address it by its message ID.", &turn)
            return
        }
        if absorb(id, work, &turn) { return }
        guard entries.count < configuration.itemLimit else {
            refuse(
                id, .full,
                "\(entries.count) changes wait in this room already; "
                    + "wait until some are sent, or discard failed ones.", &turn)
            return
        }
        for earlier in order {
            guard let entry = entries[earlier], hasNotLeft(entry.item),
                work.supersedes(entry.item.work)
            else { continue }
            remove(earlier)
        }
        lastSequence += 1
        let item = OutboxItem(
            id: id, sequence: lastSequence, work: work, queuedAt: turn.wall)
        entries[id] = Entry(item: item)
        order.append(id)
        touch(id, &turn)
        acknowledgements.append(.accepted(id))
    }

    /// The work with a target that exists: a message that was sent in the meantime is addressed by
    /// its server's ID. `nil` where the target is unknown.
    private func resolve(_ work: OutboxWork) -> OutboxWork? {
        guard case .local(let clientID) = work.target else { return work }
        if let settled = settledSends.last(where: { $0.clientID == clientID }) {
            return work.retargeted(to: .sent(settled.messageID))
        }
        guard let target = entries[clientID], target.item.work.isSend, !target.item.isCancelled
        else { return nil }
        return work
    }

    /// Carries out what needs no item of its own: an edit of a message that has not left, and the
    /// deletion of one that is still here.
    private mutating func absorb(
        _ id: ClientMessageID, _ work: OutboxWork, _ turn: inout Turn
    ) -> Bool {
        guard case .local(let clientID) = work.target, let target = entries[clientID] else {
            return false
        }
        switch work {
        case .edit(_, let content):
            guard hasNotLeft(target.item) else { return false }
            entries[clientID]?.item.work = .send(content)
            touch(clientID, &turn)
        case .delete:
            takeBack(clientID, &turn)
        case .send, .react:
            return false
        }
        acknowledgements.append(.accepted(id))
        return true
    }

    private mutating func retry(_ id: ClientMessageID, _ turn: inout Turn) {
        guard let entry = decidable(id, &turn) else { return }
        var item = entry.item
        lastSequence += 1
        item.sequence = lastSequence
        item.state = .waiting
        item.consentedAt = turn.wall
        // The person knows that the message may be there, so the key counts as fresh.
        item.leftAt = nil
        entries[id]?.item = item
        entries[id]?.isSought = false
        order.removeAll { $0 == id }
        order.append(id)
        touch(id, &turn)
    }

    private mutating func discard(_ id: ClientMessageID, _ turn: inout Turn) {
        guard decidable(id, &turn) != nil else { return }
        removeWithDependents(id, &turn)
    }

    /// The item, where it waits for the person's decision; refuses the command otherwise.
    private mutating func decidable(_ id: ClientMessageID, _ turn: inout Turn) -> Entry? {
        guard let entry = entries[id], !entry.item.isCancelled else {
            refuseUnknown(id, &turn)
            return nil
        }
        switch entry.item.state {
        case .failed, .unconfirmed: return entry
        case .waiting, .accepted, .outcomeUnknown:
            refuse(
                id, .stillPending,
                "The item is still being sent; cancel it instead, or wait for its fate.", &turn)
            return nil
        }
    }

    private mutating func cancel(_ id: ClientMessageID, _ turn: inout Turn) {
        guard let entry = entries[id], !entry.item.isCancelled else {
            refuseUnknown(id, &turn)
            return
        }
        guard entry.item.work.isSend || hasNotLeft(entry.item) else {
            refuse(
                id, .alreadyLeft,
                "The change is on its way; undo it with a change of its own.", &turn)
            return
        }
        takeBack(id, &turn)
        acknowledgements.append(.cancelled(id))
    }

    /// Removes an item that has not left, and marks a send that may have left for deletion.
    private mutating func takeBack(_ id: ClientMessageID, _ turn: inout Turn) {
        guard let entry = entries[id] else { return }
        guard !hasNotLeft(entry.item) else {
            removeWithDependents(id, &turn)
            return
        }
        removeDependents(of: id, &turn)
        entries[id]?.item.isCancelled = true
        // A cancelled send is not repeated, even where the key would make that safe: everybody
        // would see the message for a moment. Recovery finds out whether it has arrived.
        if slot.id != id, entry.item.state == .waiting {
            loseTrack(of: id, &turn)
        }
        touch(id, &turn)
    }

    private func refuse(
        _ id: ClientMessageID, _ code: OutboxRefusal.Code, _ message: String, _ turn: inout Turn
    ) {
        turn.effects.append(.refused(id, OutboxRefusal(code, message)))
    }

    private func refuseUnknown(_ id: ClientMessageID, _ turn: inout Turn) {
        refuse(
            id, .unknownItem,
            "No such item waits in this room; a message that was sent can be deleted.", &turn)
    }
}

// MARK: - What the server does

extension Outbox {
    private mutating func subscription(isOpen: Bool, _ turn: inout Turn) {
        if !isOpen {
            openedAt = nil
            isCaughtUp = false
            return
        }
        // Better proof of an open subscription, such as the first message of an assumed one, opens
        // nothing anew.
        openedAt = openedAt ?? turn.now
        if let wait, !wait.isOrdered { endWait(&turn) }
        forgetOldCancellations(&turn)
    }

    private mutating func recovered(begunAt: Instant, _ turn: inout Turn) {
        if let openedAt, begunAt >= openedAt { isCaughtUp = true }
        for id in order {
            guard let entry = entries[id] else { continue }
            let isAnswered = entry.knownSince.map { $0 <= begunAt } ?? true
            switch entry.item.state {
            case .accepted where isAnswered && !entry.item.work.isSend:
                remove(id)
                turn.publishes = true
            case .accepted where isAnswered, .outcomeUnknown where isAnswered:
                entries[id]?.item.state = .unconfirmed(nil)
                touch(id, &turn)
            case .outcomeUnknown:
                turn.seeks = true
            case .accepted:
                if entry.isSought { turn.seeks = true }
            case .waiting, .unconfirmed, .failed:
                break
            }
        }
    }

    private mutating func observed(_ message: Message, _ turn: inout Turn) {
        if message.author == user, let clientID = message.clientID,
            let entry = entries[clientID], entry.item.work.isSend
        {
            settle(clientID, as: message, &turn)
        }
        for id in order {
            guard let entry = entries[id], !hasNotLeft(entry.item),
                entry.item.work.isReflected(in: message, by: user)
            else { continue }
            freeSlot(of: id, &turn)
            remove(id)
            turn.publishes = true
        }
    }

    private mutating func rejected(
        _ id: ClientMessageID, _ failure: BackendFailure, _ turn: inout Turn,
        _ random: inout some RandomNumberGenerator
    ) {
        guard let entry = entries[id], entry.item.work.isSend else { return }
        if case .inFlight(id, let attempt, let origin, _) = slot {
            turn.effects.append(.abandon(attempt))
            endAttempt(&turn)
            failed(id, origin, failure, &turn, &random)
            return
        }
        switch entry.item.state {
        case .accepted, .outcomeUnknown, .unconfirmed:
            // What was made of it so far has been refused after all.
            failed(id, Origin(leftAt: nil, mayBeStored: false), failure, &turn, &random)
        case .waiting, .failed:
            break
        }
    }

    private mutating func performed(
        _ attempt: AttemptID, _ result: Result<MutationAnswer, BackendFailure>,
        _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        guard case .inFlight(let id, attempt, let origin, _) = slot, let entry = entries[id] else {
            // Stale; but a stored message is a fact, whichever attempt brought it. Where nothing
            // waits for it any more, an event was faster, and what it holds may be the older state;
            // only a revision tells.
            if case .success(.stored(let message)) = result,
                message.revision != nil || isAwaited(message)
            {
                turn.effects.append(.learned(message))
                observed(message, &turn)
            }
            return
        }
        endAttempt(&turn)
        switch result {
        case .success(.stored(let message)):
            guard isAnswer(message, to: entry.item) else {
                failed(
                    id, origin,
                    BackendFailure(
                        .malformedAnswer,
                        "The answer to a change holds another message than the changed one; "
                            + "check the backend's adapter."), &turn, &random)
                return
            }
            succeeded()
            turn.effects.append(.learned(message))
            if entry.item.work.isSend {
                settle(id, as: message, &turn)
            } else {
                remove(id)
                turn.publishes = true
            }
        case .success(.accepted):
            succeeded()
            accept(id, &turn)
        case .failure(let failure):
            failed(id, origin, failure, &turn, &random)
        }
    }

    private func isAwaited(_ message: Message) -> Bool {
        order.contains { id in
            guard let item = entries[id]?.item else { return false }
            return item.work.isSend
                ? message.author == user && message.clientID == id
                : item.work.target == .sent(message.id)
        }
    }

    private func isAnswer(_ message: Message, to item: OutboxItem) -> Bool {
        switch item.work.target {
        case nil: message.author == user && (message.clientID ?? item.id) == item.id
        case .sent(let id): message.id == id
        case .local: false
        }
    }

    private mutating func succeeded() {
        backoff.reset()
        serverFailures = 0
    }

    /// Decides what a failed attempt means for its item.
    private mutating func failed(
        _ id: ClientMessageID, _ origin: Origin, _ failure: BackendFailure, _ turn: inout Turn,
        _ random: inout some RandomNumberGenerator
    ) {
        guard let entry = entries[id] else { return }
        let item = entry.item
        touch(id, &turn)

        // "Already there" on the own key means that the message was sent, and a deletion or
        // reaction that finds its work done is done.
        if failure.code == .conflict || failure.code == .notFound, reachedGoal(item, failure) {
            succeeded()
            accept(id, &turn)
            return
        }
        if failure.code == .tokenInvalid {
            // It is the session that was refused, not the message: hold until it is restored.
            undoDeparture(of: id, origin)
            openedAt = nil
            isCaughtUp = false
            if item.isCancelled { giveUpCancelled(id, origin, &turn) }
            return
        }
        guard failure.isTransient else {
            entries[id]?.item.leftAt = origin.leftAt
            entries[id]?.item.mayBeStored = origin.mayBeStored
            // A refused repetition says nothing about the attempt before it.
            entries[id]?.item.state =
                origin.mayBeStored && item.work.isSend ? .unconfirmed(failure) : .failed(failure)
            serverFailures = 0
            if item.isCancelled { giveUpCancelled(id, origin, &turn) }
            return
        }
        if !failure.mayHaveTakenEffect { undoDeparture(of: id, origin) }
        if item.isCancelled {
            giveUpCancelled(id, failure.mayHaveTakenEffect ? nil : origin, &turn)
            return
        }
        if failure.code == .serverError || failure.code == .malformedAnswer {
            serverFailures += 1
            if serverFailures >= configuration.serverFailureLimit {
                serverFailures = 0
                entries[id]?.item.state =
                    item.work.isSend ? .unconfirmed(failure) : .failed(failure)
                return
            }
        }
        if failure.mayHaveTakenEffect, item.work.isSend, !isIdempotent {
            loseTrack(of: id, &turn)
        } else {
            entries[id]?.item.state = .waiting
            beginWait(failure.retryAfter, &turn, &random)
        }
    }

    private func reachedGoal(_ item: OutboxItem, _ failure: BackendFailure) -> Bool {
        switch item.work {
        case .send, .react: failure.code == .conflict
        case .delete: true
        case .edit: false
        }
    }

    /// After the last attempt of a cancelled send: gone where it cannot have arrived (`origin` says
    /// so), else recovery finds out.
    private mutating func giveUpCancelled(
        _ id: ClientMessageID, _ origin: Origin?, _ turn: inout Turn
    ) {
        if let origin, !origin.mayBeStored {
            remove(id)
        } else {
            loseTrack(of: id, &turn)
        }
    }

    private mutating func undoDeparture(of id: ClientMessageID, _ origin: Origin) {
        entries[id]?.item.leftAt = origin.leftAt
        entries[id]?.item.mayBeStored = origin.mayBeStored
        entries[id]?.item.state = .waiting
    }

    private mutating func accept(_ id: ClientMessageID, _ turn: inout Turn) {
        entries[id]?.item.state = .accepted
        entries[id]?.knownSince = turn.now
        entries[id]?.isSought = false
        touch(id, &turn)
        setEchoTimer(&turn)
    }

    /// The item's fate can only be found by recovery now.
    private mutating func loseTrack(of id: ClientMessageID, _ turn: inout Turn) {
        entries[id]?.item.state = .outcomeUnknown
        entries[id]?.knownSince = turn.now
        entries[id]?.isSought = true
        touch(id, &turn)
        turn.seeks = true
    }

    /// The server has the message of a send.
    private mutating func settle(
        _ id: ClientMessageID, as message: Message, _ turn: inout Turn
    ) {
        guard let entry = entries[id] else { return }
        freeSlot(of: id, &turn)
        settledSends.append(SettledSend(clientID: id, messageID: message.id))
        if settledSends.count > Self.settledSendLimit { settledSends.removeFirst() }
        turn.publishes = true
        if entry.item.isCancelled, !message.isDeleted {
            entries[id]?.item.work = .delete(.sent(message.id))
            entries[id]?.item.state = .waiting
            entries[id]?.item.consentedAt = turn.wall
            entries[id]?.item.leftAt = nil
            entries[id]?.item.mayBeStored = false
            entries[id]?.item.isCancelled = false
            touch(id, &turn)
            return
        }
        for other in order {
            guard let dependent = entries[other], dependent.item.work.target == .local(id) else {
                continue
            }
            entries[other]?.item.work = dependent.item.work.retargeted(to: .sent(message.id))
            touch(other, &turn)
        }
        remove(id)
        turn.effects.append(.settled(id, message.id))
    }
}

// MARK: - What the store and the clock do

extension Outbox {
    private mutating func committed(_ id: OutboxCommit.ID, _ turn: inout Turn) {
        guard let stored = storing, stored.commit.id == id else { return }
        storing = nil
        storeBackoff.reset()
        for item in stored.commit.puts { entries[item.id]?.isStored = true }
        turn.effects += stored.acknowledgements.map(\.effect)
    }

    private mutating func commitFailed(
        _ id: OutboxCommit.ID, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        guard let lost = storing, lost.commit.id == id else { return }
        storing = nil
        for item in lost.commit.puts where entries[item.id] != nil { markDirty(item.id) }
        removed = lost.commit.removals + removed
        acknowledgements = lost.acknowledgements + acknowledgements
        let due = turn.now + storeBackoff.next(using: &random)
        storeRetryAt = due
        turn.effects.append(.setTimer(.store, due))
    }

    private mutating func fired(
        _ timer: OutboxTimer, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        switch timer {
        case .retry:
            if let wait, wait.until <= turn.now { self.wait = nil }
        case .store:
            if let due = storeRetryAt, due <= turn.now { storeRetryAt = nil }
        case .attempt:
            guard case .inFlight(let id, let attempt, let origin, let deadline) = slot,
                deadline <= turn.now
            else { return }
            slot = .free
            turn.effects.append(.abandon(attempt))
            failed(
                id, origin,
                BackendFailure(
                    .outcomeUnknown,
                    "No answer came within \(configuration.attemptTimeout)."), &turn, &random)
        case .echo:
            guard let due = echoTimerDue, due <= turn.now else { return }
            echoTimerDue = nil
            echoOverdue(&turn)
        }
    }

    /// Recovery looks for accepted sends that have not been seen; an accepted change needs no
    /// proof, only its overlay ends.
    private mutating func echoOverdue(_ turn: inout Turn) {
        for id in order {
            guard let entry = entries[id], entry.item.state == .accepted, !entry.isSought,
                isEchoOverdue(entry, at: turn.now)
            else { continue }
            if entry.item.work.isSend {
                entries[id]?.isSought = true
                turn.seeks = true
            } else {
                remove(id)
                turn.publishes = true
            }
        }
        setEchoTimer(&turn)
    }

    private func isEchoOverdue(_ entry: Entry, at now: Instant) -> Bool {
        guard let since = entry.knownSince else { return true }
        return since + configuration.echoTimeout <= now
    }

    private mutating func setEchoTimer(_ turn: inout Turn) {
        guard echoTimerDue == nil else { return }
        let now = turn.now
        let waiting = order.compactMap { entries[$0] }
            .filter { $0.item.state == .accepted && !$0.isSought }
        guard let since = waiting.map({ $0.knownSince ?? now }).min() else { return }
        let due = max(now, since + configuration.echoTimeout)
        echoTimerDue = due
        turn.effects.append(.setTimer(.echo, due))
    }

    private mutating func beginWait(
        _ ordered: Duration?, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        // The drawn wait comes on top of an ordered one: a server that names the same moment to
        // everybody must not get everybody in that moment.
        let drawn = backoff.next(using: &random)
        let asked = min(max(ordered ?? .zero, .zero), configuration.longestOrderedWait)
        let until = turn.now + asked + drawn
        wait = Wait(until: until, isOrdered: ordered != nil)
        turn.effects.append(.setTimer(.retry, until))
    }

    private mutating func endWait(_ turn: inout Turn) {
        wait = nil
        turn.effects.append(.cancelTimer(.retry))
    }
}

// MARK: - The queue

extension Outbox {
    /// Lets the head of the queue leave where it may.
    private mutating func advance(_ turn: inout Turn) {
        if case .departing(let id, let origin) = slot { depart(id, origin, &turn) }
        guard case .free = slot else { return }
        for id in order {
            guard let item = entries[id]?.item else { continue }
            switch item.state {
            case .accepted, .failed, .unconfirmed:
                continue
            case .outcomeUnknown:
                return
            case .waiting:
                if case .local = item.work.target { continue }
                if expire(item, &turn) { continue }
                guard canRepeat(item, at: turn.wall) else {
                    loseTrack(of: id, &turn)
                    return
                }
                guard isGateOpen, wait == nil else { return }
                beginDeparture(of: item, &turn)
                return
            }
        }
    }

    /// Hands an item that is too old back to the person.
    private mutating func expire(_ item: OutboxItem, _ turn: inout Turn) -> Bool {
        guard item.consentedAt.duration(to: turn.wall) >= configuration.consentAge else {
            return false
        }
        let failure = BackendFailure(
            .expired, "It waited for longer than \(configuration.consentAge); ask the person again."
        )
        entries[item.id]?.item.state =
            item.mayBeStored && item.work.isSend ? .unconfirmed(failure) : .failed(failure)
        touch(item.id, &turn)
        return true
    }

    /// Whether performing the item neither doubles it nor sends what was taken back.
    private func canRepeat(_ item: OutboxItem, at wall: WallTime) -> Bool {
        guard !item.isCancelled else { return false }
        guard item.work.isSend, let leftAt = item.leftAt else { return true }
        guard let keyRetention else { return false }
        return leftAt.duration(to: wall) < keyRetention * 9 / 10
    }

    private mutating func beginDeparture(of item: OutboxItem, _ turn: inout Turn) {
        let origin = Origin(leftAt: item.leftAt, mayBeStored: item.mayBeStored)
        if item.leftAt == nil { serverFailures = 0 }
        if item.leftAt == nil || !item.mayBeStored {
            entries[item.id]?.item.leftAt = item.leftAt ?? turn.wall
            entries[item.id]?.item.mayBeStored = true
            markDirty(item.id)
        }
        slot = .departing(item.id, origin)
        turn.publishes = true
        depart(item.id, origin, &turn)
    }

    /// Hands an item to the server once its departure is stored, or leaves it where the gate has
    /// closed, or its time has run out, in the meantime: a device may sleep for days in between.
    private mutating func depart(
        _ id: ClientMessageID, _ origin: Origin, _ turn: inout Turn
    ) {
        guard let entry = entries[id] else { return }
        guard isGateOpen, mayStillLeave(entry.item, origin, at: turn.wall) else {
            slot = .free
            undoDeparture(of: id, origin)
            touch(id, &turn)
            return
        }
        guard !entry.isDirty, entry.isStored, !isBeingStored(id),
            let mutation = mutation(of: entry.item)
        else { return }
        lastAttempt += 1
        let attempt = AttemptID(lastAttempt)
        let deadline = turn.now + configuration.attemptTimeout
        slot = .inFlight(id, attempt, origin, deadline: deadline)
        turn.effects.append(.perform(attempt, mutation))
        turn.effects.append(.setTimer(.attempt, deadline))
    }

    /// Whether what allowed a departure still holds: the person's consent, and the server's memory
    /// of the key.
    private func mayStillLeave(_ item: OutboxItem, _ origin: Origin, at wall: WallTime) -> Bool {
        guard item.consentedAt.duration(to: wall) < configuration.consentAge else { return false }
        guard item.work.isSend, let leftAt = origin.leftAt, let keyRetention else { return true }
        return leftAt.duration(to: wall) < keyRetention * 9 / 10
    }

    private func mutation(of item: OutboxItem) -> Mutation? {
        switch item.work {
        case .send(let content): .send(MessageDraft(clientID: item.id, content: content))
        case .edit(.sent(let id), let content): .edit(id, content)
        case .delete(.sent(let id)): .delete(id)
        case .react(.sent(let id), let emoji, let isPut): .react(id, emoji: emoji, isPut)
        case .edit(.local, _), .delete(.local), .react(.local, _, _): nil
        }
    }

    private mutating func endAttempt(_ turn: inout Turn) {
        slot = .free
        turn.effects.append(.cancelTimer(.attempt))
    }

    private mutating func freeSlot(of id: ClientMessageID, _ turn: inout Turn) {
        switch slot {
        case .departing(id, _): slot = .free
        case .inFlight(id, let attempt, _, _):
            turn.effects.append(.abandon(attempt))
            endAttempt(&turn)
            succeeded()
        case .free, .departing, .inFlight: break
        }
    }

    /// An item that was cancelled, and that recovery did not find, stays as a watch: should its
    /// message turn up late, it is deleted. The watch ends with the person's consent.
    private mutating func forgetOldCancellations(_ turn: inout Turn) {
        for id in order {
            guard let item = entries[id]?.item, item.isCancelled,
                case .unconfirmed = item.state,
                item.consentedAt.duration(to: turn.wall) >= configuration.consentAge
            else { continue }
            remove(id)
        }
    }
}

// MARK: - Storing

extension Outbox {
    private mutating func touch(_ id: ClientMessageID, _ turn: inout Turn) {
        markDirty(id)
        turn.publishes = true
    }

    private mutating func markDirty(_ id: ClientMessageID) {
        guard entries[id]?.isDirty == false else { return }
        entries[id]?.isDirty = true
        dirty.append(id)
    }

    private mutating func remove(_ id: ClientMessageID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        dirty.removeAll { $0 == id }
        if case .departing(id, _) = slot { slot = .free }
        if entry.isStored || isBeingStored(id) { removed.append(id) }
    }

    /// Removes an item at the person's wish, and what was to be done to its message.
    private mutating func removeWithDependents(_ id: ClientMessageID, _ turn: inout Turn) {
        removeDependents(of: id, &turn)
        withdraw(id, &turn)
    }

    private mutating func removeDependents(of id: ClientMessageID, _ turn: inout Turn) {
        for other in order where entries[other]?.item.work.target == .local(id) {
            withdraw(other, &turn)
        }
    }

    private mutating func withdraw(_ id: ClientMessageID, _ turn: inout Turn) {
        remove(id)
        turn.publishes = true
        guard isAcknowledgementPending(.accepted(id)) else { return }
        acknowledgements.removeAll { $0 == .accepted(id) }
        storing?.acknowledgements.removeAll { $0 == .accepted(id) }
        refuse(id, .cancelled, "It was taken back before it was stored.", &turn)
    }

    private func isAcknowledgementPending(_ acknowledgement: Acknowledgement) -> Bool {
        acknowledgements.contains(acknowledgement)
            || storing?.acknowledgements.contains(acknowledgement) == true
    }

    private func isBeingStored(_ id: ClientMessageID) -> Bool {
        storing?.commit.puts.contains { $0.id == id } == true
    }

    /// Ends a turn: one commit at a time carries everything that changed, so that a burst of
    /// changes costs few transactions.
    private mutating func flush(_ turn: inout Turn) {
        if turn.seeks, openedAt != nil { turn.effects.append(.requestRecovery) }
        if storing == nil, storeRetryAt == nil {
            if dirty.isEmpty && removed.isEmpty {
                turn.effects += acknowledgements.map(\.effect)
            } else {
                lastCommit += 1
                let commit = OutboxCommit(
                    id: OutboxCommit.ID(lastCommit), puts: dirty.compactMap { entries[$0]?.item },
                    removals: removed)
                for id in dirty { entries[id]?.isDirty = false }
                storing = Storing(commit: commit, acknowledgements: acknowledgements)
                dirty = []
                removed = []
                turn.effects.append(.commit(commit))
            }
            acknowledgements = []
        }
        if turn.publishes { turn.effects.append(.publish) }
    }

    /// What must hold after every input.
    private var invariantsHold: Bool {
        let items = order.compactMap { entries[$0]?.item }
        return items.count == entries.count
            && zip(items, items.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
            && (slot.id.map { entries[$0] != nil } ?? true)
    }
}

// MARK: - For whoever checks a run

extension Outbox {
    /// Until when the core waits by a timer; `nil`: by none, and then none is set. So a timer never
    /// fires into nothing that was there once.
    package func deadline(of timer: OutboxTimer) -> Instant? {
        switch timer {
        case .retry: return wait?.until
        case .attempt:
            guard case .inFlight(_, _, _, let deadline) = slot else { return nil }
            return deadline
        case .echo: return echoTimerDue
        case .store: return storeRetryAt
        }
    }

    /// Whether everything that is kept is within its limit.
    package var isWithinLimits: Bool {
        entries.count <= configuration.itemLimit && order.count == entries.count
            && dirty.count <= entries.count && settledSends.count <= Self.settledSendLimit
    }
}
