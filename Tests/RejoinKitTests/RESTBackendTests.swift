import RejoinKit
import RejoinModel
import RejoinSync
import RejoinTransport
import RejoinWire
import Synchronization
import Testing

@Suite("RESTBackend")
struct RESTBackendTests {
    /// Answers from a script, and keeps the requests.
    private final class Exchange: HTTPExchange {
        let answers: Mutex<[HTTPResponse]>
        let requests = Mutex<[HTTPRequest]>([])

        init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers) }

        func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
            async throws(BackendFailure) -> HTTPResponse
        {
            requests.withLock { $0.append(request) }
            let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let answer else { throw BackendFailure(.unreachable, "the script is over") }
            return answer
        }
    }

    private final class Provider: ChatCredentialsProvider {
        let reasons = Mutex<[StompCredentialsReason]>([])

        func credentials(_ reason: StompCredentialsReason)
            async throws(StompCredentialsFailure) -> ChatCredentials
        {
            let count = reasons.withLock { reasons in
                reasons.append(reason)
                return reasons.count
            }
            return .bearer("token-\(count)")
        }
    }

    private let format = ReferenceFormat()
    private var expired: HTTPResponse { format.encode(BackendFailure(.tokenExpired, "expired")) }
    private var page: HTTPResponse {
        let page = HistoryPage(
            messages: [], from: nil, through: nil, hasBefore: false, hasAfter: false, tip: nil)
        return format.encode(.history(page), to: .history(RoomID("r"), .newest, limit: 10))
    }

    private func backend(_ exchange: Exchange, _ provider: Provider) -> RESTBackend {
        RESTBackend(format: format, exchange: exchange, credentials: provider)
    }

    @Test("stream-chat-swift#3145: an expired token is renewed once, and the request repeated")
    func renewed() async throws {
        let exchange = Exchange([expired, page])
        let provider = Provider()
        _ = try await backend(exchange, provider)
            .answer(HistoryRequest.page(.newest, limit: 10), in: RoomID("r"))
        let tokens = exchange.requests.withLock { $0.map { $0.headers["Authorization"] } }
        #expect(tokens == ["Bearer token-1", "Bearer token-2"])
        #expect(provider.reasons.withLock { $0 } == [.initial, .expired])
    }

    @Test("stream-chat-swift#3424: a token that stays expired does not loop")
    func noLoop() async {
        let exchange = Exchange([expired, expired, expired, expired])
        let failure = await #expect(throws: BackendFailure.self) {
            try await backend(exchange, Provider())
                .answer(HistoryRequest.page(.newest, limit: 10), in: RoomID("r"))
        }
        #expect(failure?.code == .tokenInvalid)
        #expect(exchange.requests.withLock { $0.count } == 2)
    }

    @Test("An answer that cannot be read is a typed failure with its place")
    func malformed() async {
        let exchange = Exchange([
            HTTPResponse(status: 200, body: ContiguousArray(#"{"messages":[{"id":1}]}"#.utf8))
        ])
        let failure = await #expect(throws: BackendFailure.self) {
            try await backend(exchange, Provider())
                .answer(HistoryRequest.page(.newest, limit: 10), in: RoomID("r"))
        }
        #expect(failure?.code == .malformedAnswer)
        #expect(failure?.message.contains("messages[0]") == true)
    }

    @Test(
        "Refusals keep their meaning",
        arguments: [
            BackendFailure.Code.forbidden, .notFound, .gone, .conflict, .rateLimited, .tokenInvalid,
        ])
    func refusals(_ code: BackendFailure.Code) async {
        let exchange = Exchange([format.encode(BackendFailure(code, "no"))])
        let failure = await #expect(throws: BackendFailure.self) {
            try await backend(exchange, Provider()).answer(.rooms)
        }
        #expect(failure?.code == code)
    }

    @Test(
        "Whatever a server says of what it was sent, its words do not show the credentials",
        arguments: [
            "Authorization: Bearer SECRET", "SECRET", "xSECRETSECRETx", "the token SECRET is old",
            // The text is cut at 300 characters, in the midst of it.
            String(repeating: "x", count: 200) + "SECRET",
            String(repeating: "x", count: 292) + "SECRET",
        ])
    func secrets(_ words: String) async throws {
        let secret = "eyJhbGciOiJIUzI1NiJ9." + String(repeating: "0f3a9c", count: 40)
        for code in [BackendFailure.Code.rejected, .serverError, .tokenInvalid, .rateLimited] {
            let text = words.replacing("SECRET", with: secret)
            let exchange = Exchange([format.encode(BackendFailure(code, text))])
            let backend = RESTBackend(
                format: format, exchange: exchange, credentials: FixedCredentials(.bearer(secret)))
            let failure = await #expect(throws: BackendFailure.self) {
                try await backend.answer(.rooms)
            }
            let told = try #require(failure).description
            #expect(told.contains("[redacted]"))
            #expect(!told.contains(secret.prefix(6)), "\(told)")
        }
    }
}
