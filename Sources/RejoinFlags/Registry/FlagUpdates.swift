import Synchronization

/// What a registry changes, as one consumer sees it: at most one update waits, into which later
/// ones are folded, so that a slow consumer costs memory for keys only and misses none.
public struct FlagUpdates: AsyncSequence, Sendable {
    let signals: AsyncStream<Void>
    let subscriber: FlagSubscriber

    /// The updates, in order.
    public func makeAsyncIterator() -> Iterator {
        Iterator(signals: signals.makeAsyncIterator(), subscriber: subscriber)
    }

    /// Hands out one update after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var signals: AsyncStream<Void>.Iterator
        let subscriber: FlagSubscriber

        /// The next update; `nil` once the registry is stopped or the task cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> FlagUpdate? {
            while await signals.next(isolation: actor) != nil {
                if let update = subscriber.pop() { return update }
            }
            return subscriber.pop()
        }
    }
}

/// One consumer's place to put updates.
final class FlagSubscriber: Sendable {
    private let pending = Mutex<FlagUpdate?>(nil)
    private let signal: AsyncStream<Void>.Continuation

    init(_ signal: AsyncStream<Void>.Continuation) {
        self.signal = signal
    }

    func take(_ update: FlagUpdate) {
        pending.withLock { $0 = $0?.followed(by: update) ?? update }
        signal.yield()
    }

    func pop() -> FlagUpdate? {
        pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
    }

    func finish() { signal.finish() }
}
