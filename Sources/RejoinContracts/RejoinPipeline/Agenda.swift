internal import RejoinTime

/// What is to happen in virtual time: earliest first, and in the order of planning where two things
/// fall on one instant. A binary heap.
struct Agenda<Element> {
    private var heap: [(time: Instant, turn: Int, element: Element)] = []
    private var turns = 0

    mutating func add(_ element: Element, at time: Instant) {
        turns += 1
        heap.append((time, turns, element))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next(before end: Instant) -> (Instant, Element)? {
        guard let first = heap.first, first.time < end else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.element)
    }

    mutating func removeAll(where condition: (Element) -> Bool) {
        let kept = heap.filter { !condition($0.element) }
        heap.removeAll()
        for entry in kept.sorted(by: { ($0.time, $0.turn) < ($1.time, $1.turn) }) {
            add(entry.element, at: entry.time)
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].turn) < (heap[right].time, heap[right].turn)
    }
}
