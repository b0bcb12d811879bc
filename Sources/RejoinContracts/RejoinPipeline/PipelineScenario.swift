public import RejoinModel
public import RejoinSync
internal import RejoinTime

/// What one simulated life of a room is like. Everything is drawn from a seed, so that a failure
/// replays from it.
public struct PipelineScenario: Hashable, Sendable, CustomStringConvertible {
    /// The seed of everything else.
    public var seed: UInt64
    /// What the backend keeps.
    public var capabilities: BackendCapabilities
    /// Sizes, waits and limits of recovery; small, so that they are reached.
    public var policy: RecoveryPolicy
    /// Messages shown at most.
    public var windowLimit: Int
    /// Whether pages state the tightest bounds.
    public var statesTightBounds: Bool
    /// Messages in the room before it is opened.
    public var initialMessages: Int
    /// How long faults go on.
    public var faultTime: Duration
    /// How long the room then has to come to rest.
    public var restTime: Duration
    /// Milliseconds between two things that people do, on average.
    public var activityMilliseconds: Int
    /// Milliseconds between two faults, on average.
    public var faultMilliseconds: Int
    /// Of 100 requests, how many fail while faults go on.
    public var failingRequests: Int
    /// Of 100 commits, how many fail while faults go on.
    public var failingCommits: Int
    /// Of 100 events, how many the stream loses without a word, reorders or repeats.
    public var lyingEvents: Int
    /// Whether the server forgets old messages and changes.
    public var trims: Bool
    /// Whether some answers come from a replica that lags.
    public var hasLaggingReplica: Bool
    /// Whether the process is killed and resumes from the store.
    public var kills: Bool
    /// Whether intervals are served by a pipeline without coverage, which loses messages.
    public var hasLossyIntervals: Bool

    /// Draws a scenario.
    public init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let hasRevisions = Bool.random(using: &random)
        let settles = Int.random(in: 0..<4, using: &random) == 0
        capabilities = BackendCapabilities(
            commitOrder: settles ? .settles(within: .seconds(2)) : .ordered,
            hasRevisions: hasRevisions,
            hasSubscribeReceipts: Int.random(in: 0..<3, using: &random) > 0,
            maximumPageSize: Int.random(in: 3...30, using: &random))
        policy = RecoveryPolicy(
            pageSize: Int.random(in: 3...40, using: &random),
            catchUpPages: Int.random(in: 1...5, using: &random),
            bufferLimit: Int.random(in: 3...40, using: &random),
            reorderLimit: Int.random(in: 1...10, using: &random),
            waitingChangeLimit: Int.random(in: 1...10, using: &random),
            loadLimit: Int.random(in: 1...4, using: &random),
            confirmAfterMessages: Int.random(in: 2...20, using: &random))
        windowLimit = Int.random(in: 5...60, using: &random)
        statesTightBounds = Bool.random(using: &random)
        initialMessages = [0, 0, 1, 7, 80, 300].randomElement(using: &random) ?? 0
        faultTime = .seconds(Int.random(in: 20...120, using: &random))
        restTime = .seconds(180)
        activityMilliseconds = [40, 200, 1_000].randomElement(using: &random) ?? 200
        faultMilliseconds = [700, 3_000, 12_000].randomElement(using: &random) ?? 3_000
        failingRequests = [0, 10, 40].randomElement(using: &random) ?? 0
        failingCommits = [0, 0, 20].randomElement(using: &random) ?? 0
        lyingEvents = hasRevisions ? [0, 0, 15].randomElement(using: &random) ?? 0 : 0
        trims = Int.random(in: 0..<4, using: &random) == 0
        hasLaggingReplica = hasRevisions && Int.random(in: 0..<4, using: &random) == 0
        kills = Bool.random(using: &random)
        hasLossyIntervals = kills && Bool.random(using: &random)
    }

    public var description: String {
        "seed \(seed): revisions \(capabilities.hasRevisions), \(capabilities.commitOrder), "
            + "receipts \(capabilities.hasSubscribeReceipts), page \(policy.pageSize)/"
            + "\(capabilities.maximumPageSize), budget \(policy.catchUpPages), "
            + "window \(windowLimit), tight \(statesTightBounds), initial \(initialMessages), "
            + "faults \(faultTime) every \(faultMilliseconds) ms, activity "
            + "\(activityMilliseconds) ms, failing \(failingRequests)/\(failingCommits), lying "
            + "\(lyingEvents), trims \(trims), replica \(hasLaggingReplica), kills \(kills), "
            + "lossy \(hasLossyIntervals)"
    }
}
