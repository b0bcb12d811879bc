internal import RejoinModel
public import RejoinPipeline
internal import RejoinSync
internal import RejoinTime

/// One pipeline, one room, one network between them that fails, in virtual time.
///
/// Two phases: faults, with all checks of safety at each commit and each publication; then rest,
/// at whose end the pipeline must have everything.
struct PipelineSimulation {
    enum Happening {
        case request(RequestID, HistoryRequest, life: Int)
        case answer(RequestID, Result<HistoryAnswer, BackendFailure>, life: Int)
        case stored(TimelineCommit, succeeds: Bool, life: Int)
        case timer(PipelineTimer, Instant, life: Int)
        case event(RoomEvent, connection: Int)
        case phase(SubscriptionPhase, connection: Int)
        case registered(connection: Int)
        case reconnect(connection: Int)
        case lateCommit(MessageID)
        case activity
        case fault
    }

    let scenario: PipelineScenario
    let make: PipelineFactory
    var random: SeededGenerator
    var room: ModelRoom
    var replica: ModelRoom
    var store = SimulatedStore()
    var pipeline: any RoomPipeline
    var oracle: PipelineOracle

    var now = Instant.origin
    var agenda = Agenda<Happening>()
    /// Counts processes: what belongs to a killed one is dropped.
    var life = 0
    /// Counts connections: what belongs to an old one is dropped.
    var connection = 0
    /// The connection to which the server sends events.
    var registered: Int?
    var lastEventAt = Instant.origin
    var timers: [PipelineTimer: Instant] = [:]
    /// The revision of the room that last served the change feed.
    var feedServedAt = Revision(0)
    var serverFailsUntil = Instant.origin
    var faultsEnd: Instant
    var pendingOutcomes = 0
    var isCommitting = false
    var lastOutcome: RecoveryOutcome?
    var statistics = PipelineStatistics()

    init(_ scenario: PipelineScenario, check: String, make: @escaping PipelineFactory) {
        self.scenario = scenario
        self.make = make
        random = SeededGenerator(seed: scenario.seed ^ 0xA5A5)
        room = ModelRoom(
            id: RoomID("r"), capabilities: scenario.capabilities,
            statesTightBounds: scenario.statesTightBounds)
        for count in 0..<scenario.initialMessages {
            _ = room.create(author: UserID("a"), text: "before \(count)")
        }
        replica = room
        faultsEnd = .origin + scenario.faultTime
        oracle = PipelineOracle(check: check, scenario: scenario)
        pipeline = make(PipelineCheckpoint(), Self.configuration(scenario, life: 0))
    }

    static func configuration(_ scenario: PipelineScenario, life: Int) -> PipelineConfiguration {
        PipelineConfiguration(
            room: RoomID("r"), user: UserID("me"), capabilities: scenario.capabilities,
            recovery: scenario.policy, windowLimit: scenario.windowLimit, uncommittedLimit: 50,
            seed: scenario.seed &+ UInt64(life))
    }

    var hasFaults: Bool { now < faultsEnd }

    /// Runs both phases.
    ///
    /// - Throws: ``ContractFailure`` naming the seed.
    mutating func run() throws(ContractFailure) -> PipelineStatistics {
        plan(.activity, in: 0...scenario.activityMilliseconds)
        plan(.fault, in: 0...scenario.faultMilliseconds)
        connect()
        try advance(to: faultsEnd)
        // The last fault: whatever the connection was, a new one begins.
        disconnect(noticedIn: 0...0)
        connect()
        try give(.trigger(.foreground))
        try advance(to: faultsEnd + .seconds(10))
        try advance(to: faultsEnd + scenario.restTime)
        try checkRest()
        try fillGaps()
        return statistics
    }

    private mutating func advance(to end: Instant) throws(ContractFailure) {
        while let (time, happening) = agenda.next(before: end) {
            now = time
            statistics.steps += 1
            try happen(happening)
        }
        now = end
    }

    mutating func plan(_ happening: Happening, in milliseconds: ClosedRange<Int>) {
        let wait = Int.random(in: milliseconds, using: &random)
        agenda.add(happening, at: now + .milliseconds(wait))
    }

    func isChosen(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func happen(_ happening: Happening) throws(ContractFailure) {
        switch happening {
        case .request(let id, let request, let life):
            let result = serve(request)
            plan(.answer(id, result, life: life), in: 1...60)
        case .answer(let id, let result, let life):
            if life == self.life { try give(.answered(id, result)) }
        case .stored(let commit, let succeeds, let life):
            guard life == self.life else { return }
            isCommitting = false
            guard succeeds else { return try give(.commitFailed(commit.id)) }
            store.apply(commit)
            statistics.commits += 1
            // What is wrong stays wrong: looking at some commits finds it, and leaves time for more
            // lives.
            if statistics.commits % 4 == 0 || !hasFaults {
                try oracle.store(store, agreesWith: room)
            }
            try give(.committed(commit.id))
        case .timer(let timer, let deadline, let life):
            guard life == self.life, timers[timer] == deadline else { return }
            timers[timer] = nil
            try give(.timer(timer))
        case .event(let event, let connection):
            if connection == self.connection { try give(.live(event)) }
        case .phase(let phase, let connection):
            if connection == self.connection { try give(.subscription(phase)) }
        case .registered(let connection):
            if connection == self.connection { registered = connection }
        case .reconnect(let connection):
            if connection == self.connection { connect() }
        case .lateCommit(let id):
            if let event = room.commitReserved(id) { broadcast(event) }
        case .activity:
            try act()
        case .fault:
            try fail()
        }
    }

    // MARK: The pipeline

    mutating func give(_ input: PipelineInput) throws(ContractFailure) {
        if case .trigger = input { pendingOutcomes += 1 }
        for effect in pipeline.handle(input, at: now) {
            switch effect {
            case .fetch(let id, let request):
                statistics.requests += 1
                plan(.request(id, request, life: life), in: 1...60)
            case .commit(let commit):
                guard !isCommitting else {
                    throw oracle.failure(
                        "one commit on its way at a time", "two",
                        "a store may finish them in another order")
                }
                isCommitting = true
                let fails = hasFaults && isChosen(scenario.failingCommits, &random)
                plan(.stored(commit, succeeds: !fails, life: life), in: 0...10)
            case .publish:
                statistics.publications += 1
                try oracle.snapshot(pipeline.snapshot, agreesWith: store, of: room)
            case .setTimer(let timer, let deadline):
                timers[timer] = deadline
                agenda.add(.timer(timer, deadline, life: life), at: max(now, deadline))
            case .cancelTimer(let timer):
                timers[timer] = nil
            case .recovered(let outcome):
                statistics.outcomes += 1
                pendingOutcomes = 0
                lastOutcome = outcome
            case .cancelFetch, .suggestRead, .observed, .metric, .shadow:
                break
            }
        }
    }

    // MARK: Rest

    private func checkRest() throws(ContractFailure) {
        guard pipeline.isSettled else {
            throw oracle.failure("a settled pipeline at rest", "one that is not", "a handover")
        }
        guard pendingOutcomes == 0, let lastOutcome else {
            throw oracle.failure(
                "an outcome for each trigger", "none", "a push handler that waits for it")
        }
        if case .failed(let failure, _) = lastOutcome {
            throw oracle.failure(
                "recovery after the last fault", "\(failure)", "people who wait for messages")
        }
        try oracle.rest(store, pipeline.snapshot, agreesWith: room)
    }

    /// The person scrolls up through all gaps: afterwards nothing is missing at all.
    private mutating func fillGaps() throws(ContractFailure) {
        try give(.load(.newest))
        var steps = 0
        while steps < 400 + 2 * room.changes.count {
            try advance(to: now + .seconds(8))
            steps += 1
            let snapshot = pipeline.snapshot
            if let gap = snapshot.gaps.last(where: { $0.state != .unrecoverable }) {
                try give(.approach(gap))
            } else if snapshot.hasOlder, let first = snapshot.messages.first {
                try give(.load(.before(first.id)))
            } else {
                break
            }
        }
        for message in room.messages where !store.proof.coverage.contains(message.id) {
            throw oracle.failure(
                "message \(message.id) covered once no gap is shown",
                "\(oracle.describe(store.proof)) after \(steps) steps",
                "people who take the conversation for complete")
        }
        try oracle.store(store, agreesWith: room)
        try oracle.rest(store, pipeline.snapshot, agreesWith: room)
    }
}

/// Makes the pipeline under test.
public typealias PipelineFactory =
    @Sendable (PipelineCheckpoint, PipelineConfiguration) -> any RoomPipeline

/// What a simulated life amounted to.
public struct PipelineStatistics: Hashable, Sendable {
    /// Things that happened.
    public var steps = 0
    /// Requests sent.
    public var requests = 0
    /// Commits stored.
    public var commits = 0
    /// Snapshots published.
    public var publications = 0
    /// Outcomes told.
    public var outcomes = 0

    /// Creates statistics of nothing.
    public init() {}
}
