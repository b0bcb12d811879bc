/// A room's messages as this device holds them, in server order, with what is proven about them.
///
/// A value: a copy is a snapshot, made in O(1), and going on with the original costs the same
/// while the copy is held, however large the room is.
///
/// Three regions, from old to new:
/// - *covered*: every message of the server is held there (promise P1). Only an anchored page or
///   consecutive revisions prove that.
/// - *gaps*: between covered intervals, and before the first.
/// - the *tail*: what came live after the newest covered message. Provisional, until a page or
///   ``confirmTail(through:stamp:)`` proves it. Where the stream may have lost something since,
///   the tail holds a gap too, see ``noteLoss(_:)``.
///
/// Which state of a message wins: the higher revision; where either has none, what was learnt
/// later, by live arrival or by the time its request was made; a tombstone is never undone by a
/// state that is not provably newer.
public struct Timeline: Sendable {
    /// The room.
    public let room: RoomID
    var store = MessageStore()
    var people: [UserID: Member] = [:]
    /// Counts request stamps and live arrivals.
    var clock: UInt64 = 0
    /// Where the tail may have lost something; `nil` where it is unbroken.
    var loss: TailLoss?
    /// Reasons and states of gaps that differ from what their place implies.
    var notes: [GapNote] = []
    /// Messages that a proven page showed not to exist, and the stamp of its request: an answer
    /// to an older request does not bring them back. The last ``Timeline/maximumRemovals``.
    var removals: [Removal] = []

    /// The intervals in which every message of the server is held.
    public internal(set) var coverage = Coverage()
    /// The oldest message that the server still keeps, as far as known.
    public internal(set) var horizon: MessageID?
    /// The identity of this state; renewed by every change.
    public internal(set) var version = SnapshotVersion()

    /// How many removed messages are remembered against late answers. Beyond that the oldest is
    /// forgotten; a late answer could then bring it back until the next page over its place.
    static let maximumRemovals = 256

    struct TailLoss: Hashable, Sendable {
        /// Everything after this ID may be incomplete; `nil`: from the beginning.
        var after: MessageID?
        var reason: Gap.Reason
        var state: Gap.State
        /// An answer to a request made before this stamp does not mend it.
        var stamp: UInt64
    }

    struct GapNote: Hashable, Sendable {
        var range: Coverage.Interval
        var reason: Gap.Reason
        var state: Gap.State
    }

    struct Removal: Hashable, Sendable {
        var id: MessageID
        var stamp: UInt64
    }

    /// Creates the timeline of a room of which nothing is known: one gap.
    public init(room: RoomID) {
        self.room = room
        loss = TailLoss(after: nil, reason: .notLoaded, state: .known, stamp: 0)
    }

    /// Takes a timeline up from what was stored. What happened since is not known, so it ends
    /// with a gap; messages that lie outside the coverage stay, unproven.
    ///
    /// - Complexity: O(n) for ascending messages.
    public init(
        room: RoomID, messages: some Sequence<Message>, members: some Sequence<Member> = [],
        coverage: Coverage, horizon: MessageID? = nil
    ) {
        self.init(room: room)
        let messages = Array(messages)
        if messages.isStrictlyAscending {
            store.insert(stretch: messages.map { HeldMessage(message: $0, stamp: 0) })
        } else {
            for message in messages where !contains(message.id) {
                store.insert(HeldMessage(message: message, stamp: 0))
            }
        }
        for member in members { _ = adopt(member) }
        self.coverage = coverage
        self.horizon = horizon
        // What lies beyond the proven part was stored without proof.
        let isProven = store.last.map { $0 <= coverage.newest ?? MessageID(0) } ?? true
        loss = TailLoss(
            after: coverage.newest, reason: isProven ? .disconnected : .unproven,
            state: .known,
            stamp: 0)
        if store.count == 0, coverage.isEmpty { loss?.reason = .notLoaded }
    }

    // MARK: Reading

    /// How many messages are held, tombstones included.
    public var count: Int { store.count }

    /// Whether no message is held.
    public var isEmpty: Bool { store.count == 0 }

    /// The oldest message held.
    public var first: Message? { store.first.flatMap { self[$0] } }

    /// The newest message held.
    public var last: Message? { store.last.flatMap { self[$0] } }

    /// The message with an ID, tombstones included.
    ///
    /// - Complexity: O(1) where IDs grow evenly, as counters and clocks make them, but for the
    ///   logarithm of n/65,536; a binary search among 64 messages more where they do not. Measured
    ///   at the cost of a `Dictionary`'s look-up.
    public subscript(id: MessageID) -> Message? { store[id] }

    /// Whether a message is held.
    ///
    /// - Complexity: as for a look-up.
    public func contains(_ id: MessageID) -> Bool { store.stamp(of: id) != nil }

    /// The messages held in `(after, through]`, ascending. `nil` bounds are open.
    ///
    /// - Complexity: O(log n + messages returned).
    public func messages(
        after: MessageID? = nil, through: MessageID? = nil, limit: Int = .max
    ) -> [Message] {
        store.collect(after: after, through: through, limit: limit) { $0.message }
    }

    /// The last `limit` messages held before an ID, ascending. `nil`: the newest.
    ///
    /// - Complexity: O(log n + messages returned).
    public func messages(before id: MessageID?, limit: Int) -> [Message] {
        store.collect(before: id, limit: limit) { $0.message }
    }

    /// The people known, by ID.
    public var members: [UserID: Member] { people }

    /// The newest ID up to which coverage reaches: the cursor for catching up. `nil` where nothing
    /// is covered.
    public var newestCovered: MessageID? { coverage.newest }

    /// The provisional tail: messages after the newest covered one, ascending.
    ///
    /// - Complexity: O(log n + messages returned).
    public var tail: [Message] { messages(after: coverage.newest) }

    /// Whether a tail awaits proof.
    public var hasProvisionalTail: Bool {
        guard let last = store.last else { return false }
        return precedes(coverage.newest, last)
    }

    // MARK: Stamps

    /// Takes the stamp of a request that is about to be issued.
    public mutating func makeStamp() -> RequestStamp {
        clock += 1
        return RequestStamp(count: clock)
    }
}

extension [Message] {
    /// Whether each message comes after the one before it, as in any well-formed page.
    ///
    /// - Complexity: O(n).
    var isStrictlyAscending: Bool {
        zip(self, dropFirst()).allSatisfy { $0.id < $1.id }
    }
}
