public import RejoinPipeline

/// What many runs amounted to.
public struct SimulationSummary: Sendable {
    /// The pipeline that served.
    public let pipeline: PipelineVariant
    /// How many runs there were.
    public private(set) var seeds = 0
    /// Their virtual time together, in seconds.
    public private(set) var virtualSeconds = 0.0
    /// What was not kept.
    public private(set) var counts = SimulationCounts()
    /// The seeds of runs in which something was not kept, in the order in which they ran.
    public private(set) var failedSeeds: [UInt64] = []
    /// Runs in which the server trimmed its history.
    public private(set) var trimmed = 0
    /// Runs that ended with a device signed out.
    public private(set) var unauthorised = 0
    /// Faults that struck.
    public private(set) var faults = 0
    /// Messages that the server stored.
    public private(set) var messages = 0

    /// Changes of the flag that names the pipeline.
    public private(set) var flips = 0
    /// Rooms handed over from one pipeline to another.
    public private(set) var handovers = 0
    /// See ``SimulationStatistics/legacyLosses``.
    public private(set) var legacyLosses = 0

    /// Runs in which a guard took the refactored pipeline back.
    public private(set) var rolledBack = 0

    /// Whether somebody ended it before all runs were done.
    public var isInterrupted = false

    /// Starts counting.
    public init(pipeline: PipelineVariant) {
        self.pipeline = pipeline
    }

    /// Counts a run.
    public mutating func add(_ result: SimulationResult) {
        seeds += 1
        virtualSeconds += result.virtualSeconds
        counts += result.counts
        if !result.counts.isClean { failedSeeds.append(result.seed) }
        if result.isTrimmed { trimmed += 1 }
        if result.isUnauthorised { unauthorised += 1 }
        faults += result.statistics.faults
        messages += result.statistics.messages
        flips += result.statistics.flips
        handovers += result.statistics.handovers
        legacyLosses += result.statistics.legacyLosses
        if result.statistics.rollbacks > 0 { rolledBack += 1 }
    }

    /// One line for machines.
    public var json: String {
        let failed = failedSeeds.map(String.init).joined(separator: ",")
        return #"{"pipeline":"\#(pipeline)","seeds":\#(seeds),"#
            + #""virtualSeconds":\#(Int(virtualSeconds)),"missing":\#(counts.missing),"#
            + #""duplicated":\#(counts.duplicated),"misordered":\#(counts.misordered),"#
            + #""readRegressions":\#(counts.readRegressions),"lostSends":\#(counts.lostSends),"#
            + #""doubleSends":\#(counts.doubleSends),"unconverged":\#(counts.unconverged),"#
            + #""boundsExceeded":\#(counts.boundsExceeded),"failedSeeds":[\#(failed)],"#
            + #""misjudged":\#(counts.misjudged),"rolledBack":\#(rolledBack),"#
            + #""messages":\#(messages),"faults":\#(faults),"flips":\#(flips),"#
            + #""handovers":\#(handovers),"legacyLosses":\#(legacyLosses),"trimmed":\#(trimmed),"#
            + #""signedOut":\#(unauthorised),"interrupted":\#(isInterrupted)}"#
    }
}
