import RejoinContracts
import RejoinSync
import Testing

@Suite("History sources keep their contract")
struct HistorySourceContractTests {
    @Test("The model history, with wide and with tight bounds", arguments: [false, true])
    func model(_ statesTightBounds: Bool) async throws {
        for check in historySourceChecks({
            ModelHistorySource(statesTightBounds: statesTightBounds)
        }) { try await check.run() }
    }
}
