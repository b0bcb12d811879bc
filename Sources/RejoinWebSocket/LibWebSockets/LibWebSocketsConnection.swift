#if os(Linux)
    import RejoinTransport

    /// A connection of ``LibWebSocketsConnector``.
    final class LibWebSocketsConnection: WebSocketConnection {
        let subprotocol: String?
        private let link: Link
        /// Keeps the service thread alive as long as somebody holds the connection.
        private let lease: ServiceLease

        private init(link: Link, lease: ServiceLease) {
            self.link = link
            self.lease = lease
            subprotocol = link.subprotocol
        }

        deinit {
            // Nobody can use it any more: the socket goes too.
            link.abandon()
        }

        /// Opens a connection to one address.
        static func open(
            _ attempt: ConnectionAttempt, _ lease: ServiceLease
        ) async throws(WebSocketError) -> any WebSocketConnection {
            let link = Link(
                loop: lease.loop, maximumMessageBytes: attempt.request.maximumMessageBytes)
            lease.loop.open(link, attempt)
            try unwrap(await link.perform { .awaitOpening($0) })
            return LibWebSocketsConnection(link: link, lease: lease)
        }

        func send(_ message: WebSocketMessage) async throws(WebSocketError) {
            if case .text(let bytes) = message, !isValidUTF8(bytes) {
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
#endif
