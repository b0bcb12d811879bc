import RejoinContracts
import Testing

@Suite("STOMP 1.0 to 1.2: each codec vector whole, in every cut and octet by octet")
struct StompCodecContractTests {
    @Test(arguments: StompCodecContract.checks.indices)
    func vector(_ index: Int) async throws {
        try await StompCodecContract.checks[index].run()
    }

    @Test("The names of the vectors are their own")
    func names() {
        let names = StompCodecContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}
