#if os(Linux)
package import RejoinModel
package import RejoinTime

/// Sends whose ID is drawn and whose commit is still to come, as on a server that numbers
/// messages before it stores them. Only for tests of clients.
package struct LateCommits {
    /// A send that waits.
    package struct Pending {
        package let id: MessageID
        let room: RoomID
        let author: UserID
        let draft: MessageDraft
        package let due: Instant
    }

    private let settle: Duration
    private let capacity: Int
    private var random: SplitMix
    /// By due time, then by ID.
    private var pending: [Pending] = []

    package init(settle: Duration, capacity: Int, seed: UInt64) {
        self.settle = settle
        self.capacity = max(1, capacity)
        random = SplitMix(state: seed)
    }

    /// When the next one is due.
    package var nextDeadline: Instant? { pending.first?.due }

    /// Keeps a send back for a time drawn between zero and the settling time.
    package mutating func hold(
        _ draft: MessageDraft, as id: MessageID, in room: RoomID, by author: UserID,
        at now: Instant
    ) {
        let wait = Int64.random(in: 0...max(0, settle.wholeNanoseconds), using: &random)
        let send = Pending(
            id: id, room: room, author: author, draft: draft, due: now + .nanoseconds(wait))
        let index =
            pending.firstIndex { (send.due, send.id) < ($0.due, $0.id) } ?? pending.endIndex
        pending.insert(send, at: index)
    }

    /// The ID of a send that waits, for a repeat of it.
    package func id(of client: ClientMessageID, in room: RoomID, by author: UserID)
        -> MessageID?
    {
        pending.first {
            $0.draft.clientID == client && $0.room == room && $0.author == author
        }?.id
    }

    /// Takes out what is due, and the oldest beyond the capacity.
    package mutating func takeDue(at now: Instant) -> [Pending] {
        let due = pending.prefix { $0.due <= now }.count
        return take(max(due, pending.count - capacity))
    }

    /// Takes out everything: the server stops.
    package mutating func takeAll() -> [Pending] { take(pending.count) }

    private mutating func take(_ count: Int) -> [Pending] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the waits of a seed are the same everywhere.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
#endif
