internal import RejoinModel
internal import RejoinTime
internal import RejoinTransport

/// The server's end of one STOMP connection.
final class ServerLink {
    var decoder = StompDecoder(role: .server)
    var encoder = StompEncoder()
    var isGreeted = false
    /// Subscriptions in the order in which they came: their IDs and rooms, when it was, and
    /// the room's newest message then.
    var subscriptions: [(id: String, room: Int, since: Instant, tip: MessageID?)] = []
    var lastSent: Instant
    var lastReceived: Instant
    var messages = 0

    init(at now: Instant) {
        lastSent = now
        lastReceived = now
    }
}
