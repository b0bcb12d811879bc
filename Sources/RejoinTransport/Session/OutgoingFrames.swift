/// The frames that a client sends, as STOMP 1.2 words them and 1.1 and 1.0 understand them.
enum OutgoingFrames {
    /// Headers of a SEND that the session sets itself.
    static let reservedInSend = ["destination", "content-length", "receipt", "transaction"]
    /// Headers of a SUBSCRIBE that the session sets itself.
    static let reservedInSubscribe = ["id", "destination", "ack", "receipt"]

    /// CONNECT, not STOMP: 1.0 servers know no other. The session's own headers come first and so
    /// win over the host's.
    static func connect(
        versions: [StompVersion], host: String?, heartbeat: HeartbeatOffer, headers: StompHeaders
    ) -> StompFrame {
        // Without spaces: RabbitMQ reads `1.1, 1.2` as 1.1 alone.
        let accepted = versions.map(\.text).joined(separator: ",")
        var own = [("accept-version", accepted)]
        if let host { own.append(("host", host)) }
        own.append(("heart-beat", heartbeat.headerValue))
        return StompFrame(.connect, headers: StompHeaders(own + pairs(headers)))
    }

    static func disconnect(receipt: String) -> StompFrame {
        StompFrame(.disconnect, headers: [("receipt", receipt)])
    }

    static func subscribe(
        _ request: StompSubscriptionRequest, id: String, receipt: String,
        credentials: StompHeaders
    ) -> StompFrame {
        let own = [
            ("id", id), ("destination", request.destination), ("ack", request.ack.rawValue),
            ("receipt", receipt),
        ]
        return StompFrame(
            .subscribe, headers: StompHeaders(own + pairs(request.headers) + pairs(credentials)))
    }

    static func unsubscribe(id: String) -> StompFrame {
        StompFrame(.unsubscribe, headers: [("id", id)])
    }

    static func send(_ send: StompSend, transaction: String?, receipt: String?) -> StompFrame {
        let own = [("destination", send.destination)] + options(transaction, receipt)
        return StompFrame(
            .send, headers: StompHeaders(own + pairs(send.headers)), body: send.body)
    }

    static func transaction(_ command: StompCommand, _ transaction: String, receipt: String?)
        -> StompFrame
    {
        StompFrame(command, headers: StompHeaders(options(transaction, receipt)))
    }

    /// ACK or NACK. What names the message changed with each version: 1.2 has the `ack` header of
    /// the MESSAGE (never its message ID), 1.1 message ID and subscription, 1.0 the message ID.
    ///
    /// - Throws: `invalid_request` where the MESSAGE lacks what the version needs, or the version
    ///   has no NACK.
    static func acknowledgement(
        _ acknowledgement: StompAcknowledgement, version: StompVersion, subscription: String,
        transaction: String?, receipt: String?
    ) throws(StompClientError) -> StompFrame {
        let received = acknowledgement.message.frame.headers
        let names: [(String, String?)]
        switch version {
        case .v12: names = [("id", received["ack"])]
        case .v11:
            names = [("message-id", received["message-id"]), ("subscription", subscription)]
        case .v10:
            guard acknowledgement.isPositive else {
                throw StompClientError(
                    .invalidRequest, "STOMP 1.0 has no NACK; use ACK, or a server that speaks 1.1")
            }
            names = [("message-id", received["message-id"])]
        }
        var own: [(String, String)] = []
        for (name, value) in names {
            guard let value else {
                throw StompClientError(
                    .invalidRequest,
                    "the MESSAGE lacks the header that STOMP \(version.text) acknowledges by "
                        + "(\(version == .v12 ? "ack" : name)); the server does not expect an "
                        + "acknowledgement")
            }
            own.append((name, value))
        }
        return StompFrame(
            acknowledgement.isPositive ? .ack : .nack,
            headers: StompHeaders(own + options(transaction, receipt)))
    }

    private static func options(_ transaction: String?, _ receipt: String?) -> [(String, String)] {
        [("transaction", transaction), ("receipt", receipt)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    private static func pairs(_ headers: StompHeaders) -> [(String, String)] {
        headers.map { ($0.name, $0.value) }
    }
}
