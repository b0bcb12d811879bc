import RejoinContracts
import Testing

@Suite("The model keeps its contracts (promises P1 to P3)")
struct ModelContractTests {
    @Test("Timeline", arguments: timelineContract().map(\.id))
    func timeline(id: String) async throws {
        for check in timelineContract() where check.id == id { try await check.run() }
    }

    @Test("ChangeSet", arguments: changeSetContract().map(\.id))
    func changeSet(id: String) async throws {
        for check in changeSetContract() where check.id == id { try await check.run() }
    }
}
