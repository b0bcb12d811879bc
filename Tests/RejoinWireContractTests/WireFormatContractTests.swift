import RejoinContracts
import RejoinWire
import Testing

@Suite("Contract of wire formats (sections 3 and 9)")
struct WireFormatContractTests {
    @Test("the reference format keeps it", arguments: checks.map(\.id))
    func reference(id: String) async throws {
        for check in checks where check.id == id { try await check.run() }
    }
}

private let checks = wireFormatChecks(ReferenceFormat())
