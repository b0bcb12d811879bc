/// The parts of a room's order in which every message of the server is held: disjoint half-open
/// intervals `(from, through]`, ascending, none touching the next (promise P1).
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
    }

    /// The intervals, ascending.
    public private(set) var intervals: [Interval] = []

    /// Creates a coverage of nothing.
    public init() {}
}
