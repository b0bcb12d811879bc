import Synchronization

/// What one consumer has not read yet: bounded, and honest about what it had to drop.
///
/// It holds up to `capacity` elements. Where it is full, further elements are dropped and counted,
/// and of further *states* the latest is kept. The reader finds the elements, then the count of
/// those that are missing after them, then the latest state, then what came later: a loss is seen
/// in its place. With capacity 0 and states only, it is a latest value.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements = FirstInFirstOut<Element>()
        var dropped = 0
        var latestState: Element?
        var isFinished = false
    }

    private let capacity: Int
    private let overflowed: @Sendable (Int) -> Element
    private let state = Mutex(State())
    private let arrival = Signal(.onceEach)

    init(capacity: Int, overflowed: @escaping @Sendable (Int) -> Element) {
        self.capacity = capacity
        self.overflowed = overflowed
    }

    func put(_ element: Element, isState: Bool) {
        state.withLock { state in
            guard !state.isFinished else { return }
            guard state.elements.count >= capacity else {
                settleOverflow(&state)
                state.elements.append(element)
                return
            }
            if isState { state.latestState = element } else { state.dropped += 1 }
        }
        arrival.raise()
    }

    /// Nothing follows; what is there can still be read.
    func finish() {
        state.withLock { $0.isFinished = true }
        arrival.raise()
    }

    /// The next element; `nil` at the end, or where the task is cancelled.
    func next() async -> Element? {
        while true {
            let (element, isFinished) = state.withLock { state in
                if state.elements.isEmpty { settleOverflow(&state) }
                return (state.elements.popFirst(), state.isFinished)
            }
            if let element { return element }
            if isFinished || Task.isCancelled { return nil }
            await arrival.wait()
        }
    }

    private func settleOverflow(_ state: inout sending State) {
        if state.dropped > 0 {
            state.elements.append(overflowed(state.dropped))
            state.dropped = 0
        }
        if let latest = state.latestState {
            state.elements.append(latest)
            state.latestState = nil
        }
    }
}
