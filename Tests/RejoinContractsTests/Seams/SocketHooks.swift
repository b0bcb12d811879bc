import RejoinTransport

/// Where a fault can enter a WebSocket adapter.
struct SocketHooks: Sendable {
    typealias Connect =
        @Sendable (WebSocketRequest) async throws(WebSocketError) -> any WebSocketConnection
    typealias Send = @Sendable (WebSocketMessage) async throws(WebSocketError) -> Void
    typealias Receive = @Sendable () async throws(WebSocketError) -> WebSocketMessage
    typealias Ping = @Sendable () async throws(WebSocketError) -> Void

    var connect:
        @Sendable (WebSocketRequest, Connect) async throws(WebSocketError)
            -> any WebSocketConnection = { (request, connect) async throws(WebSocketError) in
                try await connect(request)
            }
    var subprotocol: (@Sendable (WebSocketRequest) -> String?)?
    var send: @Sendable (WebSocketMessage, Send) async throws(WebSocketError) -> Void = {
        (message, send) async throws(WebSocketError) in try await send(message)
    }
    var receive: @Sendable (Receive) async throws(WebSocketError) -> WebSocketMessage = {
        (receive) async throws(WebSocketError) in try await receive()
    }
    var ping: @Sendable (Ping) async throws(WebSocketError) -> Void = {
        (ping) async throws(WebSocketError) in try await ping()
    }
    /// What `receive`, `ping` and `send` throw.
    var fail: @Sendable (WebSocketError) -> WebSocketError = { $0 }
    var closeCode: @Sendable (UInt16) -> UInt16 = { $0 }
    var closes = true
    var abandons = true
    /// Keeps every connection alive that it ever opened.
    var kept: Shared<[any WebSocketConnection]>?
}

/// A connector with a fault.
struct HookedConnector: WebSocketConnector {
    let base: any WebSocketConnector
    let hooks: SocketHooks

    func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> any WebSocketConnection
    {
        let connection = try await hooks.connect(request) {
            (request) async throws(WebSocketError) in try await base.connect(request)
        }
        hooks.kept?.update { $0.append(connection) }
        return HookedConnection(base: connection, request: request, hooks: hooks)
    }
}

private struct HookedConnection: WebSocketConnection {
    let base: any WebSocketConnection
    let request: WebSocketRequest
    let hooks: SocketHooks

    var subprotocol: String? {
        if let subprotocol = hooks.subprotocol { subprotocol(request) } else { base.subprotocol }
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        do throws(WebSocketError) {
            try await hooks.send(message) { (message) async throws(WebSocketError) in
                try await base.send(message)
            }
        } catch {
            throw hooks.fail(error)
        }
    }

    func receive() async throws(WebSocketError) -> WebSocketMessage {
        do throws(WebSocketError) {
            return try await hooks.receive { () async throws(WebSocketError) in
                try await base.receive()
            }
        } catch {
            throw hooks.fail(error)
        }
    }

    func ping() async throws(WebSocketError) {
        do throws(WebSocketError) {
            try await hooks.ping { () async throws(WebSocketError) in try await base.ping() }
        } catch {
            throw hooks.fail(error)
        }
    }

    func close(code: UInt16, reason: String, timeout: Duration) async {
        guard hooks.closes else { return }
        await base.close(code: hooks.closeCode(code), reason: reason, timeout: timeout)
    }

    func abandon() {
        if hooks.abandons { base.abandon() }
    }
}

/// A connector that reaches nobody, for the names of checks.
struct NoConnector: WebSocketConnector {
    func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> any WebSocketConnection
    {
        throw WebSocketError(.unreachable, "there is nobody")
    }
}

extension WebSocketMessage {
    /// A TEXT message.
    static func text(_ content: String) -> WebSocketMessage {
        .text(ContiguousArray(content.utf8))
    }
}
