public import RejoinModel
internal import RejoinSync
public import RejoinTime

/// Runs one pipeline at a time for a room, and hands the room over from one to another.
///
/// A handover stops the old pipeline's inputs, waits until its commits are stored, keeps what comes
/// meanwhile, starts the new pipeline from the checkpoint and gives it what was kept. So a switch
/// adds no loss, no duplicate and no cursor move of its own, at whatever moment it happens
/// (promise P6). The proof that the new pipeline starts from is only ever one that the refactored
/// pipeline committed: legacy intervals leave it alone.
///
/// Requests and commits of a pipeline carry its generation in their token, so that an answer to a
/// pipeline that is gone is recognised and dropped.
public struct PipelineSwitch: Sendable {
    /// The pipeline that serves the room.
    public private(set) var variant: PipelineVariant

    private let registry: PipelineRegistry
    private let configuration: PipelineConfiguration
    private var pipeline: any RoomPipeline
    private var generation: UInt64 = 1
    private var handover: Handover?

    /// What the refactored pipeline last committed as proven, whichever pipeline serves now.
    public private(set) var proof: TimelineProof
    /// What it has on its way to the store.
    private var proofsUnderWay: [CommitID: TimelineProof] = [:]

    /// What a new pipeline must be told of the present.
    private var phase = SubscriptionPhase.lost
    private var lastRead: MessageID?

    /// What an old pipeline leaves behind and must be called off, in order of issue.
    private var fetches: [RequestID] = []
    private var timers: [PipelineTimer] = []

    private struct Handover {
        var target: PipelineVariant
        var kept: [PipelineInput] = []
    }

    /// The old pipeline's timers that came due during a handover. One that it sets or cancels after
    /// that is no longer among them.
    private var missed: [PipelineTimer] = []

    /// The most inputs kept while a handover waits for the store. One more counts as an overflow:
    /// the kept ones are dropped and the new pipeline is told that messages were lost, which makes
    /// it recover them.
    public static let keptInputsLimit = 1_000

    /// Starts with the pipeline `variant` from a checkpoint.
    public init(
        _ variant: PipelineVariant, resuming checkpoint: PipelineCheckpoint,
        registry: PipelineRegistry, configuration: PipelineConfiguration
    ) {
        self.variant = variant
        self.registry = registry
        self.configuration = configuration
        proof = checkpoint.proof
        lastRead = checkpoint.lastRead
        pipeline = registry.make(variant, resuming: checkpoint, configuration: configuration)
    }

    /// What is to be shown now.
    public var snapshot: TimelineSnapshot { pipeline.snapshot }

    /// Whether nothing is on its way to the store and no handover waits.
    public var isSettled: Bool { handover == nil && pipeline.isSettled }

    /// Whether a catch-up is under way.
    public var isCatchingUp: Bool { pipeline.isCatchingUp }

    /// Takes one input for the pipeline that serves.
    public mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        guard let local = localized(input) else { return [] }
        remember(local)
        var effects: [PipelineEffect] = []
        if handover == nil {
            forward(local, at: now, to: &effects)
        } else if Self.passesDuringHandover(local) {
            forward(local, at: now, to: &effects)
            completeHandoverIfSettled(at: now, to: &effects)
        } else {
            keep(local)
        }
        return effects
    }

    /// Hands the room over to `target`. Calling it again while a handover waits changes its target.
    public mutating func switchOver(to target: PipelineVariant, at now: Instant)
        -> [PipelineEffect]
    {
        guard handover != nil || target != variant else { return [] }
        if handover == nil { handover = Handover(target: target) }
        handover?.target = target
        var effects: [PipelineEffect] = []
        completeHandoverIfSettled(at: now, to: &effects)
        return effects
    }

    // MARK: - Handover

    /// Only what leads the old pipeline to rest may reach it.
    private static func passesDuringHandover(_ input: PipelineInput) -> Bool {
        switch input {
        case .committed, .commitFailed, .timer(.retry): true
        case .subscription, .live, .answered, .settledSend, .timer, .readPosition, .trigger, .load,
            .approach, .background, .leave:
            false
        }
    }

    private mutating func keep(_ input: PipelineInput) {
        switch input {
        case .answered:
            // It answers a request of the old pipeline, which ends with it.
            return
        case .timer(let timer):
            // The old pipeline's too; it is told if it stays after all.
            if !missed.contains(timer) { missed.append(timer) }
            return
        case .subscription, .readPosition:
            // The new pipeline is told the latest of these when it starts.
            return
        case .live, .settledSend, .trigger, .load, .approach, .background, .leave, .committed,
            .commitFailed:
            break
        }
        guard var waiting = handover else { return }
        waiting.kept.append(input)
        if waiting.kept.count > Self.keptInputsLimit {
            waiting.kept = [.subscription(.overflowed)]
        }
        handover = waiting
    }

    private mutating func completeHandoverIfSettled(
        at now: Instant, to effects: inout [PipelineEffect]
    ) {
        guard let waiting = handover, pipeline.isSettled else { return }
        handover = nil
        effects += fetches.map { .cancelFetch($0) }
        fetches = []
        proofsUnderWay = [:]
        if waiting.target != variant {
            effects += timers.map { .cancelTimer($0) }
            timers = []
            missed = []
            var checkpoint = pipeline.checkpoint()
            checkpoint.proof = proof
            checkpoint.lastRead = lastRead
            generation += 1
            variant = waiting.target
            pipeline = registry.make(
                variant, resuming: checkpoint, configuration: configuration)
            forward(.subscription(phase), at: now, to: &effects)
        } else {
            // Called back before it was gone: what it had on its way was called off, so it must
            // look again. It still counts on its timers; those that came due come first, because
            // it may set them anew when it looks.
            while let timer = missed.first {
                missed.removeFirst()
                forward(.timer(timer), at: now, to: &effects)
            }
            forward(.subscription(.lost), at: now, to: &effects)
            forward(.subscription(phase), at: now, to: &effects)
        }
        for input in waiting.kept {
            forward(input, at: now, to: &effects)
        }
        effects.append(.publish)
    }

    // MARK: - Tokens

    private mutating func remember(_ input: PipelineInput) {
        switch input {
        case .subscription(.overflowed): break
        case .subscription(let phase): self.phase = phase
        case .readPosition(let position): lastRead = position
        case .committed(let id):
            if let stored = proofsUnderWay.removeValue(forKey: id) { proof = stored }
        case .answered(let id, _): forget(global(id))
        case .timer(let timer): timers.removeAll { $0 == timer }
        case .live, .settledSend, .commitFailed, .trigger, .load, .approach, .background, .leave:
            break
        }
    }

    private mutating func forward(
        _ input: PipelineInput, at now: Instant, to effects: inout [PipelineEffect]
    ) {
        for effect in pipeline.handle(input, at: now) {
            switch effect {
            case .fetch(let id, let request):
                fetches.append(global(id))
                effects.append(.fetch(global(id), request))
            case .cancelFetch(let id):
                forget(global(id))
                effects.append(.cancelFetch(global(id)))
            case .commit(let commit):
                if let proof = commit.proof { proofsUnderWay[commit.id] = proof }
                effects.append(.commit(commit.renumbered(global(commit.id))))
            case .setTimer(let timer, _):
                if !timers.contains(timer) { timers.append(timer) }
                missed.removeAll { $0 == timer }
                effects.append(effect)
            case .cancelTimer(let timer):
                timers.removeAll { $0 == timer }
                missed.removeAll { $0 == timer }
                effects.append(effect)
            case .publish, .suggestRead, .recovered, .observed, .metric, .shadow:
                effects.append(effect)
            }
        }
    }

    private mutating func forget(_ fetch: RequestID) {
        fetches.removeAll { $0 == fetch }
    }

    private static let generationShift: UInt64 = 40

    private func global(_ id: RequestID) -> RequestID {
        RequestID(generation << Self.generationShift | id.rawValue)
    }

    private func global(_ id: CommitID) -> CommitID {
        CommitID(generation << Self.generationShift | id.rawValue)
    }

    /// The input with this pipeline's own tokens; `nil` where it answers a pipeline that is gone.
    private func localized(_ input: PipelineInput) -> PipelineInput? {
        switch input {
        case .answered(let id, let result):
            local(id.rawValue).map { .answered(RequestID($0), result) }
        case .committed(let id): local(id.rawValue).map { .committed(CommitID($0)) }
        case .commitFailed(let id): local(id.rawValue).map { .commitFailed(CommitID($0)) }
        case .subscription, .live, .settledSend, .timer, .readPosition, .trigger, .load, .approach,
            .background, .leave:
            input
        }
    }

    private func local(_ raw: UInt64) -> UInt64? {
        guard raw >> Self.generationShift == generation else { return nil }
        return raw & (1 << Self.generationShift - 1)
    }
}

extension TimelineCommit {
    func renumbered(_ id: CommitID) -> TimelineCommit {
        TimelineCommit(
            id: id, upserts: upserts, removals: removals, members: members, proof: proof)
    }
}

// MARK: - For whoever checks a run

extension PipelineSwitch {
    /// What is kept and waited for. During a handover the old pipeline no longer hears of its
    /// timers; they are called off at its end.
    var check: PipelineCheck {
        let own = (pipeline as? any CheckedPipeline)?.check
        let isWithinLimits =
            own?.isWithinLimits != false && (handover?.kept.count ?? 0) <= Self.keptInputsLimit
        return PipelineCheck(isWithinLimits: isWithinLimits) { timer in
            guard handover == nil, let own else { return timers.contains(timer) }
            return own.waits(for: timer)
        }
    }
}
