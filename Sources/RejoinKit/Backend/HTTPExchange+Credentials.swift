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
    /// Shorter values are no secrets, and would be found in words that mean something else.
    private static let shortestSecret = 6
    private static let mark = "[redacted]"

    /// A text from outside, in which nothing of these credentials stands any more: neither a whole
    /// value, nor one without its scheme (`Bearer`), nor the beginning of one where the text was
    /// cut.
    ///
    /// - Complexity: O(length of the text times length of the credentials).
    package func redacting(_ text: String) -> String {
        // The longer ones first: they hold the others.
        secrets.reduce(text) { text, secret in
            let text = text.replacing(secret, with: Self.mark)
            let longest = min(text.utf8.count, secret.utf8.count - 1)
            guard longest >= Self.shortestSecret else { return text }
            for length in stride(from: longest, through: Self.shortestSecret, by: -1)
            where text.utf8.suffix(length).elementsEqual(secret.utf8.prefix(length)) {
                return String(decoding: text.utf8.dropLast(length), as: UTF8.self) + Self.mark
            }
            return text
        }
    }

    private var secrets: [String] {
        let values =
            httpHeaders.fields.map(\.value) + stomp.upgradeHeaders.map(\.value)
            + stomp.connectHeaders.map(\.value) + stomp.subscribeHeaders.map(\.value)
        let parts = values.compactMap { $0.split(separator: " ").last.map(String.init) }
        return Set(values + parts).filter { $0.utf8.count >= Self.shortestSecret }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }
}
