import Foundation
import RejoinTime
import RejoinTransport
import RejoinWebSocket
import Testing

/// The RabbitMQ that `Scripts/with-rabbitmq.sh` has started for this run.
enum Broker {
    static let url = ProcessInfo.processInfo.environment["REJOIN_RABBITMQ_URL"]
    static let control = ProcessInfo.processInfo.environment["REJOIN_RABBITMQ_CONTROL"]
    static var isAvailable: Bool { url != nil }

    /// A configuration for it: RabbitMQ takes `host` for a virtual host, which is `/`. Waits
    /// between attempts are short, because the tests wait for them; those for answers are long,
    /// because a busy machine is slow.
    static func configuration() -> StompConfiguration {
        var configuration = StompConfiguration(endpoints: [url ?? "ws://127.0.0.1:1/ws"])
        configuration.virtualHost = .named("/")
        configuration.backoff = Backoff(
            base: .milliseconds(200), cap: .seconds(1), floor: .milliseconds(50))
        configuration.subscribeTimeout = .seconds(30)
        configuration.receiptTimeout = .seconds(30)
        return configuration
    }

    static let guest = StompCredentials(connectHeaders: ["login": "guest", "passcode": "guest"])

    /// Runs a client against it for as long as the body goes on.
    static func withClient<Value: Sendable>(
        _ configuration: StompConfiguration = configuration(),
        credentials: any StompCredentialsProvider = FixedStompCredentials(guest),
        _ body: @escaping @Sendable (StompClient) async throws -> Value
    ) async throws -> Value {
        let client = StompClient(
            configuration: configuration, connector: PlatformWebSocketConnector(),
            credentials: credentials)
        return try await withThrowingTaskGroup { group in
            group.addTask { await client.run() }
            await client.connect()
            let value = try await body(client)
            await client.disconnect()
            group.cancelAll()
            return value
        }
    }

    /// Tells the control program something, and waits for its end.
    static func tell(_ command: String) async throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(control))
        process.arguments = [command]
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(status == 0, "the broker did not \(command)")
    }

    /// A queue of its own for each test.
    static func queue(_ name: String) -> String {
        "/queue/rejoin-\(name)-\(UInt32.random(in: .min ... .max))"
    }
}

// A wait without a limit of its own ends with its test's time limit: then the task is cancelled,
// and the sequences end.

extension StompClient {
    func reach(_ wanted: ConnectionStatus) async throws {
        for await status in statusUpdates where status == wanted { return }
        throw StompClientError(.timedOut, "the client never became \(wanted)")
    }

    /// Sends with a receipt, again after each connection that ends before it.
    func sendThroughDrops(_ destination: String, text: String) async throws {
        for await status in statusUpdates where status == .connected {
            do throws(StompClientError) {
                return try await send(destination, text: text, receipt: true)
            } catch {
                guard error.code == .notConnected || error.code == .connectionLost else {
                    throw error
                }
            }
        }
        throw StompClientError(.timedOut, "the client never stayed connected")
    }

    /// The status that differs from this one; `nil` where none comes in time.
    func change(from status: ConnectionStatus, within limit: Duration) async -> ConnectionStatus? {
        await withTaskGroup(of: ConnectionStatus?.self) { group in
            group.addTask {
                for await next in self.statusUpdates where next != status { return next }
                return nil
            }
            group.addTask {
                let time = SystemTime()
                try? await time.sleep(until: time.now + limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

extension StompSubscription.AsyncIterator {
    /// Goes on to this phase.
    mutating func reach(_ wanted: StompSubscriptionPhase) async throws {
        while let event = await next() {
            if event == .phase(wanted) { return }
        }
        throw StompClientError(.timedOut, "the subscription never became \(wanted)")
    }

    /// Goes on to the next message.
    mutating func message() async throws -> StompMessage {
        while let event = await next() {
            if case .message(let message) = event { return message }
        }
        throw StompClientError(.timedOut, "no message came")
    }

    /// Goes on to the phase with which the subscription ends.
    mutating func end() async throws -> StompSubscriptionPhase {
        while let event = await next() {
            if case .phase(let phase) = event, phase.isFinal { return phase }
        }
        throw StompClientError(.timedOut, "the subscription never ended")
    }
}
