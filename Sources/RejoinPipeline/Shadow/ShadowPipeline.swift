public import RejoinModel
internal import RejoinSync
public import RejoinTime

/// Serves a room by one pipeline, the control, and runs another, the candidate, on the same inputs
/// in order to compare them (promise P6: nobody sees anything of it).
///
/// Only the control's effects are carried out. The candidate's commits go to a store of their own,
/// which is forgotten with the session; its reads are answered by the control's where they ask the
/// same, and rationed otherwise. What it shows may never be doubled or out of order; what it lacks
/// is judged when it is at rest and says that nothing is missing.
/// The first divergence of a session is reported, and the candidate is dropped with it.
public struct ShadowPipeline: RoomPipeline {
    private let room: RoomID
    private let policy: ShadowPolicy
    private var control: any RoomPipeline
    /// `nil` where the session is not sampled, and after the candidate was dropped.
    private var candidate: Candidate?
    private var reads: ShadowReads
    private var controlTimers: [PipelineTimer: Instant] = [:]
    private var armed: [PipelineTimer: Instant] = [:]

    private struct Candidate {
        var pipeline: any RoomPipeline
        var timers: [PipelineTimer: Instant] = [:]
        var began: Instant?
        var inputs = 0
        /// Whether its last recovery ended complete, and none has begun since.
        var isComplete = false
        /// Whether there is something new to compare.
        var isChanged = false
        /// Messages that it stored or removed, for the limit of its memory.
        var stored = 0
        var removed: Set<MessageID> = []
        var horizon: MessageID?
        /// What it calls proven.
        var proof: TimelineProof
        var agreements = 0
    }

    /// Takes a room up from what was stored.
    ///
    /// - Parameters:
    ///   - control: makes the pipeline that serves.
    ///   - candidate: makes the one that is watched.
    /// - Complexity: O(messages stored).
    public init(
        resuming checkpoint: PipelineCheckpoint, configuration: PipelineConfiguration,
        policy: ShadowPolicy = ShadowPolicy(), control: PipelineRegistry.Factory,
        candidate: PipelineRegistry.Factory
    ) {
        room = configuration.room
        self.policy = policy
        reads = ShadowReads(policy)
        self.control = control(checkpoint, configuration)
        var random = SplitMix64(seed: configuration.seed)
        guard Int.random(in: 0..<1_000, using: &random) < policy.samplingPerMille,
            checkpoint.messages.count <= policy.messageLimit
        else { return }
        self.candidate = Candidate(
            pipeline: candidate(checkpoint, configuration), proof: checkpoint.proof)
        self.candidate?.horizon = checkpoint.proof.horizon
    }

    public var snapshot: TimelineSnapshot { control.snapshot }

    public var isSettled: Bool { control.isSettled }

    public var isCatchingUp: Bool { control.isCatchingUp }

    public func checkpoint() -> PipelineCheckpoint { control.checkpoint() }

    public mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        var effects: [PipelineEffect] = []
        switch input {
        case .answered(let token, let result):
            let (owner, shared) = reads.answered(token)
            switch owner {
            case .control: runControl(input, at: now, into: &effects)
            case .candidate(let id): runCandidate(.answered(id, result), at: now, into: &effects)
            }
            for id in shared { runCandidate(.answered(id, result), at: now, into: &effects) }
        case .committed, .commitFailed:
            // The candidate's commits never leave this pipeline.
            runControl(input, at: now, into: &effects)
        case .timer(let timer):
            fire(timer, at: now, into: &effects)
        case .subscription, .live, .settledSend, .readPosition, .trigger, .load, .approach,
            .background, .leave:
            runControl(input, at: now, into: &effects)
            runCandidate(input, at: now, into: &effects)
        }
        compareAtRest(at: now, into: &effects)
        arm(into: &effects)
        return effects
    }

    // MARK: - Control

    private mutating func runControl(
        _ input: PipelineInput, at now: Instant, into effects: inout [PipelineEffect]
    ) {
        for effect in control.handle(input, at: now) {
            switch effect {
            case .fetch(let id, let request):
                reads.controlAsks(id, request)
                effects.append(effect)
            case .cancelFetch(let id):
                effects.append(effect)
                let failure = BackendFailure(.cancelled, "the read was given up")
                for orphan in reads.controlCancels(id) {
                    runCandidate(.answered(orphan, .failure(failure)), at: now, into: &effects)
                }
            case .setTimer(let timer, let deadline): controlTimers[timer] = deadline
            case .cancelTimer(let timer): controlTimers[timer] = nil
            case .publish:
                candidate?.isChanged = true
                effects.append(effect)
            case .commit, .suggestRead, .recovered, .observed, .metric, .shadow:
                effects.append(effect)
            }
        }
    }

    // MARK: - Candidate

    /// Gives the candidate an input, and what follows from it inside of this pipeline, to the end.
    private mutating func runCandidate(
        _ input: PipelineInput, at now: Instant, into effects: inout [PipelineEffect]
    ) {
        var inputs = [input]
        while !inputs.isEmpty, candidate != nil {
            let next = inputs.removeFirst()
            guard let reason = limitMet(by: next, at: now) else {
                for effect in candidate?.pipeline.handle(next, at: now) ?? [] {
                    carryOut(effect, at: now, inputs: &inputs, into: &effects)
                }
                continue
            }
            drop(.dropped(reason), into: &effects)
        }
    }

    private mutating func limitMet(by input: PipelineInput, at now: Instant)
        -> ShadowReport.Reason?
    {
        guard var running = candidate else { return nil }
        running.inputs += 1
        let began = running.began ?? now
        running.began = began
        switch input {
        case .trigger, .subscription(.lost), .subscription(.pending), .subscription(.overflowed):
            running.isComplete = false
        case .subscription, .live, .answered, .settledSend, .committed, .commitFailed, .timer,
            .readPosition, .load, .approach, .background, .leave:
            break
        }
        candidate = running
        if running.inputs > policy.inputLimit { return .inputs }
        if began + policy.timeLimit < now { return .time }
        return nil
    }

    private mutating func carryOut(
        _ effect: PipelineEffect, at now: Instant, inputs: inout [PipelineInput],
        into effects: inout [PipelineEffect]
    ) {
        guard candidate != nil else { return }
        switch effect {
        case .fetch(let id, let request):
            switch reads.candidateAsks(id, request, at: now) {
            case .goes(let token): effects.append(.fetch(token, request))
            case .waits: break
            case .refused(let failure): inputs.append(.answered(id, .failure(failure)))
            case .exhausted: drop(.dropped(.reads), into: &effects)
            }
        case .cancelFetch(let id):
            if let token = reads.candidateCancels(id) { effects.append(.cancelFetch(token)) }
        case .commit(let commit):
            guard note(commit) else { return drop(.dropped(.messages), into: &effects) }
            inputs.append(.committed(commit.id))
        case .setTimer(let timer, let deadline): candidate?.timers[timer] = deadline
        case .cancelTimer(let timer): candidate?.timers[timer] = nil
        case .recovered(.complete):
            candidate?.isComplete = true
            candidate?.isChanged = true
        case .recovered: candidate?.isComplete = false
        case .publish: candidate?.isChanged = true
        case .suggestRead, .observed, .metric, .shadow: break
        }
    }

    /// Stores a commit of the candidate as far as anybody will ask for it; whether it still fits.
    private mutating func note(_ commit: TimelineCommit) -> Bool {
        candidate?.removed.formUnion(commit.removals)
        candidate?.stored += commit.upserts.count + commit.removals.count
        if let proof = commit.proof {
            if let horizon = proof.horizon { candidate?.horizon = horizon }
            candidate?.proof = proof
        }
        return candidate.map { $0.stored <= policy.messageLimit } ?? true
    }

    // MARK: - Comparison

    private mutating func compareAtRest(
        at now: Instant, into effects: inout [PipelineEffect]
    ) {
        guard let running = candidate, running.isChanged else { return }
        let comparison = ShadowComparison(
            removed: running.removed, horizon: running.horizon, proof: running.proof,
            reportedHistory: policy.reportedHistory)
        let shown = running.pipeline.snapshot
        if let found = comparison.ownFault(of: shown, against: control.snapshot) {
            return drop(found.finding, found.control, found.candidate, into: &effects)
        }
        guard running.isComplete, reads.isIdle, control.isSettled, running.pipeline.isSettled,
            // It waits for something that it believes to be on its way.
            running.timers[.reorder] == nil, running.timers[.settle] == nil
        else { return }
        if let found = comparison.lack(of: shown, against: control.snapshot) {
            drop(found.finding, found.control, found.candidate, into: &effects)
        } else {
            candidate?.agreements += 1
            candidate?.isChanged = false
        }
    }

    /// Reports, calls off what the candidate has under way, and forgets it.
    private mutating func drop(
        _ finding: ShadowReport.Finding, _ theirs: [MessageID] = [], _ shown: [MessageID] = [],
        into effects: inout [PipelineEffect]
    ) {
        effects += reads.underWay.map { .cancelFetch($0) }
        effects.append(
            .shadow(
                ShadowReport(
                    room: room, finding: finding, control: theirs, candidate: shown,
                    agreements: candidate?.agreements ?? 0)))
        candidate = nil
    }

    // MARK: - Timers

    /// Both pipelines use the same names, so each name is armed for the earlier of the two.
    private mutating func fire(
        _ timer: PipelineTimer, at now: Instant, into effects: inout [PipelineEffect]
    ) {
        armed[timer] = nil
        if let due = controlTimers[timer], due <= now {
            controlTimers[timer] = nil
            runControl(.timer(timer), at: now, into: &effects)
        }
        if let due = candidate?.timers[timer], due <= now {
            candidate?.timers[timer] = nil
            runCandidate(.timer(timer), at: now, into: &effects)
        }
    }

    private mutating func arm(into effects: inout [PipelineEffect]) {
        for timer in PipelineTimer.allCases {
            let wanted = [controlTimers[timer], candidate?.timers[timer]].compactMap(\.self).min()
            guard wanted != armed[timer] else { continue }
            armed[timer] = wanted
            effects.append(wanted.map { .setTimer(timer, $0) } ?? .cancelTimer(timer))
        }
    }
}
