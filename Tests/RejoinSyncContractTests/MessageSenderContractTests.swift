import RejoinContracts
import RejoinSync
import Testing

@Suite("Message senders keep their contract")
struct MessageSenderContractTests {
    @Test("The model sender, with answers and with receipts", arguments: [false, true])
    func model(_ answersWithReceipts: Bool) async throws {
        for check in messageSenderChecks({
            ModelMessageSender(answersWithReceipts: answersWithReceipts)
        }) { try await check.run() }
    }
}
