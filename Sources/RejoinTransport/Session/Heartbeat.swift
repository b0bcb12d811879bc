/// What one side offers in `heart-beat`: how often it can send, and how often it wants to hear.
struct HeartbeatOffer: Hashable, Sendable {
    /// The shortest time between its own signs of life, in milliseconds; 0: it sends none.
    var sendMilliseconds: Int64
    /// The longest silence that it wants from the peer, in milliseconds; 0: it wants none.
    var receiveMilliseconds: Int64

    /// Neither sends nor wants heart-beats: also the meaning of a missing header (STOMP 1.2,
    /// "Heart-beating").
    static let none = HeartbeatOffer(sendMilliseconds: 0, receiveMilliseconds: 0)

    /// The header's value. Without a space: RabbitMQ and ActiveMQ answer `10000, 10000` by ERROR.
    var headerValue: String { "\(sendMilliseconds),\(receiveMilliseconds)" }

    init(sendMilliseconds: Int64, receiveMilliseconds: Int64) {
        self.sendMilliseconds = sendMilliseconds
        self.receiveMilliseconds = receiveMilliseconds
    }

    /// Reads a peer's header. What is not two unsigned decimal numbers that fit is no offer: the
    /// session then judges liveness by its own pings, which is safer than to trust half a number.
    init(headerValue: String) {
        let parts = headerValue.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2,
            let send = Self.milliseconds(parts[0]), let receive = Self.milliseconds(parts[1])
        else {
            self = .none
            return
        }
        self.init(sendMilliseconds: send, receiveMilliseconds: receive)
    }

    private static func milliseconds(_ digits: Substring.UTF8View) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(Substring(digits)))
    }
}

/// What both sides agreed on: two independent directions.
struct HeartbeatAgreement: Hashable, Sendable {
    /// We write at least this often; `nil`: this direction is off.
    let outgoing: Duration?
    /// The peer writes at least this often; `nil`: this direction is off.
    let incoming: Duration?

    /// Applies the rule of STOMP 1.2, "Heart-beating": each direction runs at the slower of the
    /// two wishes, and a 0 on either side turns that direction off, and only that one.
    init(client: HeartbeatOffer, server: HeartbeatOffer) {
        outgoing = Self.interval(client.sendMilliseconds, server.receiveMilliseconds)
        incoming = Self.interval(server.sendMilliseconds, client.receiveMilliseconds)
    }

    private static func interval(_ able: Int64, _ wanted: Int64) -> Duration? {
        able > 0 && wanted > 0 ? .milliseconds(max(able, wanted)) : nil
    }
}
