import RejoinPipeline
import RejoinSimulation
import Testing

/// Promise P6: a switch adds no loss, no duplicate and no cursor move of its own, at whatever
/// moment it happens; and a session that ends on the refactored pipeline repairs even what the
/// legacy one has lost.
@Suite("Switching pipelines while people chat")
struct FlipTests {
    /// Seeds that failed once, and whose causes are mended. They stay for good.
    static let regressionSeeds: [UInt64] = [30, 54, 81, 215, 246, 250, 333, 710, 1_196, 1_786]

    @Test("The flag goes back and forth, with kills, at random steps", arguments: 0..<4)
    func random(_ block: Int) {
        for seed in UInt64(1 + block * 5)...UInt64(5 + block * 5) {
            expectKept(Simulation.run(seed: seed, pipeline: .flipped))
        }
    }

    @Test("Seeds that failed once", arguments: regressionSeeds)
    func regressions(_ seed: UInt64) {
        expectKept(Simulation.run(seed: seed, pipeline: .flipped))
    }

    @Test("Handovers happen in both directions, and legacy intervals lose messages")
    func handovers() {
        var summary = SimulationSummary(pipeline: .flipped)
        for seed in UInt64(1)...6 { summary.add(Simulation.run(seed: seed, pipeline: .flipped)) }
        #expect(summary.handovers > 40)
        #expect(summary.legacyLosses > 0)
    }

    @Test("The flag goes back and forth at every step of a short run", arguments: 0..<5)
    func steps(_ block: Int) {
        // Every seventh step here; `rejoin simulate --every-step` takes them all.
        for step in stride(from: 1 + block * 100, to: 101 + block * 100, by: 7) {
            let result = Simulation.run(.flipping(seed: 3, at: step), pipeline: .flipped)
            expectKept(result)
            #expect(result.statistics.flips >= 1)
        }
    }

    @Test(
        "Steps of short runs that failed once",
        arguments: [(5, 274), (6, 1), (6, 9)] as [(UInt64, Int)])
    func regressionSteps(_ seed: UInt64, _ step: Int) {
        expectKept(Simulation.run(.flipping(seed: seed, at: step), pipeline: .flipped))
    }

    private func expectKept(_ result: SimulationResult) {
        #expect(
            result.counts.isClean,
            """
            \(result.violations.map(\.description).joined(separator: "\n"))
            seed \(result.seed), the flag changes at \(result.options.flipSteps)
            """)
    }
}
