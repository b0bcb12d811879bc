public import RejoinModel
public import RejoinSync
public import RejoinTime

/// The inbound message pipeline that keeps promises P1 to P3: ``RoomRecovery`` over a `Timeline`,
/// with every change stored before it is shown.
///
/// - Nothing is published, observed or called recovered before the store has acknowledged it.
/// - One commit is on its way at a time. Where the store falls behind by
///   ``PipelineConfiguration/uncommittedLimit`` messages, the pipeline takes nothing more; what it
///   let pass is recovered afterwards.
/// - Started from a checkpoint of another pipeline, messages outside the proven coverage are held
///   without proof, and recovery proves or removes them (promise P6).
public struct RefactoredPipeline: RoomPipeline {
    private let configuration: PipelineConfiguration
    private var recovery: RoomRecovery
    private var commits: CommitQueue
    private var lastRead: MessageID?
    private var isStalled = false
    /// When recovery wants the retry timer, which it shares with the commits.
    private var recoveryRetry: Instant?
    private var armedRetry: Instant?

    public private(set) var snapshot: TimelineSnapshot

    /// Takes a room up from what was stored.
    ///
    /// - Complexity: O(messages stored).
    public init(resuming checkpoint: PipelineCheckpoint, configuration: PipelineConfiguration) {
        self.configuration = configuration
        let timeline = Timeline(
            room: configuration.room, messages: checkpoint.messages, members: checkpoint.members,
            coverage: checkpoint.proof.coverage, horizon: checkpoint.proof.horizon)
        recovery = RoomRecovery(
            timeline: timeline, revision: checkpoint.proof.revision, stale: checkpoint.proof.stale,
            user: configuration.user, capabilities: configuration.capabilities,
            policy: configuration.recovery, windowLimit: configuration.windowLimit,
            seed: configuration.seed)
        commits = CommitQueue(
            stored: timeline, proof: checkpoint.proof, backoff: configuration.recovery.backoff,
            seed: configuration.seed &+ 1)
        lastRead = checkpoint.lastRead
        snapshot = timeline.snapshot(recovery.window)
    }

    /// Where the recovery stands.
    public var state: RecoveryState { recovery.state }

    public var isSettled: Bool { commits.isSettled && proof == commits.storedProof }

    public var isCatchingUp: Bool { recovery.isCatchingUp }

    /// What is stored; what still waits for the store is not part of it, so that it can never
    /// claim more than the store holds.
    public func checkpoint() -> PipelineCheckpoint {
        PipelineCheckpoint(
            messages: commits.stored.messages(),
            members: commits.stored.members.values.sorted { $0.id < $1.id },
            proof: commits.storedProof, lastRead: lastRead)
    }

    public mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        var effects: [PipelineEffect] = []
        commits.advance(to: now)
        switch input {
        case .subscription(let phase):
            forward(RecoveryInput(phase), at: now, into: &effects)
        case .live(let event):
            forward(.live(event), at: now, into: &effects)
        case .answered(let id, let result):
            forward(.answered(id, result), at: now, into: &effects)
        case .settledSend(let message):
            forward(.settledSend(message), at: now, into: &effects)
        case .committed(let id):
            if let told = commits.committed(id) { publish(telling: told, into: &effects) }
        case .commitFailed(let id):
            commits.failed(id, at: now)
        case .timer(.retry):
            armedRetry = nil
            if let due = recoveryRetry, due <= now {
                recoveryRetry = nil
                forward(.timer(.retry), at: now, into: &effects)
            }
        case .timer(let timer):
            forward(.timer(RecoveryTimer(timer)), at: now, into: &effects)
        case .readPosition(let position):
            lastRead = position
        case .trigger:
            forward(.trigger, at: now, into: &effects)
        case .load(let anchor):
            forward(.load(anchor), at: now, into: &effects)
        case .approach(let gap):
            forward(.approach(gap), at: now, into: &effects)
        case .background:
            // Nothing is held back for later: every commit is on its way already.
            break
        case .leave:
            forward(.leave, at: now, into: &effects)
        }
        settle(at: now, into: &effects)
        return effects
    }

    /// The cursor as the recovery has it now.
    private var proof: TimelineProof {
        TimelineProof(
            coverage: recovery.provenCoverage, stale: recovery.staleCoverage,
            revision: recovery.provenRevision, horizon: recovery.timeline.horizon)
    }

    private mutating func forward(
        _ input: RecoveryInput, at now: Instant, into effects: inout [PipelineEffect]
    ) {
        for effect in recovery.handle(input, at: now) {
            switch effect {
            case .fetch(let id, let request): effects.append(.fetch(id, request))
            case .cancelFetch(let id): effects.append(.cancelFetch(id))
            case .store(let delta): commits.add(delta)
            case .setTimer(.retry, let deadline): recoveryRetry = deadline
            case .cancelTimer(.retry): recoveryRetry = nil
            case .setTimer(let timer, let deadline):
                effects.append(.setTimer(PipelineTimer(timer), deadline))
            case .cancelTimer(let timer): effects.append(.cancelTimer(PipelineTimer(timer)))
            case .ended(let outcome): commits.acknowledge(.recovered(outcome))
            case .observed(let messages): commits.acknowledge(.observed(messages))
            case .metric(let metric): effects.append(.metric(PipelineMetric(metric)))
            }
        }
    }

    /// Hands over to the store what changed, and tells the recovery whether the store keeps up.
    private mutating func settle(at now: Instant, into effects: inout [PipelineEffect]) {
        flush(into: &effects)
        let isStalled = commits.count >= configuration.uncommittedLimit
        if isStalled != self.isStalled {
            self.isStalled = isStalled
            forward(.storeStalled(isStalled), at: now, into: &effects)
            flush(into: &effects)
        }
        let retry = [recoveryRetry, commits.retryAt].compactMap { $0 }.min()
        if retry != armedRetry {
            armedRetry = retry
            effects.append(retry.map { .setTimer(.retry, $0) } ?? .cancelTimer(.retry))
        }
    }

    private mutating func flush(into effects: inout [PipelineEffect]) {
        let told = commits.flush(recovery.timeline, proof, into: &effects)
        publish(telling: told, into: &effects)
    }

    /// Shows what is stored by now. Own messages are told before, so that a send settles together
    /// with the row that replaces its echo; the end of a recovery is told after. Where another one
    /// has begun since, such as by a subscription, it would speak of too much: then only that one's
    /// end is told, once it is stored.
    private mutating func publish(
        telling told: [PipelineEffect], into effects: inout [PipelineEffect]
    ) {
        var outcomes: [PipelineEffect] = []
        for effect in told {
            switch effect {
            case .recovered(.complete), .recovered(.partial):
                if !recovery.isCatchingUp, !commits.holdsOutcome { outcomes.append(effect) }
            case .recovered(.failed): outcomes.append(effect)
            default: effects.append(effect)
            }
        }
        if commits.stored.version != snapshot.version || recovery.window != snapshot.window {
            snapshot = commits.stored.snapshot(recovery.window)
            effects.append(.publish)
        }
        effects += outcomes
    }
}

// MARK: - For whoever checks a run

extension RefactoredPipeline: CheckedPipeline {
    /// A stall begins once its limit is reached, by what one input brought: a page with the changes
    /// that waited for it, or a stream that had waited for one event. The request that is out then
    /// is answered still.
    var check: PipelineCheck {
        let policy = configuration.recovery
        let input =
            policy.pageSize + policy.waitingChangeLimit
            + max(policy.bufferLimit, policy.reorderLimit)
        let limit = max(configuration.uncommittedLimit, 1) + input
        return PipelineCheck(
            isWithinLimits: recovery.isWithinLimits && commits.count < limit + input
        ) {
            switch $0 {
            case .retry: armedRetry != nil
            case .confirmTail, .reorder, .settle: recovery.isWaiting(for: RecoveryTimer($0))
            }
        }
    }
}
