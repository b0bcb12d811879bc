import Foundation

/// The time of the machine: `ContinuousClock`, which counts sleep, and the calendar clock.
public struct SystemTime: TimeSource {
    private let start = ContinuousClock.now

    /// Creates a source whose origin is the moment of creation.
    public init() {}

    public var now: Instant {
        Instant.origin.advanced(by: start.duration(to: .now))
    }

    public var wallNow: WallTime {
        WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    public func sleep(until deadline: Instant) async throws {
        let wait = Instant.origin.duration(to: deadline)
        try await ContinuousClock().sleep(until: start.advanced(by: wait))
    }
}
