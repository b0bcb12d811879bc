/// The seam through which shells learn the time and wait. Cores never see it.
public protocol TimeSource: Sendable {
    /// The monotonic time now, on a clock that counts sleep.
    var now: Instant { get }

    /// The calendar time now.
    var wallNow: WallTime { get }

    /// Waits until `deadline`; returns at once where it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(until deadline: Instant) async throws
}

extension TimeSource {
    /// Waits for `duration`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
