internal import RejoinTime

/// What is to happen in virtual time: earliest first, and in the order of planning where two
/// things fall on one instant. A binary heap.
struct EventQueue {
    private struct Entry {
        let time: Instant
        let turn: UInt64
        let happening: Happening

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? turn < other.turn : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var turns: UInt64 = 0

    /// How much waits.
    var count: Int { heap.count }

    /// Plans something.
    ///
    /// - Complexity: O(log n).
    mutating func add(_ happening: Happening, at time: Instant) {
        turns += 1
        let entry = Entry(time: time, turn: turns, happening: happening)
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    /// Takes the next thing out that happens before `end`.
    ///
    /// - Complexity: O(log n).
    mutating func next(before end: Instant) -> (Instant, Happening)? {
        guard let first = heap.first, first.time < end else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return (first.time, first.happening) }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(last) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
        return (first.time, first.happening)
    }
}
