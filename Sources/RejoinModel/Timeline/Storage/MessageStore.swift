/// A held message, with the moment in the timeline's life at which its state was learnt.
struct HeldMessage: Hashable, Sendable {
    var message: Message
    /// The count of the ``RequestStamp`` of the answer that brought it, or of its live arrival.
    var stamp: UInt64
}

/// Messages by ID and in server order: a hash table that holds them, and beside it their IDs in
/// order. Both are persistent, so that a change costs the same while a copy is held.
struct MessageStore: Sendable {
    private var table = MessageTable()
    private var order = OrderedIDs()

    init() {}

    var count: Int { table.count }

    /// The oldest ID.
    var first: MessageID? { order.first }

    /// The newest ID.
    var last: MessageID? { order.last }

    /// The message with an ID.
    ///
    /// - Complexity: O(1).
    subscript(id: MessageID) -> Message? { table.message(id) }

    /// When the held state of a message was learnt; `nil` where it is not held.
    ///
    /// - Complexity: O(1).
    func stamp(of id: MessageID) -> UInt64? {
        // What lies beyond either end, as most new messages do, needs no look into the table.
        guard let first, let last, first <= id, id <= last else { return nil }
        return table.stamp(of: id)
    }

    /// Adds a message.
    ///
    /// - Precondition: it is not held.
    /// - Complexity: amortised O(1) at either end of the order, O(log n) elsewhere.
    mutating func insert(_ held: HeldMessage) {
        table.insert(held)
        order.insert(held.message.id)
    }

    /// Replaces a message that is held.
    ///
    /// - Complexity: O(1).
    mutating func update(_ held: HeldMessage) {
        table.update(held)
    }

    /// Removes a message that is held.
    ///
    /// - Complexity: O(log n).
    mutating func remove(_ id: MessageID) {
        table.remove(id)
        order.remove(id)
    }

    /// The first `limit` IDs in `(bound, end]`, ascending; `nil` bounds are open.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(after bound: MessageID?, through end: MessageID?, limit: Int) -> [MessageID] {
        order.ids(after: bound, through: end, limit: limit)
    }

    /// The last `limit` IDs before a bound, ascending; `nil`: the newest.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(before bound: MessageID?, limit: Int) -> [MessageID] {
        order.ids(before: bound, limit: limit)
    }

    #if DEBUG
        /// Traps unless both parts hold the same IDs.
        func checkInvariants() {
            order.checkInvariants()
            table.checkInvariants()
            precondition(order.count == table.count)
        }
    #endif
}
