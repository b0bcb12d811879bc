import RejoinTransport
import Synchronization

/// A queue between a fake and its test, unbounded because a test ends. One reader at a time; a
/// cancelled reader gets `nil`.
final class TestQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let arrived = Signal(.onceEach)

    var isEmpty: Bool { state.withLock { $0.elements.isEmpty } }

    func put(_ element: Element) {
        state.withLock { $0.elements.append(element) }
        arrived.raise()
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        arrived.raise()
    }

    func next() async -> Element? {
        while true {
            let (element, isFinished) = state.withLock { state in
                (state.elements.isEmpty ? nil : state.elements.removeFirst(), state.isFinished)
            }
            if let element { return element }
            if isFinished || Task.isCancelled { return nil }
            await arrived.wait()
        }
    }
}
