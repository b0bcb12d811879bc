internal import RejoinModel
internal import RejoinTime

// What is asked for next, and what becomes of a request that fails.

extension RoomRecovery {
    // MARK: Asking

    /// Sends the next request, if one is wanted and none is out.
    mutating func pump(at now: Instant) {
        armSettling(at: now)
        guard flight == nil, gate == nil, halt == nil, !isStalled else { return }
        guard let (purpose, request) = nextRequest() else { return }
        requests += 1
        let flight = Flight(
            id: RequestID(requests), purpose: purpose, request: request,
            stamp: timeline.makeStamp(), floor: newestRevision, settled: settling?.bound)
        self.flight = flight
        lastAttempt = now
        effects.append(.fetch(flight.id, request))
    }

    /// What is wanted most: what the person waits for, then the catch-up, then proof.
    private func nextRequest() -> (Flight.Purpose, HistoryRequest)? {
        // Opening a room comes before anything in it.
        let isOpening = run != nil && timeline.coverage.isEmpty
        if let load = loads.first, !isOpening { return (.load, page(load.anchor)) }
        if let run { return request(for: run.step) }
        switch link {
        case .lost, .pending: return nil
        case .assumed, .confirmed, .proven: break
        }
        if isConfirmDue {
            if let suspect { return (.suspect(suspect), page(.around(suspect))) }
            return (.confirm, confirmation())
        }
        if let interval = settling?.reread {
            return (.settle, page(.after(interval.from)))
        }
        if let bound = staleBound() { return (.refresh(after: bound.id), page(.after(bound.id))) }
        return nil
    }

    private func request(
        for step: RecoveryRun.Step
    ) -> (Flight.Purpose, HistoryRequest)? {
        switch step {
        case .feed:
            guard let revision else { return request(for: .forward) }
            return (.catchUp, .changes(after: revision, limit: pageSize))
        case .forward:
            guard let cursor = timeline.newestCovered ?? unprovenFloor?.predecessor else {
                return request(for: .newest(nil))
            }
            return (.catchUp, page(.after(cursor)))
        case .newest:
            return (.catchUp, page(.newest))
        case .refresh(let bound):
            return (.catchUp, page(.after(bound)))
        case .settle:
            guard let interval = settling?.reread else { return nil }
            return (.catchUp, page(.after(interval.from)))
        }
    }

    private func confirmation() -> HistoryRequest {
        if let revision { return .changes(after: revision, limit: pageSize) }
        guard let cursor = timeline.newestCovered else { return page(.newest) }
        return page(.after(cursor))
    }

    private func page(_ anchor: HistoryAnchor) -> HistoryRequest {
        .page(anchor, limit: pageSize)
    }

    /// A bound that may be the beginning of the room.
    struct Bound { let id: MessageID? }

    /// From where what is shown is to be read again; `nil` where it is up to date.
    func staleBound() -> Bound? {
        guard !stale.isEmpty, let shown = shownInterval() else { return nil }
        for interval in stale.intervals {
            guard shown.from.map({ $0 < interval.through }) ?? true,
                interval.from.map({ $0 < shown.through }) ?? true
            else { continue }
            guard let from = shown.from, interval.contains(from) else {
                return Bound(id: interval.from)
            }
            return Bound(id: from)
        }
        return nil
    }

    /// The stretch of the order that the window shows; its lower bound is a message where one
    /// precedes it.
    private func shownInterval() -> Coverage.Interval? {
        timeline.bounds(of: window).map { .init(from: $0.previous, through: $0.last) }
    }

    // MARK: Failing

    /// A request failed, or its answer cannot be believed.
    mutating func failed(_ flight: Flight, _ failure: BackendFailure, at now: Instant) {
        switch flight.purpose {
        case .load:
            loadFailed(failure, at: now)
        case .catchUp:
            if case .changes = flight.request, failure.code == .gone, run?.wasGone == false {
                feedGone()
            } else if failure.isTransient || failure.code == .gone {
                runFailed(failure, at: now)
            } else {
                refuse(failure)
            }
        case .confirm where failure.code == .gone:
            feedGone()
            begin(at: now)
        case .confirm, .suspect, .refresh, .settle:
            if failure.isTransient { closeGate(failure, at: now) } else { refuse(failure) }
        }
    }

    /// The server no longer knows the changes after our revision: catch up by pages. What is held
    /// stays, but may be out of date.
    private mutating func feedGone() {
        revision = nil
        let step = firstStep()
        run?.go(to: step)
        run?.candidate = nil
        run?.wasGone = true
    }

    mutating func runFailed(_ failure: BackendFailure, at now: Instant) {
        closeGate(failure, at: now)
        setTailGap(.failed)
        if !ahead.isEmpty {
            // While the server cannot be asked, what the stream brings is at least shown, behind
            // a gap.
            noteLoss(showingStreamAt: now)
        }
        run = RecoveryRun(step: firstStep(), continuing: run)
        effects.append(.ended(.failed(failure, retryAt: gate)))
    }

    /// Waits before the next request: with jitter, and not before the server said.
    mutating func closeGate(_ failure: BackendFailure, at now: Instant) {
        var wait = backoff.next(using: &random)
        gateIsServers = failure.retryAfter != nil
        if let stated = failure.retryAfter {
            // Spread over a second more, so that clients told the same do not come together.
            let spread = Int64.random(in: 0...1_000_000_000, using: &random)
            wait = max(wait, stated + .nanoseconds(spread))
        }
        let gate = now + wait
        self.gate = gate
        setTimer(.retry, gate)
    }

    /// Cuts a wait short, but neither against the server's word nor closer to the last attempt
    /// than the policy allows.
    mutating func shortenGate(at now: Instant) {
        guard let gate, !gateIsServers else { return }
        let earliest = max(now, (lastAttempt ?? now) + policy.triggerSpacing)
        guard earliest < gate else { return }
        self.gate = earliest
        setTimer(.retry, earliest)
    }

    mutating func openGate() {
        gate = nil
        gateIsServers = false
        cancelTimer(.retry)
        if run != nil { setTailGap(.filling) }
    }

    // MARK: Timers and gaps

    mutating func setTimer(_ timer: RecoveryTimer, _ deadline: Instant) {
        timers.insert(timer)
        effects.append(.setTimer(timer, deadline))
    }

    mutating func cancelTimer(_ timer: RecoveryTimer) {
        guard timers.remove(timer) != nil else { return }
        effects.append(.cancelTimer(timer))
    }

    /// Begins to wait for what was seen by now to settle.
    private mutating func armSettling(at now: Instant) {
        guard let settling, !settling.unsettled.isEmpty || timeline.hasProvisionalTail else {
            return
        }
        let seen = [timeline.last?.id, timeline.newestCovered].compactMap { $0 }.max()
        guard idleConfirms < Self.maximumIdleConfirms,
            let due = self.settling?.begin(seen: seen, at: now)
        else { return }
        setTimer(.settle, due)
    }

    /// The gap at the end of the timeline, where the stream may have lost something.
    var tailGap: Gap? {
        timeline.gaps.last { $0.before == nil }
    }

    mutating func setTailGap(_ state: Gap.State) {
        guard let gap = tailGap, gap.state != state else { return }
        timeline.setGap(gap, state: state)
    }
}
