/// Exponential backoff with full jitter: the n-th wait is drawn evenly between a small floor and
/// `min(cap, base · 2^(n−1))`.
///
/// Full jitter keeps its spread at the cap. The rule `min(delay + jitter, cap)` loses it there, so
/// that all clients come back in the same instant (promise P8).
public struct Backoff: Hashable, Sendable {
    /// The ceiling of the first wait.
    public var base: Duration
    /// The highest ceiling.
    public var cap: Duration
    /// The shortest wait.
    public var floor: Duration
    /// Attempts since the last ``reset()``.
    public private(set) var attempts = 0

    /// Creates a policy that has not failed yet.
    public init(
        base: Duration = .seconds(1), cap: Duration = .seconds(30),
        floor: Duration = .milliseconds(100)
    ) {
        self.base = base
        self.cap = cap
        self.floor = floor
    }

    /// The ceiling of the wait that follows.
    public var ceiling: Duration {
        let doublings = min(attempts, 30)
        return max(floor, min(cap, base * (1 << doublings)))
    }

    /// Counts one more failure and draws the wait before the next attempt.
    public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let low = floor.wholeNanoseconds
        let high = ceiling.wholeNanoseconds
        attempts += 1
        return .nanoseconds(Int64.random(in: low...max(low, high), using: &random))
    }

    /// Forgets the failures.
    public mutating func reset() {
        attempts = 0
    }
}
