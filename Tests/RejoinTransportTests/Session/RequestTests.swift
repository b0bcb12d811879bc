import RejoinTime
import RejoinTransport
import Testing

/// Rows of the requirement table about receipts, errors, acknowledgements and transactions.
@Suite("StompSession: requests")
struct RequestTests {
    private func connected(
        _ configure: (inout StompConfiguration) -> Void = { _ in }
    ) -> SessionBench {
        var bench = SessionBench(configure)
        bench.connect()
        return bench
    }

    private func send(_ bench: inout SessionBench, _ id: UInt64, receipt: Bool = true) {
        bench.give(
            .send(StompRequestID(id), StompSend("/a", body: [1], wantsReceipt: receipt)))
    }

    @Test("Without a connection a request fails at once, and certainly had no effect")
    func notConnected() {
        var bench = SessionBench()
        send(&bench, 1)
        #expect(bench.effects.failure(1) == .notConnected)
        guard case .failed(let error)? = bench.effects.outcome(1) else { return }
        #expect(!error.mayHaveTakenEffect)
        bench.connect()
        #expect(bench.history.frames(.send).isEmpty, "there is no send queue")
    }

    @Test("Without a receipt a request is over when the socket has taken it")
    func written() {
        var bench = connected()
        send(&bench, 1, receipt: false)
        #expect(bench.effects.outcome(1) == nil)
        bench.give(.wrote(bench.epoch))
        #expect(bench.effects.outcome(1) == .succeeded)
    }

    @Test("S: a receipt resolves its waiter; duplicates and unknown ones are ignored")
    func receipts() {
        var bench = connected()
        send(&bench, 1)
        let frame = bench.effects.frames.first
        bench.receipt(for: nil)
        #expect(bench.effects.outcome(1) == nil)
        bench.receipt(for: frame)
        #expect(bench.effects.outcome(1) == .succeeded)
        bench.receipt(for: frame)
        #expect(bench.effects.outcome(1) == nil)
        bench.server(StompFrame(.receipt))
        #expect(bench.session.isConnected)
    }

    @Test("S: a later receipt does not resolve earlier waiters")
    func notCumulative() {
        var bench = connected()
        send(&bench, 1)
        send(&bench, 2)
        bench.receipt(for: bench.effects.frames.last)
        #expect(bench.effects.outcome(2) == .succeeded)
        #expect(bench.history.outcome(1) == nil)
    }

    @Test("R-37: a receipt that never comes is an unknown outcome, and the connection stays")
    func receiptTimeout() {
        var bench = connected()
        send(&bench, 1)
        bench.pass(.seconds(10))
        bench.server(raw: "\n")
        bench.pass(.seconds(5))
        #expect(bench.effects.failure(1) == .receiptTimedOut)
        #expect(bench.session.isConnected)
    }

    @Test("R-37, R-14: every waiter fails when the connection ends, with an unknown outcome")
    func lost() {
        var bench = connected()
        send(&bench, 1)
        send(&bench, 2, receipt: false)
        bench.fail(close: 1000)
        for id in [1, 2] as [UInt64] {
            guard case .failed(let error)? = bench.effects.outcome(id) else {
                Issue.record("request \(id) still waits")
                continue
            }
            #expect(error.code == .connectionLost && error.mayHaveTakenEffect)
        }
    }

    @Test("S: an ERROR with receipt-id fails that waiter as rejected, the others as lost")
    func errorWithReceipt() {
        var bench = connected()
        bench.subscribe(1)
        send(&bench, 1)
        send(&bench, 2)
        let receipt = bench.effects.frames.last?.headers["receipt"] ?? ""
        bench.server(
            StompFrame(
                .error,
                headers: ["receipt-id": receipt, "code": "forbidden", "message": "no"]))
        #expect(bench.effects.failure(2) == .rejected)
        #expect(bench.effects.failure(1) == .connectionLost)
        #expect(bench.effects.phases(1) == [.lost], "a refused SEND denies no subscription")
        #expect(bench.effects.isSocketEnded)
        #expect(bench.session.isWaiting)
    }

    @Test("R-14: an ERROR without receipt-id or message is surfaced, closes, and is come back from")
    func bareError() {
        var bench = connected()
        send(&bench, 1)
        bench.server(StompFrame(.error))
        #expect(bench.effects.failure(1) == .connectionLost)
        #expect(bench.effects.reports.contains(.serverError(StompFrame(.error))))
        #expect(bench.effects.contains(.close(ConnectionEpoch(1), code: 1000)))
        bench.reconnect()
        #expect(bench.session.isConnected)
    }

    @Test(
        "S: a server that breaks STOMP is data, not a trap",
        arguments: [
            "NONSENSE\n\n\0", "SEND\ndestination:/a\n\n\0", "CONNECTED\nversion:1.2\n\n\0",
            "MESSAGE\nnocolon\n\n\0", "\0\u{1}\u{2}\n\n\0", "MESSAGE\nx:a\\q\n\n\0",
        ])
    func violations(_ bytes: String) {
        var bench = connected()
        bench.server(raw: bytes)
        #expect(bench.effects.contains(.close(ConnectionEpoch(1), code: 1002)))
        guard case .waiting(_, let error?) = bench.session.status else {
            Issue.record("got \(bench.session.status)")
            return
        }
        #expect(error.code == .protocolViolation)
    }

    @Test("Frames before CONNECTED other than ERROR are a violation")
    func early() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.message(1)
        #expect(bench.effects.contains(.close(ConnectionEpoch(1), code: 1002)))
    }

    @Test("C-19: 1.2 acknowledges by id = the ack header, 1.1 and 1.0 by the message ID")
    func acknowledge() throws {
        for (version, expected) in [
            ("1.2", ["id=a:1"]), ("1.1", ["message-id=m1", "subscription=s1-1"]),
            ("1.0", ["message-id=m1"]),
        ] {
            var bench = SessionBench()
            bench.start()
            bench.authorize()
            bench.open()
            bench.greet(["version": version])
            bench.subscribe(1, ack: .clientIndividual)
            #expect(bench.effects.frames.first?.headers["ack"] == "client-individual")
            bench.server(
                StompFrame(
                    .message,
                    headers: ["subscription": "s1-1", "message-id": "m1", "ack": "a:1"]),
                version: StompVersion(version) ?? .v12)
            let message = try #require(bench.effects.messages.first)
            bench.give(.acknowledge(StompRequestID(1), StompAcknowledgement(message)))
            let ack = try #require(bench.effects.frames(.ack).first)
            #expect(ack.headers.map { "\($0.name)=\($0.value)" } == expected)
            bench.give(
                .acknowledge(
                    StompRequestID(2), StompAcknowledgement(message, isPositive: false)))
            #expect(bench.effects.frames(.nack).count == (version == "1.0" ? 0 : 1))
            if version == "1.0" { #expect(bench.effects.failure(2) == .invalidRequest) }
        }
    }

    @Test("Nothing is acknowledged in auto, without an ack header, or over a later connection")
    func notAcknowledged() throws {
        var bench = connected()
        bench.subscribe(1)
        bench.message(1, extra: [("ack", "forged")])
        let auto = try #require(bench.effects.messages.first)
        bench.give(.acknowledge(StompRequestID(1), StompAcknowledgement(auto)))
        #expect(bench.effects.failure(1) == .invalidRequest)
        bench.subscribe(2, ack: .client)
        bench.message(2)
        let bare = try #require(bench.effects.messages.first)
        bench.give(.acknowledge(StompRequestID(2), StompAcknowledgement(bare)))
        #expect(bench.effects.failure(2) == .invalidRequest)
        bench.message(2, extra: [("ack", "1")])
        let good = try #require(bench.effects.messages.first)
        bench.fail(close: 1006)
        bench.reconnect()
        bench.give(.acknowledge(StompRequestID(3), StompAcknowledgement(good)))
        #expect(bench.effects.failure(3) == .staleMessage)
        #expect(bench.history.frames(.ack).isEmpty)
    }

    @Test("S: transactions end with the connection and are not replayed")
    func transactions() {
        var bench = connected()
        let transaction = StompTransactionID(1)
        bench.give(.begin(StompRequestID(1), transaction))
        let name = bench.effects.frames(.begin).first?.headers["transaction"]
        #expect(name != nil)
        bench.give(
            .send(StompRequestID(2), StompSend("/a", body: [], transaction: transaction)))
        #expect(bench.effects.frames(.send).first?.headers["transaction"] == name)
        bench.fail(close: 1006)
        bench.reconnect()
        #expect(bench.effects.frames(.begin).isEmpty)
        bench.give(
            .send(StompRequestID(3), StompSend("/a", body: [], transaction: transaction)))
        #expect(bench.effects.failure(3) == .transactionEnded)
        bench.give(.commit(StompRequestID(4), transaction))
        #expect(bench.effects.failure(4) == .transactionEnded)
    }

    @Test("Commit and abort end a transaction by receipt, once", arguments: [true, false])
    func endOfTransaction(_ commits: Bool) {
        var bench = connected()
        let transaction = StompTransactionID(1)
        bench.give(.begin(StompRequestID(1), transaction))
        bench.give(.begin(StompRequestID(2), transaction))
        #expect(bench.effects.failure(2) == .invalidRequest)
        let end: StompSession.Input =
            commits
            ? .commit(StompRequestID(3), transaction) : .abort(StompRequestID(3), transaction)
        bench.give(end)
        let frame = bench.effects.frames.first
        #expect(frame?.command == (commits ? .commit : .abort))
        bench.receipt(for: frame)
        #expect(bench.effects.outcome(3) == .succeeded)
        bench.give(.commit(StompRequestID(4), transaction))
        #expect(bench.effects.failure(4) == .transactionEnded)
    }

    @Test("S, C-05: headers are escaped once; the session's own cannot be set by the host")
    func headers() {
        var bench = connected()
        bench.give(
            .send(
                StompRequestID(1), StompSend("/a:b\nc", headers: ["x": "C:\\new"], body: [])))
        #expect(bench.effects.frames.first?.headers["destination"] == "/a:b\nc")
        #expect(bench.effects.frames.first?.headers["x"] == "C:\\new")
        for name in ["receipt", "destination", "content-length", "transaction"] {
            bench.give(
                .send(
                    StompRequestID(2),
                    StompSend("/a", headers: StompHeaders([(name, "1")]), body: [])))
            #expect(bench.effects.failure(2) == .invalidRequest)
        }
    }

    @Test("Fact 7: TEXT where the whole frame is UTF-8, else BINARY, one message per frame")
    func messageKinds() {
        var bench = connected()
        bench.give(.send(StompRequestID(1), StompSend("/a", body: [0xC3, 0xA9])))
        bench.give(.send(StompRequestID(2), StompSend("/a", body: [0xFF])))
        let kinds = bench.history.suffix(4).compactMap {
            switch $0 {
            case .transmit(_, .text): "text"
            case .transmit(_, .binary): "binary"
            default: nil
            }
        }
        #expect(kinds == ["text", "binary"])
    }

    @Test("P7: limits of unwritten messages, receipts and transactions")
    func limits() {
        var bench = connected {
            $0.maximumUnwrittenMessages = 3
            $0.maximumPendingReceipts = 2
            $0.maximumTransactions = 1
        }
        for id in 1...3 as ClosedRange<UInt64> {
            send(&bench, id)
            bench.give(.wrote(bench.epoch))
        }
        #expect(bench.history.failure(3) == .limitReached)
        for id in 4...7 as ClosedRange<UInt64> { send(&bench, id, receipt: false) }
        #expect(bench.history.failure(6) == nil)
        #expect(bench.history.failure(7) == .limitReached)
        for _ in 0..<3 { bench.give(.wrote(bench.epoch)) }
        bench.give(.begin(StompRequestID(8), StompTransactionID(1)))
        bench.give(.begin(StompRequestID(9), StompTransactionID(2)))
        #expect(bench.effects.failure(9) == .limitReached)
    }

    @Test("P7: a socket that takes nothing while rooms come and go is given up, not filled")
    func fullSocket() {
        var bench = connected {
            $0.maximumUnwrittenMessages = 3
            $0.maximumSubscriptions = 2
        }
        let epoch = bench.epoch
        bench.subscribe(100)
        var key: UInt64 = 0
        while !bench.history.contains(.abandon(epoch)), key < 50 {
            bench.give(.unsubscribe(StompSubscriptionKey(key)))
            key += 1
            bench.subscribe(key)
        }
        #expect(key == 4, "three messages, and two for each of two subscriptions, may wait")
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 2, "what is wanted comes back")
    }

    @Test("Receipts that come while a farewell is under way still count")
    func receiptDuringFarewell() {
        var bench = connected()
        send(&bench, 1)
        let frame = bench.effects.frames.first
        bench.give(.stop)
        bench.receipt(for: frame)
        #expect(bench.effects.outcome(1) == .succeeded)
        #expect(bench.session.status == .disconnecting)
    }

    @Test("C-09, C-10: several frames in one message, one frame over several")
    func shapes() {
        var bench = connected()
        bench.subscribe(1)
        let frame = "MESSAGE\nsubscription:s1-1\nmessage-id:1\ndestination:/a\n\nx\0\n"
        bench.server(raw: frame + frame)
        #expect(bench.effects.messages.count == 2)
        for character in frame { bench.server(raw: String(character)) }
        #expect(bench.history.messages.count == 3)
    }
}
