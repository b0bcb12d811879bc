package import RejoinModel
import RejoinTransport
package import RejoinWire

extension HTTPExchange {
    /// Makes one call with credentials: the request, its answer, and what the answer means.
    ///
    /// A server may say in its error what it was sent, so that here is the one place where the
    /// credentials are taken out of its words, before a log or a person sees them.
    package func answer(
        to call: BackendCall, by format: any WireFormat, with credentials: ChatCredentials,
        timeout: Duration, maximumBytes: Int
    ) async throws(BackendFailure) -> BackendAnswer {
        var request = format.encode(call)
        for field in credentials.httpHeaders.fields {
            request.headers.append(field.name, field.value)
        }
        do throws(BackendFailure) {
            let response = try await response(
                to: request, timeout: timeout, maximumBytes: maximumBytes)
            return try format.decode(response, answering: call)
        } catch {
            throw BackendFailure(
                error.code, credentials.redacting(error.message), retryAfter: error.retryAfter)
        }
    }
}

extension ChatCredentials {
    /// A text from outside, in which nothing of these credentials stands any more.
    ///
    /// - Complexity: O(length of the text times length of the credentials).
    package func redacting(_ text: String) -> String {
        SecretValues(httpHeaders.fields.map(\.value) + stomp.values).redacting(text)
    }
}
