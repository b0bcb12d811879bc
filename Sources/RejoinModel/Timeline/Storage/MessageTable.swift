/// Messages by ID: a hash table that grows by one bucket at a time (linear hashing, Litwin 1980),
/// so that no insertion ever pays for a rehash of the whole.
///
/// Buckets hang in a tree of fixed height whose nodes have ``fanOut`` children. A change while a
/// copy is held therefore copies one bucket and three small nodes, whatever the table's size; only
/// the root grows with it, by one child for each 16,384 messages.
///
/// A table does not shrink: a timeline loses messages one by one and rarely.
struct MessageTable: Sendable {
    private typealias Bucket = ContiguousArray<HeldMessage>
    private typealias Node = ContiguousArray<Bucket>
    private typealias Branch = ContiguousArray<Node>

    /// Children of a node below the root: 2^bits. Small, because the copy of a node touches the
    /// reference count of each child, wherever in memory that lies.
    private static let bits = 4
    private static let fanOut = 1 << bits
    private static let slot = fanOut - 1
    /// The mean number of messages in a bucket at which the table grows.
    private static let load = 4

    private var root: ContiguousArray<ContiguousArray<Branch>> = [[[[[]]]]]
    private var bucketCount = 1
    /// The largest power of two that is not above ``bucketCount``.
    private var base = 1
    private(set) var count = 0

    init() {}

    /// The message with an ID.
    ///
    /// - Complexity: O(1) expected.
    func message(_ id: MessageID) -> Message? {
        let bucket = self[place(of: id)]
        return Self.index(of: id, in: bucket).map { bucket[$0].message }
    }

    /// The moment at which the held state of a message was learnt; `nil` where it is not held.
    ///
    /// - Complexity: O(1) expected.
    func stamp(of id: MessageID) -> UInt64? {
        let bucket = self[place(of: id)]
        return Self.index(of: id, in: bucket).map { bucket[$0].stamp }
    }

    /// Adds a message that is not held.
    ///
    /// - Complexity: O(1) expected.
    mutating func insert(_ held: HeldMessage) {
        self[place(of: held.message.id)].append(held)
        count += 1
        if count > bucketCount * Self.load { split() }
    }

    /// Replaces a message that is held.
    ///
    /// - Complexity: O(1) expected.
    mutating func update(_ held: HeldMessage) {
        let place = place(of: held.message.id)
        guard let index = Self.index(of: held.message.id, in: self[place])
        else { preconditionFailure("an update of a message that is not held") }
        self[place][index] = held
    }

    /// Removes a message that is held.
    ///
    /// - Complexity: O(1) expected.
    mutating func remove(_ id: MessageID) {
        let place = place(of: id)
        guard let index = Self.index(of: id, in: self[place])
        else { preconditionFailure("a removal of a message that is not held") }
        self[place].remove(at: index)
        count -= 1
    }

    private static func index(of id: MessageID, in bucket: Bucket) -> Int? {
        bucket.indices.first { bucket[$0].message.id == id }
    }

    /// The bucket of an ID: by the hash's low bits, one bit more for buckets that are split.
    private func place(of id: MessageID) -> Int {
        let hash = Self.hash(id)
        let wide = hash & (2 * base - 1)
        return wide < bucketCount ? wide : hash & (base - 1)
    }

    private subscript(place: Int) -> Bucket {
        get {
            root[place >> (3 * Self.bits)][(place >> (2 * Self.bits)) & Self.slot][
                (place >> Self.bits) & Self.slot][place & Self.slot]
        }
        _modify {
            yield &root[place >> (3 * Self.bits)][(place >> (2 * Self.bits)) & Self.slot][
                (place >> Self.bits) & Self.slot][place & Self.slot]
        }
    }

    /// Adds a bucket and moves to it what belongs there, all out of one other bucket.
    private mutating func split() {
        let new = bucketCount
        let old = new - base
        let mask = 2 * base - 1
        var moves: Bucket = []
        moves.reserveCapacity(2 * Self.load)
        for held in self[old] where Self.hash(held.message.id) & mask == new { moves.append(held) }
        if !moves.isEmpty { self[old].removeAll { Self.hash($0.message.id) & mask == new } }
        if new & Self.slot == 0 { addNode(at: new) }
        root[new >> (3 * Self.bits)][(new >> (2 * Self.bits)) & Self.slot][
            (new >> Self.bits) & Self.slot
        ].append(moves)
        bucketCount += 1
        if bucketCount == 2 * base { base = bucketCount }
    }

    /// Adds the empty node, and where it is the first of its branch the branch, for a bucket.
    private mutating func addNode(at place: Int) {
        let top = place >> (3 * Self.bits)
        let branch = (place >> (2 * Self.bits)) & Self.slot
        if top == root.count { root.append([]) }
        if branch == root[top].count { root[top].append([]) }
        root[top][branch].append([])
    }

    /// Folds an ID and mixes it so that every bit of it reaches the low bits (MurmurHash3's
    /// finaliser, Appleby 2011). It needs no secret: the server alone assigns IDs, and could slow
    /// down nobody but the readers of its own room.
    private static func hash(_ id: MessageID) -> Int {
        var mixed =
            UInt64(truncatingIfNeeded: id.rawValue)
            ^ (UInt64(truncatingIfNeeded: id.rawValue >> 64) &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return Int(truncatingIfNeeded: mixed ^ (mixed >> 33))
    }

    #if DEBUG
        /// Traps unless each message lies in its bucket, once.
        ///
        /// - Complexity: O(n).
        func checkInvariants() {
            precondition(base <= bucketCount && bucketCount < 2 * base)
            var seen: Set<MessageID> = []
            for bucket in 0..<bucketCount {
                for held in self[bucket] {
                    precondition(place(of: held.message.id) == bucket)
                    precondition(seen.insert(held.message.id).inserted)
                }
            }
            precondition(seen.count == count)
        }
    #endif
}
