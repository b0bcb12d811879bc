import RejoinContracts
import RejoinStore
import Testing

@Suite("RoomStore contract")
struct RoomStoreContractTests {
    @Test("InMemoryRoomStore", arguments: RoomStoreContract.checks { InMemoryRoomStore() })
    func inMemory(_ check: ContractCheck) async throws {
        try await check.run()
    }
}
