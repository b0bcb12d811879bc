internal import RejoinModel
internal import RejoinTime

// What the stream brings, and what of it proves anything.

extension RoomRecovery {
    // MARK: Events

    mutating func live(_ event: RoomEvent, at now: Instant) {
        guard halt == nil, bearsOnHistory(event) else { return }
        switch link {
        case .lost: return  // A late event of a subscription that is gone.
        case .pending, .confirmed, .assumed, .proven: break
        }
        guard !isStalled else {
            missedWhileStalled = true
            return
        }
        guard capabilities.hasRevisions else { return show(event, at: now) }
        guard let eventRevision = event.revision else { return show(event, at: now) }
        if let revision {
            if eventRevision <= revision { return show(event, at: now) }
            if eventRevision == revision.next {
                follow(event, eventRevision, at: now)
                return followStream(at: now)
            }
        }
        hold(event, eventRevision, at: now)
    }

    private func bearsOnHistory(_ event: RoomEvent) -> Bool {
        switch event.kind {
        case .created, .changed: true
        default: false
        }
    }

    /// Keeps an event whose predecessors are missing.
    private mutating func hold(_ event: RoomEvent, _ eventRevision: Revision, at now: Instant) {
        let isWatching: Bool
        switch link {
        case .confirmed, .assumed, .proven: isWatching = run == nil
        case .lost, .pending: isWatching = false
        }
        let limit = isWatching ? policy.reorderLimit : policy.bufferLimit
        guard ahead.insert(event, revision: eventRevision, limit: limit) else {
            effects.append(.metric(.bufferOverflow))
            if isWatching {
                gapSeen(at: now)
            } else {
                // Paging goes on; then what was given up is read again.
                noteLoss(showingStreamAt: now)
                run?.again = true
            }
            ahead.removeAll()
            return show(event, at: now)
        }
        // Behind a gap that is shown, it may be seen at once; else it would hide a hole.
        if tailGap != nil { show(event, at: now) }
        if isWatching, !timers.contains(.reorder) { setTimer(.reorder, now + policy.reorderWait) }
    }

    /// Takes what now follows without a hole.
    mutating func followStream(at now: Instant) {
        while let revision, let next = ahead.takeNext(after: revision) {
            follow(next.event, next.revision, at: now)
        }
        if ahead.isEmpty { cancelTimer(.reorder) }
    }

    private mutating func follow(
        _ event: RoomEvent, _ eventRevision: Revision, at now: Instant
    ) {
        apply(event, consecutive: true, at: now)
        revision = eventRevision
    }

    /// Takes an event that proves nothing.
    mutating func show(_ event: RoomEvent, at now: Instant) {
        apply(event, consecutive: false, at: now)
    }

    // MARK: Messages

    private mutating func apply(_ event: RoomEvent, consecutive: Bool, at now: Instant) {
        if let shown = event.revision { saw(shown) }
        switch event.kind {
        case .created(let message, let author):
            receive(message, author: author, consecutive: consecutive, at: now)
        case .changed(let message):
            if timeline.contains(message.id) {
                stored(timeline.change(message).delta)
            } else if timeline.coverage.contains(message.id)
                || timeline.newestCovered.map({ $0 < message.id }) ?? false
            {
                // Its creation has escaped us.
                receive(message, author: nil, consecutive: false, at: now)
            } else {
                wait(for: message)
            }
        default:
            break
        }
    }

    private mutating func receive(
        _ message: Message, author: Member?, consecutive: Bool, at now: Instant
    ) {
        let isLate = timeline.coverage.contains(message.id)
        let arrival = timeline.receive(message, author: author, consecutive: consecutive)
        stored(arrival.delta)
        switch arrival.outcome {
        case .inserted:
            if !isLate { freshnessDoubted(of: message) }
            if isLate, !capabilities.hasRevisions { doubt(message.id, at: now) }
            if !consecutive { unproven(at: now) }
        case .duplicate, .stale:
            effects.append(.metric(.duplicateSuppressed))
            observe([message])
        case .updated, .notHeld:
            break
        }
    }

    /// Keeps a change of a message that is not held, while a page that may bring it is out.
    private mutating func wait(for message: Message) {
        guard case .page = flight?.request else { return }
        guard waitingChanges.count < policy.waitingChangeLimit else {
            waitingChanges.removeAll()
            flight?.mustRepeat = true
            return
        }
        waitingChanges.append(message)
    }

    /// An own message came as the answer to its send. It is shown and proves nothing: what others
    /// wrote before it may be missing (matrix-rust-sdk#6190).
    mutating func settledSend(_ message: Message, at now: Instant) {
        guard halt == nil else { return }
        guard !isStalled else {
            missedWhileStalled = true
            return
        }
        if let shown = message.revision, capabilities.hasRevisions { saw(shown) }
        let isLate = timeline.coverage.contains(message.id)
        let arrival = timeline.receive(message, consecutive: false)
        stored(arrival.delta)
        guard arrival.outcome == .inserted else { return }
        if !isLate { freshnessDoubted(of: message) }
        unproven(at: now)
    }

    /// A message came that stands outside of what is covered, and is older than the revision that
    /// is proven: a change of it may have come by in between, and was not kept, because there was
    /// nothing to change. It is read again when it is shown.
    private mutating func freshnessDoubted(of message: Message) {
        guard let revision, let own = message.revision, own < revision,
            timeline.coverage.contains(message.id)
        else { return }
        stale.insert(.init(from: message.id.predecessor, through: message.id))
    }

    // MARK: Confirming

    /// A message joined the tail without proof.
    private mutating func unproven(at now: Instant) {
        idleConfirms = 0
        guard isFollowing else { return }
        unconfirmed += 1
        // Where messages must settle first, that wait ends in a confirmation.
        guard settling == nil else { return }
        if unconfirmed >= policy.confirmAfterMessages { isConfirmDue = true }
        scheduleConfirmation(at: now)
    }

    /// A message stands below the tip that should have been known: it is looked at again.
    private mutating func doubt(_ id: MessageID, at now: Instant) {
        guard isFollowing else { return }
        suspect = id
        setTimer(.confirmTail, now + policy.confirmAfterQuiet)
    }

    private var isFollowing: Bool {
        switch state {
        case .assumed, .live: true
        case .idle, .subscribing, .catchingUp, .waiting, .failed, .closed: false
        }
    }

    /// Has the tail confirmed once the stream is quiet.
    mutating func scheduleConfirmation(at now: Instant) {
        guard isFollowing, timeline.hasProvisionalTail else { return }
        setTimer(.confirmTail, now + policy.confirmAfterQuiet)
    }

    /// The tail was confirmed, or the server knows nothing of it.
    mutating func confirmed(hasMore: Bool, at now: Instant) {
        isConfirmDue = false
        unconfirmed = 0
        backoff.reset()
        cancelTimer(.confirmTail)
        if hasMore { return begin(at: now) }
        guard timeline.hasProvisionalTail else {
            idleConfirms = 0
            return
        }
        guard idleConfirms < Self.maximumIdleConfirms else { return }
        idleConfirms += 1
        setTimer(.confirmTail, now + policy.confirmAfterQuiet * (1 << idleConfirms))
    }
}
