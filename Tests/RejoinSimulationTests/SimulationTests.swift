import RejoinPipeline
import RejoinSimulation
import Testing

/// Promises P1 to P8 (DESIGN section 1), on real cores in simulated worlds (section 11, level 4).
@Suite("Simulation")
struct SimulationTests {
    /// Seeds that failed once, and whose causes are mended. They stay for good.
    static let regressionSeeds: [UInt64] = [
        4, 40, 54, 57, 65, 92, 146, 246, 259, 281, 386, 454, 820, 909, 1_035, 1_566, 1_928, 3_083,
        3_194, 3_224, 3_317, 4_414, 4_881, 5_016, 5_221, 5_537, 6_022, 6_469, 6_849, 7_301, 9_970,
        10_472, 16_983, 21_915, 29_819, 38_807, 39_354, 39_474, 42_860, 48_176, 50_041, 50_431,
        54_434, 57_154, 64_906, 72_970, 200_193, 200_670,
    ]

    @Test("Every promise is kept on the refactored pipeline", arguments: 0..<20)
    func refactored(_ block: Int) {
        for seed in UInt64(1 + block * 10)...UInt64(10 + block * 10) { expectKept(seed) }
    }

    @Test("Seeds that failed once", arguments: regressionSeeds)
    func regressions(_ seed: UInt64) {
        expectKept(seed)
    }

    private func expectKept(_ seed: UInt64) {
        let result = Simulation.run(seed: seed)
        #expect(
            result.counts.isClean,
            """
            \(result.violations.map(\.description).joined(separator: "\n"))
            replay: rejoin simulate --seed \(seed) --trace
            """)
    }

    @Test("The legacy pipeline shows the losses that the rollout ends (promise P6)")
    func legacy() {
        var summary = SimulationSummary(pipeline: .legacy)
        for seed in UInt64(1)...8 { summary.add(Simulation.run(seed: seed, pipeline: .legacy)) }
        #expect(summary.counts.missing > 20)
        #expect(summary.counts.misordered > 0)
    }

    @Test("What a seed does once, it does every time", arguments: [3, 11, 29] as [UInt64])
    func determinism(_ seed: UInt64) {
        let first = Simulation.run(seed: seed, isTraced: true)
        let second = Simulation.run(seed: seed, isTraced: true)
        #expect(first.trace == second.trace)
        #expect(first.statistics == second.statistics)
        #expect(first.trace.count > 100)
    }

    @Test("Telling the story changes nothing")
    func tracing() {
        #expect(
            Simulation.run(seed: 5).statistics
                == Simulation.run(seed: 5, isTraced: true).statistics)
    }

    @Test("A summary is one line with the promised keys, in their order")
    func json() {
        var summary = SimulationSummary(pipeline: .refactored)
        summary.add(Simulation.run(seed: 1))
        let keys = summary.json.split(separator: "\"").filter {
            $0.allSatisfy { $0.isLetter } && $0 != "refactored"
        }
        #expect(
            keys == [
                "pipeline", "seeds", "virtualSeconds", "missing", "duplicated", "misordered",
                "readRegressions", "lostSends", "doubleSends", "unconverged", "boundsExceeded",
                "failedSeeds", "misjudged", "rolledBack", "messages", "faults", "flips",
                "handovers", "legacyLosses", "trimmed", "signedOut", "interrupted",
            ])
        #expect(!summary.json.contains("\n"))
    }
}
