internal import RejoinTime

/// A small generator whose sequence a seed fixes (SplitMix64), on every platform and in every
/// version.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var base: SplitMix64

    /// Creates a generator.
    public init(seed: UInt64) {
        base = SplitMix64(seed: seed)
    }

    public mutating func next() -> UInt64 {
        base.next()
    }

    /// A generator of its own for a part of a system, so that a new draw in one part does not
    /// shift the others.
    public mutating func fork() -> SeededGenerator {
        SeededGenerator(seed: next())
    }
}
