public import RejoinModel
public import RejoinSync
public import RejoinTime

/// Watches how people fare on the refactored pipeline, and takes it back where they fare ill.
///
/// A rollback is remembered, also over starts, until somebody raises the flag's generation: a guard
/// that forgot would take the same harm to the same people again. What the network or the person
/// did counts for nothing: only holes that the server could have filled, sends that failed on our
/// side or the server's, divergences, and runs that ended soon after their start.
public struct RolloutGuard: Sendable {
    /// The rollback in force.
    public private(set) var rollback: RollbackRecord?

    private var policy: GuardPolicy
    private var generation: UInt64
    private var marker: RunMarker?
    private var isWatching = false

    private var windowBegan: Instant?
    private var recoveries = Tally()
    private var sends = Tally()
    private var illWindows = 0
    private var divergences = 0

    /// Cases, and those of them that were ill.
    private struct Tally: Sendable {
        var ill = 0
        var all = 0

        mutating func count(isIll: Bool) {
            all += 1
            if isIll { ill += 1 }
        }

        /// Whether the share has reached a limit in thousandths.
        func reaches(_ limit: Int) -> Bool { ill > 0 && ill * 1_000 >= limit * all }
    }

    /// Creates a guard from what an earlier process left.
    public init(
        policy: GuardPolicy = GuardPolicy(), generation: UInt64 = 0,
        rollback: RollbackRecord? = nil, marker: RunMarker? = nil
    ) {
        self.policy = policy
        self.generation = generation
        self.rollback = rollback
        self.marker = marker
    }

    /// What a guard learns.
    public enum Input: Hashable, Sendable {
        /// The flag as it is now.
        case flag(GuardPolicy, generation: UInt64)
        /// A foreground run began in which the refactored pipeline serves.
        case foreground
        /// It ended in good order.
        case background
        /// The instant has come that ``Effect/setTimer(_:)`` named.
        case timePassed
        /// A recovery of the refactored pipeline ended.
        case recovered(RecoveryOutcome)
        /// A send ended: `nil`, or why not.
        case sent(BackendFailure?)
        /// A shadow comparison has something to tell.
        case shadow(ShadowReport)
    }

    /// What a guard wants done, in order.
    public enum Effect: Hashable, Sendable {
        /// Keep this for the next start, at once: the process may end at any moment.
        case storeMarker(RunMarker)
        /// Keep this until it is replaced; `nil`: remove it.
        case storeRollback(RollbackRecord?)
        /// The refactored pipeline is taken back: tell the rooms and the host.
        case rolledBack(RollbackRecord)
        /// The flag's generation was raised: the flag counts again.
        case lifted(RollbackRecord)
        /// Call back at the deadline; `nil`: not at all.
        case setTimer(Instant?)
    }

    /// What becomes of the flag's choice: a rollback in force puts legacy in refactored's place.
    public func overruling(_ selection: PipelineSelection) -> PipelineSelection {
        guard selection.variant == .refactored, let rollback else { return selection }
        return PipelineSelection(
            .legacy, reason: "ROLLED_BACK \(rollback.evidence.cause.rawValue)")
    }

    /// Takes one input and returns what is to be done.
    ///
    /// `wall` dates a rollback for people.
    public mutating func handle(_ input: Input, at now: Instant, wall: WallTime) -> [Effect] {
        var effects: [Effect] = []
        closeWindow(at: now)
        switch input {
        case .flag(let policy, let generation):
            self.policy = policy
            self.generation = generation
            lift(&effects)
        case .foreground:
            beginRun(at: now, wall, &effects)
        case .background:
            endRun(&effects)
        case .timePassed:
            outlive(&effects)
        case .recovered(let outcome):
            guard let isIll = Self.isIll(outcome) else { break }
            recoveries.count(isIll: isIll)
            judgeWindow(wall, &effects)
        case .sent(let failure):
            guard let isIll = Self.isIll(failure) else { break }
            sends.count(isIll: isIll)
            judgeWindow(wall, &effects)
        case .shadow(let report):
            guard report.finding.isDivergence else { break }
            divergences += 1
            guard divergences >= policy.divergenceLimit else { break }
            rollBack(
                .divergence, divergences, of: divergences, policy.divergenceLimit, wall,
                &effects)
        }
        return effects
    }

    // MARK: - Rollback

    private mutating func rollBack(
        _ cause: GuardEvidence.Cause, _ observed: Int, of all: Int, _ limit: Int, _ wall: WallTime,
        _ effects: inout [Effect]
    ) {
        guard rollback == nil else { return }
        let record = RollbackRecord(
            generation: generation, at: wall,
            evidence: GuardEvidence(cause: cause, observed: observed, of: all, limit: limit))
        rollback = record
        forget()
        effects += [.storeRollback(record), .rolledBack(record)]
    }

    private mutating func lift(_ effects: inout [Effect]) {
        guard let record = rollback, generation > record.generation else { return }
        rollback = nil
        forget()
        effects += [.storeRollback(nil), .lifted(record)]
    }

    /// The next trial begins without what the last one left.
    private mutating func forget() {
        recoveries = Tally()
        sends = Tally()
        windowBegan = nil
        illWindows = 0
        divergences = 0
    }

    // MARK: - Windows

    private mutating func closeWindow(at now: Instant) {
        let began = windowBegan ?? now
        windowBegan = began
        guard began + policy.window <= now else { return }
        if isSampled(recoveries) || isSampled(sends) {
            let isWell =
                !recoveries.reaches(policy.unfilledGapLimit / 2)
                && !sends.reaches(policy.failedSendLimit / 2)
            if isWell { illWindows = 0 }
        }
        beginWindow(at: now)
    }

    private mutating func beginWindow(at now: Instant?) {
        windowBegan = now
        recoveries = Tally()
        sends = Tally()
    }

    private func isSampled(_ tally: Tally) -> Bool { tally.all >= policy.minimumSample }

    /// A window is ill as soon as its sample says so; the next one begins then.
    private mutating func judgeWindow(_ wall: WallTime, _ effects: inout [Effect]) {
        let cause: GuardEvidence.Cause
        let tally: Tally
        let limit: Int
        if isSampled(recoveries), recoveries.reaches(policy.unfilledGapLimit) {
            (cause, tally, limit) = (.unfilledGaps, recoveries, policy.unfilledGapLimit)
        } else if isSampled(sends), sends.reaches(policy.failedSendLimit) {
            (cause, tally, limit) = (.failedSends, sends, policy.failedSendLimit)
        } else {
            return
        }
        illWindows += 1
        if illWindows >= policy.illWindows {
            rollBack(cause, tally.ill, of: tally.all, limit, wall, &effects)
        } else {
            beginWindow(at: nil)
        }
    }

    /// Whether a recovery left a hole that the server could have filled; `nil`: it says nothing
    /// about the pipeline.
    private static func isIll(_ outcome: RecoveryOutcome) -> Bool? {
        switch outcome {
        case .complete: false
        case .partial(let gaps, _):
            gaps.contains { gap in
                switch gap.reason {
                case .unproven: true
                // At the tail it says only that no subscription brings what comes.
                case .disconnected: gap.before != nil
                // Asked for by our own budget, or not to be had.
                case .budgetExceeded, .notLoaded, .trimmed: false
                @unknown default: false
                }
            }
        case .failed(let failure, _):
            failure.code == .malformedAnswer ? true : nil
        }
    }

    /// Whether a send failed on our side or the server's; `nil`: by the network's or the person's
    /// doing.
    private static func isIll(_ failure: BackendFailure?) -> Bool? {
        guard let failure else { return false }
        switch failure.code {
        case .serverError, .malformedAnswer: return true
        // An answer that never came was most often lost on a road that nobody here can mend.
        default: return nil
        }
    }

    // MARK: - Runs

    private mutating func beginRun(
        at now: Instant, _ wall: WallTime, _ effects: inout [Effect]
    ) {
        isWatching = true
        var shortRuns = marker?.shortRuns ?? 0
        if let last = marker, !last.isEnded, !last.isLong { shortRuns += 1 }
        store(RunMarker(shortRuns: shortRuns), &effects)
        effects.append(.setTimer(now + policy.shortRun))
        guard shortRuns >= policy.shortRunLimit else { return }
        rollBack(.shortRuns, shortRuns, of: shortRuns, policy.shortRunLimit, wall, &effects)
        store(RunMarker(isLong: true, isEnded: true), &effects)
    }

    private mutating func endRun(_ effects: inout [Effect]) {
        guard isWatching, var running = marker else { return }
        isWatching = false
        running.isEnded = true
        store(running, &effects)
        effects.append(.setTimer(nil))
    }

    private mutating func outlive(_ effects: inout [Effect]) {
        guard isWatching, let running = marker, !running.isEnded, !running.isLong else { return }
        store(RunMarker(isLong: true), &effects)
    }

    private mutating func store(_ marker: RunMarker, _ effects: inout [Effect]) {
        self.marker = marker
        effects.append(.storeMarker(marker))
    }
}
