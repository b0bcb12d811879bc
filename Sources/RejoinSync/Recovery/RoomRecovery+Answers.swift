internal import RejoinModel
internal import RejoinTime

// What an answer brings, and when a catch-up has come to its end.

extension RoomRecovery {
    mutating func answered(
        _ id: RequestID, _ result: Result<HistoryAnswer, BackendFailure>, at now: Instant
    ) {
        // An answer to a request that was given up is no longer ours.
        guard let flight, flight.id == id else { return }
        self.flight = nil
        defer { waitingChanges.removeAll() }
        switch result {
        case .failure(let failure):
            failed(flight, failure, at: now)
        case .success where flight.mustRepeat:
            // What it brings would lack a change that came meanwhile and could not be kept.
            effects.append(.metric(.bufferOverflow))
            closeGate(BackendFailure(.cancelled, "asked again"), at: now)
        case .success(let answer):
            if flight.purpose == .catchUp { run?.evidence.pages += 1 }
            switch (flight.request, answer) {
            case (.page(let anchor, _), .page(let page)):
                let failure = AnswerCheck.failure(
                    in: page, to: anchor, hasRevisions: capabilities.hasRevisions,
                    floor: flight.floor)
                if let failure {
                    noteBehind(page, flight)
                    return failed(flight, failure, at: now)
                }
                answersBehind = 0
                took(page, to: anchor, flight, at: now)
            case (.changes(let after, _), .changes(let page)):
                if let failure = AnswerCheck.failure(in: page, after: after) {
                    return failed(flight, failure, at: now)
                }
                took(page, flight, at: now)
            case (.page, _), (.changes, _), (.summary, _):
                failed(flight, AnswerCheck.wrongKind(flight.request), at: now)
            }
        }
    }

    /// A server that was restored from a backup counts on from an older revision. Its feed says
    /// that ours is gone, and its pages stay behind, where those of a replica catch up; after a few
    /// attempts they are believed.
    private mutating func noteBehind(_ page: HistoryPage, _ flight: Flight) {
        guard revision == nil, let shown = page.revision, let floor = flight.floor, shown < floor
        else { return }
        answersBehind += 1
        if answersBehind >= Self.maximumAnswersBehind { newestRevision = nil }
    }

    // MARK: Pages of history

    private mutating func took(
        _ page: HistoryPage, to anchor: HistoryAnchor, _ flight: Flight, at now: Instant
    ) {
        let before = timeline.coverage
        let page = bounded(page, by: anchor)
        merge(page, flight)
        calmGaps()
        switch flight.purpose {
        case .catchUp:
            switch run?.step {
            case .newest(let reason): tookNewest(page, flight, over: before, reason, at: now)
            case .forward, .feed: tookForward(page, flight, over: before, at: now)
            case .refresh(let bound):
                if flight.isFresh { refreshed(page, after: bound) }
                advance(at: now)
            case .settle:
                reread(page, anchor)
                advance(at: now)
            case nil:
                break
            }
        case .load:
            backoff.reset()
            loaded()
            // It may have shown all that the catch-up was going to read again.
            if case .settle = run?.step { advance(at: now) }
        case .confirm:
            confirmed(hasMore: page.hasAfter, at: now)
        case .suspect:
            backoff.reset()
            suspect = nil
        case .refresh(let bound):
            backoff.reset()
            if flight.isFresh { refreshed(page, after: bound) }
        case .settle:
            reread(page, anchor)
            confirmed(hasMore: false, at: now)
        }
    }

    /// A page with the bounds that it proves, in the strictest reading.
    ///
    /// - Nothing is proven below the horizon.
    /// - A page before a message reaches up to that message, which is what was asked: a server
    ///   that states its own last message as the bound means no less. It must know the message,
    ///   though; one that lags may miss what lies between.
    private func bounded(_ page: HistoryPage, by anchor: HistoryAnchor) -> HistoryPage {
        var page = page
        if case .before(let bound) = anchor, let tip = page.tip, tip >= bound,
            !page.messages.isEmpty || !page.hasBefore
        {
            if page.messages.isEmpty { page.from = nil }
            page.through = bound.predecessor
        }
        if let floor = page.horizon?.predecessor, page.from.map({ $0 < floor }) ?? true {
            page.from = floor
        }
        return page
    }

    /// Merges a page with all that hangs on it.
    private mutating func merge(_ page: HistoryPage, _ flight: Flight) {
        var delta = timeline.merge(page, stamp: flight.stamp)
        for change in waitingChanges where timeline.contains(change.id) {
            delta.merge(timeline.change(change).delta)
        }
        if let through = page.through {
            let interval = Coverage.Interval(from: page.from, through: through)
            if flight.isFresh { freshen(interval) }
            settling?.proved(interval, bound: flight.settled)
        }
        if let pageRevision = page.revision { saw(pageRevision) }
        if revision == nil, let pageRevision = page.revision {
            // A catch-up without the feed is as old as its oldest page.
            let oldest = min(run?.candidate ?? pageRevision, pageRevision)
            run?.candidate = oldest
        }
        stored(delta)
    }

    private mutating func tookNewest(
        _ page: HistoryPage, _ flight: Flight, over before: Coverage, _ reason: Gap.Reason?,
        at now: Instant
    ) {
        if let reason, let from = page.from, let newest = before.newest, newest < from {
            let gap = Gap(from: newest, before: from.successor, reason: reason)
            timeline.setGap(gap, reason: reason, state: .known)
        }
        noteTrimmed(page, over: before)
        if let pageRevision = page.revision, capabilities.hasRevisions {
            // What lies elsewhere is as old as it was: the feed over the hole is not read.
            let interval = page.through.map { Coverage.Interval(from: page.from, through: $0) }
            if needsFeed { timeline.uncover(allBut: interval) }
            stale = timeline.coverage
            if let interval { freshen(interval) }
            // Without coverage a revision means that the room was empty from its beginning on.
            let isEmptyRoom = page.from == nil && page.horizon == nil
            if !timeline.coverage.isEmpty || isEmptyRoom { prove(pageRevision, flight) }
        }
        advance(at: now)
    }

    private mutating func tookForward(
        _ page: HistoryPage, _ flight: Flight, over before: Coverage, at now: Instant
    ) {
        noteTrimmed(page, over: before)
        if before.isEmpty, let older = timeline.gaps.first, older.from == nil {
            // Begun at the oldest message held: what lies before it was never asked for.
            timeline.setGap(older, reason: .notLoaded, state: .known)
        }
        run?.pagesInStep += 1
        if page.hasAfter {
            if let run, run.pagesInStep >= policy.catchUpPages {
                self.run?.go(to: .newest(.budgetExceeded))
            }
            return
        }
        guard !timeline.coverage.isEmpty else {
            // Nothing follows where it was asked, which says nothing of what stands before.
            run?.go(to: .newest(nil))
            return
        }
        guard let candidate = run?.candidate else { return advance(at: now) }
        prove(candidate, flight)
        if candidate == page.revision {
            advance(at: now)
        } else {
            // The first pages are older than the last one: the feed tells what changed between.
            run?.go(to: .feed)
        }
    }

    /// The timeline is true as of a revision, and nothing newer is missing up to there: the
    /// invariant holds, and proves the tail up to it.
    private mutating func prove(_ reached: Revision, _ flight: Flight) {
        let proven = max(revision ?? reached, reached)
        revision = proven
        ahead.drop(through: proven)
        let newest = timeline.tail.last { $0.revision.map { $0 <= proven } ?? false }
        stored(timeline.confirmTail(through: newest?.id, stamp: flight.stamp))
    }

    /// A stretch that the catch-up has passed by is no longer being filled.
    private mutating func calmGaps() {
        let tail = tailGap
        for gap in timeline.gaps where gap != tail {
            switch gap.state {
            case .filling, .failed:
                let isWanted = loads.contains { $0.gap?.before == gap.before }
                if !isWanted { timeline.setGap(gap, state: .known) }
            default:
                break
            }
        }
    }

    /// The server's memory begins above what is held: what lies between cannot be had any more.
    private mutating func noteTrimmed(_ page: HistoryPage, over before: Coverage) {
        guard let horizon = page.horizon, let newest = before.newest, newest < horizon,
            let floor = horizon.predecessor, newest < floor, !timeline.coverage.contains(floor)
        else { return }
        let gap = Gap(from: newest, before: horizon, reason: .trimmed, state: .unrecoverable)
        run?.trimmed = gap
    }

    private mutating func refreshed(_ page: HistoryPage, after bound: MessageID?) {
        guard page.hasAfter else {
            // Nothing more follows: what was stale there is gone or was just read.
            return freshen(.init(from: bound, through: MessageID(.max)))
        }
        guard let through = page.through else { return }
        freshen(.init(from: bound, through: through))
    }

    private mutating func reread(_ page: HistoryPage, _ anchor: HistoryAnchor) {
        if case .after(let bound) = anchor { settling?.skip(from: bound, to: page.from) }
        guard !page.hasAfter else { return }
        settling?.forget(after: page.through ?? page.from)
    }

    // MARK: The change feed

    private mutating func took(_ page: ChangePage, _ flight: Flight, at now: Instant) {
        stored(timeline.merge(page, stamp: flight.stamp))
        saw(page.revision)
        if page.hasMore {
            // Only a cursor for the feed: what was created early and changed late comes late.
            revision = max(revision ?? page.revision, page.revision)
        } else {
            prove(page.revision, flight)
        }
        switch flight.purpose {
        case .confirm:
            confirmed(hasMore: page.hasMore, at: now)
        case .catchUp, .load, .suspect, .refresh, .settle:
            run?.pagesInStep += 1
            guard page.hasMore else { return advance(at: now) }
            if let run, run.pagesInStep >= policy.catchUpPages {
                self.run?.go(to: .newest(.budgetExceeded))
            }
        }
    }

    // MARK: The end

    /// The tip is reached: what remains to be done before the catch-up has ended?
    private mutating func advance(at now: Instant) {
        guard let run else { return }
        if run.again, !run.wasRepeated {
            let step = firstStep()
            self.run?.again = false
            self.run?.wasRepeated = true
            self.run?.go(to: step)
            return
        }
        if let bound = staleBound() {
            self.run?.go(to: .refresh(after: bound.id))
            return
        }
        if let settling, !settling.unsettled.isEmpty {
            let target: MessageID?
            if case .settle(let through) = run.step {
                target = through
            } else {
                target = timeline.newestCovered
            }
            let open = settling.unsettled.intervals.contains { interval in
                guard let target else { return false }
                return interval.from.map { $0 < target } ?? true
            }
            if open {
                self.run?.go(to: .settle(through: target))
                return
            }
        }
        join(at: now)
    }

    /// Joins the stream to what was fetched.
    private mutating func join(at now: Instant) {
        followStream(at: now)
        if let revision, let next = ahead.entries.first {
            // The stream has shown more than the feed gave. Once, that is a matter of moments.
            if let run, run.behindStream > 0 {
                runFailed(AnswerCheck.feedBehindStream(revision, next.revision), at: now)
            } else {
                run?.behindStream += 1
                run?.go(to: .feed)
            }
            return
        }
        finish(at: now)
    }

    private mutating func finish(at now: Instant) {
        guard let run else { return }
        backoff.reset()
        unprovenFloor = nil
        var evidence = run.evidence
        evidence.through = provenCoverage.newest
        evidence.revision = revision
        self.run = nil
        switch link {
        case .assumed:
            owesOutcome = true
        case .lost, .pending, .confirmed, .proven:
            owesOutcome = false
            let gaps = openGaps() + [run.trimmed].compactMap { $0 }
            effects.append(
                .ended(gaps.isEmpty ? .complete(evidence) : .partial(gaps, evidence)))
        }
        // Triggers without an end must not keep an outcome from those that wait for it.
        if run.again { return begin(at: now) }
        scheduleConfirmation(at: now)
    }

    /// What is missing and could still be had, but for history that nobody asked for.
    private func openGaps() -> [Gap] {
        timeline.gaps.filter { gap in
            guard gap.state != .unrecoverable else { return false }
            switch gap.reason {
            case .notLoaded, .trimmed: return false
            default: return true
            }
        }
    }

    // MARK: Effects

    mutating func saw(_ shown: Revision) {
        newestRevision = max(newestRevision ?? shown, shown)
    }

    /// Hands a change of the timeline on.
    mutating func stored(_ delta: TimelineDelta) {
        run?.evidence.messagesAdded += delta.added
        if !delta.isEmpty { effects.append(.store(delta)) }
        for _ in delta.removals { effects.append(.metric(.phantomRemoved)) }
        observe(delta.upserts)
    }

    /// Tells of own messages that the server has.
    mutating func observe(_ messages: [Message]) {
        let own = messages.filter { $0.author == user && $0.clientID != nil }
        if !own.isEmpty { effects.append(.observed(own)) }
    }
}
