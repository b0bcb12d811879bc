/// Values that a server was sent and that nobody else may see, taken out of what it says.
///
/// A server may say in its error what it was sent, whether it speaks HTTP or STOMP; its words go to
/// logs and to engineers.
package struct SecretValues: Sendable {
    /// Shorter values are no secrets, and would be found in words that mean something else.
    private static let shortest = 6
    private static let mark = "[redacted]"

    /// The longer ones first: they hold the others.
    private let values: [String]

    /// Takes header values; of `Bearer abc` the token alone is a secret too.
    package init(_ headerValues: [String]) {
        let parts = headerValues.compactMap { $0.split(separator: " ").last.map(String.init) }
        values = Set(headerValues + parts).filter { $0.utf8.count >= Self.shortest }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// A text from outside, in which nothing of these values stands any more: neither a whole one,
    /// nor the beginning of one where the text was cut.
    ///
    /// - Complexity: O(length of the text times length of the values).
    package func redacting(_ text: String) -> String {
        values.reduce(text) { text, secret in
            let text = text.replacing(secret, with: Self.mark)
            let longest = min(text.utf8.count, secret.utf8.count - 1)
            guard longest >= Self.shortest else { return text }
            for length in stride(from: longest, through: Self.shortest, by: -1)
            where text.utf8.suffix(length).elementsEqual(secret.utf8.prefix(length)) {
                return String(decoding: text.utf8.dropLast(length), as: UTF8.self) + Self.mark
            }
            return text
        }
    }
}

extension StompFrame {
    /// The frame without secrets, in headers and body alike.
    func redacting(_ secrets: SecretValues) -> StompFrame {
        let text = String(decoding: body, as: UTF8.self)
        let shown = secrets.redacting(text)
        return StompFrame(
            command, headers: StompHeaders(headers.map { ($0.name, secrets.redacting($0.value)) }),
            body: shown == text ? body : ContiguousArray(shown.utf8))
    }
}
