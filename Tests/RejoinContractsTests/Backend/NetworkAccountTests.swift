import RejoinContracts
import RejoinKit
import RejoinModel
import RejoinWire
import Synchronization
import Testing

/// How checks reach a backend over the network.
@Suite("The network account")
struct NetworkAccountTests {
    /// Answers everything with one response.
    private struct Exchange: HTTPExchange {
        let answer: @Sendable (HTTPRequest) -> HTTPResponse

        func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
            async throws(BackendFailure) -> HTTPResponse
        {
            answer(request)
        }
    }

    private func failure(
        told: @escaping @Sendable (String) -> Void = { _ in },
        answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws -> BackendFailure {
        let network = BackendNetwork(
            format: ReferenceFormat(), exchange: Exchange(answer: answer), progress: told)
        let account = NetworkAccount(
            UserID("ann"), credentials: .bearer("t0p-s3cret-token"), network: network)
        return try #require(
            await #expect(throws: BackendFailure.self) { try await account.perform(.rooms) })
    }

    @Test(
        "P8: while it waits as the backend asked it says so, and in the end how long, and for what")
    func waits() async throws {
        let told = Mutex<[String]>([])
        let failure = try await failure(
            told: { text in told.withLock { $0.append(text) } },
            answer: { _ in HTTPResponse(status: 429, headers: ["Retry-After": "0"]) })
        #expect(failure.code == .rateLimited)
        #expect(failure.message.contains("after 3 waits of 0.0 seconds together"))
        #expect(failure.message.hasSuffix("still asks to come back in 0.0 seconds"))
        let texts = told.withLock(\.self)
        #expect(texts.count == 3)
        #expect(
            texts.last == "the backend is busy and asks to come back in 0.0 seconds; "
                + "waiting 0.0 seconds, 3 of 3")
    }

    @Test("A backend that says in its error what it was sent does not make checks say it")
    func secrets() async throws {
        let failure = try await failure { request in
            let sent = request.headers["Authorization"] ?? ""
            return ReferenceFormat().encode(BackendFailure(.rejected, "you sent '\(sent)'"))
        }
        #expect(failure.message == "you sent '[redacted]'")
    }

    @Test("A redirect is told as one, and that it is not followed")
    func redirect() async throws {
        let failure = try await failure { _ in
            HTTPResponse(status: 302, headers: ["Location": "https://elsewhere.example"])
        }
        #expect(failure.message.contains("302"))
        #expect(failure.message.contains("redirects are not followed"))
    }
}
