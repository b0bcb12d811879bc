import RejoinTime
public import RejoinTransport

/// The other side of a ``ScriptedConnector`` for the WebSocket contract: behaves as far as that can
/// be done with whole messages in memory. Run ``run()`` beside the checks.
public final class ScriptedServer: WebSocketPeer {
    private struct Served: Sendable {
        var running = 0
        /// The last connection that has ended, in the order of their beginnings.
        var serial = -1
        var last: WebSocketPeerObservation?
    }

    private let scripted = ScriptedConnector()
    private let served = Shared<[WebSocketPeerBehaviour: Served]>([:])

    /// Creates a server.
    public init() {}

    /// The connector whose attempts it serves.
    public var connector: any WebSocketConnector { scripted }

    public let isOnTheWire = false

    public let behaviours: Set<WebSocketPeerBehaviour> = [
        .echo, .echoWithoutSubprotocol, .refusal401, .refusal403, .refusal503, .redirect, .page,
        .longRefusal, .endsDuringUpgrade, .silentUpgrade, .eager, .drip, .fragments, .pingFlood,
        .closesNormally, .closesPrivately, .closesWithoutCode, .closesWithInvalidCode,
        .closesAfterMessage, .vanishes, .vanishesInFrame, .resetsInFrame, .mute, .neverReads,
    ]

    public func url(_ behaviour: WebSocketPeerBehaviour) -> String {
        "ws://scripted.example/\(behaviour.rawValue)"
    }

    public func observation(
        of behaviour: WebSocketPeerBehaviour
    ) async -> WebSocketPeerObservation? {
        while !Task.isCancelled, let now = served.value[behaviour] {
            if now.running == 0 { return now.last }
            try? await SystemTime().sleep(for: .milliseconds(1))
        }
        return nil
    }

    /// Nothing of it fills up.
    public func hasHadToWait(_ behaviour: WebSocketPeerBehaviour) -> Bool { false }

    /// Serves attempts until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            var serial = 0
            while let attempt = await scripted.nextAttemptUnlessCancelled() {
                serial += 1
                group.addTask { [serial] in await self.serve(attempt, serial) }
            }
            group.cancelAll()
        }
    }

    private func serve(_ attempt: ScriptedConnector.Attempt, _ serial: Int) async {
        let name = attempt.request.url.split(separator: "/").last.map(String.init) ?? ""
        guard let behaviour = WebSocketPeerBehaviour(rawValue: name) else {
            return attempt.refuse(WebSocketError(.invalidRequest, "there is nothing there"))
        }
        served.update { $0[behaviour, default: Served()].running += 1 }
        var seen = WebSocketPeerObservation()
        if let refusal = Self.refusal(behaviour) {
            attempt.refuse(refusal)
        } else if behaviour != .silentUpgrade {
            let offered = attempt.request.subprotocols.first
            let peer = attempt.accept(
                subprotocol: behaviour == .echoWithoutSubprotocol ? nil : offered)
            seen = await Self.serve(behaviour, peer)
        }
        let observation = seen
        served.update { served in
            served[behaviour]?.running -= 1
            guard let known = served[behaviour]?.serial, known < serial else { return }
            served[behaviour]?.serial = serial
            served[behaviour]?.last = observation
        }
    }

    private static func refusal(_ behaviour: WebSocketPeerBehaviour) -> WebSocketError? {
        func refused(_ status: Int, _ body: String = "") -> WebSocketError {
            WebSocketError(
                .upgradeRefused, "refused", httpStatus: status,
                retryAfter: status == 503 ? .seconds(7) : nil, body: ContiguousArray(body.utf8))
        }
        return switch behaviour {
        case .refusal401: refused(401, #"{"code":"token_expired"}"#)
        case .refusal403: refused(403)
        case .refusal503: refused(503)
        case .redirect: refused(301)
        case .page: refused(200)
        case .longRefusal: refused(401, String(repeating: "x", count: 4_096))
        case .endsDuringUpgrade: WebSocketError(.unreachable, "the peer ended the upgrade")
        default: nil
        }
    }

    private static func serve(
        _ behaviour: WebSocketPeerBehaviour, _ peer: ScriptedPeer
    ) async -> WebSocketPeerObservation {
        var seen = WebSocketPeerObservation()
        switch behaviour {
        case .eager:
            for text in ["one", "two"] { peer.send(.text(text)) }
        case .drip: peer.send(.text("drip"))
        case .fragments: peer.send(.text("héllo"))
        case .pingFlood: peer.send(.text("done"))
        case .closesNormally: peer.close(1000, reason: "bye")
        case .closesPrivately: peer.close(4001, reason: "moved")
        case .closesWithoutCode: peer.close(1005)
        case .closesWithInvalidCode: peer.close(1002)
        case .closesAfterMessage:
            peer.send(.text("last"))
            peer.close(1001)
        case .vanishes, .vanishesInFrame, .resetsInFrame: peer.breakOff()
        case .mute: peer.goSilent()
        case .neverReads: peer.setTakesWrites(false)
        default: break
        }
        let echoes = [.echo, .echoWithoutSubprotocol, .pingFlood].contains(behaviour)
        while let message = await peer.next() {
            seen.messages += 1
            if echoes { peer.send(message) }
        }
        if case .closed(let code)? = await peer.endingIfEnded() { seen.closeCode = code }
        return seen
    }
}
