/// A queue whose both ends cost amortised O(1). It sets no limit; its owner does.
struct FirstInFirstOut<Element> {
    private var storage: ContiguousArray<Element> = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }
    var first: Element? { isEmpty ? nil : storage[head] }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head]
        head += 1
        if head == storage.count {
            removeAll()
        } else if head >= 64, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: storage.count <= 64)
        head = 0
    }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
