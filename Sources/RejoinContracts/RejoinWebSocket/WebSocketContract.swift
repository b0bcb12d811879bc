import RejoinTime
public import RejoinTransport

/// What every `WebSocketConnector` must keep, checked against a misbehaving peer.
///
/// - Parameters:
///   - connector: The connector under test.
///   - peer: The other side, such as a ``LoopbackWebSocketPeer``.
/// - Returns: The checks; each opens connections of its own and ends within a minute.
public func webSocketContract(
    connector: any WebSocketConnector, peer: any WebSocketPeer
) -> [ContractCheck] {
    let bench = WebSocketBench(connector: connector, peer: peer)
    return openingChecks(bench) + refusalChecks(bench) + messageChecks(bench)
        + limitChecks(bench) + closingChecks(bench) + livenessChecks(bench)
}

/// The connector and the peer, with the steps that checks have in common.
struct WebSocketBench: Sendable {
    let connector: any WebSocketConnector
    let peer: any WebSocketPeer

    /// A check that fails instead of hanging.
    func check(
        _ id: String, _ promise: String,
        _ body: @escaping @Sendable (_ id: String) async throws -> Void
    ) -> ContractCheck {
        let id = "websocket.\(id)"
        return ContractCheck(id, promise: promise) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body(id) }
                group.addTask {
                    try await SystemTime().sleep(for: .seconds(60))
                    throw ContractFailure(
                        check: id, expected: "an end within a minute", got: "none",
                        whoIsHurt: "a chat that waits for ever shows a person nothing at all")
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// A request for one of the peer's behaviours.
    func request(
        _ behaviour: WebSocketPeerBehaviour, headers: [WebSocketRequest.HeaderField] = [],
        subprotocols: [String] = [], maximumMessageBytes: Int = 1 << 20,
        timeout: Duration = .seconds(30)
    ) -> WebSocketRequest {
        WebSocketRequest(
            url: peer.url(behaviour), headers: headers, subprotocols: subprotocols,
            maximumMessageBytes: maximumMessageBytes, timeout: timeout)
    }

    /// Opens a connection.
    func open(
        _ behaviour: WebSocketPeerBehaviour, subprotocols: [String] = [],
        maximumMessageBytes: Int = 1 << 20
    ) async throws -> any WebSocketConnection {
        try await connector.connect(
            request(
                behaviour, subprotocols: subprotocols, maximumMessageBytes: maximumMessageBytes))
    }

    /// The error that `body` must end in.
    func failure(
        _ id: String, whoIsHurt: String, _ body: () async throws -> Void
    ) async throws -> WebSocketError {
        do {
            try await body()
        } catch let error as WebSocketError {
            return error
        }
        throw ContractFailure(
            check: id, expected: "a WebSocketError", got: "success", whoIsHurt: whoIsHurt)
    }

    /// What the peer saw.
    func observation(
        _ id: String, of behaviour: WebSocketPeerBehaviour
    ) async throws -> WebSocketPeerObservation {
        guard let seen = await peer.observation(of: behaviour) else {
            throw ContractFailure(
                check: id, expected: "a connection at the peer", got: "none",
                whoIsHurt: "nobody was served")
        }
        return seen
    }
}

extension WebSocketMessage {
    /// A TEXT message.
    static func text(_ content: String) -> WebSocketMessage {
        .text(ContiguousArray(content.utf8))
    }
}
