package import RejoinTime

/// The timers of a shell: deadlines by key, and how many sleepers they need.
///
/// A sleeper is a child task that waits for one instant. One that already waits for an earlier
/// instant serves later deadlines too, because it looks at the whole table when it wakes; so the
/// number of sleepers stays small however often a timer is set anew.
package struct TimerTable<Key: Hashable> {
    private var deadlines: [Key: (deadline: Instant, order: UInt64)] = [:]
    private var sleepers: [Instant] = []
    private var order: UInt64 = 0

    package init() {}

    /// Sets a timer, replacing one of the same key. Returns when a new sleeper must wake, `nil`
    /// where one that sleeps already will do.
    ///
    /// - Complexity: O(sleepers).
    package mutating func set(_ key: Key, to deadline: Instant) -> Instant? {
        order += 1
        deadlines[key] = (deadline, order)
        return sleeper(for: deadline)
    }

    /// Forgets a timer.
    package mutating func cancel(_ key: Key) {
        deadlines[key] = nil
    }

    /// Forgets the timers that match.
    ///
    /// - Complexity: O(timers).
    package mutating func cancelAll(where matches: (Key) -> Bool) {
        deadlines = deadlines.filter { !matches($0.key) }
    }

    /// Takes the timers out that are due, in the order of their deadlines, then of their setting;
    /// and says when a new sleeper must wake for those that are left.
    ///
    /// - Complexity: O(timers).
    package mutating func wake(_ sleeper: Instant, at now: Instant) -> (due: [Key], next: Instant?)
    {
        if let index = sleepers.firstIndex(of: sleeper) { sleepers.remove(at: index) }
        let due = deadlines.filter { $0.value.deadline <= now }
            .sorted { ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order) }
            .map(\.key)
        for key in due { deadlines[key] = nil }
        let earliest = deadlines.values.map(\.deadline).min()
        return (due, earliest.flatMap { self.sleeper(for: $0) })
    }

    private mutating func sleeper(for deadline: Instant) -> Instant? {
        guard !sleepers.contains(where: { $0 <= deadline }) else { return nil }
        sleepers.append(deadline)
        return deadline
    }
}
