import RejoinContracts
import RejoinLegacyPipeline
import RejoinPipeline
import Testing

private let checks = PipelineContract.baseline {
    LegacyPipeline(resuming: $0, configuration: $1)
}

private let shadowChecks = PipelineContract.baseline {
    ShadowPipeline(
        resuming: $0, configuration: $1,
        control: { LegacyPipeline(resuming: $0, configuration: $1) },
        candidate: { RefactoredPipeline(resuming: $0, configuration: $1) })
}

@Suite("The legacy pipeline keeps the baseline of the pipeline contract")
struct LegacyPipelineContractTests {
    @Test("Baseline", arguments: checks.indices)
    func keepsBaseline(_ index: Int) async throws {
        try await checks[index].run()
    }

    @Test("Baseline, with the refactored pipeline in its shadow", arguments: shadowChecks.indices)
    func keepsBaselineWithShadow(_ index: Int) async throws {
        try await shadowChecks[index].run()
    }
}
