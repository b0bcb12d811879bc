/// What the end of a connection or an attempt means for the next one.
enum Refusal: Hashable, Sendable {
    /// Try again, after a wait.
    case ordinary
    /// Try again, not before the server said.
    case overloaded(retryAfter: Duration?)
    /// Try again with new credentials.
    case expired
    /// Do not try again.
    case final
}

extension StompErrorCodes {
    /// Classifies a refused upgrade or a broken socket.
    func refusal(of error: WebSocketError) -> (Refusal, StompClientError) {
        switch error.httpStatus {
        case 401?:
            let isInvalid = invalid.contains { error.body.holds("\"\($0)\"") }
            return (
                isInvalid ? .final : .expired,
                StompClientError(
                    .unauthorized,
                    isInvalid
                        ? "the server refused the upgrade (401): the token is invalid; sign in anew"
                        : "the server refused the upgrade (401); new credentials are needed",
                    httpStatus: 401)
            )
        case 403?:
            return (
                .final,
                StompClientError(
                    .forbidden, "the server forbids the upgrade (403)", httpStatus: 403)
            )
        case 429?, 503?:
            return (
                .overloaded(retryAfter: error.retryAfter),
                StompClientError(
                    .overloaded, "the server asked to come back later",
                    httpStatus: error.httpStatus)
            )
        case let status?:
            return (
                .overloaded(retryAfter: error.retryAfter),
                StompClientError(
                    .upgradeRefused,
                    "the server answered the upgrade with status \(status), not 101; check the "
                        + "URL (behind SockJS the path ends in /websocket)",
                    httpStatus: status)
            )
        case nil:
            return Self.refusal(ofCode: error)
        }
    }

    private static func refusal(ofCode error: WebSocketError) -> (Refusal, StompClientError) {
        let code: StompClientError.Code =
            switch error.code {
            case .invalidRequest: .invalidConfiguration
            case .unreachable, .tlsFailed: .unreachable
            case .timedOut: .timedOut
            case .subprotocolMismatch, .protocolViolation, .messageTooLarge: .protocolViolation
            default: .closed
            }
        return (
            error.code == .invalidRequest ? .final : .ordinary,
            StompClientError(code, error.message, closeCode: error.closeCode)
        )
    }

    /// Classifies an ERROR frame by its `code` header, then by its `version` and `message`.
    ///
    /// - Parameter secrets: What must not stand in the error, whatever the server says.
    func refusal(
        of frame: StompFrame, offered: [StompVersion], redacting secrets: SecretValues
    ) -> (Refusal, StompClientError) {
        let code = frame.headers["code"]
        let text = frame.headers["message"]
        func error(_ kind: StompClientError.Code, _ message: String) -> StompClientError {
            StompClientError(
                kind, message, serverCode: code.map(secrets.redacting),
                serverMessage: text.map { String(secrets.redacting($0).prefix(256)) })
        }
        if let code {
            if invalid.contains(code) {
                return (.final, error(.unauthorized, "the token is invalid; sign in anew"))
            }
            if expired.contains(code) {
                return (.expired, error(.unauthorized, "the token has expired"))
            }
            if forbidden.contains(code) {
                return (.final, error(.forbidden, "the server forbids this"))
            }
            if overloaded.contains(code) {
                let seconds = frame.headers["retry-after"].flatMap { Int64($0) }
                return (
                    .overloaded(retryAfter: seconds.map { .seconds(max(0, min($0, 86_400))) }),
                    error(.overloaded, "the server asked to come back later")
                )
            }
        }
        // STOMP 1.2, "Protocol Negotiation": a server without a common version answers by an ERROR
        // whose `version` header lists what it knows.
        if let listed = frame.headers["version"] {
            let known = listed.split(separator: ",")
            if !offered.contains(where: { known.contains(Substring($0.text)) }) {
                return (
                    .final,
                    error(.noCommonVersion, "the server speaks none of the versions we offered")
                )
            }
        }
        if let text, loginRefusedMessages.contains(text) {
            return (.expired, error(.unauthorized, "the server refused the login"))
        }
        return (.ordinary, error(.serverError, "the server sent an ERROR frame"))
    }
}

extension ContiguousArray<UInt8> {
    /// Whether these bytes stand somewhere in the array.
    ///
    /// - Complexity: O(*n* · *m*), for bodies of a few kilobytes.
    fileprivate func holds(_ text: String) -> Bool {
        let needle = [UInt8](text.utf8)
        guard !needle.isEmpty, count >= needle.count else { return false }
        return (0...(count - needle.count)).contains {
            self[$0..<($0 + needle.count)].elementsEqual(needle)
        }
    }
}
