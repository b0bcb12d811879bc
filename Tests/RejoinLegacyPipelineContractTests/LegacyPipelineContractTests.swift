import RejoinContracts
import RejoinLegacyPipeline
import Testing

private let checks = PipelineContract.baseline {
    LegacyPipeline(resuming: $0, configuration: $1)
}

@Suite("The legacy pipeline keeps the baseline of the pipeline contract")
struct LegacyPipelineContractTests {
    @Test("Baseline", arguments: checks.indices)
    func keepsBaseline(_ index: Int) async throws {
        try await checks[index].run()
    }
}
