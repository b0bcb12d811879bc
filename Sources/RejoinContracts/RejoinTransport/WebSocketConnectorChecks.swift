public import RejoinTransport

/// What a connector's contract needs: the connector, and a server that behaves as it is told.
public protocol WebSocketConnectorFixture: Sendable {
    /// The implementation under check.
    var connector: any WebSocketConnector { get }

    /// A URL whose server behaves so for one connection.
    func url(for behaviour: WebSocketServerBehaviour) async throws -> String
}

/// How the server of a fixture behaves.
public enum WebSocketServerBehaviour: Hashable, Sendable {
    /// Sends back each message as it came.
    case echo
    /// Refuses the upgrade with this status, `Retry-After: 7` and the body `{"code":"test"}`.
    case refuse(status: Int)
    /// Closes in good order as soon as it has let the client in.
    case close(code: UInt16, reason: String)
    /// Takes one message and drops the socket without a closing handshake.
    case breakOff
}

/// What every ``WebSocketConnector`` must keep for ``StompSession`` to be right about its
/// connections.
public func webSocketConnectorChecks(_ fixture: any WebSocketConnectorFixture) -> [ContractCheck] {
    [
        ContractCheck("websocket.echo-keeps-bytes-and-kind", promise: "P1") {
            let connection = try await open(fixture, .echo)
            for message in [
                WebSocketMessage.text(ContractBytes.text), .binary([0, 0xFF, 0x0A]), .text([]),
            ] {
                try await connection.send(message)
                try require(
                    try await connection.receive(), equals: message,
                    "websocket.echo-keeps-bytes-and-kind",
                    whoIsHurt: "a STOMP frame whose bytes change ends the session")
            }
            await connection.close(code: 1000, reason: "", timeout: .seconds(5))
        },
        ContractCheck("websocket.messages-keep-their-order", promise: "P3") {
            let connection = try await open(fixture, .echo)
            for number in 0..<100 {
                try await connection.send(.text(ContiguousArray("\(number)".utf8)))
            }
            for number in 0..<100 {
                try require(
                    try await connection.receive(),
                    equals: .text(ContiguousArray("\(number)".utf8)),
                    "websocket.messages-keep-their-order",
                    whoIsHurt: "frames that overtake each other are other frames")
            }
            connection.abandon()
        },
        ContractCheck("websocket.subprotocol-is-told", promise: "section 4") {
            let connection = try await open(fixture, .echo)
            let chosen = connection.subprotocol
            connection.abandon()
            try require(
                chosen == nil || ContractBytes.subprotocols.contains(chosen ?? ""),
                "websocket.subprotocol-is-told", expected: "none, or one of those offered",
                got: chosen ?? "none",
                whoIsHurt: "the session speaks STOMP to a server that speaks something else")
        },
        ContractCheck("websocket.refusal-carries-status-and-body", promise: "section 4") {
            for status in [401, 403, 429, 503] {
                let error = await failure { try await open(fixture, .refuse(status: status)) }
                try require(
                    error?.code == .upgradeRefused && error?.httpStatus == status
                        && error?.retryAfter == .seconds(7)
                        && error?.body == ContractBytes.refusal,
                    "websocket.refusal-carries-status-and-body",
                    expected: "upgrade_refused with status \(status), Retry-After 7 s and the body",
                    got: error.map { "\($0), \(String(describing: $0.retryAfter))" } ?? "success",
                    whoIsHurt: "an expired token cannot be told from an invalid one, and an "
                        + "overloaded server is hammered")
            }
        },
        ContractCheck("websocket.close-code-is-told", promise: "section 4") {
            let connection = try await open(fixture, .close(code: 1011, reason: "test"))
            let error = await failure { try await connection.receive() }
            try require(
                error?.code == .closed && error?.closeCode == 1011
                    && error?.closeReason == "test",
                "websocket.close-code-is-told", expected: "closed, 1011, test",
                got: error.map { "\($0), \(String(describing: $0.closeCode))" } ?? "a message",
                whoIsHurt: "a subscription that makes the server close is never found")
        },
        ContractCheck("websocket.broken-socket-is-1006", promise: "section 4") {
            let connection = try await open(fixture, .breakOff)
            try await connection.send(.text(ContractBytes.text))
            let error = await failure { try await connection.receive() }
            try require(
                error?.code == .closed && error?.closeCode == 1006,
                "websocket.broken-socket-is-1006", expected: "closed, 1006",
                got: error.map { "\($0), \(String(describing: $0.closeCode))" } ?? "a message",
                whoIsHurt: "a broken network is taken for the server's decision")
        },
        ContractCheck("websocket.ping-returns-with-its-pong", promise: "section 4") {
            let connection = try await open(fixture, .echo)
            try await connection.ping()
            try await connection.ping()
            connection.abandon()
        },
        ContractCheck("websocket.abandon-ends-reader-and-ping", promise: "P7") {
            let connection = try await open(fixture, .echo)
            async let read = failure { try await connection.receive() }
            connection.abandon()
            let (readError, pingError) = (await read, await failure { try await connection.ping() })
            try require(
                readError != nil && pingError != nil,
                "websocket.abandon-ends-reader-and-ping", expected: "both throw",
                got:
                    "read: \(String(describing: readError)), ping: \(String(describing: pingError))",
                whoIsHurt: "the run loop waits for ever for a socket that nobody wants")
        },
        ContractCheck("websocket.close-is-bounded-and-final", promise: "P7") {
            let connection = try await open(fixture, .echo)
            await connection.close(code: 1000, reason: "", timeout: .seconds(5))
            await connection.close(code: 1000, reason: "", timeout: .seconds(5))
            let error = await failure { try await connection.send(.text(ContractBytes.text)) }
            try require(
                error != nil, "websocket.close-is-bounded-and-final", expected: "send throws",
                got: "success", whoIsHurt: "a message is taken to be sent and is not")
        },
    ]
}

private enum ContractBytes {
    static let text = ContiguousArray("grüezi\n".utf8)
    static let refusal = ContiguousArray(#"{"code":"test"}"#.utf8)
    static let subprotocols = ["v12.stomp", "v11.stomp", "v10.stomp"]
}

private func open(
    _ fixture: any WebSocketConnectorFixture, _ behaviour: WebSocketServerBehaviour
) async throws -> any WebSocketConnection {
    let url = try await fixture.url(for: behaviour)
    return try await fixture.connector.connect(
        WebSocketRequest(url: url, subprotocols: ContractBytes.subprotocols))
}

private func failure<Value>(_ body: () async throws -> Value) async -> WebSocketError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? WebSocketError ?? WebSocketError(.protocolViolation, "\(error)")
    }
}
