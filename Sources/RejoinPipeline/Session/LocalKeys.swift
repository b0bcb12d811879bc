import RejoinModel

/// The client IDs of the messages that were written here lately. Bounded: the oldest is forgotten,
/// and its row then takes the identity of the sent message, which costs a flicker and nothing else.
struct LocalKeys: Sendable {
    static let limit = 512

    private(set) var all: Set<ClientMessageID> = []
    private var order: [ClientMessageID] = []

    mutating func insert(_ key: ClientMessageID) {
        guard all.insert(key).inserted else { return }
        order.append(key)
        if order.count > Self.limit { all.remove(order.removeFirst()) }
    }
}
