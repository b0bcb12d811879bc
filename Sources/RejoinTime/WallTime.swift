/// Calendar time in milliseconds since 1970-01-01 00:00:00 UTC.
///
/// Serves what people read and what servers state (`Retry-After`, expiry). It never decides an
/// order: device clocks are wrong too often (promise P3).
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch.
    public let milliseconds: Int64

    /// Creates a time from milliseconds since the Unix epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The time that lies `duration` later, saturating.
    public func advanced(by duration: Duration) -> WallTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return WallTime(milliseconds: sum) }
        return WallTime(milliseconds: duration < .zero ? .min : .max)
    }

    /// The time from this one to `other`; negative where `other` lies earlier.
    public func duration(to other: WallTime) -> Duration {
        .milliseconds(other.milliseconds.subtractingReportingOverflow(milliseconds).partialValue)
    }

    public static func < (lhs: WallTime, rhs: WallTime) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}
