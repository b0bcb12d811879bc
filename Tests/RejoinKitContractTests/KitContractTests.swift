import RejoinContracts
import RejoinKit
import Testing

@Suite("Credentials contract")
struct KitContractTests {
    @Test(
        "FixedCredentials",
        arguments: CredentialsContract.checks(FixedCredentials(.bearer("a-secret-token"))))
    func fixedCredentials(_ check: ContractCheck) async throws {
        try await check.run()
    }
}
