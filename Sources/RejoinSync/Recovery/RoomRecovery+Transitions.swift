internal import RejoinModel
public import RejoinTime

// What each input does in each state: all transitions stand in this file. Fetching, reading
// answers and the stream have files of their own.

extension RoomRecovery {
    /// Takes one input and returns what is to be done, in order.
    public mutating func handle(_ input: RecoveryInput, at now: Instant) -> [RecoveryEffect] {
        guard halt != .left else { return [] }
        settling?.advance(to: now)
        switch input {
        case .subscriptionLost: subscriptionLost(at: now)
        case .subscribing: subscribing(at: now)
        case .subscribed: subscribed(as: .confirmed, at: now)
        case .subscriptionAssumed: subscribed(as: .assumed, at: now)
        case .subscriptionProven: subscriptionProven(at: now)
        case .eventsDropped: eventsDropped(at: now)
        case .live(let event): live(event, at: now)
        case .answered(let id, let result): answered(id, result, at: now)
        case .settledSend(let message): settledSend(message, at: now)
        case .timer(let timer): fired(timer, at: now)
        case .trigger: trigger(at: now)
        case .load(let anchor): load(anchor, at: now)
        case .approach(let gap): approach(gap, at: now)
        case .storeStalled(let isStalled): storeStalled(isStalled, at: now)
        case .leave: leave()
        }
        pump(at: now)
        defer { effects = [] }
        return effects
    }

    // MARK: The subscription

    private mutating func subscriptionLost(at now: Instant) {
        switch link {
        case .lost: return
        case .pending, .confirmed, .assumed, .proven: break
        }
        // A catch-up goes on: the network may carry it although the socket is gone. What it
        // brings is good; whether it is all is asked again after the next subscription.
        loseStream(at: now)
        link = .lost
    }

    private mutating func subscribing(at now: Instant) {
        switch link {
        case .lost, .pending: break
        case .confirmed, .assumed, .proven: loseStream(at: now)
        }
        link = .pending
    }

    /// Every subscription, also one after another, may follow a loss.
    private mutating func subscribed(as link: Link, at now: Instant) {
        self.link = link
        noteLoss(showingStreamAt: now)
        begin(at: now)
    }

    private mutating func subscriptionProven(at now: Instant) {
        switch link {
        case .confirmed, .proven: return
        case .lost, .pending, .assumed: subscribed(as: .proven, at: now)
        }
    }

    private mutating func eventsDropped(at now: Instant) {
        switch link {
        case .lost: return
        case .pending:
            // The catch-up after the confirmation will find what was dropped.
            effects.append(.metric(.bufferOverflow))
            loseStream(at: now)
        case .confirmed, .assumed, .proven:
            effects.append(.metric(.bufferOverflow))
            loseStream(at: now)
            begin(at: now)
        }
    }

    // MARK: Triggers

    mutating func trigger(at now: Instant) {
        switch state {
        case .idle, .subscribing, .assumed, .live, .failed:
            begin(at: now)
        case .catchingUp:
            // A request that is out may have been answered before the cause of this trigger.
            if flight?.purpose == .catchUp { run?.again = true }
        case .waiting:
            shortenGate(at: now)
        case .closed:
            break
        }
    }

    /// Begins a catch-up, or begins the running one anew from its cursor, with a new request.
    mutating func begin(at now: Instant) {
        halt = nil
        // Also what the person asked for is asked again: the way it was sent may be dead.
        if let flight { cancel(flight) }
        stopConfirming()
        cancelTimer(.reorder)
        run = RecoveryRun(step: firstStep(), continuing: run)
        setTailGap(.filling)
        if gate != nil { shortenGate(at: now) }
    }

    /// Where a catch-up begins. A missing cursor is not a cursor at zero: then the newest page
    /// comes first (wire-ios#2245).
    mutating func firstStep() -> RecoveryRun.Step {
        if revision != nil { return .feed }
        if needsFeed, !timeline.coverage.isEmpty { timeline.distrust() }
        if timeline.coverage.isEmpty, unprovenFloor == nil { return .newest(nil) }
        if capabilities.hasRevisions { stale = timeline.coverage }
        return .forward
    }

    /// Whether only the change feed tells of messages that become visible late, so that without a
    /// revision nothing is proven.
    var needsFeed: Bool {
        guard capabilities.hasRevisions else { return false }
        return if case .settles = capabilities.commitOrder { true } else { false }
    }

    // MARK: Timers

    private mutating func fired(_ timer: RecoveryTimer, at now: Instant) {
        timers.remove(timer)
        switch timer {
        case .retry:
            guard let gate else { return }
            if gate <= now { openGate() } else { setTimer(.retry, gate) }
        case .confirmTail:
            switch state {
            case .assumed, .live: isConfirmDue = timeline.hasProvisionalTail || suspect != nil
            case .idle, .subscribing, .catchingUp, .waiting, .failed, .closed: break
            }
        case .reorder:
            switch state {
            case .assumed, .live:
                guard !ahead.isEmpty else { return }
                gapSeen(at: now)
            case .idle, .subscribing, .catchingUp, .waiting, .failed, .closed: break
            }
        case .settle where settling == nil:
            break
        case .settle:
            // The wait itself has been ended by the time. What was covered is read again by
            // `pump`; what has only come live is proven now.
            switch state {
            case .assumed, .live: isConfirmDue = timeline.hasProvisionalTail
            case .idle, .subscribing, .catchingUp, .waiting, .failed, .closed: break
            }
        }
    }

    /// The stream has left something out.
    mutating func gapSeen(at now: Instant) {
        effects.append(.metric(.gapDetected))
        noteLoss(showingStreamAt: now)
        begin(at: now)
    }

    // MARK: The store and the end

    private mutating func storeStalled(_ isStalled: Bool, at now: Instant) {
        self.isStalled = isStalled
        guard !isStalled, missedWhileStalled else { return }
        missedWhileStalled = false
        switch state {
        case .idle, .subscribing, .closed: break
        case .failed: loseStream(at: now)
        case .catchingUp, .waiting, .assumed, .live:
            // What was not taken is lost like anything else that the stream left out: also edits,
            // of which nothing but the stream may tell.
            loseStream(at: now)
            begin(at: now)
        }
    }

    private mutating func leave() {
        if run != nil || owesOutcome {
            let failure = BackendFailure(.cancelled, "the room was left before it had caught up")
            effects.append(.ended(.failed(failure, retryAt: nil)))
        }
        stop()
        link = .lost
        halt = .left
    }

    /// The server refuses for good.
    mutating func refuse(_ failure: BackendFailure) {
        effects.append(.ended(.failed(failure, retryAt: nil)))
        stop()
        setTailGap(.failed)
        halt = .refused(failure)
    }

    private mutating func stop() {
        if let flight { cancel(flight) }
        run = nil
        owesOutcome = false
        loads.removeAll()
        ahead.removeAll()
        stopConfirming()
        gate = nil
        gateIsServers = false
        for timer in RecoveryTimer.allCases { cancelTimer(timer) }
    }

    // MARK: Losses

    /// The stream may have lost something: nothing live proves the tail any more, and, where only
    /// the stream tells of edits, everything may be out of date.
    mutating func noteLoss() {
        timeline.noteLoss(.disconnected)
        // What is being answered may be as it was before the loss.
        flight?.isFresh = false
        if !capabilities.hasRevisions { stale = timeline.coverage }
    }

    /// What lies in an interval has just been read.
    mutating func freshen(_ interval: Coverage.Interval) {
        let ranges = stale.intervals
        if ranges.count >= Coverage.maximumIntervals {
            // At its limit a coverage forgets, and here forgetting would claim too much; so the
            // two oldest ranges become one, which claims less.
            stale.insert(.init(from: ranges[0].from, through: ranges[1].through))
        }
        stale.subtract(interval)
    }

    /// As ``noteLoss()``; what waited for an earlier revision is shown now, behind the gap.
    mutating func noteLoss(showingStreamAt now: Instant) {
        let isHidden = tailGap == nil
        noteLoss()
        guard isHidden else { return }
        for entry in ahead.entries { show(entry.event, at: now) }
    }

    private mutating func loseStream(at now: Instant) {
        noteLoss(showingStreamAt: now)
        ahead.removeAll()
        cancelTimer(.reorder)
        stopConfirming()
    }

    mutating func stopConfirming() {
        unconfirmed = 0
        isConfirmDue = false
        idleConfirms = 0
        suspect = nil
        cancelTimer(.confirmTail)
    }

    mutating func cancel(_ flight: Flight) {
        effects.append(.cancelFetch(flight.id))
        self.flight = nil
        waitingChanges.removeAll()
    }
}
