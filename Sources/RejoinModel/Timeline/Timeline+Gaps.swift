// What is missing, why, and what is being done about it.

extension Timeline {
    /// What is not covered, ascending: one gap for each uncovered range, split at the horizon, and
    /// one in the tail where the stream may have lost something, which reaches to the tip. Messages
    /// that are held inside a gap without proof are shown after its row.
    ///
    /// - Complexity: O(intervals · log n).
    public var gaps: [Gap] {
        var gaps = coverage.uncovered.flatMap { range in
            pieces(of: range).map { gap(over: $0) }
        }
        if let loss {
            gaps.append(
                Gap(from: loss.after, before: nil, reason: loss.reason, state: loss.state))
        }
        return gaps
    }

    /// Says what is being done about a gap, and why it is there.
    ///
    /// A gap that has been filled or has moved meanwhile is matched by what it still shares with
    /// one that exists; nothing happens where there is none.
    ///
    /// - Complexity: O(intervals · log n).
    public mutating func setGap(
        _ gap: Gap, reason: Gap.Reason? = nil, state: Gap.State? = nil
    ) {
        if loss != nil, gap.before == nil {
            if let reason { loss?.reason = reason }
            if let state { loss?.state = state }
        } else {
            let through = gap.before?.predecessor ?? coverage.newest
            guard let through else { return }
            for range in coverage.uncovered {
                for piece in pieces(of: range)
                where precedes(gap.from, piece.through) && precedes(piece.from, through) {
                    let current = self.gap(over: piece)
                    note(
                        piece, reason: reason ?? current.reason, state: state ?? current.state)
                }
            }
        }
        version = version.following()
    }

    /// Learns that the stream may have lost something after the newest message held: the
    /// subscription was away, or a buffer overflowed. Until a page or
    /// ``confirmTail(through:stamp:)`` asked for after this moment reaches the tip, the tail has a
    /// gap there, and nothing live proves anything.
    public mutating func noteLoss(_ reason: Gap.Reason) {
        clock += 1
        if loss == nil {
            let newest = precedes(coverage.newest, store.last) ? store.last : coverage.newest
            loss = TailLoss(after: newest, reason: reason, state: .known, stamp: clock)
        } else {
            loss?.stamp = clock
        }
        version = version.following()
    }

    /// Claims nothing any more of what is held, except in one interval that reaches to the tip;
    /// `nil`: the room is empty. Why a part is missing that was missing before stays known.
    ///
    /// - Complexity: O(intervals).
    public mutating func uncover(allBut interval: Coverage.Interval?) {
        coverage = Coverage([interval].compactMap { $0 })
        version = version.following()
    }

    /// Claims nothing any more of what is held, nor of what may follow it.
    public mutating func distrust() {
        uncover(allBut: nil)
        clock += 1
        loss = TailLoss(
            after: nil, reason: loss?.reason ?? .unproven, state: loss?.state ?? .known,
            stamp: clock)
    }

    /// Takes a proof into account that reaches up to an ID.
    mutating func mendLoss(through: MessageID?, hasAfter: Bool, stamp: UInt64) {
        guard let known = loss, !precedes(through, known.after) else { return }
        if !hasAfter, stamp > known.stamp {
            loss = nil
        } else {
            loss?.after = precedes(known.after, coverage.newest) ? coverage.newest : known.after
        }
    }

    mutating func raise(horizon: MessageID) {
        guard precedes(self.horizon, horizon) else { return }
        self.horizon = horizon
    }

    mutating func note(_ range: Coverage.Interval, reason: Gap.Reason, state: Gap.State) {
        notes.removeAll { $0.range.overlaps(range) }
        notes.append(GapNote(range: range, reason: reason, state: state))
    }

    /// Forgets notes about what is covered by now. There are never more than gaps.
    mutating func dropNotes() {
        guard !notes.isEmpty else { return }
        notes.removeAll { coverage.covers($0.range) }
    }

    /// An uncovered range, cut where the server's memory begins.
    private func pieces(of range: Coverage.Interval) -> [Coverage.Interval] {
        guard let floor = horizon?.predecessor, range.contains(floor), floor < range.through
        else { return [range] }
        return [
            .init(from: range.from, through: floor), .init(from: floor, through: range.through),
        ]
    }

    private func gap(over range: Coverage.Interval) -> Gap {
        // A message is the better anchor for the fetch: some servers know no other.
        let next = range.through.successor
        let end = coverage.interval(containing: next)?.through
        let held = store.ids(after: range.through, through: end, limit: 1).first
        var gap = Gap(from: range.from, before: held ?? next, reason: .notLoaded)
        if let horizon, next <= horizon {
            gap.before = next
            gap.reason = .trimmed
            gap.state = .unrecoverable
        } else if let note = notes.last(where: { $0.range.overlaps(range) }) {
            gap.reason = note.reason
            gap.state = note.state
        }
        return gap
    }
}

extension Coverage.Interval {
    /// Whether an ID lies in both.
    func overlaps(_ other: Coverage.Interval) -> Bool {
        precedes(from, other.through) && precedes(other.from, through)
    }
}
