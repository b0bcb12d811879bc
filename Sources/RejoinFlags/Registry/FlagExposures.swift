import Synchronization

/// Somebody was given a variant: what an analysis of a rollout starts from.
public struct FlagExposure: Hashable, Sendable {
    /// The flag's key.
    public let flag: String
    /// The variant's name; `nil` for the code default.
    public let variant: String?
    /// Why.
    public let reason: FlagReason
    /// Who; as sensitive as the host's user IDs are.
    public let targetingKey: String?

    /// Creates an exposure.
    public init(flag: String, variant: String?, reason: FlagReason, targetingKey: String?) {
        self.flag = flag
        self.variant = variant
        self.reason = reason
        self.targetingKey = targetingKey
    }

    public static func == (left: FlagExposure, right: FlagExposure) -> Bool {
        left.flag.hasSameBytes(as: right.flag) && left.reason == right.reason
            && left.variant.map(ByteKey.init) == right.variant.map(ByteKey.init)
            && left.targetingKey.map(ByteKey.init) == right.targetingKey.map(ByteKey.init)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteKey(flag))
        hasher.combine(variant.map(ByteKey.init))
        hasher.combine(targetingKey.map(ByteKey.init))
    }
}

/// Tells exposures apart that were told before: the pure core of ``FlagExposures``.
public struct FlagExposureCore: Sendable {
    private let limit: Int
    private var seen: Set<FlagExposure> = []
    /// The order in which they came; a ring once it is full.
    private var order: [FlagExposure] = []
    private var oldest = 0

    /// Creates a core that remembers so many exposures. Beyond them the oldest are forgotten, and
    /// told again should they come again.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Whether an exposure is new.
    public mutating func isNew(_ exposure: FlagExposure) -> Bool {
        guard seen.insert(exposure).inserted else { return false }
        if order.count < limit {
            order.append(exposure)
        } else {
            seen.remove(order[oldest])
            order[oldest] = exposure
            oldest = (oldest + 1) % limit
        }
        return true
    }
}

/// Collects exposures where decisions are taken and hands them, each once, to one consumer, on that
/// consumer's task.
///
/// Noting one costs an append under a lock. Where the consumer does not keep up, the newest are
/// dropped and counted: a flag check never waits for analytics.
public final class FlagExposures: AsyncSequence, Sendable {
    /// How many exposures wait at most.
    public static let maximumPending = 1_024

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let memory: Int

    private struct State {
        var pending: [FlagExposure] = []
        var dropped = 0
    }

    /// Creates a collector.
    ///
    /// - Parameter memory: How many exposures are remembered, so that they are told once.
    public init(memory: Int = 4_096) {
        self.memory = memory
        (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that a variant was given to somebody.
    public func note<Value>(_ evaluation: FlagEvaluation<Value>, for context: FlagContext) {
        let exposure = FlagExposure(
            flag: evaluation.key, variant: evaluation.variant, reason: evaluation.reason,
            targetingKey: context.targetingKey)
        let isFirst = state.withLock { state in
            guard state.pending.count < Self.maximumPending else {
                state.dropped += 1
                return false
            }
            state.pending.append(exposure)
            return state.pending.count == 1
        }
        if isFirst { signal.yield() }
    }

    /// How many exposures were dropped so far, because nobody took them.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Ends the sequence after what waits; any number of times.
    public func finish() { signal.finish() }

    fileprivate func drain() -> [FlagExposure] {
        state.withLock { state in
            defer { state.pending.removeAll(keepingCapacity: true) }
            return state.pending
        }
    }

    /// The exposures, for one consumer.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            exposures: self, signals: signals.makeAsyncIterator(),
            core: FlagExposureCore(limit: memory))
    }

    /// Hands out batches of exposures that are new.
    public struct Iterator: AsyncIteratorProtocol {
        let exposures: FlagExposures
        var signals: AsyncStream<Void>.Iterator
        var core: FlagExposureCore

        /// The next batch, never empty; `nil` after ``FlagExposures/finish()`` or when the task is
        /// cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> [FlagExposure]? {
            while true {
                let isGoingOn = await signals.next(isolation: actor) != nil
                let new = exposures.drain().filter { core.isNew($0) }
                if !new.isEmpty { return new }
                guard isGoingOn else { return nil }
            }
        }
    }
}
