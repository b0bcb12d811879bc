public import RejoinModel
internal import RejoinTransport

/// A room's new state, and what led to it.
public struct RoomUpdate: Sendable {
    /// The state.
    public let snapshot: RoomSnapshot
    /// What changed since the snapshot that this consumer got before; `nil` for the first.
    public let changes: ChangeSet?
}

/// A room's states, for any number of consumers; each starts with the present one.
///
/// The buffering policy is *latest*: a slow consumer gets the newest state with one change set that
/// leads there from the state it had, never a missing one. The sequence ends when the room closes.
public struct RoomUpdates: AsyncSequence, Sendable {
    public typealias Element = RoomUpdate
    public typealias Failure = Never

    let hub: Broadcast<RoomSnapshot>

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: hub.makeConsumer())
    }

    /// One consumer's place in the sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let consumer: Broadcast<RoomSnapshot>.Consumer
        var previous: RoomSnapshot?

        init(consumer: Broadcast<RoomSnapshot>.Consumer) {
            self.consumer = consumer
        }

        /// - Complexity: O(n log n) in the number of rows.
        public mutating func next() async -> RoomUpdate? {
            while let snapshot = await consumer.next() {
                guard snapshot != previous else { continue }
                let changes = previous.map { snapshot.changes(since: $0) }
                previous = snapshot
                return RoomUpdate(snapshot: snapshot, changes: changes)
            }
            return nil
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Never) -> RoomUpdate? { await next() }
    }
}
