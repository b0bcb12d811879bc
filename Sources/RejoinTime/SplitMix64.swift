/// SplitMix64 (Steele, Lea and Flood, 2014): eight bytes of state whose seed fixes the whole
/// sequence, on every platform and in every version.
///
/// Cores that need jitter carry one as a value, so that a run replays from its seed. It is no
/// source of secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
