/// A held message, with the moment in the timeline's life at which its state was learnt.
struct HeldMessage: Hashable, Sendable {
    var message: Message
    /// The count of the ``RequestStamp`` of the answer that brought it, or of its live arrival.
    var stamp: UInt64
}

/// Messages by ID and in server order.
struct MessageStore: Sendable {
    private var order: [MessageID] = []
    private var held: [MessageID: HeldMessage] = [:]

    init() {}

    var count: Int { order.count }
    var first: MessageID? { order.first }
    var last: MessageID? { order.last }

    subscript(id: MessageID) -> HeldMessage? { held[id] }

    mutating func insert(_ message: HeldMessage) {
        let id = message.message.id
        held[id] = message
        order.insert(id, at: index(notBefore: id))
    }

    mutating func update(_ message: HeldMessage) {
        held[message.message.id] = message
    }

    mutating func remove(_ id: MessageID) {
        held[id] = nil
        order.remove(at: index(notBefore: id))
    }

    func ids(after bound: MessageID?, through end: MessageID?, limit: Int) -> [MessageID] {
        let low = bound.map { index(notBefore: $0.successor) } ?? 0
        let high = end.map { index(notBefore: $0.successor) } ?? order.count
        return Array(order[low..<max(low, high)].prefix(limit))
    }

    func ids(before bound: MessageID?, limit: Int) -> [MessageID] {
        let high = bound.map { index(notBefore: $0) } ?? order.count
        return Array(order[..<high].suffix(limit))
    }

    private func index(notBefore id: MessageID) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if order[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
