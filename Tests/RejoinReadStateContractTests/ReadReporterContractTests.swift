import RejoinContracts
import RejoinReadState
import Testing

@Suite("Read reporters keep their contract")
struct ReadReporterContractTests {
    @Test("The model reporter")
    func model() async throws {
        for check in readReporterChecks({ ModelReadReporter() }) { try await check.run() }
    }
}
