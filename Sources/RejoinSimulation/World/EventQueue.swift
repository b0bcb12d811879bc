package import RejoinTime

/// What is to happen in virtual time: earliest first, and in the order of planning where two
/// things fall on one instant.
///
/// A binary heap of small keys; what they stand for lies still in slots that are used again, so
/// that sorting moves three words and counts no references.
package struct EventQueue<Element> {
    private struct Key {
        let time: Instant
        let turn: UInt64
        let slot: Int

        func precedes(_ other: Key) -> Bool {
            time == other.time ? turn < other.turn : time < other.time
        }
    }

    private var heap: [Key] = []
    private var slots: [Element?] = []
    private var freeSlots: [Int] = []
    private var turns: UInt64 = 0

    /// Creates a queue in which nothing is planned.
    package init() {}

    /// How much waits.
    package var count: Int { heap.count }

    /// Plans something.
    ///
    /// - Complexity: O(log n).
    package mutating func add(_ element: Element, at time: Instant) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = element
        } else {
            slot = slots.count
            slots.append(element)
        }
        turns += 1
        let key = Key(time: time, turn: turns, slot: slot)
        heap.append(key)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard key.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = key
    }

    /// Takes the next thing out that happens before `end`.
    ///
    /// - Complexity: O(log n).
    package mutating func next(before end: Instant) -> (Instant, Element)? {
        guard let first = heap.first, first.time < end, let last = heap.popLast() else {
            return nil
        }
        if !heap.isEmpty { sink(last) }
        let element = slots[first.slot].take()
        freeSlots.append(first.slot)
        return element.map { (first.time, $0) }
    }

    /// Finds the place of a key whose way begins at the top.
    private mutating func sink(_ key: Key) {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(key) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = key
    }
}
