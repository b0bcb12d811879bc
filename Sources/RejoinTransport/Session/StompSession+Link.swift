import RejoinTime

extension StompSession {
    /// What belongs to one open socket. A new socket gets a new one, so that no timer, receipt,
    /// half a frame or transaction survives its connection.
    struct Link: Sendable {
        var decoder: StompDecoder
        /// The negotiated version; the first offered one until CONNECTED.
        var version: StompVersion
        var ledger = RequestLedger()
        /// Open transactions and their names on the wire.
        var transactions: [StompTransactionID: String] = [:]
        var transactionsBegun = 0
        /// Headers of every SUBSCRIBE.
        let subscribeHeaders: StompHeaders
        var heartbeat = HeartbeatAgreement(client: .none, server: .none)
        /// The last byte that came.
        var lastReceived: Instant
        /// The last message that left. Two clocks, because a read says nothing about our writing.
        var lastWritten: Instant
        /// When a probed peer must have answered.
        var probeDeadline: Instant?
        /// When the connection counts as stable; `nil` before CONNECTED, and once it does.
        var stableAt: Instant?

        /// When we have to write. A fifth of the interval is kept in hand for the way to the
        /// socket: the rule binds what the server sees, and some grant no grace.
        var heartbeatDue: Instant? {
            heartbeat.outgoing.map { lastWritten + $0 * 4 / 5 }
        }

        /// When the peer counts as dead by its heart-beats.
        func silenceDeadline(tolerance: Double) -> Instant? {
            heartbeat.incoming.map { lastReceived + $0 * max(1, tolerance) }
        }

        /// When a direction without heart-beats needs a ping.
        func pingDue(_ interval: Duration) -> Instant? {
            guard probeDeadline == nil else { return nil }
            let read = heartbeat.incoming == nil ? lastReceived + interval : nil
            let written = heartbeat.outgoing == nil ? lastWritten + interval : nil
            return [read, written].compactMap(\.self).min()
        }
    }
}
