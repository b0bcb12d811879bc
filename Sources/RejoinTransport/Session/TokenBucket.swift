import RejoinTime

/// A small store of permits that refills steadily: what lets a foreground or a restored network
/// shorten a wait, without letting a flapping one turn the shortening into a loop (promise P8).
struct TokenBucket: Hashable, Sendable {
    private let capacity: Int
    private let refill: Duration
    private var tokens: Int
    private var lastRefill: Instant?

    /// Creates a full bucket that regains one token every `refill`.
    init(capacity: Int, refill: Duration) {
        self.capacity = capacity
        self.refill = refill
        tokens = capacity
    }

    /// Takes a token, if there is one.
    mutating func take(at now: Instant) -> Bool {
        replenish(at: now)
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }

    private mutating func replenish(at now: Instant) {
        guard let last = lastRefill, tokens < capacity else {
            lastRefill = now
            return
        }
        let gained = max(0, (now - last).wholeNanoseconds) / max(1, refill.wholeNanoseconds)
        guard gained > 0 else { return }
        tokens = min(capacity, tokens + Int(min(gained, Int64(capacity))))
        lastRefill = tokens == capacity ? now : last + refill * gained
    }
}
