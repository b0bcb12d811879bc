internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync

/// What a client has counted since it was created: what a host watches during a rollout. Numbers
/// only; no names, no contents.
public struct ChatMetrics: Hashable, Sendable {
    /// Recoveries that ended complete.
    public var completeRecoveries = 0
    /// Recoveries that left gaps, or that could prove nothing.
    public var partialRecoveries = 0
    /// Recoveries that failed.
    public var failedRecoveries = 0
    /// Messages that came again and were left out.
    public var duplicatesSuppressed = 0
    /// Buffers that overflowed, so that recovery began anew.
    public var bufferOverflows = 0
    /// Gaps seen in the live stream.
    public var gapsDetected = 0
    /// Gaps filled.
    public var gapsFilled = 0
    /// Messages that turned out not to exist on the server.
    public var phantomsRemoved = 0
    /// Events that could not be read; each was recovered like any other loss.
    public var unreadableEvents = 0
    /// Commits that the store could not take at once.
    public var failedCommits = 0
    /// Handovers from one pipeline to another.
    public var pipelineSwitches = 0

    mutating func count(_ outcome: RecoveryOutcome) {
        switch outcome {
        case .complete: completeRecoveries += 1
        case .partial: partialRecoveries += 1
        case .failed: failedRecoveries += 1
        }
    }

    mutating func count(_ metric: PipelineMetric) {
        switch metric {
        case .duplicateSuppressed: duplicatesSuppressed += 1
        case .bufferOverflow: bufferOverflows += 1
        case .gapDetected: gapsDetected += 1
        case .gapFilled: gapsFilled += 1
        case .phantomRemoved: phantomsRemoved += 1
        }
    }
}
