public import RejoinTime

/// What a subscription asks for.
public struct StompSubscriptionRequest: Hashable, Sendable {
    /// The destination, such as `/sub/chat/room/7`. Subscribing twice to one destination is legal:
    /// the two are told apart by their keys.
    public var destination: String
    /// Who acknowledges.
    public var ack: StompAckMode
    /// Further headers of each SUBSCRIBE, such as RabbitMQ's `prefetch-count`.
    public var headers: StompHeaders

    /// Creates a request.
    public init(_ destination: String, ack: StompAckMode = .auto, headers: StompHeaders = []) {
        self.destination = destination
        self.ack = ack
        self.headers = headers
    }
}

/// Who acknowledges messages (STOMP 1.2, "SUBSCRIBE", `ack`).
public enum StompAckMode: String, Hashable, Sendable {
    /// Nobody: the server counts a message as taken when it has sent it.
    case auto
    /// The client; each acknowledgement covers all earlier messages of the subscription.
    case client
    /// The client, message by message.
    case clientIndividual = "client-individual"
}

/// Where a subscription stands.
///
/// The transport never claims continuity. Each ``pending`` says that messages may have been missed
/// since the last proof; each ``confirmed``, ``assumed`` and ``proven`` is a moment from which the
/// live stream is worth a catch-up.
public enum StompSubscriptionPhase: Hashable, Sendable {
    /// Wanted, and not asked for over the present connection yet.
    case waiting
    /// SUBSCRIBE has left; nothing is known.
    case pending
    /// The server has receipted the SUBSCRIBE.
    case confirmed
    /// The receipt did not come in time: many brokers send none. Likely to run.
    case assumed
    /// No receipt, but a first MESSAGE has come or the settle time has passed.
    case proven
    /// The connection has ended. The subscription comes back with the next one, by itself.
    case lost
    /// The connection broke again and again while this subscription alone was pending: a bad
    /// network, or a server that it upsets. It is left out so that the others can live, and tried
    /// again at this instant, when the app comes to the foreground and when the network is back.
    case resting(StompClientError, until: Instant)
    /// The server refuses this subscription (403). It has ended.
    case denied(StompClientError)
    /// The server closed the connection again and again because of this subscription. It has
    /// ended, so that the others can live.
    case quarantined(StompClientError)
    /// The request cannot be served, by a limit or because it fits into no frame. It has ended.
    case refused(StompClientError)
    /// The host ended it.
    case unsubscribed

    /// Whether nothing follows.
    public var isFinal: Bool {
        switch self {
        case .waiting, .pending, .confirmed, .assumed, .proven, .lost, .resting: false
        case .denied, .quarantined, .refused, .unsubscribed: true
        }
    }
}
