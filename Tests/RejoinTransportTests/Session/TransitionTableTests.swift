import Foundation
import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// Every state against every input (design section 11.1). The table is committed in
/// `Tests/Snapshots`, so that a review sees each transition that changes. `REJOIN_RECORD=1` writes
/// it anew, and fails that run.
@Suite("StompSession: transition table")
struct TransitionTableTests {
    @Test("All states × all inputs, against the committed table")
    func table() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Snapshots/StompSession.transitions.txt")
        let actual = Self.makeTable()
        if ProcessInfo.processInfo.environment["REJOIN_RECORD"] == "1" {
            try actual.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("the table was written anew; review it, and run again without recording")
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        let pairs = zip(
            expected.split(separator: "\n", omittingEmptySubsequences: false),
            actual.split(separator: "\n", omittingEmptySubsequences: false))
        for (old, new) in pairs where old != new {
            Issue.record("the table says\n  \(old)\nthe session does\n  \(new)")
        }
        #expect(expected.utf8.count == actual.utf8.count)
    }

    @Test("A spurious wake changes nothing in any state")
    func spuriousWake() {
        for (name, bench) in Self.states {
            var bench = bench
            let before = bench.session.status
            let effects = bench.give(.timePassed).filter {
                if case .setTimer = $0 { false } else { true }
            }
            #expect(effects.isEmpty, "\(name)")
            #expect(bench.session.status == before, "\(name)")
        }
    }

    // MARK: The table

    private static func makeTable() -> String {
        var lines = ["# state | input | status after | effects"]
        for (name, start) in states {
            for (label, make) in inputs {
                var bench = start
                let input = make(bench)
                if label == "timePassed (deadline)" { bench.now = bench.timer ?? bench.now }
                let effects = bench.give(input).map { render($0, at: bench.now) }
                let status = bench.session.status
                lines.append(
                    "\(name) | \(label) | \(status.name) | \(effects.joined(separator: ", "))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let states: [(String, SessionBench)] = {
        var states: [(String, SessionBench)] = []
        func add(_ name: String, _ drive: (inout SessionBench) -> Void) {
            var bench = SessionBench()
            bench.subscribe(1)
            drive(&bench)
            states.append((name, bench))
        }
        func busy(_ bench: inout SessionBench) {
            bench.connect()
            bench.give(.begin(StompRequestID(90), StompTransactionID(9)))
            bench.give(.send(StompRequestID(91), StompSend("/a", body: [], wantsReceipt: true)))
        }
        add("idle") { _ in }
        add("authorizing") { $0.start() }
        add("authorizing(expired)") {
            $0.start()
            $0.authorize()
            $0.fail(.upgradeRefused, status: 401)
        }
        add("opening") {
            $0.start()
            $0.authorize()
        }
        add("handshaking") {
            $0.start()
            $0.authorize()
            $0.open()
        }
        add("connected", busy)
        add("connected(probing)") {
            busy(&$0)
            $0.give(.enterForeground)
        }
        add("disconnecting") {
            busy(&$0)
            $0.give(.stop)
        }
        add("disconnecting(then start)") {
            busy(&$0)
            $0.give(.stop)
            $0.start()
        }
        add("waiting") {
            busy(&$0)
            $0.fail(close: 1006)
        }
        add("paused") {
            busy(&$0)
            $0.give(.enterBackground)
            $0.fail(close: 1006)
        }
        add("stopped(requested)") { $0.give(.stop) }
        add("stopped(failed)") {
            $0.start()
            $0.authorize()
            $0.fail(.upgradeRefused, status: 403)
        }
        return states
    }()

    private static let inputs: [(String, @Sendable (SessionBench) -> StompSession.Input)] = {
        func frame(_ text: String) -> @Sendable (SessionBench) -> StompSession.Input {
            { .received($0.epoch, ContiguousArray((text + "\n\n\0").utf8)) }
        }
        func failure(
            _ code: WebSocketError.Code, _ status: Int? = nil, close: UInt16? = nil
        ) -> @Sendable (SessionBench) -> StompSession.Input {
            {
                .socketFailed(
                    $0.epoch, WebSocketError(code, "x", httpStatus: status, closeCode: close))
            }
        }
        let message = StompMessage.sample
        return [
            ("start", { _ in .start }), ("stop", { _ in .stop }),
            ("enterForeground", { _ in .enterForeground }),
            ("enterBackground", { _ in .enterBackground }),
            ("path satisfied", { _ in .networkPathChanged(isSatisfied: true) }),
            ("path unsatisfied", { _ in .networkPathChanged(isSatisfied: false) }),
            ("timePassed (early)", { _ in .timePassed }),
            ("timePassed (deadline)", { _ in .timePassed }),
            ("credentialsReady", { .credentialsReady($0.epoch, StompCredentials()) }),
            (
                "credentialsReady (stale)",
                { _ in .credentialsReady(ConnectionEpoch(99), StompCredentials()) }
            ),
            (
                "credentialsFailed (transient)",
                { .credentialsFailed($0.epoch, StompCredentialsFailure(isTransient: true, "x")) }
            ),
            (
                "credentialsFailed (final)",
                { .credentialsFailed($0.epoch, StompCredentialsFailure(isTransient: false, "x")) }
            ),
            ("socketOpened", { .socketOpened($0.epoch, subprotocol: "v12.stomp") }),
            ("socketOpened (foreign)", { .socketOpened($0.epoch, subprotocol: "mqtt") }),
            ("socketOpened (stale)", { _ in .socketOpened(ConnectionEpoch(99), subprotocol: nil) }),
            ("socketFailed 1006", failure(.closed, close: 1006)),
            ("socketFailed 1000", failure(.closed, close: 1000)),
            ("socketFailed 401", failure(.upgradeRefused, 401)),
            ("socketFailed 403", failure(.upgradeRefused, 403)),
            ("socketFailed 503", failure(.upgradeRefused, 503)),
            (
                "socketFailed (stale)",
                { _ in .socketFailed(ConnectionEpoch(99), WebSocketError(.closed, "x")) }
            ),
            ("received EOL", { .received($0.epoch, [0x0A]) }),
            ("received nothing", { .received($0.epoch, []) }),
            ("received garbage", frame("GARBAGE")),
            ("received CONNECTED", frame("CONNECTED\nversion:1.2")),
            ("received CONNECTED 9.9", frame("CONNECTED\nversion:9.9")),
            ("received MESSAGE", frame("MESSAGE\nsubscription:s1-1\nmessage-id:1\ndestination:/a")),
            ("received MESSAGE (unknown)", frame("MESSAGE\nsubscription:x\nmessage-id:1")),
            ("received RECEIPT (subscribe)", frame("RECEIPT\nreceipt-id:r1-1")),
            ("received RECEIPT (send)", frame("RECEIPT\nreceipt-id:r1-2")),
            ("received RECEIPT (farewell)", frame("RECEIPT\nreceipt-id:r1-3")),
            ("received RECEIPT (unknown)", frame("RECEIPT\nreceipt-id:x")),
            ("received ERROR", frame("ERROR\nmessage:x")),
            ("received ERROR 401", frame("ERROR\ncode:token_expired")),
            ("received ERROR invalid", frame("ERROR\ncode:token_invalid")),
            ("received ERROR 403", frame("ERROR\ncode:forbidden")),
            ("received ERROR 429", frame("ERROR\ncode:rate_limited\nretry-after:5")),
            ("received ERROR (send)", frame("ERROR\nreceipt-id:r1-2")),
            ("received (stale)", { _ in .received(ConnectionEpoch(99), [0x0A]) }),
            ("ponged", { .ponged($0.epoch) }),
            ("ponged (stale)", { _ in .ponged(ConnectionEpoch(99)) }),
            ("wrote", { .wrote($0.epoch) }),
            ("wrote (stale)", { _ in .wrote(ConnectionEpoch(99)) }),
            (
                "subscribe",
                { _ in .subscribe(StompSubscriptionKey(2), StompSubscriptionRequest("/b")) }
            ),
            (
                "subscribe (again)",
                { _ in .subscribe(StompSubscriptionKey(1), StompSubscriptionRequest("/a")) }
            ),
            ("unsubscribe", { _ in .unsubscribe(StompSubscriptionKey(1)) }),
            ("unsubscribe (unknown)", { _ in .unsubscribe(StompSubscriptionKey(9)) }),
            ("send", { _ in .send(StompRequestID(1), StompSend("/a", body: [])) }),
            (
                "send (receipt)",
                { _ in .send(StompRequestID(1), StompSend("/a", body: [], wantsReceipt: true)) }
            ),
            (
                "acknowledge",
                { _ in .acknowledge(StompRequestID(1), StompAcknowledgement(message)) }
            ),
            ("begin", { _ in .begin(StompRequestID(1), StompTransactionID(1)) }),
            ("commit", { _ in .commit(StompRequestID(1), StompTransactionID(9)) }),
            ("abort", { _ in .abort(StompRequestID(1), StompTransactionID(9)) }),
            ("commit (unknown)", { _ in .commit(StompRequestID(1), StompTransactionID(1)) }),
        ]
    }()

    private static func render(_ effect: StompSession.Effect, at now: Instant) -> String {
        switch effect {
        case .requestCredentials(let epoch, let reason):
            "credentials(\(epoch.number), \(reason))"
        case .open(let epoch, _): "open(\(epoch.number))"
        case .transmit(let epoch, let message):
            "transmit(\(epoch.number), \(firstLine(message.bytes)))"
        case .ping(let epoch): "ping(\(epoch.number))"
        case .close(let epoch, let code): "close(\(epoch.number), \(code))"
        case .abandon(let epoch): "abandon(\(epoch.number))"
        case .setTimer(let deadline?): "timer(+\((deadline - now).wholeMilliseconds) ms)"
        case .setTimer(nil): "timer(off)"
        case .status(let status): "status(\(status.name))"
        case .phase(let key, let phase): "phase(\(key.number), \(name(phase)))"
        case .message(let message): "message(\(message.subscription.number))"
        case .complete(let id, .succeeded): "complete(\(id.number), succeeded)"
        case .complete(let id, .failed(let error)):
            "complete(\(id.number), \(error.code.rawValue))"
        case .report(let report): "report(\(name(report)))"
        }
    }

    private static func firstLine(_ bytes: ContiguousArray<UInt8>) -> String {
        bytes == [0x0A] ? "EOL" : String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    private static func name(_ phase: StompSubscriptionPhase) -> String {
        switch phase {
        case .waiting: "waiting"
        case .pending: "pending"
        case .confirmed: "confirmed"
        case .assumed: "assumed"
        case .proven: "proven"
        case .lost: "lost"
        case .denied: "denied"
        case .resting: "resting"
        case .quarantined: "quarantined"
        case .refused: "refused"
        case .unsubscribed: "unsubscribed"
        }
    }

    private static func name(_ report: StompReport) -> String {
        switch report {
        case .serverError: "serverError"
        case .unroutedMessage: "unroutedMessage"
        case .connectionEnded(_, let error): "ended \(error.code.rawValue)"
        case .quarantined(let key, _): "quarantined \(key.number)"
        case .resting(let key, _, _): "resting \(key.number)"
        case .overflowed(let count): "overflowed \(count)"
        }
    }
}

extension StompMessage {
    /// A message as a subscription in ack mode `client` would have got it.
    static let sample: StompMessage = {
        var bench = SessionBench()
        bench.subscribe(1, ack: .client)
        bench.connect()
        bench.message(1, extra: [("ack", "1")])
        return bench.effects.messages[0]
    }()
}
