public import RejoinModel
public import RejoinPipeline
internal import RejoinTransport

/// What happens to a rollout while people chat: for a host's log, no part of any conversation.
public enum RolloutEvent: Hashable, Sendable {
    /// A room was handed over from one pipeline to another.
    case switched(RoomID, from: PipelineVariant, to: PipelineSelection)
    /// A shadow comparison has something to tell.
    case shadow(ShadowReport)
    /// The guard took the refactored pipeline back, and why.
    case rolledBack(RollbackRecord)
    /// The flag's generation was raised, which ends the rollback.
    case lifted(RollbackRecord)
    /// What the guard keeps on disk could not be read or written, and what that means.
    case storeFailed(String)
    /// This many events were dropped here, because nobody fetched them in time.
    case overflowed(Int)
}

/// What happens to a rollout. Each consumer holds up to 64 unread events;
/// ``RolloutEvent/overflowed(_:)`` stands for those that were dropped.
public struct RolloutEvents: AsyncSequence, Sendable {
    public typealias Element = RolloutEvent
    public typealias Failure = Never

    let broadcast: Broadcast<RolloutEvent>

    init() {
        broadcast = Broadcast(capacity: 64, overflowed: RolloutEvent.overflowed)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: broadcast.makeConsumer())
    }

    /// One consumer's place in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: Broadcast<RolloutEvent>.Consumer

        public mutating func next() async -> RolloutEvent? { await consumer.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> RolloutEvent? { await consumer.next() }
    }
}
