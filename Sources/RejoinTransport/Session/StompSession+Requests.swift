import RejoinTime

// Subscriptions, messages, acknowledgements and transactions.

// MARK: - Subscriptions

extension StompSession {
    mutating func subscribe(
        _ key: StompSubscriptionKey, _ request: StompSubscriptionRequest, _ now: Instant
    ) {
        guard registry[key] == nil else { return }
        guard registry.count < configuration.maximumSubscriptions else {
            let error = StompClientError(
                .limitReached,
                "\(configuration.maximumSubscriptions) subscriptions exist already; end one first")
            return effects.append(.phase(key, .refused(error)))
        }
        if let error = Self.reservedHeader(
            in: request.headers, OutgoingFrames.reservedInSubscribe)
        {
            return effects.append(.phase(key, .refused(error)))
        }
        registry.add(key, request)
        effects.append(.phase(key, .waiting))
        guard case .connected = phase else { return }
        if registry.isSingly { subscribeWhatIsDue(now) } else { subscribe(key, now) }
    }

    mutating func unsubscribe(_ key: StompSubscriptionKey, _ now: Instant) {
        let wasSingly = registry.isSingly
        guard let entry = registry.remove(key) else { return }
        effects.append(.phase(key, .unsubscribed))
        guard case .connected = phase else { return }
        if let wireID = entry.wireID {
            // Our own identifiers fit into every version.
            do throws(StompError) {
                try transmit(OutgoingFrames.unsubscribe(id: wireID), for: nil, now)
            } catch {}
        }
        if wasSingly { subscribeWhatIsDue(now) }
    }

    /// Requests are refused where too much waits for the socket; what is subscribed must become
    /// true. So a socket that takes nothing while rooms come and go is given up, and the next
    /// connection subscribes what is wanted then.
    mutating func endFullConnection(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        let limit =
            configuration.maximumUnwrittenMessages + 2 * configuration.maximumSubscriptions
        guard case .connected = phase, let count = link?.ledger.unwrittenCount, count > limit
        else { return }
        let error = StompClientError(
            .silent,
            "\(count) messages wait for the socket, which takes none; the connection is "
                + "taken to be dead")
        endEpoch(error, .ordinary, by: .abandoning, now, &random)
    }

    mutating func subscribeWhatIsDue(_ now: Instant) {
        guard case .connected = phase else { return }
        registry.endRests(by: now)
        for key in registry.keysToSubscribe() { subscribe(key, now) }
    }

    private mutating func subscribe(_ key: StompSubscriptionKey, _ now: Instant) {
        guard let entry = registry[key],
            let receipt = link?.ledger.makeReceiptID(in: epoch),
            let credentials = link?.credentials.subscribeHeaders
        else { return }
        let wireID = SubscriptionRegistry.wireID(key, in: epoch)
        let frame = OutgoingFrames.subscribe(
            entry.request, id: wireID, receipt: receipt, credentials: credentials)
        do throws(StompError) {
            try transmit(frame, for: nil, now)
        } catch {
            return endSubscription(key, .refused(Self.unfit(error)))
        }
        link?.ledger.expect(
            receipt, for: .subscription(key), until: now + configuration.receiptTimeout)
        registry.subscribed(key, as: wireID, until: now + configuration.subscribeTimeout)
        effects.append(.phase(key, .pending))
    }

    mutating func endSubscription(
        _ key: StompSubscriptionKey, _ phase: StompSubscriptionPhase
    ) {
        guard registry.remove(key) != nil else { return }
        effects.append(.phase(key, phase))
    }

    mutating func quarantine(_ key: StompSubscriptionKey, _ error: StompClientError) {
        guard let entry = registry.remove(key) else { return }
        announceQuarantine(key, entry, error)
    }

    mutating func announceQuarantine(
        _ key: StompSubscriptionKey, _ entry: SubscriptionRegistry.Entry,
        _ error: StompClientError
    ) {
        effects.append(.phase(key, .quarantined(error)))
        effects.append(.report(.quarantined(key, destination: entry.request.destination)))
    }
}

// MARK: - Requests

extension StompSession {
    mutating func send(_ id: StompRequestID, _ send: StompSend, _ now: Instant) {
        request(id, wantsReceipt: send.wantsReceipt, now) {
            session, receipt throws(StompClientError) in
            if let error = Self.reservedHeader(in: send.headers, OutgoingFrames.reservedInSend) {
                throw error
            }
            return OutgoingFrames.send(
                send, transaction: try session.wireName(of: send.transaction), receipt: receipt)
        }
    }

    mutating func acknowledge(
        _ id: StompRequestID, _ acknowledgement: StompAcknowledgement, _ now: Instant
    ) {
        request(id, wantsReceipt: acknowledgement.wantsReceipt, now) {
            session, receipt throws(StompClientError) in
            let message = acknowledgement.message
            guard message.epoch == session.epoch,
                let entry = session.registry[message.subscription], let wireID = entry.wireID
            else {
                throw StompClientError(
                    .staleMessage,
                    "the message came over a connection or subscription that has ended; the "
                        + "server delivers it again")
            }
            // The subscription decides, never the frame: a publisher can put an `ack` header into
            // a message.
            guard entry.request.ack != .auto else {
                throw StompClientError(
                    .invalidRequest,
                    "the subscription acknowledges by itself (ack:auto); ask for client or "
                        + "client-individual to acknowledge messages")
            }
            return try OutgoingFrames.acknowledgement(
                acknowledgement, version: session.link?.version ?? .v12, subscription: wireID,
                transaction: try session.wireName(of: acknowledgement.transaction),
                receipt: receipt)
        }
    }

    mutating func begin(
        _ id: StompRequestID, _ transaction: StompTransactionID, _ now: Instant
    ) {
        request(id, wantsReceipt: false, now) { session, _ throws(StompClientError) in
            guard session.link?.transactions[transaction] == nil else {
                throw StompClientError(.invalidRequest, "the transaction has begun already")
            }
            guard
                session.link?.transactions.count ?? 0 < session.configuration.maximumTransactions
            else {
                throw StompClientError(
                    .limitReached,
                    "\(session.configuration.maximumTransactions) transactions are open; end one "
                        + "first")
            }
            let name = "t\(session.epoch.number)-\(transaction.number)"
            session.link?.transactions[transaction] = name
            return OutgoingFrames.transaction(.begin, name, receipt: nil)
        }
    }

    /// Commits or aborts. The answer matters for both, so both ask for a receipt.
    mutating func end(
        _ transaction: StompTransactionID, by command: StompCommand, _ id: StompRequestID,
        _ now: Instant
    ) {
        request(id, wantsReceipt: true, now) { session, receipt throws(StompClientError) in
            let name = try session.wireName(of: transaction) ?? ""
            session.link?.transactions[transaction] = nil
            return OutgoingFrames.transaction(command, name, receipt: receipt)
        }
    }

    private func wireName(of transaction: StompTransactionID?) throws(StompClientError) -> String? {
        guard let transaction else { return nil }
        guard let name = link?.transactions[transaction] else {
            throw StompClientError(
                .transactionEnded,
                "the transaction was committed, aborted or lost with its connection; begin a new "
                    + "one")
        }
        return name
    }

    private mutating func request(
        _ id: StompRequestID, wantsReceipt: Bool, _ now: Instant,
        make: (inout StompSession, String?) throws(StompClientError) -> StompFrame
    ) {
        do throws(StompClientError) {
            try checkRoom(wantsReceipt: wantsReceipt)
            let receipt = wantsReceipt ? link?.ledger.makeReceiptID(in: epoch) : nil
            let frame = try make(&self, receipt)
            do throws(StompError) {
                try transmit(frame, for: wantsReceipt ? nil : id, now)
            } catch {
                throw Self.unfit(error)
            }
            if let receipt {
                link?.ledger.expect(
                    receipt, for: .request(id), until: now + configuration.receiptTimeout)
            }
        } catch {
            effects.append(.complete(id, .failed(error)))
        }
    }

    private func checkRoom(wantsReceipt: Bool) throws(StompClientError) {
        guard case .connected = phase, let ledger = link?.ledger else {
            throw StompClientError(
                .notConnected,
                "there is no connection, so nothing was sent; try again when there is")
        }
        guard ledger.unwrittenCount < configuration.maximumUnwrittenMessages else {
            throw StompClientError(
                .limitReached,
                "\(configuration.maximumUnwrittenMessages) messages wait for the socket; send "
                    + "slower")
        }
        guard !wantsReceipt || ledger.pendingRequestCount < configuration.maximumPendingReceipts
        else {
            throw StompClientError(
                .limitReached,
                "\(configuration.maximumPendingReceipts) requests wait for receipts; send slower")
        }
    }

    /// Hands one frame to the socket: one WebSocket message per frame, TEXT where it can be, since
    /// that is the only shape that every broker takes.
    mutating func transmit(
        _ frame: StompFrame, for request: StompRequestID?, _ now: Instant
    ) throws(StompError) {
        let encoder = StompEncoder(
            version: link?.version ?? .v12, contentLength: configuration.contentLength,
            escapesConnect: configuration.escapesConnect)
        let bytes = try encoder.encode(frame)
        link?.ledger.transmitted(for: request)
        link?.lastWritten = now
        effects.append(.transmit(epoch, frame.isUTF8 ? .text(bytes) : .binary(bytes)))
    }

    private static func reservedHeader(in headers: StompHeaders, _ reserved: [String])
        -> StompClientError?
    {
        guard let name = reserved.first(where: { headers.contains($0) }) else { return nil }
        return StompClientError(
            .invalidRequest, "the header \(name) is set by the session; leave it out")
    }

    private static func unfit(_ error: StompError) -> StompClientError {
        StompClientError(.invalidRequest, error.message)
    }
}
