import Foundation
import RejoinTime

// The state machine: every input about the connection, in every phase. No `default` over phases,
// so that a new phase must be considered everywhere.

// MARK: - The host's wishes

extension StompSession {
    mutating func start(_ now: Instant) {
        switch phase {
        case .idle, .stopped:
            backoff.reset()
            credentialsReason = .initial
            lastFailure = nil
            if isForeground { beginAttempt(now) } else { phase = .paused(until: now) }
        case .disconnecting(var farewell):
            farewell.thenStart = true
            phase = .disconnecting(farewell)
        case .waiting(let until): resume(at: now, orAt: until, now)
        case .authorizing, .opening, .handshaking, .connected, .paused: break
        }
    }

    mutating func stop(_ now: Instant) {
        switch phase {
        case .idle, .waiting, .paused: phase = .stopped(.requested)
        case .authorizing, .opening, .handshaking:
            effects.append(.abandon(epoch))
            link = nil
            phase = .stopped(.requested)
        case .connected: sayFarewell(now)
        case .disconnecting(var farewell):
            farewell.thenStart = false
            phase = .disconnecting(farewell)
        case .stopped: break
        }
    }

    mutating func enterForeground(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        isForeground = true
        // What fell due while the app slept comes first: a connection that is dead by the clock
        // needs no probe.
        timePassed(now, &random)
        tryRestingAgain(now)
        switch phase {
        case .connected: probe(now)
        case .waiting(let until), .paused(let until): resume(at: now, orAt: until, now)
        case .idle, .authorizing, .opening, .handshaking, .disconnecting, .stopped: break
        }
    }

    mutating func enterBackground() {
        isForeground = false
        switch phase {
        case .waiting(let until): phase = .paused(until: until)
        case .idle, .authorizing, .opening, .handshaking, .connected, .disconnecting, .paused,
            .stopped:
            break
        }
    }

    mutating func pathChanged(
        _ isSatisfied: Bool, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        guard isSatisfied else { return }
        tryRestingAgain(now)
        switch phase {
        case .connected: probe(now)
        case .waiting(let until):
            // Everybody behind the same access point gets the network back in the same instant.
            var first = configuration.backoff
            first.reset()
            resume(at: now + first.next(using: &random), orAt: until, now)
        case .idle, .authorizing, .opening, .handshaking, .disconnecting, .paused, .stopped: break
        }
    }

    /// The network that broke before may have been another one.
    private mutating func tryRestingAgain(_ now: Instant) {
        if registry.endRests() { subscribeWhatIsDue(now) }
    }

    /// Shortens a wait if a permit is left, and never below what the server asked for.
    private mutating func resume(at wanted: Instant, orAt until: Instant, _ now: Instant) {
        let earliest = max(wanted, notBefore ?? wanted)
        if earliest < until, shortcuts.take(at: now) {
            phase = .waiting(until: earliest)
        } else {
            phase = .waiting(until: until)
        }
        attemptIfDue(now)
    }

    private mutating func attemptIfDue(_ now: Instant) {
        if case .waiting(let until) = phase, until <= now { beginAttempt(now) }
    }
}

// MARK: - Attempts

extension StompSession {
    mutating func beginAttempt(_ now: Instant) {
        epoch = epoch.next
        notBefore = nil
        phase = .authorizing(
            Attempt(
                reason: credentialsReason, deadline: now + configuration.credentialsTimeout))
        effects.append(.requestCredentials(epoch, credentialsReason))
    }

    mutating func credentialsReady(
        _ answered: ConnectionEpoch, _ credentials: StompCredentials, _ now: Instant
    ) {
        guard answered == epoch else { return }
        switch phase {
        case .authorizing(var attempt):
            credentialsReason = .initial
            attempt.credentials = credentials
            attempt.deadline = now + configuration.openTimeout
            let url =
                configuration.endpoints.isEmpty
                ? "" : configuration.endpoints[endpoint % configuration.endpoints.count]
            phase = .opening(attempt)
            effects.append(
                .open(
                    epoch,
                    WebSocketRequest(
                        url: url, headers: credentials.upgradeHeaders,
                        subprotocols: configuration.versions.map(\.subprotocol),
                        maximumMessageBytes: configuration.maximumMessageBytes,
                        timeout: configuration.openTimeout)))
        case .idle, .opening, .handshaking, .connected, .disconnecting, .waiting, .paused,
            .stopped:
            break
        }
    }

    mutating func credentialsFailed(
        _ answered: ConnectionEpoch, _ failure: StompCredentialsFailure, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        guard answered == epoch else { return }
        switch phase {
        case .authorizing:
            let code: StompClientError.Code =
                failure.isTransient ? .credentialsUnavailable : .signedOut
            endEpoch(
                StompClientError(code, failure.message), failure.isTransient ? .ordinary : .final,
                by: .nothing, now, &random)
        case .idle, .opening, .handshaking, .connected, .disconnecting, .waiting, .paused,
            .stopped:
            break
        }
    }

    mutating func socketOpened(
        _ opened: ConnectionEpoch, _ subprotocol: String?, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        guard opened == epoch else {
            // Nobody waits for it any more: the shell would keep it open for ever.
            effects.append(.abandon(opened))
            return
        }
        switch phase {
        case .opening(var attempt):
            // A server may choose none; one that was not offered is another protocol.
            if let subprotocol,
                !configuration.versions.contains(where: { $0.subprotocol == subprotocol })
            {
                let error = StompClientError(
                    .protocolViolation,
                    "the server chose a subprotocol that was not offered; is this a STOMP server?")
                return endEpoch(error, .ordinary, by: .closing(1002), now, &random)
            }
            attempt.deadline = now + configuration.handshakeTimeout
            phase = .handshaking(attempt)
            greet(attempt.credentials, now, &random)
        case .idle, .authorizing, .handshaking, .connected, .disconnecting, .waiting, .paused,
            .stopped:
            break
        }
    }

    private mutating func greet(
        _ credentials: StompCredentials, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        let version = configuration.versions.max() ?? .v12
        link = Link(
            decoder: StompDecoder(
                role: .client, version: version,
                limits: StompLimits(bodyOctets: configuration.maximumMessageBytes)),
            version: version, credentials: credentials, lastReceived: now, lastWritten: now)
        let frame = OutgoingFrames.connect(
            versions: configuration.versions, host: hostHeader, heartbeat: heartbeatOffer,
            headers: credentials.connectHeaders)
        do throws(StompError) {
            try transmit(frame, for: nil, now)
        } catch {
            // Only the host's own settings can be at fault, and they stay as they are.
            let error = StompClientError(
                .invalidConfiguration,
                "the host or a CONNECT header holds a character that CONNECT cannot carry "
                    + "(CR, LF or NUL); remove it")
            endEpoch(error, .final, by: .closing(1000), now, &random)
        }
    }

    private var hostHeader: String? {
        switch configuration.virtualHost {
        case .fromURL:
            URLComponents(
                string: configuration.endpoints[endpoint % configuration.endpoints.count])?.host
        case .named(let name): name
        case .omitted: nil
        }
    }

    private var heartbeatOffer: HeartbeatOffer {
        HeartbeatOffer(
            sendMilliseconds: max(0, configuration.outgoingHeartbeat.wholeMilliseconds),
            receiveMilliseconds: max(0, configuration.incomingHeartbeat.wholeMilliseconds))
    }

    mutating func socketFailed(
        _ failed: ConnectionEpoch, _ error: WebSocketError, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        guard failed == epoch else { return }
        switch phase {
        case .opening, .handshaking, .connected:
            let (refusal, failure) = configuration.errorCodes.refusal(of: error)
            endEpoch(failure, refusal, evidence: error.evidence, by: .nothing, now, &random)
        case .disconnecting: finishFarewell(.nothing, now)
        case .idle, .authorizing, .waiting, .paused, .stopped: break
        }
    }
}

// MARK: - What comes over the socket

extension StompSession {
    mutating func received(
        _ source: ConnectionEpoch, _ bytes: ContiguousArray<UInt8>, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        guard source == epoch, link != nil, !bytes.isEmpty else { return }
        noteSignOfLife(now)
        link?.decoder.append(bytes)
        do throws(StompError) {
            while let item = try link?.decoder.next() {
                switch item {
                case .heartBeat: continue
                case .frame(let frame): take(frame, now, &random)
                }
            }
        } catch {
            violation(error.description, now, &random)
        }
    }

    mutating func ponged(_ source: ConnectionEpoch, _ now: Instant) {
        guard source == epoch else { return }
        noteSignOfLife(now)
    }

    mutating func wrote(_ source: ConnectionEpoch, _ now: Instant) {
        guard source == epoch, let waiting = link?.ledger.unwrittenCount, waiting > 0 else {
            return
        }
        link?.lastWritten = now
        if let request = link?.ledger.wrote() {
            effects.append(.complete(request, .succeeded))
        }
    }

    private mutating func noteSignOfLife(_ now: Instant) {
        link?.lastReceived = now
        link?.probeDeadline = nil
    }

    private mutating func take(
        _ frame: StompFrame, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        switch phase {
        case .handshaking(let attempt):
            switch frame.command {
            case .connected: greeted(frame, attempt, now, &random)
            case .error: refused(frame, now, &random)
            default:
                violation("\(frame.command.rawValue) came before CONNECTED", now, &random)
            }
        case .connected:
            switch frame.command {
            case .message: deliver(frame, now)
            case .receipt: takeReceipt(frame, now)
            case .error: takeError(frame, now, &random)
            default:
                violation(
                    "\(frame.command.rawValue) came in the midst of a session", now, &random)
            }
        case .disconnecting(let farewell):
            // Messages are of no interest now: whoever comes back later catches up anyway.
            if frame.command == .error || frame.headers.matches("receipt-id", farewell.receipt) {
                finishFarewell(.closing(1000), now)
            } else if frame.command == .receipt {
                takeReceipt(frame, now)
            }
        case .idle, .authorizing, .opening, .waiting, .paused, .stopped: break
        }
    }

    private mutating func greeted(
        _ frame: StompFrame, _ attempt: Attempt, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        // STOMP 1.2, "Protocol Negotiation": a missing version means 1.0.
        let text = frame.headers["version"] ?? StompVersion.v10.text
        guard let version = StompVersion(text), configuration.versions.contains(version) else {
            let error = StompClientError(
                .noCommonVersion,
                "the server chose a STOMP version that was not offered; offer it, or correct the "
                    + "server")
            return endEpoch(error, .final, by: .closing(1002), now, &random)
        }
        let offered = frame.headers["heart-beat"].map(HeartbeatOffer.init(headerValue:)) ?? .none
        let agreement = HeartbeatAgreement(client: heartbeatOffer, server: offered)
        link?.version = version
        link?.decoder.version = version
        link?.agree(agreement, tolerance: configuration.heartbeatTolerance)
        link?.stableAt = now + configuration.stableTime
        phase = .connected
        subscribeWhatIsDue(now)
    }

    private mutating func refused(
        _ frame: StompFrame, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        let (refusal, error) = judge(frame)
        endEpoch(error, refusal, by: .closing(1000), now, &random)
    }

    /// Reports an ERROR frame, and says what it means. What the server was sent may stand in it,
    /// and must not go further.
    private mutating func judge(_ frame: StompFrame) -> (Refusal, StompClientError) {
        let secrets = SecretValues(link?.credentials.values ?? [])
        effects.append(.report(.serverError(frame.redacting(secrets))))
        return configuration.errorCodes.refusal(
            of: frame, offered: configuration.versions, redacting: secrets)
    }

    private mutating func deliver(_ frame: StompFrame, _ now: Instant) {
        guard let wireID = frame.headers["subscription"],
            let key = registry.key(forWireID: wireID)
        else {
            let isOurs = frame.headers["subscription"].map { registry.isRetired($0, in: epoch) }
            if isOurs != true { effects.append(.report(.unroutedMessage(frame))) }
            return
        }
        let wasSingly = registry.isSingly
        if registry.proven(key) { effects.append(.phase(key, .proven)) }
        effects.append(
            .message(StompMessage(epoch: epoch, subscription: key, frame: frame)))
        if wasSingly { subscribeWhatIsDue(now) }
    }

    private mutating func takeReceipt(_ frame: StompFrame, _ now: Instant) {
        guard let receipt = frame.headers["receipt-id"],
            let waiter = link?.ledger.settle(receipt)
        else { return }
        switch waiter {
        case .request(let request): effects.append(.complete(request, .succeeded))
        case .subscription(let key):
            let wasSingly = registry.isSingly
            if registry.confirmed(key) { effects.append(.phase(key, .confirmed)) }
            if wasSingly { subscribeWhatIsDue(now) }
        case .farewell: break
        }
    }

    /// STOMP 1.2, "ERROR": the server closes after it. Many do not (RabbitMQ), so the client does.
    ///
    /// An ERROR that names a request or a subscription is about that one only. One that names
    /// nothing speaks against the SUBSCRIBEs that are pending.
    private mutating func takeError(
        _ frame: StompFrame, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        var (refusal, error) = judge(frame)
        let isForbidden = error.code == .forbidden
        // We are in, so a 403 here is about something smaller than the connection.
        if isForbidden { refusal = .ordinary }
        var evidence: SubscriptionRegistry.Evidence = refusal == .ordinary ? .strong : .none

        var culprit = frame.headers["subscription"].flatMap { registry.key(forWireID: $0) }
        switch frame.headers["receipt-id"].flatMap({ link?.ledger.settle($0) }) {
        case .request(let request)?:
            evidence = .none
            effects.append(
                .complete(
                    request,
                    .failed(
                        StompClientError(
                            .rejected, "the server refused the request",
                            serverCode: error.serverCode, serverMessage: error.serverMessage))))
        case .subscription(let key)?: culprit = key
        case .farewell?: break
        case nil:
            if isForbidden, culprit == nil { culprit = registry.solePending }
        }
        if let key = culprit, refusal == .ordinary {
            evidence = .none
            if isForbidden {
                endSubscription(key, .denied(error))
            } else if registry.accuse(key) {
                quarantine(key, error)
            }
        }
        endEpoch(error, refusal, evidence: evidence, by: .closing(1000), now, &random)
    }

    private mutating func violation(
        _ what: String, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        let error = StompClientError(.protocolViolation, "the server broke STOMP: \(what)")
        endEpoch(error, .ordinary, evidence: .strong, by: .closing(1002), now, &random)
    }
}

// MARK: - Time

extension StompSession {
    mutating func timePassed(_ now: Instant, _ random: inout some RandomNumberGenerator) {
        switch phase {
        case .authorizing(let attempt), .opening(let attempt), .handshaking(let attempt):
            guard attempt.deadline <= now else { return }
            let error = StompClientError(
                .timedOut, "\(attemptStep) took too long; the next attempt follows by itself")
            endEpoch(error, .ordinary, by: .abandoning, now, &random)
        case .connected: watch(now, &random)
        case .disconnecting(let farewell):
            if farewell.deadline <= now { finishFarewell(.abandoning, now) }
        case .waiting: attemptIfDue(now)
        case .idle, .paused, .stopped: break
        }
    }

    private var attemptStep: String {
        switch phase {
        case .authorizing: "getting credentials"
        case .opening: "opening the socket"
        case .handshaking: "the answer to CONNECT"
        case .idle, .connected, .disconnecting, .waiting, .paused, .stopped: "nothing"
        }
    }

    private mutating func watch(_ now: Instant, _ random: inout some RandomNumberGenerator) {
        guard let link else { return }
        let silence = link.silenceDeadline
        if [link.probeDeadline, silence].contains(where: { $0.map { $0 <= now } ?? false }) {
            let error = StompClientError(
                .silent, "the server went silent; the connection is taken to be dead")
            return endEpoch(error, .ordinary, by: .abandoning, now, &random)
        }
        if let stableAt = link.stableAt, stableAt <= now {
            backoff.reset()
            self.link?.stableAt = nil
        }
        if let due = link.heartbeatDue, due <= now { beat(now) }
        if let due = link.pingDue(configuration.pingInterval), due <= now { probe(now) }
        for waiter in self.link?.ledger.takeOverdue(at: now) ?? [] {
            switch waiter {
            case .request(let request):
                let error = StompClientError(
                    .receiptTimedOut, "no receipt came in time; the request may have had its effect"
                )
                effects.append(.complete(request, .failed(error)))
            case .subscription, .farewell: break
            }
        }
        settleOverdueSubscriptions(now)
    }

    private mutating func settleOverdueSubscriptions(_ now: Instant) {
        let wasSingly = registry.isSingly
        let isRested = registry.endRests(by: now)
        let changed = registry.takeOverdue(at: now, settleTime: configuration.settleTime)
        for key in changed {
            if let entry = registry[key] { effects.append(.phase(key, entry.phase)) }
        }
        if isRested || wasSingly && !changed.isEmpty { subscribeWhatIsDue(now) }
    }

    private mutating func beat(_ now: Instant) {
        link?.lastWritten = now
        // What already waits for the socket will show that we live; beats must not pile up
        // behind it.
        guard link?.ledger.unwrittenCount == 0 else { return }
        link?.ledger.transmitted(for: nil)
        effects.append(.transmit(epoch, .text(StompEncoder.heartBeat)))
    }

    /// Asks for a sign of life, by a ping: every WebSocket peer must answer one.
    private mutating func probe(_ now: Instant) {
        guard link != nil, link?.probeDeadline == nil else { return }
        link?.probeDeadline = now + configuration.probeTimeout
        // A ping keeps a proxy's idle timer quiet, but it is no STOMP heart-beat.
        if link?.heartbeat.outgoing == nil { link?.lastWritten = now }
        effects.append(.ping(epoch))
    }

    /// The earliest instant at which something falls due.
    private mutating func nextDeadline() -> Instant? {
        switch phase {
        case .idle, .paused, .stopped: nil
        case .authorizing(let attempt), .opening(let attempt), .handshaking(let attempt):
            attempt.deadline
        case .waiting(let until): until
        case .disconnecting(let farewell): farewell.deadline
        case .connected: earliestOfConnection()
        }
    }

    private mutating func earliestOfConnection() -> Instant? {
        let receipt = link?.ledger.nextDeadline()
        guard let link else { return nil }
        // Asked after every input, and therefore without an array of them.
        return link.probeDeadline
            .earlier(link.silenceDeadline)
            .earlier(link.stableAt)
            .earlier(link.heartbeatDue)
            .earlier(link.pingDue(configuration.pingInterval))
            .earlier(receipt)
            .earlier(registry.wake)
    }

    /// Ends the handling of one input: tells a changed status, and sets the timer. A deadline that
    /// moved further away keeps the timer that is set, because moving it with every byte that
    /// comes would cost more than one idle wake.
    mutating func takeEffects(at now: Instant) -> [Effect] {
        if status != announced {
            announced = status
            effects.append(.status(status))
        }
        let next = nextDeadline()
        if let next {
            if armed.map({ next < $0 || $0 <= now }) ?? true {
                armed = next
                effects.append(.setTimer(next))
            }
        } else if armed != nil {
            armed = nil
            effects.append(.setTimer(nil))
        }
        defer { effects = [] }
        return effects
    }
}

// MARK: - Endings

extension StompSession {
    /// What is left to do with a socket.
    enum Ending: Hashable, Sendable {
        /// It is gone.
        case nothing
        /// It lives: close it in good order.
        case closing(UInt16)
        /// It is taken to be dead, or never came to be.
        case abandoning
    }

    /// Ends the present attempt or connection and decides what follows.
    mutating func endEpoch(
        _ error: StompClientError, _ refusal: Refusal,
        evidence: SubscriptionRegistry.Evidence = .none, by ending: Ending, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) {
        let reason: StompCredentialsReason?
        switch phase {
        case .authorizing(let attempt), .opening(let attempt), .handshaking(let attempt):
            reason = attempt.reason
        case .connected: reason = nil
        case .idle, .disconnecting, .waiting, .paused, .stopped: return
        }
        if let stableAt = link?.stableAt, stableAt <= now { backoff.reset() }
        dropLink(ending, evidence, error, now)
        effects.append(.report(.connectionEnded(epoch, error)))
        lastFailure = error
        if reason != nil { endpoint += 1 }
        switch refusal {
        case .final: phase = .stopped(.failed(error))
        case .expired:
            credentialsReason = .expired
            switch reason {
            // One refresh at once. A server that still says "expired" will not change its mind.
            case .initial?: isForeground ? beginAttempt(now) : pause(now)
            case .expired?: phase = .stopped(.failed(error))
            case nil: retry(after: nil, now, &random)
            }
        case .ordinary: retry(after: nil, now, &random)
        case .overloaded(let retryAfter): retry(after: retryAfter, now, &random)
        }
    }

    private mutating func pause(_ until: Instant) {
        phase = .paused(until: until)
    }

    /// Waits by the backoff; a server's `Retry-After` comes on top, with a spread of its own,
    /// because it names the same instant to everybody.
    private mutating func retry(
        after retryAfter: Duration?, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) {
        var wait = backoff.next(using: &random)
        if let retryAfter {
            let asked = max(.zero, min(retryAfter, configuration.maximumRetryAfter))
            let half = Int64.random(in: 0...(asked / 2).wholeNanoseconds, using: &random)
            notBefore = now + asked
            wait = asked + max(wait, .nanoseconds(half))
        }
        phase = isForeground ? .waiting(until: now + wait) : .paused(until: now + wait)
    }

    private mutating func sayFarewell(_ now: Instant) {
        guard let receipt = link?.ledger.makeReceiptID(in: epoch) else { return }
        let frame = OutgoingFrames.disconnect(receipt: receipt)
        phase = .disconnecting(
            Farewell(receipt: receipt, deadline: now + configuration.disconnectTimeout))
        // Our own identifiers fit into every version.
        do throws(StompError) { try transmit(frame, for: nil, now) } catch {
            finishFarewell(.closing(1000), now)
        }
    }

    /// DISCONNECT ends by its receipt, by the end of the socket or by time: RabbitMQ closes
    /// without the receipt, and others never answer.
    private mutating func finishFarewell(_ ending: Ending, _ now: Instant) {
        guard case .disconnecting(let farewell) = phase else { return }
        dropLink(
            ending, .none,
            StompClientError(.connectionLost, "the connection was closed on request"), now)
        phase = .stopped(.requested)
        if farewell.thenStart { start(now) }
    }

    private mutating func dropLink(
        _ ending: Ending, _ evidence: SubscriptionRegistry.Evidence, _ error: StompClientError,
        _ now: Instant
    ) {
        switch ending {
        case .nothing: break
        case .closing(let code): effects.append(.close(epoch, code: code))
        case .abandoning: effects.append(.abandon(epoch))
        }
        let lost = StompClientError(
            .connectionLost,
            "the connection ended before the outcome was known (\(error.code.rawValue))",
            closeCode: error.closeCode, serverCode: error.serverCode,
            serverMessage: error.serverMessage)
        for request in link?.ledger.takeAllRequests() ?? [] {
            effects.append(.complete(request, .failed(lost)))
        }
        link = nil
        let (lostKeys, verdict) = registry.connectionEnded(
            evidence, at: now, rest: configuration.subscriptionRest,
            maximumRest: configuration.maximumSubscriptionRest)
        for key in lostKeys { effects.append(.phase(key, .lost)) }
        switch verdict {
        case .gone(let key, let entry)?: announceQuarantine(key, entry, error)
        case .rests(let key, let entry, let until)?:
            effects.append(.phase(key, .resting(error, until: until)))
            effects.append(
                .report(.resting(key, destination: entry.request.destination, until: until)))
        case nil: break
        }
    }
}
