import RejoinContracts
import RejoinPipeline
import Testing

private let make: PipelineFactory = { RefactoredPipeline(resuming: $0, configuration: $1) }
private let baseline = PipelineContract.baseline(make)
private let complete = PipelineContract.complete(make)

@Suite("The refactored pipeline keeps both levels of the pipeline contract")
struct PipelineContractTests {
    @Test("Baseline", arguments: baseline.indices)
    func keepsBaseline(_ index: Int) async throws {
        try await baseline[index].run()
    }

    @Test("Complete: simulated lives under faults", arguments: complete.indices)
    func keepsComplete(_ index: Int) async throws {
        try await complete[index].run()
    }
}
