/// A point on a monotonic clock that goes on counting while the device sleeps.
///
/// Cores take it as an argument and never read a clock, so that a simulator can run them in
/// virtual time. It means nothing outside the process that made it and is therefore never stored;
/// use ``WallTime`` for what must survive.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the origin that the process' ``TimeSource`` chose.
    public let nanoseconds: Int64

    /// The origin. A simulation starts here.
    public static let origin = Instant(nanoseconds: 0)

    /// Creates an instant from nanoseconds since the origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant that lies `duration` later, saturating at the ends of the clock.
    public func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// The time from this instant to `other`; negative where `other` lies earlier.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds.subtractingReportingOverflow(nanoseconds).partialValue)
    }

    public static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    public static func + (lhs: Instant, rhs: Duration) -> Instant {
        lhs.advanced(by: rhs)
    }

    public static func - (lhs: Instant, rhs: Instant) -> Duration {
        rhs.duration(to: lhs)
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero and saturated to what 64 bits can hold.
    public var wholeNanoseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in milliseconds, rounded towards zero and saturated to what 64 bits can hold.
    public var wholeMilliseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000_000_000)
    }
}
