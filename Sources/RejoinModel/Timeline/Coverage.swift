/// The parts of a room's order in which every message of the server is held: disjoint half-open
/// intervals `(from, through]`, ascending, none touching the next (promise P1).
///
/// At most ``maximumIntervals`` are kept. Where one more would be needed, the oldest one is
/// forgotten: what it covered becomes a gap again and is fetched anew when somebody looks there.
/// Forgetting costs a request; it never claims more than was proven.
public struct Coverage: Hashable, Sendable {
    /// One interval. `from == nil` is the beginning of the room.
    public struct Interval: Hashable, Sendable {
        /// Exclusive lower bound.
        public var from: MessageID?
        /// Inclusive upper bound.
        public var through: MessageID

        /// Creates an interval.
        public init(from: MessageID?, through: MessageID) {
            self.from = from
            self.through = through
        }

        /// Whether no ID can lie in it. An empty interval proves nothing and is never stored: one
        /// that became the newest would blank the room (mattermost-mobile#9827).
        public var isEmpty: Bool {
            guard let from else { return false }
            return from >= through
        }

        /// Whether an ID lies in it.
        public func contains(_ id: MessageID) -> Bool {
            guard id <= through else { return false }
            guard let from else { return true }
            return from < id
        }
    }

    /// The most intervals that are kept.
    public static let maximumIntervals = 256

    /// The intervals, ascending.
    public private(set) var intervals: [Interval] = []

    /// Creates a coverage of nothing.
    public init() {}

    /// Creates a coverage of these intervals, in whatever order they come.
    ///
    /// - Complexity: O(n · ``maximumIntervals``) in the number of intervals.
    public init(_ intervals: some Sequence<Interval>) {
        for interval in intervals { insert(interval) }
    }

    /// Whether nothing is covered.
    public var isEmpty: Bool { intervals.isEmpty }

    /// The newest ID that is covered.
    public var newest: MessageID? { intervals.last?.through }

    /// Whether an ID is covered.
    ///
    /// - Complexity: O(log n) in the number of intervals.
    public func contains(_ id: MessageID) -> Bool {
        interval(containing: id) != nil
    }

    /// The interval in which an ID lies.
    ///
    /// - Complexity: O(log n) in the number of intervals.
    public func interval(containing id: MessageID) -> Interval? {
        let index = firstIndex { $0.through >= id }
        guard index < intervals.count, intervals[index].contains(id) else { return nil }
        return intervals[index]
    }

    /// The interval that ends at an ID.
    ///
    /// - Complexity: O(log n) in the number of intervals.
    public func interval(endingAt id: MessageID) -> Interval? {
        let index = firstIndex { $0.through >= id }
        guard index < intervals.count, intervals[index].through == id else { return nil }
        return intervals[index]
    }

    /// Whether every ID of an interval is covered.
    ///
    /// - Complexity: O(log n) in the number of intervals.
    public func covers(_ interval: Interval) -> Bool {
        guard !interval.isEmpty else { return true }
        let index = firstIndex { $0.through >= interval.through }
        guard index < intervals.count else { return false }
        return !precedes(interval.from, intervals[index].from)
    }

    /// What lies uncovered below ``newest``, ascending. Each range is half-open as the intervals
    /// are.
    ///
    /// - Complexity: O(n) in the number of intervals.
    public var uncovered: [Interval] {
        var result: [Interval] = []
        var reached: MessageID?
        for interval in intervals {
            if let from = interval.from { result.append(Interval(from: reached, through: from)) }
            reached = interval.through
        }
        return result
    }

    /// Covers an interval and joins it with those that it touches or overlaps.
    ///
    /// - Returns: whether anything became covered that was not.
    /// - Complexity: O(n) in the number of intervals; O(log n) where the newest one grows.
    @discardableResult
    public mutating func insert(_ interval: Interval) -> Bool {
        guard !covers(interval) else { return false }
        // All intervals that overlap or touch: their end is not before our start, and their start
        // is not after our end.
        let low = firstIndex { !precedes($0.through, interval.from) }
        let high = firstIndex { precedes(interval.through, $0.from) }
        var joined = interval
        if low < high {
            if precedes(intervals[low].from, joined.from) { joined.from = intervals[low].from }
            joined.through = max(joined.through, intervals[high - 1].through)
        }
        intervals.replaceSubrange(low..<high, with: CollectionOfOne(joined))
        if intervals.count > Self.maximumIntervals {
            // What was just proven is what somebody looks at; the oldest other one goes.
            intervals.remove(at: low == 0 ? 1 : 0)
        }
        return true
    }

    /// Uncovers an interval.
    ///
    /// - Complexity: O(n) in the number of intervals.
    public mutating func subtract(_ interval: Interval) {
        guard !interval.isEmpty else { return }
        var result: [Interval] = []
        result.reserveCapacity(intervals.count + 1)
        for held in intervals {
            if let from = interval.from, precedes(held.from, from) {
                result.append(Interval(from: held.from, through: min(held.through, from)))
            }
            if held.through > interval.through {
                let from = precedes(held.from, interval.through) ? interval.through : held.from
                result.append(Interval(from: from, through: held.through))
            }
        }
        if result.count > Self.maximumIntervals { result.removeFirst() }
        intervals = result
    }

    /// Uncovers everything before `horizon`, the oldest message that is still to be had.
    ///
    /// - Complexity: O(n) in the number of intervals.
    public mutating func trim(below horizon: MessageID) {
        guard let last = horizon.predecessor else { return }
        subtract(Interval(from: nil, through: last))
    }

    /// The first interval for which a monotonic condition holds.
    private func firstIndex(where condition: (Interval) -> Bool) -> Int {
        // Nearly every question is about the newest interval.
        guard let last = intervals.last, condition(last) else { return intervals.count }
        var low = 0
        var high = intervals.count - 1
        while low < high {
            let middle = (low + high) / 2
            if condition(intervals[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    #if DEBUG
    /// Traps unless the intervals are ascending, disjoint and apart.
    package func checkInvariants() {
        precondition(intervals.count <= Self.maximumIntervals)
        for interval in intervals { precondition(!interval.isEmpty) }
        for (left, right) in zip(intervals, intervals.dropFirst()) {
            precondition(precedes(left.through, right.from))
        }
    }
    #endif
}

/// Whether one bound lies before another, where `nil` is the beginning of the room.
func precedes(_ left: MessageID?, _ right: MessageID?) -> Bool {
    guard let right else { return false }
    guard let left else { return true }
    return left < right
}

extension MessageID {
    /// The ID just below; `nil` for the lowest.
    package var predecessor: MessageID? { rawValue == 0 ? nil : MessageID(rawValue - 1) }

    /// The ID just above; the highest is its own.
    package var successor: MessageID { rawValue == .max ? self : MessageID(rawValue + 1) }
}
