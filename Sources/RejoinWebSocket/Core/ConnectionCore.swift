package import RejoinTransport

/// What one connection does, without the connection: which caller waits for what, what is to be
/// written next, when reading pauses, and why it all ended.
///
/// A value type without lock, task or socket. The shell (``Link``) holds the continuations by
/// ticket and the network loop follows ``wish``.
///
/// ```
///          opened               closing handshake starts        socket gone
/// opening ───────▶ open ──────────────────────────▶ closing ───────────────▶ closed
///    │              │  (close, peer's close frame,       │                     ▲
///    │              │   violation, oversize)             │                     │
///    └──────────────┴──────────── failed, gone, abandon, cancelled opening ────┘
/// ```
///
/// Bounds: reading pauses at one unread message beside the one being assembled, each at most
/// ``maximumMessageBytes``; sends, pings and closes wait in their callers, so there are never more
/// of them than suspended tasks.
package struct ConnectionCore: Sendable {
    /// Where the connection stands.
    package enum Phase: Hashable, Sendable, CaseIterable {
        case opening, open, closing, closed
    }

    package private(set) var phase = Phase.opening
    /// Why the connection no longer takes messages; set from `closing` on.
    package private(set) var end: WebSocketError?

    private let maximumMessageBytes: Int
    private var hasBeenOpen = false
    private var opener: Ticket?
    private var reader: Ticket?
    /// Whole messages that nobody has asked for yet. Reading pauses while there is one; a driver
    /// that cannot stop at once may add what it has in hand.
    private var unread: [WebSocketMessage] = []
    private var assembly: Assembly?
    private var outbox: [Outgoing] = []
    /// Senders whose last frame was handed out and is not known to be written: the socket may end
    /// between the two.
    private var handedOut: [Ticket] = []
    private var awaitedPongs: [(number: UInt64, ticket: Ticket)] = []
    private var lastPing: UInt64 = 0
    private var closers: [Ticket] = []
    private var closeRequest: CloseFrame?

    /// Creates the core of a connection that is being opened.
    package init(maximumMessageBytes: Int) {
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// What the network loop shall bring about. A level, not an edge: a loop that has missed
    /// some turns still does the right thing.
    package var wish: Wish {
        switch phase {
        case .opening:
            Wish(pausesReading: false, wantsToWrite: false, dropsSocket: false)
        case .open:
            Wish(
                pausesReading: !unread.isEmpty, wantsToWrite: !outbox.isEmpty,
                dropsSocket: false)
        case .closing:
            Wish(
                pausesReading: false, wantsToWrite: !outbox.isEmpty || closeRequest != nil,
                dropsSocket: false)
        case .closed:
            Wish(pausesReading: false, wantsToWrite: false, dropsSocket: true)
        }
    }

    /// Takes one input and says what follows.
    package mutating func handle(_ input: Input) -> [Effect] {
        switch phase {
        case .opening: handleOpening(input)
        case .open: handleOpen(input)
        case .closing: handleClosing(input)
        case .closed: handleClosed(input)
        }
    }

    // MARK: - Opening

    private mutating func handleOpening(_ input: Input) -> [Effect] {
        switch input {
        case .awaitOpening(let ticket):
            opener = ticket
            return []
        case .opened:
            phase = .open
            hasBeenOpen = true
            return settleOpener(.done)
        case .failed(let error):
            return finish(error)
        case .gone:
            return finish(.endedWhileOpening)
        case .cancel(let ticket):
            guard ticket == opener else { return [] }
            return finish(.cancelledByCaller)
        case .abandon:
            return finish(.abandonedLocally)
        case .receive(let ticket), .send(let ticket, _), .ping(let ticket):
            return [.resume(ticket, .failed(.notOpenYet))]
        case .close(let ticket, _):
            return finish(.closedLocally) + [.resume(ticket, .done)]
        case .peerClosed, .pong, .violation, .written:
            return []
        }
    }

    // MARK: - Open

    private mutating func handleOpen(_ input: Input) -> [Effect] {
        switch input {
        case .awaitOpening(let ticket):
            return [.resume(ticket, .done)]
        case .opened:
            return []
        case .receive(let ticket):
            if !unread.isEmpty { return read(ticket) + [.attend] }
            guard reader == nil else { return [.resume(ticket, .failed(.secondReader))] }
            reader = ticket
            return []
        case .send(let ticket, let message):
            outbox.append(Outgoing(ticket: ticket, payload: .message(message)))
            return [.attend]
        case .ping(let ticket):
            lastPing += 1
            outbox.append(Outgoing(ticket: ticket, payload: .ping(lastPing)))
            return [.attend]
        case .written(let ticket):
            return settleSend(ticket)
        case .pong(let number):
            return settlePongs(through: number)
        case .close(let ticket, let frame):
            closers.append(ticket)
            closeRequest = frame
            return beginClosing(.closedLocally, keepsOutbox: true)
        case .peerClosed(let code, let reason):
            return beginClosing(.closedByPeer(code, reason), keepsOutbox: false)
        case .violation(let frame, let error):
            closeRequest = frame
            return beginClosing(error, keepsOutbox: false)
        case .failed(let error):
            return finish(error)
        case .gone:
            return finish(.lost)
        case .abandon:
            return finish(.abandonedLocally)
        case .cancel(let ticket):
            return forget(ticket)
        }
    }

    // MARK: - Closing

    private mutating func handleClosing(_ input: Input) -> [Effect] {
        switch input {
        case .awaitOpening(let ticket):
            // It has been open: the reader learns how it ended.
            return [.resume(ticket, .done)]
        case .opened, .peerClosed, .violation:
            return []
        case .written(let ticket):
            return settleSend(ticket)
        case .pong(let number):
            return settlePongs(through: number)
        case .receive(let ticket):
            return read(ticket)
        case .send(let ticket, _), .ping(let ticket):
            return [.resume(ticket, .failed(end ?? .lost))]
        case .close(let ticket, _):
            closers.append(ticket)
            return []
        case .failed, .gone, .abandon:
            return finish(end ?? .lost)
        case .cancel(let ticket):
            return forget(ticket)
        }
    }

    // MARK: - Closed

    private mutating func handleClosed(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            // The attempt was given up while the upgrade succeeded: the socket must go.
            return [.attend]
        case .failed, .gone, .abandon, .cancel, .peerClosed, .pong, .violation, .written:
            return []
        case .awaitOpening(let ticket):
            return [.resume(ticket, hasBeenOpen ? .done : .failed(end ?? .lost))]
        case .receive(let ticket):
            return read(ticket)
        case .send(let ticket, _), .ping(let ticket):
            return [.resume(ticket, .failed(end ?? .lost))]
        case .close(let ticket, _):
            return [.resume(ticket, .done)]
        }
    }

    // MARK: - Incoming fragments

    /// Takes a part of a message.
    ///
    /// Nothing is kept of a message once it is known to exceed the maximum.
    /// - Complexity: O(`bytes.count`).
    package mutating func take(_ part: MessagePart, _ bytes: some Collection<UInt8>) -> [Effect] {
        guard phase == .open else { return [] }
        if part.isFirst { assembly = Assembly(isBinary: part.isBinary) }
        guard var current = assembly.take() else { return [] }
        guard
            current.bytes.count + bytes.count <= maximumMessageBytes,
            part.remainingInFrame
                <= UInt64(maximumMessageBytes - current.bytes.count - bytes.count)
        else {
            return handle(
                .violation(
                    CloseFrame(code: CloseCode.messageTooBig, reason: "message too large"),
                    .tooLarge(maximum: maximumMessageBytes)))
        }
        current.append(bytes, remainingInFrame: Int(part.remainingInFrame))
        guard part.isFinal else {
            assembly = current
            return []
        }
        guard let message = current.message() else {
            return handle(
                .violation(
                    CloseFrame(code: CloseCode.invalidPayload, reason: "invalid UTF-8"),
                    .invalidText))
        }
        if let waiting = reader.take() { return [.resume(waiting, .message(message))] }
        unread.append(message)
        return [.attend]
    }

    // MARK: - Outgoing frames

    /// The next frame to write, or `nil` where there is none.
    ///
    /// Messages beyond `limit` bytes leave in several fragments, so that pongs get in between and
    /// memory stays small.
    /// - Complexity: O(1).
    package mutating func nextWrite(limit: Int) -> Write? {
        guard phase == .open || phase == .closing else { return nil }
        guard var item = outbox.first else {
            guard let frame = closeRequest.take() else { return nil }
            return .close(frame)
        }
        switch item.payload {
        case .ping(let number):
            outbox.removeFirst()
            if let ticket = item.ticket { awaitedPongs.append((number, ticket)) }
            return .ping(number)
        case .message(let message):
            let bytes = message.bytes
            let end = min(item.written + limit, bytes.count)
            let fragment = Fragment(
                message: message, range: item.written..<end, isFinal: end == bytes.count,
                ticket: end == bytes.count ? item.ticket : nil)
            if fragment.isFinal {
                outbox.removeFirst()
                if let ticket = item.ticket { handedOut.append(ticket) }
            } else {
                item.written = end
                outbox[0] = item
            }
            return .fragment(fragment)
        }
    }

    // MARK: - Shared steps

    private mutating func settleOpener(_ outcome: Outcome) -> [Effect] {
        guard let ticket = opener.take() else { return [] }
        return [.resume(ticket, outcome)]
    }

    private mutating func settleSend(_ ticket: Ticket) -> [Effect] {
        guard let index = handedOut.firstIndex(of: ticket) else { return [] }
        handedOut.remove(at: index)
        return [.resume(ticket, .done)]
    }

    /// A pong answers its own ping and all before it (RFC 6455 section 5.5.3).
    private mutating func settlePongs(through number: UInt64) -> [Effect] {
        let answered = awaitedPongs.filter { $0.number <= number }
        awaitedPongs.removeAll { $0.number <= number }
        return answered.map { .resume($0.ticket, .done) }
    }

    private mutating func read(_ ticket: Ticket) -> [Effect] {
        guard !unread.isEmpty else { return [.resume(ticket, .failed(end ?? .lost))] }
        return [.resume(ticket, .message(unread.removeFirst()))]
    }

    /// Takes a cancelled caller out. A message of which some frames have left is still written to
    /// its end, without anybody waiting: the peer could not make sense of half of it.
    private mutating func forget(_ ticket: Ticket) -> [Effect] {
        var found = false
        if reader == ticket {
            reader = nil
            found = true
        }
        if let index = outbox.firstIndex(where: { $0.ticket == ticket }) {
            found = true
            if outbox[index].written > 0 {
                outbox[index].ticket = nil
            } else {
                outbox.remove(at: index)
            }
        }
        if awaitedPongs.contains(where: { $0.ticket == ticket }) {
            awaitedPongs.removeAll { $0.ticket == ticket }
            found = true
        }
        if let index = handedOut.firstIndex(of: ticket) {
            handedOut.remove(at: index)
            found = true
        }
        return found ? [.resume(ticket, .failed(.cancelledByCaller))] : []
    }

    private mutating func beginClosing(
        _ error: WebSocketError, keepsOutbox: Bool
    ) -> [Effect] {
        phase = .closing
        end = error
        assembly = nil
        var effects = releaseReader(error)
        if !keepsOutbox { effects += releaseOutbox(error) }
        return effects + [.attend]
    }

    private mutating func finish(_ error: WebSocketError) -> [Effect] {
        phase = .closed
        end = error
        assembly = nil
        closeRequest = nil
        var effects = settleOpener(.failed(error))
        effects += releaseReader(error) + releaseOutbox(error)
        effects += closers.map { .resume($0, .done) }
        closers = []
        return effects + [.attend]
    }

    private mutating func releaseReader(_ error: WebSocketError) -> [Effect] {
        guard let ticket = reader.take() else { return [] }
        return [.resume(ticket, .failed(error))]
    }

    private mutating func releaseOutbox(_ error: WebSocketError) -> [Effect] {
        let tickets = handedOut + outbox.compactMap(\.ticket) + awaitedPongs.map(\.ticket)
        handedOut = []
        outbox = []
        awaitedPongs = []
        return tickets.map { .resume($0, .failed(error)) }
    }
}
