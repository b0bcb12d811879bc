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
        /// What the server was sent.
        let credentials: StompCredentials
        private(set) var heartbeat = HeartbeatAgreement(client: .none, server: .none)
        /// How long the peer may be silent; `nil` where it promised no heart-beats.
        private(set) var toleratedSilence: Duration?
        /// How long we may write nothing; `nil` where we promised no heart-beats.
        private(set) var longestPause: Duration?
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
            longestPause.map { lastWritten + $0 }
        }

        /// When the peer counts as dead by its heart-beats.
        var silenceDeadline: Instant? { toleratedSilence.map { lastReceived + $0 } }

        /// Takes what both ends have agreed upon.
        mutating func agree(_ agreement: HeartbeatAgreement, tolerance: Double) {
            heartbeat = agreement
            toleratedSilence = agreement.incoming.map { $0 * max(1, tolerance) }
            longestPause = agreement.outgoing.map { $0 * 4 / 5 }
        }

        /// When a direction without heart-beats needs a ping.
        func pingDue(_ interval: Duration) -> Instant? {
            guard probeDeadline == nil else { return nil }
            let read = heartbeat.incoming == nil ? lastReceived + interval : nil
            let written = heartbeat.outgoing == nil ? lastWritten + interval : nil
            return read.earlier(written)
        }
    }
}

extension Instant? {
    /// The earlier of two deadlines, each of which may not be set.
    func earlier(_ other: Instant?) -> Instant? {
        guard let self else { return other }
        guard let other else { return self }
        return min(self, other)
    }
}
