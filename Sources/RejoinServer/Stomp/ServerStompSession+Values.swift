#if os(Linux)
package import RejoinModel
import RejoinTime
package import RejoinTransport
package import RejoinWire

extension ServerStompSession {
    /// What a session is told at its start.
    package struct Configuration {
        /// The session's name, unique in this server.
        package var session: String
        /// What the server offers as heart-beats in both directions; zero: none.
        package var heartbeat: Duration
        /// How long CONNECT may take.
        package var connectTimeout: Duration
        /// Subscriptions at most; one more ends the session with ERROR.
        package var maximumSubscriptions: Int
        /// SENDs without an outcome at most; one more ends the session with ERROR.
        package var maximumPendingSends = 1_024
        /// Whether a SUBSCRIBE gets the receipt that it asks for.
        package var subscribeReceipts: Bool

        /// Creates a configuration.
        package init(
            session: String, heartbeat: Duration, connectTimeout: Duration,
            maximumSubscriptions: Int, subscribeReceipts: Bool
        ) {
            self.session = session
            self.heartbeat = heartbeat
            self.connectTimeout = connectTimeout
            self.maximumSubscriptions = maximumSubscriptions
            self.subscribeReceipts = subscribeReceipts
        }
    }

    package enum State: Hashable, CaseIterable {
        /// The socket is open; CONNECT is to come.
        case awaitingConnect
        /// CONNECT has come; its token is being looked at.
        case authenticating
        /// CONNECTED was sent.
        case connected
        /// The end was ordered; nothing matters any more.
        case closed
    }

    package enum Input {
        /// Bytes came, whole frames or not: a sign of life.
        case bytes
        /// A frame came.
        case frame(StompFrame)
        /// What came is not STOMP.
        case broken(StompError)
        /// The answer to ``Effect/authenticate(token:)``.
        case authenticated(Result<Lifetime, BackendFailure>)
        /// The answer to ``Effect/authorise(subscription:destination:)``.
        case authorised(String, Result<Topic, BackendFailure>)
        /// The answer to ``Effect/perform(_:_:)``.
        case performed(SendToken, SendOutcome)
        /// Something happened that a subscription is to learn.
        case event(subscription: String, ContiguousArray<UInt8>)
        /// The person may no longer listen to a topic.
        case revoked(Topic)
        /// Time has passed.
        case tick
        /// The server stops.
        case stopping
    }

    package enum Effect: Equatable {
        /// Write a frame.
        case send(StompFrame)
        /// Write a heart-beat.
        case beat
        /// Find out whose token this is; `nil`: CONNECT had none.
        case authenticate(token: String?)
        /// Find out whether the person may listen there.
        case authorise(subscription: String, destination: String)
        /// Hand the topic's events to this subscription from now on.
        case listen(Topic, subscription: String)
        /// No longer.
        case unlisten(Topic, subscription: String)
        /// Do what a SEND asks for.
        case perform(WireSend, SendToken)
        /// Hand this event to one subscription of this session alone.
        case deliver(RoomEvent, subscription: String)
        /// Close once all that was sent is written.
        case close(code: UInt16, reason: String)

        var writes: Bool {
            switch self {
            case .send, .beat: true
            case .authenticate, .authorise, .listen, .unlisten, .perform, .deliver, .close:
                false
            }
        }
    }

    /// What can be listened to.
    package enum Topic: Hashable {
        /// All rooms of a person.
        case rooms(UserID)
        /// One room.
        case room(RoomID)
    }

    /// The token of one SEND; an outcome with another token is stale and ignored.
    package struct SendToken: Hashable {
        package let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }
    }

    /// How long the proof of who this is holds; `nil`: for ever.
    package struct Lifetime: Hashable {
        package var remaining: Duration?

        package init(remaining: Duration?) {
            self.remaining = remaining
        }
    }

    /// What became of a SEND.
    package enum SendOutcome {
        /// It is committed: the receipt may go.
        case stored
        /// It was let fall, as is allowed for what nobody waits for.
        case dropped
        /// The server does not want it.
        case refused(RoomID, ClientMessageID?, BackendFailure)
        /// It cannot be read.
        case malformed(WireError)
    }

    struct Subscription {
        let destination: String
        let acknowledges: Bool
        /// The receipt that SUBSCRIBE asked for, until it was answered.
        var receipt: String?
        /// `nil` until authorised.
        var topic: Topic?
    }
}

/// The agreed heart-beats (STOMP 1.2, "Heart-beating"); `nil`: none in that direction.
package struct Heartbeats: Hashable {
    package var outgoing: Duration?
    package var incoming: Duration?

    package init() {}

    package init(offering ours: Duration, toClient theirs: (sends: Int64, wants: Int64)) {
        outgoing = Self.agreed(ours, theirs.wants)
        incoming = Self.agreed(ours, theirs.sends)
    }

    private static func agreed(_ ours: Duration, _ theirs: Int64) -> Duration? {
        ours > .zero && theirs > 0 ? max(ours, .milliseconds(theirs)) : nil
    }
}

/// What CONNECT says, read with the leniency that clients in the field need.
package enum StompNegotiation {
    static let supported = "1.0,1.1,1.2"

    /// The best version that both know; `nil`: none. Without the header it is 1.0.
    package static func version(accepting list: String?) -> StompVersion? {
        guard let list else { return .v10 }
        return list.split(separator: ",")
            .compactMap { StompVersion($0.filter { $0 != " " }) }.max()
    }

    /// What the client can send and wants to get, in milliseconds; `nil` where the header
    /// cannot be read. Without the header it is nothing.
    package static func heartbeat(_ text: String?) -> (sends: Int64, wants: Int64)? {
        guard let text else { return (0, 0) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let sends = number(parts[0]), let wants = number(parts[1])
        else { return nil }
        return (sends, wants)
    }

    /// Digits with spaces around them; a day at most, beyond which nobody beats.
    private static func number(_ text: Substring) -> Int64? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard (1...8).contains(digits.count),
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// The token of CONNECT, in either of the headers that carry one.
    static func token(in headers: StompHeaders) -> String? {
        for (name, value) in headers {
            switch name.lowercased() {
            case "authorization": if let token = Credentials.bearer(value) { return token }
            case "x-auth-token": return value
            default: continue
            }
        }
        return nil
    }
}

/// How tokens stand in headers.
enum Credentials {
    /// The token of `Authorization: Bearer …` (RFC 6750 section 2.1); `nil` for another scheme.
    static func bearer(_ value: String) -> String? {
        let scheme = "bearer "
        guard value.utf8.count > scheme.utf8.count,
            value.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        return String(value.dropFirst(scheme.count).drop { $0 == " " })
    }
}

/// `Retry-After` in seconds (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Rounded up, so that nobody comes too early.
    static func seconds(_ wait: Duration) -> Int64 {
        max(1, (wait.wholeMilliseconds + 999) / 1_000)
    }
}
#endif
