import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

@Suite("StompClient", .timeLimit(.minutes(1)))
struct StompClientTests {
    @Test("Connects, greets, and shows its status to several consumers")
    func connects() async throws {
        try await ClientBench().run { bench in
            #expect(await bench.client.status == .idle)
            await bench.client.connect()
            _ = try await bench.serve()
            try await bench.reach(.connected)
            try await bench.reach(.connected)
        }
    }

    @Test("Sends text, bytes and JSON; a receipt is waited for")
    func sends() async throws {
        struct Chat: Encodable, Sendable { let text = "hi" }
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            try await bench.client.send("/a", text: "grüezi")
            let text = try #require(await server.next())
            #expect(text.bodyText == "grüezi")
            #expect(text.headers["content-type"] == "text/plain;charset=utf-8")
            #expect(text.headers["content-length"] == "7")
            try await bench.client.send("/a", bytes: [0xFF, 0x00])
            #expect(await server.next()?.body == [0xFF, 0x00])
            async let sent: Void = bench.client.send("/a", json: Chat(), receipt: true)
            let json = try #require(await server.next())
            #expect(json.bodyText == #"{"text":"hi"}"#)
            #expect(json.headers["content-type"] == "application/json")
            server.receipt(for: json)
            try await sent
        }
    }

    @Test("Without a connection a send throws at once")
    func notConnected() async throws {
        try await ClientBench().run { bench in
            await #expect(throws: StompClientError.self) {
                try await bench.client.send("/a", text: "x")
            }
        }
    }

    @Test("A cancelled send returns at once, and the client goes on")
    func cancelledSend() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let code = await withTaskGroup(of: StompClientError.Code?.self) { group in
                group.addTask {
                    do throws(StompClientError) {
                        try await bench.client.send("/a", text: "x", receipt: true)
                        return nil
                    } catch { return error.code }
                }
                _ = await server.next()
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
            #expect(await bench.client.status == .connected)
        }
    }

    @Test("Each consumer of a subscription sees every event, in one order; late ones from now on")
    func consumers() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let subscription = await bench.client.subscribe("/a")
            var first = subscription.makeAsyncIterator()
            let subscribe = try #require(await server.next())
            server.receipt(for: subscribe)
            server.message("1", on: subscribe)
            var seen: [String] = []
            for _ in 0..<4 { seen.append(await first.next()?.name ?? "end") }
            #expect(seen == ["waiting", "pending", "confirmed", "1"])
            var second = subscription.makeAsyncIterator()
            #expect(await second.next()?.name == "confirmed")
            server.message("2", on: subscribe)
            #expect(await first.next()?.name == "2")
            #expect(await second.next()?.name == "2")
            await bench.client.unsubscribe(subscription)
            #expect(await first.next() == .phase(.unsubscribed))
            #expect(await first.next() == nil)
            #expect(await second.next() == .phase(.unsubscribed))
            #expect(await second.next() == nil)
            var late = subscription.makeAsyncIterator()
            #expect(await late.next() == .phase(.unsubscribed))
            #expect(await late.next() == nil)
            await bench.client.unsubscribe(subscription)
        }
    }

    @Test("P7: an overflow is told in its place, and holds up neither the socket nor others")
    func overflow() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let slow = await bench.client.subscribe("/a", buffering: .bounded(4))
            let subscribe = try #require(await server.next())
            server.receipt(for: subscribe)
            for number in 1...9 { server.message("\(number)", on: subscribe) }
            // The answer to a request shows that everything before it was read from the socket.
            async let sent: Void = bench.client.send("/b", text: "x", receipt: true)
            server.receipt(for: await server.next())
            try await sent
            var iterator = slow.makeAsyncIterator()
            var seen: [String] = []
            for _ in 0..<5 { seen.append(await iterator.next()?.name ?? "end") }
            #expect(seen == ["waiting", "pending", "confirmed", "1", "overflowed 8"])
            server.message("10", on: subscribe)
            #expect(await iterator.next()?.name == "10")
        }
    }

    @Test("R-01: a drop is announced, and the subscription comes back by itself")
    func restores() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let subscription = await bench.client.subscribe("/a")
            var iterator = subscription.makeAsyncIterator()
            server.receipt(for: await server.next())
            for _ in 0..<3 { _ = await iterator.next() }
            server.peer.breakOff()
            #expect(await iterator.next() == .phase(.lost))
            await bench.time.advanceToSleeper()
            let again = try await bench.serve()
            let subscribe = try #require(await again.next())
            #expect(subscribe.command == .subscribe)
            #expect(await iterator.next() == .phase(.pending))
            again.message("x", on: subscribe)
            #expect(await iterator.next() == .phase(.proven))
            #expect(await iterator.next()?.name == "x")
        }
    }

    @Test("Heart-beats leave by the clock; silence abandons the socket and connects anew")
    func heartbeats() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            server.peer.goSilent()
            await bench.time.advanceToSleeper { $0 == .origin + .seconds(8) }
            #expect(await server.peer.next() == .text([0x0A]))
            await bench.time.advanceToSleeper { $0 == .origin + .seconds(16) }
            #expect(await server.peer.next() == .text([0x0A]))
            await bench.time.advanceToSleeper { $0 == .origin + .seconds(20) }
            #expect(await server.peer.ending() == .abandoned)
            await bench.time.advanceToSleeper()
            _ = try await bench.serve()
        }
    }

    @Test("The foreground probes by a ping; a half-open socket is abandoned")
    func probe() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            server.peer.goSilent()
            await bench.client.enterBackground()
            await bench.client.enterForeground()
            await bench.time.advanceToSleeper { $0 == .origin + .seconds(4) }
            #expect(await server.peer.ending() == .abandoned)
        }
    }

    @Test("R-13: expired credentials are refreshed once through the provider")
    func refresh() async throws {
        actor Provider: StompCredentialsProvider {
            var reasons: [StompCredentialsReason] = []

            func credentials(for reason: StompCredentialsReason)
                async throws(StompCredentialsFailure) -> StompCredentials
            {
                reasons.append(reason)
                return StompCredentials(
                    upgradeHeaders: [.init("Authorization", "\(reasons.count)")])
            }
        }
        let provider = Provider()
        try await ClientBench(credentials: provider).run { bench in
            await bench.client.connect()
            let attempt = await bench.connector.nextAttempt()
            #expect(attempt.request.headers.first?.value == "1")
            attempt.refuse(WebSocketError(.upgradeRefused, "refused", httpStatus: 401))
            let second = await bench.connector.nextAttempt()
            #expect(second.request.headers.first?.value == "2")
            second.refuse(WebSocketError(.upgradeRefused, "refused", httpStatus: 401))
            for await status in bench.client.statusUpdates {
                if case .stopped(.failed(let error)) = status {
                    #expect(error.code == .unauthorized)
                    break
                }
            }
            #expect(await provider.reasons == [.initial, .expired])
        }
    }

    @Test("R-17: disconnect ends by receipt, by the close, and by time", arguments: 0..<3)
    func disconnects(_ way: Int) async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            async let done: Void = bench.client.disconnect()
            let goodbye = try #require(await server.next())
            #expect(goodbye.command == .disconnect)
            switch way {
            case 0:
                server.receipt(for: goodbye)
                #expect(await server.peer.ending() == .closed(1000))
            case 1: server.peer.close(1000, reason: "STOMP died")
            default:
                await bench.time.advanceToSleeper { $0 == .origin + .seconds(2) }
                #expect(await server.peer.ending() == .abandoned)
            }
            await done
            #expect(await bench.client.status == .stopped(.requested))
            await bench.client.connect()
            _ = try await bench.serve()
        }
    }

    @Test("R-17: disconnect while connecting, and before anything, returns at once")
    func disconnectsEarly() async throws {
        try await ClientBench().run { bench in
            await bench.client.disconnect()
            await bench.client.connect()
            _ = await bench.connector.nextAttempt()
            await bench.client.disconnect()
            #expect(await bench.client.status == .stopped(.requested))
        }
    }

    @Test("When running ends, requests fail, sequences end and the socket is abandoned")
    func stopsRunning() async throws {
        let bench = ClientBench()
        let (server, running) = try await bench.run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            return (server, await bench.client.subscribe("/a"))
        }
        for await _ in running {}
        #expect(await server.peer.ending() == .abandoned)
        let subscription = await bench.client.subscribe("/b")
        for await _ in subscription {}
        for await _ in bench.client.reports {}
        await #expect(throws: StompClientError.self) {
            try await bench.client.send("/a", text: "x")
        }
    }

    @Test("ACK, NACK and a transaction reach the server")
    func acknowledges() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let subscription = await bench.client.subscribe("/a", ack: .clientIndividual)
            let subscribe = try #require(await server.next())
            server.message("m1", on: subscribe)
            var iterator = subscription.makeAsyncIterator()
            var received: StompMessage?
            while received == nil, let event = await iterator.next() {
                if case .message(let message) = event { received = message }
            }
            let message = try #require(received)
            let transaction = try await bench.client.begin()
            let begin = try #require(await server.next())
            try await bench.client.ack(message, transaction: transaction)
            let ack = try #require(await server.next())
            #expect(ack.headers["id"] == "m1")
            #expect(ack.headers["transaction"] == begin.headers["transaction"])
            try await bench.client.nack(message)
            #expect(await server.next()?.command == .nack)
            async let committed: Void = bench.client.commit(transaction)
            server.receipt(for: await server.next())
            try await committed
        }
    }

    @Test("R-47: a consumer that fails takes nobody with it")
    func failingConsumer() async throws {
        struct Failure: Error {}
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            let subscription = await bench.client.subscribe("/a")
            let subscribe = try #require(await server.next())
            var survivor = subscription.makeAsyncIterator()
            await #expect(throws: Failure.self) {
                for await _ in subscription { throw Failure() }
            }
            server.message("on", on: subscribe)
            while let event = await survivor.next() {
                if case .message(let message) = event {
                    #expect(message.text == "on")
                    break
                }
            }
            #expect(await bench.client.status == .connected)
        }
    }

    @Test("R-35: disconnecting and sending at once both come to an end")
    func disconnectAndSend() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try? await bench.client.send("/a", text: "x", receipt: true)
                    }
                    group.addTask { await bench.client.disconnect() }
                }
                while let frame = await server.next() {
                    if frame.command == .disconnect { server.receipt(for: frame) }
                }
            }
            #expect(await bench.client.status == .stopped(.requested))
        }
    }

    @Test("R-21: a consumer that never reads does not stop heart-beats and receipts")
    func slowConsumer() async throws {
        try await ClientBench().run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            _ = await bench.client.subscribe("/a", buffering: .bounded(1))
            let subscribe = try #require(await server.next())
            for number in 0..<1_000 { server.message("\(number)", on: subscribe) }
            async let sent: Void = bench.client.send("/b", text: "x", receipt: true)
            server.receipt(for: await server.next())
            try await sent
        }
    }

    @Test("P7: a socket that takes nothing holds the sender up, and the limit refuses the rest")
    func blockedSocket() async throws {
        try await ClientBench({ $0.maximumUnwrittenMessages = 2 }).run { bench in
            await bench.client.connect()
            let server = try await bench.serve()
            server.peer.setTakesWrites(false)
            await withTaskGroup(of: StompClientError.Code?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do throws(StompClientError) {
                            try await bench.client.send("/a", text: "x")
                            return nil
                        } catch { return error.code }
                    }
                }
                #expect(await group.next() == .limitReached)
                server.peer.setTakesWrites(true)
                #expect(await group.next() == .some(nil))
                #expect(await group.next() == .some(nil))
            }
        }
    }
}
