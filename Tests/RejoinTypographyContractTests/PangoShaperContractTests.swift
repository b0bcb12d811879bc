#if canImport(CPango)
import RejoinContracts
import RejoinLayout
import RejoinTypography
import Testing

@Suite("PangoShaper keeps the contract of shapers")
struct PangoShaperContractTests {
    @Test("TextShaperContract")
    func contract() async throws {
        let factory = try PangoShaperFactory()
        for check in TextShaperContract.checks({ factory.makeShaper() }) {
            do {
                try await check.run()
            } catch {
                Issue.record("\(check.id): \(error)")
            }
        }
    }
}
#endif
