internal import RejoinKit
public import RejoinModel
public import RejoinPipeline
internal import RejoinReadState
public import RejoinSync
internal import RejoinTime

/// What one run is like. All of it is drawn from the seed, so that a failure replays from the seed
/// alone, and all of it is printed.
///
/// Runs differ in which troubles they have at all, not only in how many: a trouble that is always
/// there hides what its absence would show (FoundationDB's and TigerBeetle's swarms).
public struct SimulationOptions: Hashable, Sendable, CustomStringConvertible {
    /// The seed of everything.
    public let seed: UInt64

    /// The person on each device, counted from 0.
    public var people: [Int]
    /// How many rooms there are.
    public var rooms: Int
    /// What the backend keeps, and says that it keeps.
    public var capabilities: BackendCapabilities
    /// Whether changes go by the socket instead of by REST.
    public var sendsBySocket: Bool
    /// Whether pages state the tightest bounds that they prove.
    public var statesTightBounds: Bool
    /// Whether a bad token is refused at the upgrade already, and not only at CONNECT.
    public var checksUpgrade: Bool
    /// Whether the server beats.
    public var serverBeats: Bool
    /// Sizes, waits and limits of recovery; small, so that they are reached.
    public var policy: RecoveryPolicy
    /// Messages shown at most.
    public var windowLimit: Int
    /// Messages in a room before anybody opens it.
    public var initialMessages: Int
    /// How long faults go on.
    public var safetySeconds: Int
    /// How many steps they go on at most; `nil`: until their time is over.
    public var stepLimit: Int?
    /// Milliseconds between two things that a person with a device does, on average.
    public var personMilliseconds: Int
    /// Milliseconds between two things that others do, on average.
    public var othersMilliseconds: Int
    /// Milliseconds of one way through the network.
    public var latency: ClosedRange<Int>
    /// Milliseconds that the store takes for a commit.
    public var storeLatency: ClosedRange<Int>
    /// Whether the process is frozen in the background.
    public var sleepsInBackground: Bool

    /// Of 100 messages to a device, how many come in pieces.
    public var splits: Int
    /// Of 100 events, how many the server's workers deliver twice.
    public var redeliveries: Int
    /// Of 100 events, how many the server's workers deliver out of order.
    public var reorderings: Int
    /// Of 100 requests, how many fail.
    public var failingRequests: Int
    /// Of 100 commits, how many the store refuses.
    public var failingCommits: Int
    /// Of 100 new messages, how many become visible after later ones, where the backend may.
    public var lateCommits: Int
    /// Of 100 kinds of fault, how many strike in this run.
    public var faultKinds: Int

    /// Where the pipelines are switched: the steps at which that happens; none: they are drawn.
    public var flipSteps: [Int] = []
    /// Where the pipelines are switched: the first one; `nil`: it is drawn.
    public var firstFlag: PipelineVariant?

    /// The thresholds of the rollout guard, as the flag's metadata names them.
    public var guardPolicy = GuardPolicy()
    /// How much a shadow comparison may cost.
    public var shadow = ShadowPolicy()
    /// What the refactored pipeline suffers from; `nil`: it is healthy.
    public var illness: Illness?

    /// Draws the options of a seed.
    public init(seed: UInt64) {
        self.seed = seed
        var random = Randomness(seed: seed).stream("options")
        people = random.pick([
            [0, 1], [0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 0, 1, 1], [0, 0, 0],
        ])
        rooms = random.chance(35) ? 2 : 1
        let settles = random.chance(25)
        capabilities = BackendCapabilities(
            commitOrder: settles ? .settles(within: .seconds(2)) : .ordered,
            idempotentSendRetention: random.chance(80) ? .seconds(86_400) : nil,
            hasRevisions: random.chance(70), hasSubscribeReceipts: random.chance(70),
            maximumPageSize: random.int(5...60))
        sendsBySocket = random.chance(40)
        statesTightBounds = random.chance(50)
        checksUpgrade = random.chance(50)
        serverBeats = random.chance(80)
        policy = RecoveryPolicy(
            pageSize: random.int(5...60), catchUpPages: random.int(1...5),
            bufferLimit: random.int(5...60), reorderLimit: random.int(2...10),
            waitingChangeLimit: random.int(1...10), loadLimit: random.int(1...4),
            confirmAfterMessages: random.int(3...20))
        windowLimit = random.int(8...40)
        initialMessages = random.pick([0, 1, 12, 30, 30, 60])
        safetySeconds = random.pick([240, 420, 540, 600])
        personMilliseconds = random.pick([8_000, 12_000, 20_000])
        othersMilliseconds = random.pick([4_000, 8_000, 16_000])
        latency = random.pick([1...20, 10...120, 50...900])
        storeLatency = random.pick([0...1, 1...20, 20...400])
        sleepsInBackground = random.chance(60)
        splits = random.pick([0, 0, 5, 60])
        redeliveries = random.pick([0, 0, 0, 10])
        reorderings = random.pick([0, 0, 0, 10])
        failingRequests = random.pick([0, 0, 5, 20])
        failingCommits = random.pick([0, 0, 0, 10])
        lateCommits = settles ? random.pick([0, 20, 40]) : 0
        faultKinds = random.pick([6, 12, 12, 12, 30])
        drawShadow()
    }

    private mutating func drawShadow() {
        var random = Randomness(seed: seed).stream("shadow")
        shadow.samplingPerMille = random.pick([1_000, 1_000, 500])
        shadow.readLimit = random.pick([40, 40, 5])
        shadow.messageLimit = random.pick([10_000, 10_000, 150])
        shadow.inputLimit = random.pick([20_000, 20_000, 400])
        shadow.timeLimit = random.pick([.seconds(3_600), .seconds(3_600), .seconds(120)])
    }

    /// How many steps the faults of a short run go on at most.
    package static let shortSteps = 500

    /// A short run in which much happens, for what is tried at each of its steps.
    package static func short(seed: UInt64) -> SimulationOptions {
        var options = SimulationOptions(seed: seed)
        options.stepLimit = shortSteps
        options.safetySeconds = 60
        options.personMilliseconds = 1_500
        options.othersMilliseconds = 1_000
        options.faultKinds = 30
        options.initialMessages = 12
        return options
    }

    /// A short run in which the flag changes at a step and soon back; where the step is uneven it
    /// names the legacy pipeline first.
    package static func flipping(seed: UInt64, at step: Int) -> SimulationOptions {
        var options = short(seed: seed)
        options.firstFlag = step.isMultiple(of: 2) ? .refactored : .legacy
        options.flipSteps = [step, step + 1 + step % 60]
        return options
    }

    /// A run in which the refactored pipeline is ill. People do much, so that a window has its
    /// sample; but comparisons need moments of rest.
    public static func ill(_ illness: Illness, seed: UInt64) -> SimulationOptions {
        var options = SimulationOptions(seed: seed)
        options.illness = illness
        options.safetySeconds = 600
        if illness != .divergence { options.personMilliseconds = 2_000 }
        options.guardPolicy.minimumSample = 10
        options.shadow = ShadowPolicy()
        return options
    }

    public var description: String {
        let kept = capabilities
        let rows: [(String, [String])] = [
            (
                "people",
                [
                    "\(people.count) devices of \(Set(people).count)", "\(rooms) room(s)",
                    "an act in \(personMilliseconds) ms each",
                    "others one in \(othersMilliseconds) ms",
                ]
            ),
            (
                "backend",
                [
                    "\(kept.commitOrder)", "idempotent \(kept.idempotentSendRetention != nil)",
                    "revisions \(kept.hasRevisions)", "receipts \(kept.hasSubscribeReceipts)",
                    "pages of \(kept.maximumPageSize)", "tight bounds \(statesTightBounds)",
                    "beats \(serverBeats)", "checks upgrade \(checksUpgrade)",
                    "\(initialMessages) messages before",
                ]
            ),
            (
                "client",
                [
                    "sends by \(sendsBySocket ? "socket" : "REST")", "pages of \(policy.pageSize)",
                    "budget \(policy.catchUpPages)", "buffer \(policy.bufferLimit)",
                    "reorder \(policy.reorderLimit)", "waiting \(policy.waitingChangeLimit)",
                    "loads \(policy.loadLimit)", "confirm \(policy.confirmAfterMessages)",
                    "window \(windowLimit)", "frozen in background \(sleepsInBackground)",
                ]
            ),
            (
                "network",
                [
                    "\(latency.lowerBound)-\(latency.upperBound) ms",
                    "store \(storeLatency.lowerBound)-\(storeLatency.upperBound) ms",
                ]
            ),
            (
                "of 100",
                [
                    "splits \(splits)", "redeliveries \(redeliveries)",
                    "reorderings \(reorderings)", "failing requests \(failingRequests)",
                    "failing commits \(failingCommits)", "late commits \(lateCommits)",
                    "kinds of fault \(faultKinds)",
                ]
            ),
            ("faults", ["for \(safetySeconds) s"]),
            (
                "shadow",
                [
                    "sampled \(shadow.samplingPerMille) of 1000", "reads \(shadow.readLimit)",
                    "messages \(shadow.messageLimit)", "inputs \(shadow.inputLimit)",
                    "for \(shadow.timeLimit)",
                ]
            ),
            (
                "rollout",
                [
                    "illness \(illness?.rawValue ?? "none")",
                    "samples of \(guardPolicy.minimumSample)",
                ]
            ),
        ]
        return rows.reduce("seed \(seed)") { text, row in
            let name = row.0 + String(repeating: " ", count: 9 - row.0.count)
            return text + "\n  \(name)\(row.1.joined(separator: ", "))"
        }
    }
}
