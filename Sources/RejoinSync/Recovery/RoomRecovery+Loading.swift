internal import RejoinModel
internal import RejoinTime

// What the person looks at: windows, and the gaps near them.

extension RoomRecovery {
    private var half: Int { max(1, windowLimit / 2) }

    // MARK: Windows

    mutating func load(_ anchor: HistoryAnchor, at now: Instant) {
        guard halt == nil else { return }
        // A room is opened before anything in it is looked at.
        if timeline.coverage.isEmpty, run == nil { begin(at: now) }
        switch anchor {
        case .newest:
            window = .newest(windowLimit)
        case .around(let id):
            window = around(id)
            let isHeld = timeline.contains(id) && timeline.coverage.contains(id)
            if !isHeld { enqueue(HistoryLoad(anchor: anchor)) }
        case .before(let id):
            window = around(id)
            guard let interval = timeline.coverage.interval(containing: id) else {
                return enqueue(HistoryLoad(anchor: .around(id)))
            }
            guard let from = interval.from else { return }
            let held = timeline.messages(before: id, limit: half).filter { $0.id > from }
            if held.count < half, !isTrimmed(below: from) {
                enqueue(HistoryLoad(anchor: .before(held.first?.id ?? id)))
            }
        case .after(let id):
            loadAfter(id)
        }
    }

    private mutating func loadAfter(_ id: MessageID?) {
        guard let id else {
            let isHeld = timeline.coverage.intervals.first.map { $0.from == nil } ?? false
            if let first = timeline.first?.id { window = around(first) }
            if !isHeld { enqueue(HistoryLoad(anchor: .after(nil))) }
            return
        }
        window = around(id)
        guard let interval = timeline.coverage.interval(containing: id) else {
            return enqueue(HistoryLoad(anchor: .around(id)))
        }
        // What follows the newest interval is the business of the catch-up.
        guard interval.through != timeline.newestCovered else { return }
        if timeline.messages(after: id, through: interval.through, limit: half).count < half {
            enqueue(HistoryLoad(anchor: .after(interval.through)))
        }
    }

    private func around(_ id: MessageID) -> TimelineWindow {
        .around(id, older: half, newer: max(0, windowLimit - half - 1))
    }

    private func isTrimmed(below id: MessageID) -> Bool {
        guard let horizon = timeline.horizon else { return false }
        return id < horizon
    }

    // MARK: Gaps

    mutating func approach(_ gap: Gap, at now: Instant) {
        guard halt == nil else { return }
        let current = timeline.gaps.first { $0.before == gap.before || $0.from == gap.from }
        guard let current, current.state != .unrecoverable else { return }
        if current == tailGap { return trigger(at: now) }
        guard let before = current.before else { return }
        let anchor: HistoryAnchor
        if let from = current.from, let last = shownMessages().last, last.id <= from {
            // The person comes from the older side.
            anchor = .after(from)
        } else {
            anchor = .before(before)
        }
        timeline.setGap(current, state: .filling)
        enqueue(HistoryLoad(anchor: anchor, gap: current))
    }

    private func shownMessages() -> [Message] {
        timeline.snapshot(window).messages
    }

    private mutating func enqueue(_ load: HistoryLoad) {
        guard !loads.contains(where: { $0.anchor == load.anchor }) else { return }
        if loads.count >= max(2, policy.loadLimit) {
            // The oldest wish is the least likely to be still wanted; the one that is being
            // answered stays.
            let dropped = loads.remove(at: flight?.purpose == .load ? 1 : 0)
            settle(dropped, .known)
        }
        loads.append(load)
    }

    /// The first load was answered.
    mutating func loaded() {
        guard !loads.isEmpty else { return }
        let load = loads.removeFirst()
        guard let gap = load.gap else { return }
        settle(load, .known)
        let isFilled = !timeline.gaps.contains { $0.before == gap.before || $0.from == gap.from }
        if isFilled { effects.append(.metric(.gapFilled)) }
        // A full window would not show what came: it turns to where the person looks.
        if window.anchor == .newest, let before = gap.before,
            shownMessages().count >= windowLimit
        {
            window = around(before)
        }
    }

    mutating func loadFailed(_ failure: BackendFailure, at now: Instant) {
        guard !loads.isEmpty else { return }
        if failure.code == .forbidden { return refuse(failure) }
        loads[0].attempts += 1
        settle(loads[0], .failed)
        if failure.isTransient { closeGate(failure, at: now) }
        if !failure.isTransient || loads[0].attempts >= HistoryLoad.maximumAttempts {
            loads.removeFirst()
        }
    }

    private mutating func settle(_ load: HistoryLoad, _ state: Gap.State) {
        guard let gap = load.gap else { return }
        timeline.setGap(gap, state: state)
    }
}
