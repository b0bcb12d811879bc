internal import RejoinModel
internal import RejoinTime

/// Orders what a pipeline does to the world: persist, then publish, then acknowledge.
///
/// One commit is on its way at a time; what changes meanwhile goes into the next one. What is shown
/// is always a state that is stored. What waits is bounded by the pipeline, which takes nothing
/// more while ``count`` has reached its limit.
struct CommitQueue: Sendable {
    /// A commit on its way, and what it makes true.
    private struct Running: Sendable {
        let id: CommitID
        let delta: TimelineDelta
        let timeline: Timeline
        let proof: TimelineProof
        let acknowledgements: [PipelineEffect]
    }

    /// The timeline as it is stored.
    private(set) var stored: Timeline
    /// The proof as it is stored.
    private(set) var storedProof: TimelineProof
    /// When a failed commit is tried again.
    private(set) var retryAt: Instant?

    private var pending = TimelineDelta()
    private var acknowledgements: [PipelineEffect] = []
    private var running: Running?
    private var backoff: Backoff
    private var random: SplitMix64
    private var commits: UInt64 = 0

    init(stored: Timeline, proof: TimelineProof, backoff: Backoff, seed: UInt64) {
        self.stored = stored
        storedProof = proof
        self.backoff = backoff
        random = SplitMix64(seed: seed)
    }

    /// Changed messages that are not stored yet.
    var count: Int {
        pending.upserts.count + pending.removals.count
            + (running.map { $0.delta.upserts.count + $0.delta.removals.count } ?? 0)
    }

    /// Whether nothing waits for the store.
    var isSettled: Bool {
        running == nil && retryAt == nil && !hasContent && acknowledgements.isEmpty
    }

    private var hasContent: Bool {
        !pending.upserts.isEmpty || !pending.removals.isEmpty || !pending.members.isEmpty
    }

    /// Adds a change to the next commit.
    mutating func add(_ delta: TimelineDelta) {
        pending.merge(delta)
    }

    /// Adds what may be told once everything so far is stored.
    mutating func acknowledge(_ effect: PipelineEffect) {
        acknowledgements.append(effect)
    }

    /// Whether the end of a recovery waits for the store.
    var holdsOutcome: Bool {
        let waiting = acknowledgements + (running?.acknowledgements ?? [])
        return waiting.contains { if case .recovered = $0 { true } else { false } }
    }

    /// Sends the next commit, or, where there is nothing to store, lets the current state through.
    mutating func flush(
        _ timeline: Timeline, _ proof: TimelineProof, into effects: inout [PipelineEffect]
    ) -> [PipelineEffect] {
        guard running == nil, retryAt == nil else { return [] }
        guard hasContent || proof != storedProof else {
            stored = timeline
            return take()
        }
        commits += 1
        let id = CommitID(commits)
        running = Running(
            id: id, delta: pending, timeline: timeline, proof: proof, acknowledgements: take())
        effects.append(
            .commit(
                TimelineCommit(
                    id: id, upserts: pending.upserts, removals: pending.removals,
                    members: pending.members, proof: proof == storedProof ? nil : proof)))
        pending = TimelineDelta()
        return []
    }

    /// A commit is stored: what may be told now; `nil` for a commit that is not the running one.
    mutating func committed(_ id: CommitID) -> [PipelineEffect]? {
        guard let running, running.id == id else { return nil }
        self.running = nil
        stored = running.timeline
        storedProof = running.proof
        backoff.reset()
        return running.acknowledgements
    }

    /// A commit failed: what it held goes into the next one, after a while.
    mutating func failed(_ id: CommitID, at now: Instant) {
        guard let running, running.id == id else { return }
        self.running = nil
        var delta = running.delta
        delta.merge(pending)
        pending = delta
        acknowledgements = running.acknowledgements + acknowledgements
        retryAt = now + backoff.next(using: &random)
    }

    /// Ends the wait after a failure if it is over.
    mutating func advance(to now: Instant) {
        if let retryAt, retryAt <= now { self.retryAt = nil }
    }

    private mutating func take() -> [PipelineEffect] {
        defer { acknowledgements.removeAll() }
        return acknowledgements
    }
}
