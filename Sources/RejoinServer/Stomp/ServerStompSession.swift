#if os(Linux)
import RejoinModel
package import RejoinTime
package import RejoinTransport
import RejoinWire

/// The server's end of one STOMP connection (STOMP 1.2; 1.1 and 1.0 are understood too).
///
/// A core: frames and answers come in, effects come out, in order. Whoever runs it executes
/// the effects of one input before it hands in the next, and calls it again no later than
/// ``nextDeadline``.
package struct ServerStompSession {
    package private(set) var state = State.awaitingConnect
    /// By whose rules frames are read and written; settled by CONNECT.
    package private(set) var version = StompVersion.v12

    private let configuration: Configuration
    private var connectDeadline: Instant
    private var expiry: Instant?
    private var heartbeats = Heartbeats()
    private var lastSent: Instant
    private var lastReceived: Instant
    /// What is subscribed, and what is about to be; by subscription ID.
    private var subscriptions: [String: Subscription] = [:]
    /// The receipts that SENDs in the making have asked for.
    private var sends: [SendToken: String?] = [:]
    private var lastToken: UInt64 = 0
    private var lastMessage: UInt64 = 0

    package init(_ configuration: Configuration, openedAt now: Instant) {
        self.configuration = configuration
        connectDeadline = now + configuration.connectTimeout
        lastSent = now
        lastReceived = now
    }

    /// When the session must be handed ``Input/tick`` at the latest; `nil`: not by itself.
    package var nextDeadline: Instant? {
        switch state {
        case .awaitingConnect, .authenticating: connectDeadline
        case .connected: [expiry, beatDeadline, silenceDeadline].compactMap(\.self).min()
        case .closed: nil
        }
    }

    /// Takes one input; the effects are to be executed in order.
    package mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
        let effects = effects(of: input, at: now)
        for effect in effects where effect.writes { lastSent = now }
        return effects
    }

    private mutating func effects(of input: Input, at now: Instant) -> [Effect] {
        switch (state, input) {
        case (.closed, _):
            return []
        case (_, .bytes):
            lastReceived = now
            return []
        case (_, .tick):
            return tick(at: now)
        case (_, .stopping):
            return close(1001, "the server stops")
        case (_, .broken(let error)):
            let isTooLarge = error.code == .bodyTooLarge
            return fail(
                BackendFailure(isTooLarge ? .tooLarge : .rejected, error.description),
                closing: isTooLarge ? 1009 : 1002)
        case (.awaitingConnect, .frame(let frame)):
            return connect(frame)
        case (.authenticating, .authenticated(let result)):
            return authenticated(result, at: now)
        case (.authenticating, .frame(let frame)):
            return refuse(frame, "wait for CONNECTED before the next frame")
        case (.connected, .frame(let frame)):
            return connected(frame)
        case (.connected, .authorised(let id, let result)):
            return authorised(id, result)
        case (.connected, .performed(let token, let outcome)):
            return performed(token, outcome)
        case (.connected, .event(let id, let body)):
            return message(body, for: id)
        case (.connected, .revoked(let topic)):
            return revoked(topic)
        case (.awaitingConnect, .authenticated), (.awaitingConnect, .authorised),
            (.awaitingConnect, .performed), (.awaitingConnect, .event),
            (.awaitingConnect, .revoked), (.authenticating, .authorised),
            (.authenticating, .performed), (.authenticating, .event),
            (.authenticating, .revoked), (.connected, .authenticated):
            // Answers to questions that were not asked, or no longer matter.
            return []
        }
    }

    // MARK: Time

    private var beatDeadline: Instant? {
        // A quarter of the interval is left for the way.
        heartbeats.outgoing.map { lastSent + $0 * 3 / 4 }
    }

    private var silenceDeadline: Instant? {
        heartbeats.incoming.map { lastReceived + $0 * 2 }
    }

    private mutating func tick(at now: Instant) -> [Effect] {
        guard let deadline = nextDeadline, now >= deadline else { return [] }
        switch state {
        case .awaitingConnect, .authenticating:
            return close(1008, "no CONNECT came in time")
        case .connected:
            if let expiry, now >= expiry {
                return fail(
                    BackendFailure(
                        .tokenExpired, "the token has expired; connect with a new one"),
                    closing: 1008)
            }
            if let silenceDeadline, now >= silenceDeadline {
                return close(1002, "no heart-beat came in time")
            }
            return [.beat]
        case .closed:
            return []
        }
    }

    // MARK: CONNECT

    private mutating func connect(_ frame: StompFrame) -> [Effect] {
        guard frame.command == .connect || frame.command == .stomp else {
            return refuse(frame, "a session begins with CONNECT")
        }
        guard
            let chosen = StompNegotiation.version(accepting: frame.headers["accept-version"])
        else {
            state = .closed
            let supported = StompNegotiation.supported
            return [
                .send(
                    StompFrame(
                        .error,
                        headers: [
                            ("version", supported), ("message", "no common version"),
                            ("code", BackendFailure.Code.rejected.rawValue),
                            ("content-type", "text/plain"),
                        ], text: "Supported protocol versions are \(supported)")),
                .close(code: 1002, reason: "no common version"),
            ]
        }
        let theirs = StompNegotiation.heartbeat(frame.headers["heart-beat"])
        guard let theirs else {
            return refuse(frame, "heart-beat must be two numbers, such as 10000,10000")
        }
        version = chosen
        heartbeats = Heartbeats(offering: configuration.heartbeat, toClient: theirs)
        state = .authenticating
        return [.authenticate(token: StompNegotiation.token(in: frame.headers))]
    }

    private mutating func authenticated(
        _ result: Result<Lifetime, BackendFailure>, at now: Instant
    ) -> [Effect] {
        switch result {
        case .failure(let failure):
            return fail(failure, closing: 1008)
        case .success(let lifetime):
            state = .connected
            expiry = lifetime.remaining.map { now + $0 }
            lastReceived = now
            let offer = configuration.heartbeat.wholeMilliseconds
            return [
                .send(
                    StompFrame(
                        .connected,
                        headers: [
                            ("version", version.text), ("heart-beat", "\(offer),\(offer)"),
                            ("session", configuration.session), ("server", "rejoin"),
                        ]))
            ]
        }
    }

    // MARK: Frames of a session

    private mutating func connected(_ frame: StompFrame) -> [Effect] {
        switch frame.command {
        case .connect, .stomp:
            return refuse(frame, "the session has begun already")
        case .subscribe: return subscribe(frame)
        case .unsubscribe: return unsubscribe(frame)
        case .send: return send(frame)
        case .ack, .nack:
            let name = version == .v12 ? "id" : "message-id"
            guard frame.headers.contains(name) else {
                return refuse(frame, "\(frame.command.rawValue) needs the header '\(name)'")
            }
            // Nothing is redelivered, so there is nothing to keep; history brings it back.
            return receipt(for: frame)
        case .disconnect:
            return receipt(for: frame) + close(1000, "")
        case .begin, .commit, .abort:
            return refuse(frame, "this server has no transactions")
        case .connected, .message, .receipt, .error:
            return refuse(frame, "\(frame.command.rawValue) comes from servers only")
        }
    }

    private mutating func subscribe(_ frame: StompFrame) -> [Effect] {
        guard let destination = frame.headers["destination"] else {
            return refuse(frame, "SUBSCRIBE needs a destination")
        }
        // STOMP 1.0 lets the ID out; the destination then stands for it.
        guard let id = frame.headers["id"] ?? (version == .v10 ? destination : nil) else {
            return refuse(frame, "SUBSCRIBE needs an id")
        }
        guard subscriptions[id] == nil else {
            return refuse(frame, "the subscription id is in use already")
        }
        guard subscriptions.count < configuration.maximumSubscriptions else {
            return refuse(
                frame,
                "a connection has at most \(configuration.maximumSubscriptions) "
                    + "subscriptions")
        }
        let acknowledges: Bool
        switch frame.headers["ack"] {
        case nil, "auto": acknowledges = false
        case "client", "client-individual": acknowledges = true
        default: return refuse(frame, "ack must be auto, client or client-individual")
        }
        subscriptions[id] = Subscription(
            destination: destination, acknowledges: acknowledges,
            receipt: frame.headers["receipt"])
        return [.authorise(subscription: id, destination: destination)]
    }

    private mutating func authorised(_ id: String, _ result: Result<Topic, BackendFailure>)
        -> [Effect]
    {
        guard let pending = subscriptions[id], pending.topic == nil else { return [] }
        switch result {
        case .failure(let failure):
            return fail(failure, receipt: pending.receipt, subscription: id, closing: 1008)
        case .success(let topic):
            subscriptions[id]?.topic = topic
            subscriptions[id]?.receipt = nil
            var effects: [Effect] = [.listen(topic, subscription: id)]
            if configuration.subscribeReceipts, let receipt = pending.receipt {
                effects.append(.send(Self.receipt(receipt)))
            }
            return effects
        }
    }

    /// Ending a subscription that does not exist succeeds: it may have crossed its revocation.
    private mutating func unsubscribe(_ frame: StompFrame) -> [Effect] {
        let destination = version == .v10 ? frame.headers["destination"] : nil
        guard let id = frame.headers["id"] ?? destination else {
            return refuse(frame, "UNSUBSCRIBE needs an id")
        }
        var effects: [Effect] = []
        if let topic = subscriptions.removeValue(forKey: id)?.topic {
            effects.append(.unlisten(topic, subscription: id))
        }
        return effects + receipt(for: frame)
    }

    private mutating func send(_ frame: StompFrame) -> [Effect] {
        guard let destination = frame.headers["destination"] else {
            return refuse(frame, "SEND needs a destination")
        }
        guard !frame.headers.contains("transaction") else {
            return refuse(frame, "this server has no transactions")
        }
        guard sends.count < configuration.maximumPendingSends else {
            return refuse(frame, "too many SENDs are waiting for their receipts")
        }
        lastToken += 1
        let token = SendToken(rawValue: lastToken)
        sends[token] = .some(frame.headers["receipt"])
        let send = WireSend(
            destination: destination,
            contentType: frame.headers["content-type"] ?? "application/json",
            body: frame.body)
        return [.perform(send, token)]
    }

    private mutating func performed(_ token: SendToken, _ outcome: SendOutcome) -> [Effect] {
        guard let receipt = sends.removeValue(forKey: token) else { return [] }
        switch outcome {
        case .stored:
            return receipt.map { [.send(Self.receipt($0))] } ?? []
        case .dropped:
            return []
        case .malformed(let error):
            return fail(
                BackendFailure(.rejected, error.description), receipt: receipt, closing: 1008)
        case .refused(let room, let client, let failure):
            guard let client, let id = subscription(to: room) else {
                return fail(failure, receipt: receipt, closing: 1008)
            }
            let event = RoomEvent(room: room, kind: .rejected(client, failure))
            return [.deliver(event, subscription: id)]
        }
    }

    // MARK: Events

    private mutating func message(_ body: ContiguousArray<UInt8>, for id: String) -> [Effect] {
        guard let subscription = subscriptions[id], subscription.topic != nil else {
            return []
        }
        lastMessage += 1
        let messageID = "\(configuration.session)-\(lastMessage)"
        var headers = [
            ("subscription", id), ("message-id", messageID),
            ("destination", subscription.destination),
            ("content-type", "application/json"),
        ]
        if subscription.acknowledges, version == .v12 { headers.append(("ack", messageID)) }
        return [.send(StompFrame(.message, headers: StompHeaders(headers), body: body))]
    }

    private mutating func revoked(_ topic: Topic) -> [Effect] {
        guard let id = subscription(to: topic) else { return [] }
        return fail(
            BackendFailure(.forbidden, "you are no longer a member of this room"),
            subscription: id, closing: 1008)
    }

    private func subscription(to room: RoomID) -> String? { subscription(to: .room(room)) }

    /// The subscription to a topic whose ID comes first, so that the choice is always the same.
    private func subscription(to topic: Topic) -> String? {
        subscriptions.filter { $0.value.topic == topic }.keys.min {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    // MARK: Receipts and ends

    private func receipt(for frame: StompFrame) -> [Effect] {
        frame.headers["receipt"].map { [.send(Self.receipt($0))] } ?? []
    }

    private static func receipt(_ id: String) -> StompFrame {
        StompFrame(.receipt, headers: [("receipt-id", id)])
    }

    private mutating func refuse(_ frame: StompFrame, _ reason: String) -> [Effect] {
        fail(
            BackendFailure(.rejected, reason), receipt: frame.headers["receipt"], closing: 1002)
    }

    /// ERROR, and then the end, as STOMP asks ("it MUST then close the connection").
    private mutating func fail(
        _ failure: BackendFailure, receipt: String? = nil, subscription: String? = nil,
        closing code: UInt16
    ) -> [Effect] {
        var headers = [
            ("message", failure.message), ("code", failure.code.rawValue),
            ("content-type", "text/plain"),
        ]
        if let receipt { headers.append(("receipt-id", receipt)) }
        if let subscription { headers.append(("subscription", subscription)) }
        if let wait = failure.retryAfter {
            headers.append(("retry-after", "\(RetryAfter.seconds(wait))"))
        }
        let frame = StompFrame(
            .error, headers: StompHeaders(headers), text: failure.message + "\n")
        return [.send(frame)] + close(code, failure.code.rawValue)
    }

    private mutating func close(_ code: UInt16, _ reason: String) -> [Effect] {
        state = .closed
        return [.close(code: code, reason: reason)]
    }
}
#endif
