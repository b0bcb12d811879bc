import RejoinContracts
import RejoinPipeline
import Testing

@Suite("PipelineSelector contract")
struct PipelineSelectorContractTests {
    @Test(
        "FixedPipelineSelector",
        arguments: PipelineSelectorContract.checks(
            FixedPipelineSelector(.legacy), known: [.legacy, .refactored]))
    func fixed(_ check: ContractCheck) async throws {
        try await check.run()
    }
}
