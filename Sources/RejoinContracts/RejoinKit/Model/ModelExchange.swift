package import RejoinModel
import RejoinTime
package import RejoinWire

/// REST to a ``ModelBackend`` in the reference format, over a ``ModelNetwork``.
package struct ModelExchange: HTTPExchange {
    private let account: ModelAccount
    private let network: ModelNetwork
    private let format = ReferenceFormat()

    package init(_ account: ModelAccount, over network: ModelNetwork) {
        self.account = account
        self.network = network
    }

    package func response(
        to request: HTTPRequest, timeout: Duration, maximumBytes: Int
    ) async throws(BackendFailure) -> HTTPResponse {
        let fate = network.drawFate()
        do {
            try await network.travel()
            if case .requestLost = fate { try await network.time.sleep(for: timeout) }
        } catch {
            throw BackendFailure(.cancelled, "the request was given up before it left")
        }
        switch fate {
        case .requestLost: throw BackendFailure(.unreachable, "the request did not get through")
        case .refused: return format.encode(BackendFailure(.serverError, "no time now"))
        case .arrives, .answerLost: break
        }
        let response = await answer(request)
        do {
            try await network.travel()
            if case .answerLost = fate { try await network.time.sleep(for: timeout) }
        } catch {
            throw BackendFailure(.outcomeUnknown, "the request was given up after it had left")
        }
        if case .answerLost = fate {
            throw BackendFailure(.outcomeUnknown, "the answer did not get through")
        }
        return response
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(BackendFailure) {
            let call = try format.decode(request)
            return format.encode(try await account.perform(call), to: call)
        } catch {
            return format.encode(error)
        }
    }
}
