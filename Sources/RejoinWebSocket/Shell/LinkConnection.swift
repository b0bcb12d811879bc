import RejoinTransport

/// A connection of either connector.
///
/// One message is read ahead; then reading pauses until it is taken. A pong behind it is seen only
/// after that, so who judges life by pings must keep reading.
final class LinkConnection: WebSocketConnection {
    let subprotocol: String?
    private let link: Link
    /// What must live as long as somebody holds the connection.
    private let lease: (any Sendable)?

    /// Waits until `link` is open and wraps it.
    ///
    /// - Parameter lease: Kept alive by the connection.
    static func open(
        _ link: Link, lease: (any Sendable)? = nil
    ) async throws(WebSocketError) -> LinkConnection {
        try unwrap(await link.perform { .awaitOpening($0) })
        return LinkConnection(link: link, lease: lease)
    }

    private init(link: Link, lease: (any Sendable)?) {
        self.link = link
        self.lease = lease
        subprotocol = link.subprotocol
    }

    deinit {
        // Nobody can use it any more: the socket goes too.
        link.abandon()
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        if case .text(let bytes) = message, !UTF8Check.isValid(bytes) {
            throw WebSocketError(
                .invalidRequest, "A TEXT message must be valid UTF-8. Send it as BINARY.")
        }
        try Self.unwrap(await link.perform { .send($0, message) })
    }

    func ping() async throws(WebSocketError) {
        try Self.unwrap(await link.perform { .ping($0) })
    }

    func receive() async throws(WebSocketError) -> WebSocketMessage {
        switch await link.perform({ .receive($0) }) {
        case .message(let message): return message
        case .failed(let error): throw error
        case .done: throw .lost
        }
    }

    func close(code: UInt16, reason: String, timeout: Duration) async {
        precondition(
            CloseCode.isSendable(code), "RFC 6455 section 7.4 does not let anybody send \(code)"
        )
        await link.close(CloseFrame(code: code, reason: reason), timeout: timeout)
    }

    func abandon() {
        link.abandon()
    }

    private static func unwrap(_ outcome: ConnectionCore.Outcome) throws(WebSocketError) {
        if case .failed(let error) = outcome { throw error }
    }
}
