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
        #if os(Linux)
        // A task that sleeps on `ContinuousClock` may never wake: libdispatch (6.3.1) can leave
        // its boot-time timer expired, unread and disarmed in epoll while timers of the other
        // clock run. So we sleep on the suspending clock, and look again every half minute,
        // because that clock stands still while the machine sleeps.
        while true {
            let left = now.duration(to: deadline)
            guard left > .zero else { return try Task.checkCancellation() }
            try await SuspendingClock().sleep(for: min(left, .seconds(30)))
        }
        #else
        let wait = Instant.origin.duration(to: deadline)
        try await ContinuousClock().sleep(until: start.advanced(by: wait))
        #endif
    }
}
