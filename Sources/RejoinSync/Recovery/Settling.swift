internal import RejoinModel
internal import RejoinTime

/// What was read too early to be relied on, where a backend may still make a message visible below
/// one that is visible already (`CommitOrder.settles`).
///
/// The argument needs no clock but our own: an ID that was seen at some instant is settled, with
/// everything below it, once the settling time has passed since. A page asked for then proves what
/// lies up to that ID; what it says above stays unsettled and is read again later.
struct Settling: Sendable {
    let time: Duration
    /// What is covered in the timeline, but was read before it had settled.
    private(set) var unsettled = Coverage()
    /// What the server forgot before it could be read again: it is held, but never relied on.
    private(set) var unprovable = Coverage()
    /// Everything up to here is settled.
    private(set) var bound: MessageID?
    /// The newest ID that was seen when the running wait began, and when that wait ends.
    private(set) var pending: (seen: MessageID, due: Instant)?

    init(time: Duration, bound: MessageID?) {
        self.time = time
        self.bound = bound
    }

    /// Begins a wait for what was seen by now; `nil` where one runs or nothing new was seen.
    mutating func begin(seen: MessageID?, at now: Instant) -> Instant? {
        guard pending == nil, let seen, bound.map({ $0 < seen }) ?? true else { return nil }
        let due = now + time
        pending = (seen, due)
        return due
    }

    /// Ends the wait if it is over.
    mutating func advance(to now: Instant) {
        guard let pending, pending.due <= now else { return }
        bound = pending.seen
        self.pending = nil
    }

    /// Takes into account that a page proved an interval, asked for when `bound` was the bound.
    mutating func proved(_ interval: Coverage.Interval, bound: MessageID?) {
        if let bound {
            unsettled.subtract(.init(from: interval.from, through: min(interval.through, bound)))
        }
        let lower = [interval.from, bound].compactMap { $0 }.max()
        unsettled.insert(.init(from: lower, through: interval.through))
    }

    /// Forgets what lies above an ID: a page showed that nothing is there.
    mutating func forget(after id: MessageID?) {
        unsettled.subtract(.init(from: id, through: MessageID(.max)))
    }

    /// A page asked for after `bound` begins only above it: the server has forgotten what lies
    /// between.
    mutating func skip(from bound: MessageID?, to start: MessageID?) {
        guard let start else { return }
        let skipped = Coverage.Interval(from: bound, through: start)
        for interval in unsettled.intervals {
            let lower = [interval.from, bound].compactMap { $0 }.max()
            let part = Coverage.Interval(from: lower, through: min(interval.through, start))
            if !part.isEmpty { unprovable.insert(part) }
        }
        unsettled.subtract(skipped)
    }

    /// Where to read again, because it has settled by now.
    var reread: Coverage.Interval? {
        guard let bound, let first = unsettled.intervals.first else { return nil }
        guard let from = first.from else { return first }
        return from < bound ? first : nil
    }

    /// The part of a coverage that can be relied on.
    func settled(_ coverage: Coverage) -> Coverage {
        var settled = coverage
        for interval in unsettled.intervals { settled.subtract(interval) }
        for interval in unprovable.intervals { settled.subtract(interval) }
        return settled
    }
}
