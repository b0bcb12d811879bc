import RejoinContracts
import RejoinTime
import Testing

@Suite("Time sources keep their contract")
struct TimeContractTests {
    @Test("The system's time")
    func systemTime() async throws {
        for check in timeSourceContract(make: { SystemTime() }) { try await check.run() }
    }

    @Test("Virtual time")
    func virtualTime() async throws {
        let checks = timeSourceContract(
            make: { VirtualTime() },
            letPass: { source, _ in await source.advanceToSleeper() })
        for check in checks { try await check.run() }
    }
}
