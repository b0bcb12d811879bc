import RejoinTime
import RejoinTransport
import Testing

/// Rows of the requirement table about subscriptions.
@Suite("StompSession: subscriptions")
struct SubscriptionTests {
    @Test("R-01, 2h 90: all wanted subscriptions come back with every connection")
    func restored() {
        var bench = SessionBench()
        for key in 1...3 { bench.subscribe(UInt64(key), "/sub/\(key)") }
        bench.connect()
        for _ in 0..<4 {
            #expect(
                bench.effects.frames(.subscribe).map { $0.headers["destination"] } == [
                    "/sub/1", "/sub/2", "/sub/3",
                ])
            for frame in bench.effects.frames(.subscribe) { bench.receipt(for: frame) }
            bench.fail(close: 1006)
            bench.reconnect()
        }
    }

    @Test("The union survives a second drop before the restore (BACKGROUND A, step 2)")
    func unionSurvives() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1, "/sub/1")
        bench.fail(close: 1006)
        bench.subscribe(2, "/sub/2")
        bench.pass(.seconds(2))
        bench.authorize()
        bench.fail(.unreachable)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 2)
    }

    @Test("R-02, R-39: identifiers are unique, fresh in each epoch, and of harmless characters")
    func identifiers() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.subscribe(2)
        bench.fail(close: 1001)
        bench.reconnect()
        let ids = bench.history.frames(.subscribe).compactMap { $0.headers["id"] }
        #expect(ids.count == 4 && Set(ids).count == 4)
        let harmless = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        #expect(ids.allSatisfy { $0.allSatisfy(harmless.contains) })
    }

    @Test("R-03: CONNECTED, then SUBSCRIBEs, then whatever the host sends")
    func order() {
        var bench = SessionBench()
        bench.subscribe(1)
        bench.connect()
        bench.give(.send(StompRequestID(9), StompSend("/a", body: [])))
        #expect(bench.history.frames.map(\.command) == [.connect, .subscribe, .send])
    }

    @Test("2h 91: what was unsubscribed while away does not come back")
    func unsubscribedWhileAway() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.fail(close: 1006)
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        #expect(bench.effects.phases(1) == [.unsubscribed])
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).isEmpty)
    }

    @Test("2h 93, R-34, R-46: unsubscribing is idempotent, and one may subscribe again")
    func unsubscribe() {
        var bench = SessionBench()
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        #expect(bench.effects.isEmpty)
        bench.connect()
        bench.subscribe(1)
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        #expect(bench.effects.frames(.unsubscribe).first?.headers["id"] == "s1-1")
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        #expect(bench.effects.isEmpty)
        bench.subscribe(2)
        #expect(bench.effects.frames(.subscribe).count == 1)
    }

    @Test("A receipt confirms; each (re)subscription is announced")
    func confirmed() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        #expect(bench.effects.phases(1) == [.waiting, .pending])
        bench.receipt(for: bench.effects.frames.first)
        #expect(bench.effects.phases(1) == [.confirmed])
        bench.message(1)
        #expect(bench.effects.phases(1).isEmpty)
        bench.fail(close: 1006)
        #expect(bench.effects.phases(1) == [.lost])
        bench.reconnect()
        #expect(bench.effects.phases(1) == [.pending])
    }

    @Test("R-37: without a receipt a deadline makes it assumed, a settle time proven")
    func assumed() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.pass(.seconds(5))
        #expect(bench.effects.phases(1) == [.assumed])
        bench.pass(.seconds(3))
        #expect(bench.effects.phases(1) == [.proven])
        bench.server(raw: "\n")
        bench.pass(.seconds(8))
        #expect(bench.session.isConnected)
    }

    @Test(
        "A first MESSAGE proves an assumed and a pending one; a late receipt confirms an assumed one"
    )
    func proven() {
        var bench = SessionBench()
        bench.connect()
        for key in 1...3 { bench.subscribe(UInt64(key)) }
        let third = bench.effects.frames.first
        bench.message(1)
        #expect(bench.effects.phases(1) == [.proven])
        #expect(bench.effects.messages.count == 1)
        bench.pass(.seconds(5))
        bench.message(2)
        #expect(bench.effects.phases(2) == [.proven])
        bench.receipt(for: third)
        #expect(bench.effects.phases(3) == [.confirmed])
    }

    @Test("S: a MESSAGE without or with an unknown subscription is told, and harms nothing")
    func unrouted() {
        var bench = SessionBench()
        bench.connect()
        bench.server(StompFrame(.message, headers: ["message-id": "1"], text: "x"))
        #expect(bench.effects.reports.count == 1)
        bench.server(StompFrame(.message, headers: ["subscription": "other"], text: "x"))
        #expect(bench.effects.reports.count == 1)
        #expect(bench.session.isConnected)
        // What crosses our UNSUBSCRIBE, or belongs to an older epoch, is expected.
        bench.subscribe(1)
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        bench.message(1)
        #expect(bench.effects.reports.isEmpty && bench.effects.messages.isEmpty)
        bench.server(StompFrame(.message, headers: ["subscription": "s0-1"], text: "x"))
        #expect(bench.effects.reports.isEmpty)
    }

    @Test("Fact 8: the first subscription header routes, whatever a publisher has appended")
    func firstHeaderWins() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.subscribe(2)
        bench.message(1, extra: [("subscription", "s1-2"), ("ack", "forged")])
        #expect(bench.effects.messages.map(\.subscription) == [StompSubscriptionKey(1)])
        #expect(bench.effects.frames.isEmpty, "never acknowledged because an ack header is there")
    }

    @Test(
        "One room's 403 ends that subscription only, though the connection comes anew",
        arguments: ["receipt-id", "subscription"])
    func denied(_ naming: String) {
        var bench = SessionBench()
        bench.connect()
        for key in 1...3 { bench.subscribe(UInt64(key)) }
        let second = bench.history.frames(.subscribe)[1]
        let name = naming == "receipt-id" ? second.headers["receipt"] : second.headers["id"]
        bench.server(
            StompFrame(.error, headers: ["code": "403", naming: name ?? ""], text: "no"))
        guard case .denied(let error)? = bench.effects.phases(2).last else {
            Issue.record("expected denied, got \(bench.effects.phases(2))")
            return
        }
        #expect(error.serverCode == "403")
        #expect(bench.effects.isSocketEnded)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 2)
        #expect(bench.session.isConnected)
    }

    @Test("A 403 that names nothing is the only pending one's")
    func deniedAlone() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.receipt(for: bench.effects.frames.first)
        bench.subscribe(2)
        bench.server(StompFrame(.error, headers: ["code": "forbidden"]))
        #expect(bench.effects.phases(1) == [.lost])
        #expect(bench.effects.phases(2).last?.isFinal == true)
    }

    /// A server that closes without a word whenever it sees this destination, after receipting
    /// those before it (RabbitMQ 3.10 does so for a missing exchange).
    private func serve(_ bench: inout SessionBench, poison: String, by close: UInt16) {
        var served = 0
        while served < 200 {
            let frames = bench.effects.frames(.subscribe)
            if frames.isEmpty { return }
            for frame in frames {
                served += 1
                if frame.headers["destination"] == poison {
                    bench.fail(close: close)
                    bench.reconnect()
                    break
                }
                bench.receipt(for: frame)
                if !bench.effects.frames(.subscribe).isEmpty { break }
            }
        }
        Issue.record("the session never settled")
    }

    @Test(
        "After two closes with SUBSCRIBEs pending they are tried singly; the culprit goes",
        arguments: [1000, 1011] as [UInt16])
    func quarantine(_ close: UInt16) {
        var bench = SessionBench()
        for key in 1...5 { bench.subscribe(UInt64(key), key == 3 ? "/bad" : "/sub/\(key)") }
        bench.connect()
        serve(&bench, poison: "/bad", by: close)
        #expect(bench.session.isConnected)
        let culprits = bench.history.reports.compactMap {
            if case .quarantined(let key, _) = $0 { key.number } else { nil }
        }
        #expect(culprits == [3])
        for key in [1, 2, 4, 5] as [UInt64] {
            #expect(bench.history.phases(key).last == .confirmed)
        }
        guard case .quarantined? = bench.history.phases(3).last else {
            Issue.record("got \(bench.history.phases(3))")
            return
        }
        bench.fail(close: 1006)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 4, "all at once again")
    }

    /// Five subscriptions, of which the third makes the server drop the connection without a word.
    private func resting() -> SessionBench {
        var bench = SessionBench { $0.subscriptionRest = .seconds(40) }
        for key in 1...5 { bench.subscribe(UInt64(key), key == 3 ? "/bad" : "/sub/\(key)") }
        bench.connect()
        serve(&bench, poison: "/bad", by: 1006)
        return bench
    }

    @Test("A broken connection is weak evidence: the suspect rests, and the others live")
    func rest() {
        var bench = resting()
        #expect(bench.session.isConnected)
        for key in [1, 2, 4, 5] as [UInt64] {
            #expect(bench.history.phases(key).last == .confirmed)
        }
        guard case .resting(_, let until)? = bench.history.phases(3).last else {
            Issue.record("got \(bench.history.phases(3))")
            return
        }
        #expect(until <= bench.now + .seconds(40))
        bench.fail(close: 1006)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 4, "it still rests, the others return")
    }

    @Test(
        "P1: what rests is tried again in time, in the foreground and on another network",
        arguments: ["time", "foreground", "network"])
    func restEnds(by way: String) {
        var bench = resting()
        switch way {
        case "time": bench.passAlive(.seconds(41))
        case "foreground": bench.give(.enterForeground)
        default: bench.give(.networkPathChanged(isSatisfied: true))
        }
        let again = bench.history.frames(.subscribe).last
        #expect(again?.headers["destination"] == "/bad")
        bench.receipt(for: again)
        #expect(bench.history.phases(3).last == .confirmed)
        bench.fail(close: 1006)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 5, "trusted again")
    }

    @Test("P8: each further break sends it to a longer rest")
    func longerRests() {
        var bench = resting()
        var rests: [Duration] = []
        for _ in 1...8 {
            bench.give(.enterForeground)
            bench.fail(close: 1006)
            guard case .resting(_, let until)? = bench.effects.phases(3).last else { break }
            rests.append(until - bench.now)
            bench.reconnect()
            for frame in bench.effects.frames(.subscribe) { bench.receipt(for: frame) }
        }
        #expect(rests == [80, 160, 320, 640, 1_280, 1_800, 1_800, 1_800].map { .seconds($0) })
    }

    @Test("P1: a network that breaks every connection early ends no subscription for good")
    func badNetwork() {
        var bench = SessionBench()
        for key in 1...3 { bench.subscribe(UInt64(key)) }
        bench.connect()
        for _ in 0..<40 {
            bench.fail(close: 1006)
            bench.reconnect()
        }
        for key in 1...3 as ClosedRange<UInt64> {
            #expect(bench.history.phases(key).allSatisfy { !$0.isFinal })
        }
        bench.give(.enterForeground)
        // The network is good from here: one receipt after the other.
        for _ in 0..<3 { bench.receipt(for: bench.history.frames(.subscribe).last) }
        for key in 1...3 as ClosedRange<UInt64> {
            #expect(bench.history.phases(key).last == .confirmed)
        }
    }

    /// A broker that gets rid of a slow consumer says ERROR too, and one subscription or another
    /// is pending then.
    @Test("P1: one ERROR that names nothing is no proof against the one that is tried alone")
    func oneError() {
        var bench = SessionBench()
        for key in 1...2 { bench.subscribe(UInt64(key)) }
        bench.connect()
        for _ in 0..<2 {
            bench.fail(close: 1006)
            bench.reconnect()
        }
        bench.receipt(for: bench.effects.frames(.subscribe).first)
        bench.server(StompFrame(.error, headers: ["message": "too slow"]))
        bench.reconnect()
        for _ in 0..<2 { bench.receipt(for: bench.history.frames(.subscribe).last) }
        for key in 1...2 as ClosedRange<UInt64> {
            #expect(bench.history.phases(key).last == .confirmed)
        }
    }

    @Test("A server that says it goes away, and a silent network, accuse nobody")
    func noFalseAccusation() {
        var bench = SessionBench()
        bench.subscribe(1)
        bench.connect()
        for round in 0..<8 {
            if round.isMultiple(of: 2) { bench.fail(close: 1012) } else { bench.pass(.seconds(4)) }
            if bench.session.isConnected {
                bench.give(.enterForeground)
                bench.pass(.seconds(4))
            }
            bench.reconnect()
        }
        #expect(bench.history.phases(1).allSatisfy { !$0.isFinal })
    }

    @Test("R-45: an ERROR with a subscription header closes and restores; repeated, it quarantines")
    func cancelledByServer() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        bench.subscribe(2)
        bench.server(StompFrame(.error, headers: ["subscription": "s1-1"]))
        #expect(bench.session.isWaiting)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 2)
        bench.server(StompFrame(.error, headers: ["subscription": "s2-1"]))
        #expect(bench.effects.phases(1).last?.isFinal == true)
        bench.reconnect()
        #expect(bench.effects.frames(.subscribe).count == 1)
    }

    @Test("R-45: a subscription that ran before may be cancelled any number of times")
    func cancelledThoughRunning() {
        var bench = SessionBench()
        bench.connect()
        bench.subscribe(1)
        for _ in 0..<5 {
            bench.receipt(for: bench.history.frames(.subscribe).last)
            bench.server(
                StompFrame(.error, headers: ["subscription": "s\(bench.epoch.number)-1"]))
            bench.reconnect()
            #expect(bench.effects.frames(.subscribe).count == 1)
        }
    }

    @Test("P7: one subscription too many ends at once; a reserved or unfit header does too")
    func limits() {
        var bench = SessionBench { $0.maximumSubscriptions = 2 }
        for key in 1...3 { bench.subscribe(UInt64(key)) }
        guard case .refused(let error)? = bench.effects.phases(3).last else {
            Issue.record("got \(bench.effects.phases(3))")
            return
        }
        #expect(error.code == .limitReached)
        bench.give(.unsubscribe(StompSubscriptionKey(1)))
        bench.give(
            .subscribe(
                StompSubscriptionKey(4),
                StompSubscriptionRequest("/a", headers: ["receipt": "mine"])))
        #expect(bench.effects.phases(4).last?.isFinal == true)
        bench.connect()
        bench.give(
            .subscribe(StompSubscriptionKey(5), StompSubscriptionRequest("/a\0b")))
        #expect(bench.effects.phases(5).last?.isFinal == true)
        #expect(bench.effects.frames.isEmpty)
    }
}
