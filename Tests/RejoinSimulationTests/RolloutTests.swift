import RejoinModel
import RejoinPipeline
import RejoinSimulation
import Testing

/// Promise P6 and the rollout guard: what is ill is found and taken back, what is healthy never is,
/// and whatever happens to the pipelines, sends and read positions stay as they were.
@Suite("The rollout guard in simulated worlds")
struct RolloutTests {
    @Test("An ill pipeline is found out and taken back", arguments: Illness.allCases)
    func ill(_ illness: Illness) {
        for seed in UInt64(1)...4 {
            let result = Simulation.run(.ill(illness, seed: seed), pipeline: illness.pipeline)
            expectKept(result)
            #expect(result.statistics.rollbacks > 0)
        }
    }

    /// Shadows that could never compare, because their reads were refused in mid-recovery.
    @Test(
        "A divergence is found where a backend has no revisions", arguments: [13, 15] as [UInt64])
    func divergenceWithoutRevisions(_ seed: UInt64) {
        let options = SimulationOptions.ill(.divergence, seed: seed)
        #expect(!options.capabilities.hasRevisions)
        expectKept(Simulation.run(options, pipeline: .shadow))
    }

    @Test("A healthy candidate in the shadow is never accused", arguments: 0..<4)
    func shadow(_ block: Int) {
        for seed in UInt64(1 + block * 5)...UInt64(5 + block * 5) {
            let result = Simulation.run(seed: seed, pipeline: .shadow)
            expectKept(result)
            #expect(result.statistics.rollbacks == 0)
        }
    }

    /// In two the control had asked after the candidate, and knew of what was said in between; in
    /// the others a deletion was taken back, or of a send that the legacy pipeline never found.
    @Test("Seeds with a shadow that failed once", arguments: [35, 763, 1_337, 2_290] as [UInt64])
    func regressions(_ seed: UInt64) {
        let result = Simulation.run(seed: seed, pipeline: .shadow)
        expectKept(result)
        #expect(result.statistics.rollbacks == 0)
    }

    /// Its app is killed soon after its start, three times in a row.
    @Test("A rollback is lifted by a higher generation, and all is repaired")
    func lifted() {
        let result = Simulation.run(seed: 64_129)
        expectKept(result)
        #expect(result.statistics.rollbacks == 1)
    }

    private func expectKept(_ result: SimulationResult) {
        #expect(
            result.counts.isClean,
            """
            \(result.violations.map(\.description).joined(separator: "\n"))
            seed \(result.seed), illness \(result.options.illness?.rawValue ?? "none")
            """)
    }
}
