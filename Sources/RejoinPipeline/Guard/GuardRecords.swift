public import RejoinTime

/// Why a guard took the refactored pipeline back: what was observed, and what would have been well.
public struct GuardEvidence: Hashable, Sendable {
    /// What went wrong.
    public let cause: Cause
    /// How often it was observed.
    public let observed: Int
    /// In how many cases; for a count without cases, the observation itself.
    public let of: Int
    /// The limit of the policy: thousandths for shares, a count otherwise.
    public let limit: Int

    /// Creates evidence.
    public init(cause: Cause, observed: Int, of: Int, limit: Int) {
        self.cause = cause
        self.observed = observed
        self.of = of
        self.limit = limit
    }

    /// What can go wrong.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// A shadow comparison found the candidate to lack, double or misorder a message.
        case divergence
        /// Recoveries left holes that the server could have filled.
        case unfilledGaps = "unfilled_gaps"
        /// Sends failed.
        case failedSends = "failed_sends"
        /// The app ended soon after its start, again and again.
        case shortRuns = "short_runs"
    }
}

/// A rollback that outlives the process, until the flag's generation is raised.
public struct RollbackRecord: Hashable, Sendable {
    /// The generation of the flag that was taken back. A higher one lifts the rollback.
    public let generation: UInt64
    /// When it was taken back; for people to read.
    public let at: WallTime
    /// Why.
    public let evidence: GuardEvidence

    /// Creates a record.
    public init(generation: UInt64, at: WallTime, evidence: GuardEvidence) {
        self.generation = generation
        self.at = at
        self.evidence = evidence
    }
}

/// What a start must know of the foreground run before it.
public struct RunMarker: Hashable, Sendable {
    /// Short runs in a row before this one.
    public var shortRuns: Int
    /// Whether this run has outlived the time of a short one.
    public var isLong: Bool
    /// Whether this run ended in good order, in the background.
    public var isEnded: Bool

    /// Creates a marker; without arguments that of a run that has just begun.
    public init(shortRuns: Int = 0, isLong: Bool = false, isEnded: Bool = false) {
        self.shortRuns = shortRuns
        self.isLong = isLong
        self.isEnded = isEnded
    }
}
