import RejoinModel
import RejoinTime
package import RejoinTransport
import RejoinWire

/// STOMP over WebSocket to a ``ModelBackend`` in the reference format, over a ``ModelNetwork``: run
/// ``run()`` beside the client.
package struct ModelSockets: Sendable {
    private let scripted = ScriptedConnector()
    private let account: ModelAccount
    private let network: ModelNetwork
    private let format = ReferenceFormat()

    package init(_ account: ModelAccount, over network: ModelNetwork) {
        self.account = account
        self.network = network
    }

    /// The client's side.
    package var connector: any WebSocketConnector { scripted }

    /// Serves sockets until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while let attempt = await scripted.nextAttemptUnlessCancelled() {
                group.addTask { await serve(attempt) }
            }
            group.cancelAll()
        }
    }

    private func serve(_ attempt: ScriptedConnector.Attempt) async {
        do { try await network.travel() } catch { return }
        guard case .arrives = network.drawFate() else {
            return attempt.refuse(WebSocketError(.unreachable, "nobody is there"))
        }
        let peer = attempt.accept()
        network.opened(peer)
        let session = ModelStompSession(account: account, format: format)
        await withDiscardingTaskGroup { group in
            group.addTask {
                while let message = await session.outgoing.next() {
                    do { try await network.travel() } catch { return }
                    if !peer.isSilent { peer.send(message) }
                }
            }
            var decoder = StompDecoder(role: .server)
            while let message = await peer.next() {
                guard !peer.isSilent else { continue }
                decoder.append(message.bytes)
                while let event = try? decoder.next() {
                    if case .frame(let frame) = event { await session.receive(frame) }
                }
            }
            await account.backend.unlisten(Set(session.listeners.value.values))
            session.outgoing.finish()
            group.cancelAll()
        }
    }
}

/// The server's end of one STOMP connection, no more than a sound client needs.
private final class ModelStompSession: Sendable {
    let outgoing = TestQueue<WebSocketMessage>()
    /// The backend's listener of each subscription.
    let listeners = Shared<[String: Int]>([:])
    private let account: ModelAccount
    private let format: ReferenceFormat
    private let issued = Shared(0)

    init(account: ModelAccount, format: ReferenceFormat) {
        self.account = account
        self.format = format
    }

    func receive(_ frame: StompFrame) async {
        let id = frame.headers["id"] ?? ""
        switch frame.command {
        case .connect, .stomp:
            send(StompFrame(.connected, headers: [("version", "1.2"), ("heart-beat", "0,0")]))
        case .subscribe: await subscribe(id, to: frame.headers["destination"] ?? "")
        case .unsubscribe:
            if let listener = listeners.update({ $0.removeValue(forKey: id) }) {
                await account.backend.unlisten([listener])
            }
        case .send: await perform(frame)
        case .ack, .nack, .begin, .commit, .abort, .disconnect, .connected, .message, .receipt,
            .error:
            break
        }
        if let receipt = frame.headers["receipt"] {
            send(StompFrame(.receipt, headers: [("receipt-id", receipt)]))
        }
    }

    private func subscribe(_ id: String, to destination: String) async {
        guard let room = format.room(at: destination) else { return }
        let listener = try? await account.backend.listen(to: room, as: account.user) { event in
            self.deliver(event, id, destination)
        }
        listeners.update { $0[id] = listener }
    }

    private func deliver(_ event: RoomEvent, _ subscription: String, _ destination: String) {
        let number = issued.update { count in
            count += 1
            return count
        }
        send(
            StompFrame(
                .message,
                headers: [
                    ("subscription", subscription), ("message-id", "\(number)"),
                    ("destination", destination), ("content-type", "application/json"),
                ], body: format.encode(event)))
    }

    private func perform(_ frame: StompFrame) async {
        let send = WireSend(
            destination: frame.headers["destination"] ?? "", body: frame.body)
        guard let call = try? format.decodeCommand(send).call else { return }
        _ = try? await account.perform(call)
    }

    private func send(_ frame: StompFrame) {
        guard let bytes = try? StompEncoder().encode(frame) else { return }
        outgoing.put(.text(bytes))
    }
}
