/// A subscription as its consumers see it: what happens to it and its messages, in one order.
///
/// Any number of consumers may iterate; each gets every event. The first one gets them from the
/// subscription's beginning, later ones from the present phase on. A consumer that is too slow for
/// its buffer finds ``Event/overflowed(_:)`` in the place of the messages that were dropped: that
/// is a loss, to be repaired like any other. The sequence ends after a phase that is final, and
/// when the client stops running.
///
/// It lives until ``StompClient/unsubscribe(_:)``, whether or not anybody iterates.
public struct StompSubscription: AsyncSequence, Sendable {
    /// What a consumer sees.
    public enum Event: Hashable, Sendable {
        /// The subscription stands differently now.
        case phase(StompSubscriptionPhase)
        /// A message.
        case message(StompMessage)
        /// This many messages were dropped here, because the consumer was too slow.
        case overflowed(Int)
    }

    public typealias Element = Event
    public typealias Failure = Never

    /// How much a consumer may lag behind.
    public struct Buffering: Hashable, Sendable {
        let capacity: Int

        /// Up to `count` events (at least 1) are kept for each consumer; messages that come while
        /// they are all unread are dropped and reported. Of phases that come meanwhile the latest
        /// is kept.
        public static func bounded(_ count: Int) -> Buffering {
            Buffering(capacity: Swift.max(1, count))
        }
    }

    /// The subscription's name.
    public let key: StompSubscriptionKey
    /// What it asks for.
    public let request: StompSubscriptionRequest
    let broadcast: Broadcast<Event>

    init(
        key: StompSubscriptionKey, request: StompSubscriptionRequest, buffering: Buffering
    ) {
        self.key = key
        self.request = request
        broadcast = Broadcast(capacity: buffering.capacity, overflowed: Event.overflowed)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: broadcast.makeConsumer())
    }

    /// One consumer's place in the sequence. Its `next()` returns `nil` in a cancelled task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: Broadcast<Event>.Consumer

        public mutating func next() async -> Event? { await consumer.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> Event? { await consumer.next() }
    }
}
