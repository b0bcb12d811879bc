import RejoinContracts
import RejoinModel
import RejoinStore
import Testing
import XCTest

// The adapters that the documentation shows (the article "Checking your adapters"), as they stand
// there but for the name of the store.

private let checks = RoomStoreContract.checks { InMemoryRoomStore() }

@Suite("A contract in Swift Testing: each check is a test case of its own")
struct SwiftTestingExample {
    @Test("MyStore keeps the store contract", arguments: checks)
    func myStore(_ check: ContractCheck) async throws { try await check.run() }
}

/// A contract in XCTest: one after the other, each failure with its own text.
final class MyStoreTests: XCTestCase {
    func testKeepsTheStoreContract() async {
        for check in checks {
            let result = await check.result()
            XCTAssertNil(result.failure, "\(result)")
        }
    }
}
