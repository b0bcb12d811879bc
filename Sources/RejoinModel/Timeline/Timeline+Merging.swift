// How what comes from the server enters a timeline.

extension Timeline {
    // MARK: Answers

    /// Merges a page of history and takes its proof: afterwards every message of the server in
    /// `(from, through]` is held, and what was held there before the request and is absent from
    /// the page is removed. Tombstones stay: their absence says nothing new.
    ///
    /// A page proves nothing below its horizon, and a message outside its own bounds is taken
    /// without proof.
    ///
    /// - Parameters:
    ///   - page: the answer.
    ///   - anchor: what was asked, where it is known. A page before or after a message reaches to
    ///     that message by definition, also where the server states a narrower bound; without it,
    ///     a gap in which no message lies could not be closed.
    ///   - stamp: taken by ``makeStamp()`` when the request was issued.
    /// - Complexity: amortised O(1) for each message of the page at either end of the timeline,
    ///   O(log n) elsewhere.
    public mutating func merge(
        _ page: HistoryPage, answering anchor: HistoryAnchor? = nil, stamp: RequestStamp
    ) -> TimelineDelta {
        var delta = TimelineDelta()
        adopt(page.members, into: &delta)
        if let horizon = page.horizon { raise(horizon: horizon) }
        if removals.isEmpty, store.isBeyond(page.messages), page.messages.isStrictlyAscending {
            // None of them can be held, and none replaces anything.
            store.insert(
                stretch: page.messages.map { HeldMessage(message: $0, stamp: stamp.count) })
            delta.upserts = page.messages
            delta.added = page.messages.count
        } else {
            for message in page.messages {
                take(message, stamp: stamp.count, isLive: false, inserts: true, into: &delta)
            }
        }
        if isEmptyRoom(page) {
            removeAbsentees(
                after: nil, through: nil, present: [], stamp: stamp.count, into: &delta)
            mendLoss(through: nil, hasAfter: false, stamp: stamp.count)
        } else if let proven = provenInterval(of: page, answering: anchor) {
            if !proven.isEmpty {
                removeAbsentees(
                    after: proven.from, through: proven.through, present: page.messages,
                    stamp: stamp.count, into: &delta)
            }
            cover(proven, into: &delta)
            mendLoss(through: proven.through, hasAfter: page.hasAfter, stamp: stamp.count)
        }
        for message in page.messages { isolate(message.id, into: &delta) }
        finish()
        return delta
    }

    /// Merges a page of the change feed: the latest states of messages that are held, or that lie
    /// where this timeline claims to hold everything, or in the tail. Others are left to the fetch
    /// that fills their gap.
    ///
    /// It proves nothing by itself: a message that was created early and changed late comes late
    /// in the feed. After the last page call ``confirmTail(through:stamp:)``.
    ///
    /// - Complexity: as for pages of history.
    public mutating func merge(_ changes: ChangePage, stamp: RequestStamp) -> TimelineDelta {
        var delta = TimelineDelta()
        adopt(changes.members, into: &delta)
        for message in changes.messages {
            let belongs =
                coverage.contains(message.id) || precedes(coverage.newest, message.id)
            take(message, stamp: stamp.count, isLive: false, inserts: belongs, into: &delta)
        }
        finish()
        return delta
    }

    // MARK: Live

    /// Takes a created message from the stream, or an own message from the answer to its send.
    ///
    /// It joins the tail. Where it lies among older messages, but in no covered stretch, it becomes
    /// an interval of its own, so that no hole beside it is hidden.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - author: its author, where the server sent it along.
    ///   - consecutive: whether its revision is the one that follows what is proven, which proves
    ///     the tail up to it. Never so for an own echo, and void where the tail has a gap.
    /// - Complexity: amortised O(1) at either end of the timeline, O(log n) elsewhere.
    public mutating func receive(
        _ message: Message, author: Member? = nil, consecutive: Bool = false
    ) -> MessageArrival {
        var delta = TimelineDelta()
        if let author { adopt(CollectionOfOne(author), into: &delta) }
        clock += 1
        let outcome = take(message, stamp: clock, isLive: true, inserts: true, into: &delta)
        if consecutive, loss == nil, precedes(coverage.newest, message.id) {
            cover(.init(from: coverage.newest, through: message.id), into: &delta)
        }
        isolate(message.id, into: &delta)
        finish()
        return MessageArrival(outcome: outcome, delta: delta)
    }

    /// Takes the latest state of a message from the stream: edited, deleted, or its reactions
    /// changed. A message that is not held is not brought in.
    public mutating func change(_ message: Message) -> MessageArrival {
        var delta = TimelineDelta()
        clock += 1
        let outcome = take(message, stamp: clock, isLive: true, inserts: false, into: &delta)
        finish()
        return MessageArrival(outcome: outcome, delta: delta)
    }

    /// Takes people in; the higher version wins, and an equal one changes nothing.
    ///
    /// - Complexity: O(members given).
    public mutating func update(members: some Sequence<Member>) -> TimelineDelta {
        var delta = TimelineDelta()
        adopt(members, into: &delta)
        finish()
        return delta
    }

    // MARK: Proof

    /// Covers the tail up to an ID, because consecutive revisions prove that nothing is missing
    /// there as of the request.
    ///
    /// - Parameters:
    ///   - through: the newest message that the server had; `nil` where the room was empty.
    ///   - stamp: the stamp of the request that proves it.
    public mutating func confirmTail(through: MessageID?, stamp: RequestStamp) -> TimelineDelta {
        var delta = TimelineDelta()
        if let through, precedes(coverage.newest, through) {
            cover(.init(from: coverage.newest, through: through), into: &delta)
        }
        mendLoss(through: through ?? coverage.newest, hasAfter: false, stamp: stamp.count)
        finish()
        return delta
    }

    /// Learns that the server keeps nothing older than `horizon`. What is held stays held; what
    /// was never fetched is a gap that cannot be filled.
    public mutating func trim(below horizon: MessageID) {
        raise(horizon: horizon)
        version = version.following()
    }
}

extension Timeline {
    // MARK: The parts of a merge

    /// Takes one state of one message and says what became of it.
    @discardableResult
    private mutating func take(
        _ message: Message, stamp: UInt64, isLive: Bool, inserts: Bool,
        into delta: inout TimelineDelta
    ) -> MessageArrival.Outcome {
        guard let learnt = store.stamp(of: message.id), let held = store[message.id] else {
            guard inserts else { return .notHeld }
            if !isLive, wasRemoved(message.id, after: stamp) { return .stale }
            store.insert(HeldMessage(message: message, stamp: stamp))
            delta.upserts.append(message)
            delta.added += 1
            return .inserted
        }
        // A server that hands the sender's key on only in the echo does not take the row's
        // identity away by a later answer.
        var newer = message
        if newer.clientID == nil, let clientID = held.clientID {
            newer = newer.replacing(clientID: clientID)
        }
        guard held != newer else {
            delta.duplicates += 1
            if stamp > learnt { store.update(HeldMessage(message: held, stamp: stamp)) }
            return .duplicate
        }
        guard Self.wins(newer, stamp: stamp, over: held, learnt: learnt) else {
            delta.duplicates += 1
            return held.revision == newer.revision && newer.revision != nil ? .duplicate : .stale
        }
        store.update(HeldMessage(message: newer, stamp: max(stamp, learnt)))
        delta.upserts.append(newer)
        return .updated
    }

    /// Whether a state replaces the one that is held.
    private static func wins(
        _ message: Message, stamp: UInt64, over held: Message, learnt: UInt64
    ) -> Bool {
        if let new = message.revision, let old = held.revision { return new > old }
        if held.isDeleted, !message.isDeleted { return false }
        return stamp > learnt
    }

    private func isEmptyRoom(_ page: HistoryPage) -> Bool {
        page.messages.isEmpty && page.from == nil && page.through == nil && page.tip == nil
            && !page.hasBefore && !page.hasAfter && page.horizon == nil
    }

    /// What a page proves, cut at its horizon; empty where it only says that nothing follows.
    private func provenInterval(
        of page: HistoryPage, answering anchor: HistoryAnchor?
    ) -> Coverage.Interval? {
        var from = page.from
        var through = page.through ?? page.from
        switch anchor {
        case .after(let bound) where precedes(bound, from):
            from = bound
        case .before(let bound):
            // Not past the tip: what is still to come has a place before `bound`, too.
            let end = page.tip.map { min($0, bound) == bound ? bound.predecessor : $0 }
            if let end = end ?? nil, precedes(through, end) { through = end }
        case .after, .newest, .around, nil:
            break
        }
        if let floor = page.horizon?.predecessor, precedes(from, floor) { from = floor }
        return through.map { Coverage.Interval(from: from, through: $0) }
    }

    /// Removes what a proven page shows not to exist.
    private mutating func removeAbsentees(
        after: MessageID?, through: MessageID?, present: [Message], stamp: UInt64,
        into delta: inout TimelineDelta
    ) {
        let ids = store.ids(after: after, through: through, limit: .max)
        // A page over history that is new here, as most are, has nothing to remove.
        guard !ids.elementsEqual(present.lazy.map(\.id)) else { return }
        let present = Set(present.lazy.map(\.id))
        for id in ids where !present.contains(id) {
            guard let learnt = store.stamp(of: id), learnt < stamp, self[id]?.isDeleted == false
            else { continue }
            store.remove(id)
            delta.removals.append(id)
            if removals.count == Self.maximumRemovals { removals.removeFirst() }
            removals.append(Removal(id: id, stamp: stamp))
        }
    }

    private func wasRemoved(_ id: MessageID, after stamp: UInt64) -> Bool {
        removals.contains { $0.id == id && $0.stamp > stamp }
    }

    private mutating func cover(
        _ interval: Coverage.Interval, into delta: inout TimelineDelta
    ) {
        let newest = coverage.newest
        guard coverage.insert(interval) else { return }
        delta.coverageChanged = true
        // A stretch that was the tail's gap and is now passed keeps its reason.
        if let loss, let from = interval.from, precedes(newest, from) {
            note(.init(from: newest, through: from), reason: loss.reason, state: loss.state)
        }
    }

    /// Makes a message that lies outside all coverage, below its end, an interval of its own.
    private mutating func isolate(_ id: MessageID, into delta: inout TimelineDelta) {
        guard let newest = coverage.newest, id < newest, !coverage.contains(id), contains(id)
        else { return }
        cover(.init(from: id.predecessor, through: id), into: &delta)
    }

    mutating func adopt(_ member: Member) -> Bool {
        if let held = people[member.id], held.version >= member.version { return false }
        people[member.id] = member
        return true
    }

    private mutating func adopt(
        _ members: some Sequence<Member>, into delta: inout TimelineDelta
    ) {
        for member in members where adopt(member) { delta.members.append(member) }
    }

    private mutating func finish() {
        dropNotes()
        version = version.following()
        #if DEBUG
        checkInvariants()
        #endif
    }

    #if DEBUG
    /// Traps unless the timeline's parts agree with each other.
    package func checkInvariants() {
        coverage.checkInvariants()
        precondition(removals.count <= Self.maximumRemovals)
        if let loss, let after = loss.after, let newest = coverage.newest {
            precondition(after >= newest, "a loss lies in the tail")
        }
    }

    /// Traps unless the storage is sound.
    ///
    /// - Complexity: O(n), and therefore not called by every change.
    package func checkStorage() {
        store.checkInvariants()
    }
    #endif
}

extension Message {
    /// The same message with the sender's key.
    func replacing(clientID: ClientMessageID) -> Message {
        Message(
            id: id, author: author, clientID: clientID, sentAt: sentAt, content: content,
            revision: revision, editedAt: editedAt, isDeleted: isDeleted, reactions: reactions)
    }
}
