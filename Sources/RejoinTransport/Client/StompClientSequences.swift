/// The connection's status: each consumer gets the present one, then the latest whenever it has
/// changed since it last looked.
public struct StompStatusUpdates: AsyncSequence, Sendable {
    public typealias Element = ConnectionStatus
    public typealias Failure = Never

    let broadcast: Broadcast<ConnectionStatus>

    init() {
        // Capacity 0 keeps the latest state only, so that nothing is ever dropped here.
        broadcast = Broadcast(capacity: 0, initial: .idle, overflowed: { _ in .idle })
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: broadcast.makeConsumer())
    }

    /// One consumer's place in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: Broadcast<ConnectionStatus>.Consumer

        public mutating func next() async -> ConnectionStatus? { await consumer.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> ConnectionStatus? { await consumer.next() }
    }
}

/// What engineers should know about a client: ERROR frames, messages without a subscription, ends
/// of connections. Each consumer holds up to 64 unread ones; ``StompReport/overflowed(_:)`` stands
/// for those that were dropped.
public struct StompReports: AsyncSequence, Sendable {
    public typealias Element = StompReport
    public typealias Failure = Never

    let broadcast: Broadcast<StompReport>

    init() {
        broadcast = Broadcast(capacity: 64, overflowed: StompReport.overflowed)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: broadcast.makeConsumer())
    }

    /// One consumer's place in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: Broadcast<StompReport>.Consumer

        public mutating func next() async -> StompReport? { await consumer.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> StompReport? { await consumer.next() }
    }
}
