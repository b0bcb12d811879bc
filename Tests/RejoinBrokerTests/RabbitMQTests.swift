import Foundation
import RejoinTime
import RejoinTransport
import RejoinWebSocket
import Testing

@Suite("RabbitMQ is there")
struct BrokerPresenceTests {
    @Test("The broker suite runs, or says loudly that it does not, and fails in CI")
    func presence() {
        guard !Broker.isAvailable else { return }
        print(
            """

            ************************************************************************
            SKIPPED: no RabbitMQ. The broker tests did not run.
            Run them by: Scripts/with-rabbitmq.sh swift test
            ************************************************************************

            """)
        if ProcessInfo.processInfo.environment["CI"] != nil {
            Issue.record("REJOIN_RABBITMQ_URL is missing; in CI the broker tests must run")
        }
    }
}

/// The client against a real RabbitMQ with Web-STOMP. One after the other, because one of them
/// takes the broker away.
@Suite(
    "RabbitMQ", .serialized, .enabled(if: Broker.isAvailable, "no RabbitMQ"),
    .timeLimit(.minutes(3)))
struct RabbitMQTests {
    @Test("Messages flow both ways; receipts come for SUBSCRIBE and SEND")
    func conversation() async throws {
        let (there, back) = (Broker.queue("there"), Broker.queue("back"))
        try await Broker.withClient { reader in
            var received = await reader.subscribe(there).makeAsyncIterator()
            try await received.reach(.confirmed)
            let answers = try await Broker.withClient { writer in
                var answers = await writer.subscribe(back).makeAsyncIterator()
                try await answers.reach(.confirmed)
                try await writer.send(
                    there, headers: ["x": "a:b\\c\nd"], text: "hin", receipt: true)
                try await reader.send(back, text: "her", receipt: true)
                return try await answers.message()
            }
            #expect(answers.text == "her")
            let message = try await received.message()
            #expect(message.text == "hin")
            #expect(message.frame.headers["x"] == "a:b\\c\nd")
        }
    }

    @Test("Raw colons: RabbitMQ puts a subscription's identifier unescaped into message-id")
    func rawColons() async throws {
        let queue = Broker.queue("colon")
        let connection = try await PlatformWebSocketConnector().connect(
            WebSocketRequest(url: Broker.url ?? "", subprotocols: ["v12.stomp"]))
        for frame in [
            StompFrame(
                .connect,
                headers: [
                    "accept-version": "1.2", "host": "/", "login": "guest", "passcode": "guest",
                ]),
            StompFrame(.subscribe, headers: ["id": "a:b", "destination": queue]),
            StompFrame(.send, headers: ["destination": queue], text: "x"),
        ] {
            try await connection.send(.text(try StompEncoder().encode(frame)))
        }
        var decoder = StompDecoder(role: .client)
        var identifier: String?
        while identifier == nil {
            decoder.append(try await connection.receive().bytes)
            while let event = try decoder.next() {
                guard case .frame(let frame) = event, frame.command == .message else { continue }
                identifier = frame.headers["message-id"]
            }
        }
        connection.abandon()
        #expect(identifier?.hasPrefix("T_a:b@@") == true)
    }

    @Test("client-individual: a NACKed message comes again, an ACK is receipted")
    func acknowledgements() async throws {
        let queue = Broker.queue("ack")
        try await Broker.withClient { client in
            var events = await client.subscribe(
                queue, ack: .clientIndividual, headers: ["prefetch-count": "1"]
            ).makeAsyncIterator()
            try await events.reach(.confirmed)
            try await client.send(queue, text: "once", receipt: true)
            let message = try await events.message()
            try await client.nack(message, receipt: true)
            let again = try await events.message()
            #expect(again.text == "once" && again.messageID != message.messageID)
            #expect(again.frame.headers["redelivered"] == "true")
            try await client.ack(again, receipt: true)
        }
    }

    @Test("A transaction's message comes after the commit; an aborted one never")
    func transactions() async throws {
        let queue = Broker.queue("transaction")
        try await Broker.withClient { client in
            var events = await client.subscribe(queue).makeAsyncIterator()
            try await events.reach(.confirmed)
            let aborted = try await client.begin()
            try await client.send(queue, text: "never", transaction: aborted)
            try await client.abort(aborted)
            let committed = try await client.begin()
            try await client.send(queue, text: "committed", transaction: committed)
            try await client.commit(committed)
            #expect(try await events.message().text == "committed")
        }
    }

    @Test("Heart-beats of one second keep us in: RabbitMQ cuts a silent client after three")
    func heartbeats() async throws {
        var configuration = Broker.configuration()
        configuration.outgoingHeartbeat = .seconds(1)
        configuration.incomingHeartbeat = .seconds(1)
        configuration.heartbeatTolerance = 4
        try await Broker.withClient(configuration) { client in
            try await client.reach(.connected)
            let change = await client.change(from: .connected, within: .seconds(8))
            #expect(change == nil)
        }
    }

    @Test("A wrong passcode: ERROR with the socket left open, one refresh, then a typed stop")
    func badLogin() async throws {
        let wrong = StompCredentials(connectHeaders: ["login": "guest", "passcode": "wrong"])
        try await Broker.withClient(credentials: FixedStompCredentials(wrong)) { client in
            for await status in client.statusUpdates {
                guard case .stopped(let reason) = status else { continue }
                guard case .failed(let error) = reason else {
                    Issue.record("stopped for \(reason)")
                    return
                }
                #expect(error.code == .unauthorized)
                #expect(error.serverMessage == "Bad CONNECT")
                return
            }
            Issue.record("the client never stopped")
        }
    }

    @Test("An ERROR without closing: the client closes, tells, and comes back")
    func errorWithoutClosing() async throws {
        try await Broker.withClient { client in
            try await client.reach(.connected)
            await #expect(throws: StompClientError.self) {
                try await client.send("/nonsense/x", text: "x", receipt: true)
            }
            for await report in client.reports {
                if case .serverError(let frame) = report {
                    #expect(frame.command == .error)
                    break
                }
            }
            try await client.reach(.connected)
            try await client.send(Broker.queue("after"), text: "x", receipt: true)
        }
    }

    @Test("DISCONNECT: RabbitMQ 3.10 closes without the receipt, and that is a farewell too")
    func lostDisconnectReceipt() async throws {
        try await Broker.withClient { client in
            try await client.reach(.connected)
            await client.disconnect()
            #expect(await client.status == .stopped(.requested))
        }
    }

    @Test(
        "A rejected subscription is quarantined, by close or by ERROR; the others live",
        arguments: ["/exchange/rejoin-missing/x", "/nonsense/x"])
    func quarantine(_ poison: String) async throws {
        let queue = Broker.queue("quarantine")
        try await Broker.withClient { client in
            var good = await client.subscribe(queue).makeAsyncIterator()
            try await good.reach(.confirmed)
            var bad = await client.subscribe(poison).makeAsyncIterator()
            let end = try await bad.end()
            guard case .quarantined = end else {
                Issue.record("the subscription ended as \(end)")
                return
            }
            // Lost with each close that the other one caused; the last time it stays.
            try await good.reach(.lost)
            try await client.sendThroughDrops(queue, text: "alive")
            #expect(try await good.message().text == "alive")
        }
    }

    @Test("The broker stopped and started in mid-conversation: subscriptions come back")
    func restart() async throws {
        let queue = Broker.queue("restart")
        try await Broker.withClient { client in
            var events = await client.subscribe(queue).makeAsyncIterator()
            try await events.reach(.confirmed)
            try await client.send(queue, text: "before", receipt: true)
            #expect(try await events.message().text == "before")
            try await Broker.tell("stop")
            try await events.reach(.lost)
            await #expect(throws: StompClientError.self) {
                try await client.send(queue, text: "lost")
            }
            try await Broker.tell("start")
            try await events.reach(.confirmed)
            try await client.send(queue, text: "after", receipt: true)
            #expect(try await events.message().text == "after")
        }
    }
}
