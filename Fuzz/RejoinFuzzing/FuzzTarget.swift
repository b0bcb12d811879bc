/// One thing that is fuzzed: bytes from outside, and what must hold whatever they are.
///
/// A plain value without a fuzzing engine, so that libFuzzer drives it in `make fuzz` and the tests
/// feed it the committed corpus.
package struct FuzzTarget: Sendable {
    /// A stable name, that of its corpus in `Fuzz/Corpora`.
    package let name: String
    /// The words that its inputs consist of: a file in `Fuzz/Dictionaries`.
    package let words: String
    /// What is attacked, and what must hold.
    package let promise: String
    /// The longest input in bytes. Longer ones find the same faults more slowly.
    package let maximumBytes: Int
    /// Inputs to begin with, drawn from the project's own test vectors.
    package let seeds: @Sendable () -> [ContiguousArray<UInt8>]
    /// Feeds one input; throws `ContractFailure` where a promise is broken, and traps where the
    /// code under test does.
    package let run: @Sendable (ContiguousArray<UInt8>) throws -> Void

    init(
        _ name: String, words: String, promise: String, maximumBytes: Int = 1 << 10,
        seeds: @escaping @Sendable () -> [ContiguousArray<UInt8>],
        run: @escaping @Sendable (ContiguousArray<UInt8>) throws -> Void
    ) {
        self.name = name
        self.words = words
        self.promise = promise
        self.maximumBytes = maximumBytes
        self.seeds = seeds
        self.run = run
    }
}

/// What every target's failures say about who is hurt: the bytes come from anybody.
let anybody = "whoever can send these bytes breaks those who read them"
