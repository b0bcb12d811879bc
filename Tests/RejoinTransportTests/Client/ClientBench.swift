import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// A client under virtual time, with a server in memory that the test plays.
struct ClientBench: Sendable {
    let time = VirtualTime()
    let connector = ScriptedConnector()
    let client: StompClient

    init(
        credentials: any StompCredentialsProvider = FixedStompCredentials(),
        _ configure: (inout StompConfiguration) -> Void = { _ in }
    ) {
        var configuration = StompConfiguration(endpoints: ["wss://chat.example/ws"])
        configure(&configuration)
        client = StompClient(
            configuration: configuration, connector: connector, credentials: credentials,
            time: time, random: SeededGenerator(seed: 1))
    }

    /// Runs the client for as long as the body goes on.
    @discardableResult
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (ClientBench) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup { group in
            group.addTask { await self.client.run() }
            let value = try await body(self)
            group.cancelAll()
            return value
        }
    }

    /// Answers the next attempt and its CONNECT.
    func serve(
        _ headers: StompHeaders = ["version": "1.2", "heart-beat": "10000,10000"]
    ) async throws -> Server {
        let server = Server(peer: await connector.nextAttempt().accept())
        let connect = try #require(await server.next())
        #expect(connect.command == .connect)
        server.send(StompFrame(.connected, headers: headers))
        try await reach(.connected)
        return server
    }

    /// Waits for a status.
    func reach(_ wanted: ConnectionStatus) async throws {
        for await status in client.statusUpdates where status == wanted { return }
        Issue.record("the client never became \(wanted)")
    }

    /// The server's side, in frames.
    struct Server: Sendable {
        let peer: ScriptedPeer

        /// The next frame from the client; heart-beats are left out.
        func next() async -> StompFrame? {
            while let message = await peer.next() {
                var decoder = StompDecoder(role: .server)
                decoder.append(message.bytes)
                if case .frame(let frame)? = try? decoder.next() { return frame }
            }
            return nil
        }

        func send(_ frame: StompFrame) {
            peer.send(.text((try? StompEncoder().encode(frame)) ?? []))
        }

        func receipt(for frame: StompFrame?) {
            send(StompFrame(.receipt, headers: ["receipt-id": frame?.headers["receipt"] ?? ""]))
        }

        func message(_ text: String, on subscribe: StompFrame) {
            send(
                StompFrame(
                    .message,
                    headers: [
                        "subscription": subscribe.headers["id"] ?? "", "message-id": text,
                        "destination": subscribe.headers["destination"] ?? "", "ack": text,
                    ], text: text))
        }
    }
}

extension StompSubscription.Event {
    /// A short name for comparisons.
    var name: String {
        switch self {
        case .phase(let phase): "\(phase)"
        case .message(let message): message.text ?? "binary"
        case .overflowed(let count): "overflowed \(count)"
        }
    }
}
