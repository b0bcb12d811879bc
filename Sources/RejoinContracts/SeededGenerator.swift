/// SplitMix64 (Steele, Lea and Flood, 2014): a small generator whose sequence a seed fixes, on
/// every platform and in every version.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A generator of its own for a part of a system, so that a new draw in one part does not
    /// shift the others.
    public mutating func fork() -> SeededGenerator {
        SeededGenerator(seed: next())
    }
}
