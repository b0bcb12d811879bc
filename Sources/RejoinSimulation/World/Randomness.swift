internal import RejoinTime

/// Where chance comes from: one seed, and a generator of its own for each concern, so that a new
/// fault or option never shifts the draws of the others.
struct Randomness {
    let seed: UInt64

    /// The generator of a concern, such as `network` or `fault.reset`.
    func stream(_ concern: String) -> SplitMix64 {
        // FNV-1a: the same on every platform and in every process, unlike `Hasher`.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in concern.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        var mixer = SplitMix64(seed: seed ^ hash)
        return SplitMix64(seed: mixer.next())
    }
}

extension SplitMix64 {
    /// Whether something of this probability happens, in percent.
    mutating func chance(_ percent: Int) -> Bool {
        percent > 0 && int(0...99) < percent
    }

    /// A whole number.
    mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// A span of time, in milliseconds.
    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(int(range))
    }

    /// One of several; the array is never empty.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[int(0...(values.count - 1))]
    }

    /// A wait around a mean, between nothing and twice as much.
    mutating func around(_ mean: Int) -> Duration {
        milliseconds(1...(2 * mean))
    }
}
