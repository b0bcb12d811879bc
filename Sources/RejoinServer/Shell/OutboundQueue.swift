#if os(Linux)
/// What waits to be written to one WebSocket, in order, bounded in bytes.
struct OutboundQueue {
    /// One WebSocket message, with room for its header before it.
    struct Item {
        var bytes: ContiguousArray<UInt8>
        let isText: Bool
    }

    private var items: [Item] = []
    private var first = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { first == items.count }

    mutating func append(_ item: Item) {
        items.append(item)
        byteCount += item.bytes.count
    }

    mutating func popFirst() -> Item? {
        guard !isEmpty else { return nil }
        let item = items[first]
        byteCount -= item.bytes.count
        first += 1
        // Gives the slots back in bulk, so that a pop costs O(1) in the mean.
        if first == items.count || first >= 64 {
            items.removeFirst(first)
            first = 0
        }
        return item
    }

    mutating func removeAll() {
        self = OutboundQueue()
    }
}
#endif
