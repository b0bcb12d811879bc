public import RejoinTransport

/// The server behind a ``ScriptedConnector`` that behaves as a contract's fixture asks: run
/// ``run()`` beside the checks.
public struct ScriptedServer: WebSocketConnectorFixture {
    private let scripted = ScriptedConnector()

    /// Creates a server.
    public init() {}

    public var connector: any WebSocketConnector { scripted }

    public func url(for behaviour: WebSocketServerBehaviour) async throws -> String {
        let path =
            switch behaviour {
            case .echo: "echo"
            case .refuse(let status): "refuse/\(status)"
            case .close(let code, let reason): "close/\(code)/\(reason)"
            case .breakOff: "break"
            }
        return "ws://scripted.example/\(path)"
    }

    /// Serves attempts until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while let attempt = await scripted.nextAttemptUnlessCancelled() {
                group.addTask { await Self.serve(attempt) }
            }
            group.cancelAll()
        }
    }

    private static func serve(_ attempt: ScriptedConnector.Attempt) async {
        let path = attempt.request.url.split(separator: "/").dropFirst(2).map(String.init)
        switch path.first {
        case "refuse":
            attempt.refuse(
                WebSocketError(
                    .upgradeRefused, "refused", httpStatus: path.last.flatMap(Int.init),
                    retryAfter: .seconds(7), body: ContiguousArray(#"{"code":"test"}"#.utf8)))
        case "close":
            attempt.accept().close(
                path.dropFirst().first.flatMap(UInt16.init) ?? 1000, reason: "test")
        case "break":
            let peer = attempt.accept()
            _ = await peer.next()
            peer.breakOff()
        default:
            let peer = attempt.accept()
            while let message = await peer.next() { peer.send(message) }
        }
    }
}
