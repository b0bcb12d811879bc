import RejoinTime
public import RejoinTransport

/// What every `WebSocketConnector` must keep, checked against a misbehaving peer.
///
/// - Parameters:
///   - connector: The connector under test.
///   - peer: The other side, such as a ``LoopbackWebSocketPeer``; for the fake of this package, a
///     ``ScriptedServer``.
///   - patience: How long one check may take.
/// - Returns: The checks; each opens connections of its own.
public func webSocketContract(
    connector: any WebSocketConnector, peer: any WebSocketPeer, patience: Duration = .seconds(60)
) -> [ContractCheck] {
    let bench = WebSocketBench(connector: connector, peer: peer, patience: patience)
    return openingChecks(bench) + refusalChecks(bench) + messageChecks(bench)
        + limitChecks(bench) + closingChecks(bench) + livenessChecks(bench)
}

/// The connector and the peer, with the steps that checks have in common.
struct WebSocketBench: Sendable {
    let connector: any WebSocketConnector
    let peer: any WebSocketPeer
    let patience: Duration

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
                    try await SystemTime().sleep(for: patience)
                    throw ContractFailure(
                        check: id, expected: "an end within \(patience)", got: "none",
                        whoIsHurt: "a chat that waits for ever shows a person nothing at all")
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// Skips what a fake cannot show.
    func requireWire() throws(ContractSkip) {
        guard peer.isOnTheWire else {
            throw ContractSkip("the peer's connections are not bytes on a network")
        }
    }

    /// A request for one of the peer's behaviours.
    ///
    /// - Throws: ``ContractSkip`` where the peer does not have it.
    func request(
        _ behaviour: WebSocketPeerBehaviour, headers: [WebSocketRequest.HeaderField] = [],
        subprotocols: [String] = [], maximumMessageBytes: Int = 1 << 20,
        timeout: Duration = .seconds(30)
    ) throws(ContractSkip) -> WebSocketRequest {
        guard peer.behaviours.contains(behaviour) else {
            throw ContractSkip("the peer cannot behave as \(behaviour.rawValue)")
        }
        return WebSocketRequest(
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
