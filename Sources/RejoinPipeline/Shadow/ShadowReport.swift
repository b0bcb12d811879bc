public import RejoinModel

/// What a shadow comparison has to tell: the first divergence of a room session, or why the
/// candidate was dropped. It holds IDs and no word of any message.
public struct ShadowReport: Hashable, Sendable {
    /// The room.
    public let room: RoomID
    /// What was found.
    public let finding: Finding
    /// The IDs that the control showed around the place, in its order; bounded by the policy.
    public let control: [MessageID]
    /// The IDs that the candidate showed there, in its order.
    public let candidate: [MessageID]
    /// How many comparisons agreed before.
    public let agreements: Int

    /// Creates a report.
    public init(
        room: RoomID, finding: Finding, control: [MessageID] = [], candidate: [MessageID] = [],
        agreements: Int
    ) {
        self.room = room
        self.finding = finding
        self.control = control
        self.candidate = candidate
        self.agreements = agreements
    }

    /// What a comparison can find.
    public enum Finding: Hashable, Sendable {
        /// The candidate says that nothing is missing, and lacks a message that the control shows.
        case missing(MessageID)
        /// The candidate shows a message before one that precedes it in the server's order.
        case misordered(MessageID)
        /// The candidate shows a message twice.
        case duplicated(MessageID)
        /// The candidate was dropped; nothing is said about it.
        case dropped(Reason)

        /// Whether it speaks against the candidate.
        public var isDivergence: Bool {
            switch self {
            case .missing, .misordered, .duplicated: true
            case .dropped: false
            }
        }
    }

    /// Which limit of the policy the candidate met.
    public enum Reason: String, Hashable, Sendable {
        case messages, inputs, reads, time
    }
}
