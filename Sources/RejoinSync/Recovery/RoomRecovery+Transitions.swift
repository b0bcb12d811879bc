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
        case .subscriptionLost: subscriptionLost()
        case .subscribing: subscribing()
        case .subscribed: subscribed(as: .confirmed, at: now)
        case .subscriptionAssumed: subscribed(as: .assumed, at: now)
        case .subscriptionProven: subscriptionProven(at: now)
        case .eventsDropped: eventsDropped(at: now)
        case .live(let event): live(event, at: now)
        case .answered(let id, let result): answered(id, result, at: now)
        case .settledSend(let message): settledSend(message, at: now)
        case .timer(let timer): fired(timer, at: now)
        case .trigger: trigger(at: now)
        case .load(let anchor): load(anchor)
        case .approach(let gap): approach(gap, at: now)
        case .storeStalled(let isStalled): storeStalled(isStalled, at: now)
        case .leave: leave()
        }
        pump(at: now)
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    // MARK: The subscription

    private mutating func subscriptionLost() {
        switch link {
        case .lost: return
        case .pending, .confirmed, .assumed, .proven: break
        }
        link = .lost
        noteLoss()
        // A catch-up goes on: the network may carry it although the socket is gone. What it
        // brings is good; whether it is all is asked again after the next subscription.
        forgetStream()
    }

    private mutating func subscribing() {
        switch link {
        case .lost, .pending: break
        case .confirmed, .assumed, .proven:
            noteLoss()
            forgetStream()
        }
        link = .pending
    }

    /// Every subscription, also one after another, may follow a loss.
    private mutating func subscribed(as link: Link, at now: Instant) {
        self.link = link
        noteLoss()
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
            forgetStream()
        case .confirmed, .assumed, .proven:
            effects.append(.metric(.bufferOverflow))
            noteLoss()
            forgetStream()
            begin(at: now)
        }
    }

    // MARK: Triggers

    private mutating func trigger(at now: Instant) {
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
        if let flight, flight.purpose != .load { cancel(flight) }
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
        if timeline.coverage.isEmpty, unprovenFloor == nil { return .newest(nil) }
        if capabilities.hasRevisions { stale = timeline.coverage }
        return .forward
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
        case .settle:
            // The wait itself has been ended by the time; `pump` does what has become due.
            break
        }
    }

    /// The stream has left something out.
    mutating func gapSeen(at now: Instant) {
        effects.append(.metric(.gapDetected))
        noteLoss()
        for entry in ahead.entries { show(entry.event, at: now) }
        begin(at: now)
    }

    // MARK: The store and the end

    private mutating func storeStalled(_ isStalled: Bool, at now: Instant) {
        self.isStalled = isStalled
        guard !isStalled, missedWhileStalled else { return }
        missedWhileStalled = false
        switch state {
        case .idle, .subscribing, .failed, .closed: break
        case .catchingUp, .waiting, .assumed, .live: begin(at: now)
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

    mutating func forgetStream() {
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
