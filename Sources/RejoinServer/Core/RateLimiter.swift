#if os(Linux)
package import RejoinModel
package import RejoinTime

/// A token bucket for each person. At most `capacity` people are remembered; the one who was
/// quiet for longest is forgotten first, which can only be to their advantage.
package struct RateLimiter {
    private let limit: RateLimit
    private let capacity: Int
    private var buckets: [UserID: Bucket] = [:]

    /// The level is kept in nanoseconds of earned time, so that nothing is ever rounded away.
    private struct Bucket {
        var earned: Int64
        var at: Instant
    }

    package init(_ limit: RateLimit, capacity: Int) {
        self.limit = limit
        self.capacity = max(1, capacity)
    }

    private var price: Int64 { 1_000_000_000 / Int64(limit.perSecond) }

    /// Takes one request of a person; `nil` where it may pass, else how long to wait.
    package mutating func take(_ user: UserID, at now: Instant) -> Duration? {
        let full = price.multipliedReportingOverflow(by: Int64(limit.burst)).partialValue
        var bucket = buckets[user] ?? Bucket(earned: full, at: now)
        let passed = bucket.at.duration(to: now).wholeNanoseconds
        bucket.earned = min(full, bucket.earned.addingReportingOverflow(passed).partialValue)
        bucket.at = now
        let mayPass = bucket.earned >= price
        if mayPass { bucket.earned -= price }
        if buckets[user] == nil, buckets.count >= capacity { forgetQuietest() }
        buckets[user] = bucket
        return mayPass ? nil : .nanoseconds(price - bucket.earned)
    }

    private mutating func forgetQuietest() {
        guard
            let quietest = buckets.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
        else { return }
        buckets[quietest.key] = nil
    }
}
#endif
