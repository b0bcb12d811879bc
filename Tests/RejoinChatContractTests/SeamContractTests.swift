#if os(Linux)
import RejoinChat
import RejoinContracts
import Testing

/// The adapters that fill the seams of the cores, over libcurl, libwebsockets and the reference
/// backend.
@Suite("The adapters of a client keep the contracts of the seams", .serialized)
struct SeamContractTests {
    @Test("RESTBackend keeps the contract of history sources")
    func history() async throws {
        try await ReferenceBackend.run { backend in
            await expectKept(historySourceChecks { try await backend.bench() })
        }
    }

    @Test(
        "RESTBackend and SocketSender keep the contract of message senders",
        arguments: [ChatConfiguration.Sending.rest, .socket])
    func sender(_ sending: ChatConfiguration.Sending) async throws {
        try await ReferenceBackend.run { backend in
            await expectKept(messageSenderChecks { try await backend.bench(sending: sending) })
        }
    }

    @Test("RESTBackend keeps the contract of read reporters")
    func reporter() async throws {
        try await ReferenceBackend.run { backend in
            await expectKept(readReporterChecks { try await backend.bench() })
        }
    }

    private func expectKept(_ checks: [ContractCheck]) async {
        for check in checks {
            let result = await check.result()
            #expect(result.failure == nil, "\(result)")
        }
    }
}
#endif
