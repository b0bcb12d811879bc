internal import RejoinPipeline
internal import RejoinTime

/// What the guard of a rollout is on one device: its core, which ends with the process, and its
/// two small files, which do not.
struct DeviceRollout {
    // The files
    var marker: RunMarker?
    var rollback: RollbackRecord?

    // The process
    var core = RolloutGuard()
    /// Whether the guard knows that the refactored pipeline serves in this foreground run.
    var isServedRun = false
    var deadline: Instant?
    /// What is to be written and told next.
    var work: Work?

    /// What a guard wants done and has not been done yet; newer files replace older ones.
    struct Work {
        var marker: RunMarker?
        var rollback: RollbackRecord??
        /// Whether the choices of pipelines have changed.
        var isChoiceChanged = false
    }

    // For the oracle
    var runBegan: Instant?
    /// Whether the process was frozen in this run, so that its timers were late.
    var hasSlept = false
    /// Kills of short runs since the last long one.
    var shortRuns = 0

    /// The process is gone, and what it had not written.
    mutating func kill() {
        isServedRun = false
        deadline = nil
        work = nil
    }

    /// A run ended: killed, or in good order.
    mutating func endRun(at now: Instant, isKilled: Bool, shortRun: Duration) {
        guard let began = runBegan else { return }
        runBegan = nil
        // What a run has outlived is written a moment later.
        let isLong = began + shortRun + .seconds(1) < now
        if isLong, !hasSlept { shortRuns = 0 }
        if isKilled, !isLong || hasSlept { shortRuns += 1 }
    }
}
