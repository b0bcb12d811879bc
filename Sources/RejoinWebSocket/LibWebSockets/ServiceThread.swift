#if os(Linux)
import CLibWebSockets
import RejoinTransport

/// What lives on the service thread alone: the library's context and what is known about each
/// of its connections. Not sendable, so it cannot leave.
final class ServiceThread {
    /// What the thread knows about a connection.
    struct Record {
        let link: Link
        let attempt: ConnectionAttempt
        /// The library's connection; `nil` until the library has created it.
        var socket: OpaquePointer?
        var isReadingPaused = false
        /// Whether the end of a closing handshake has been scheduled.
        var hasCloseTimer = false
        /// Whether the upgrade request has gone out, so TCP and TLS have succeeded.
        var hasSentRequest = false
        /// Why the server's certificate was refused.
        var certificateError: CertificateError?
        /// The answer other than 101, as far as it has been read.
        var refusal: UpgradeRefusal?
        var bodyIsComplete = false
        /// The subprotocol that the server chose.
        var subprotocol: String?
    }

    /// How many bytes are read or written at a time.
    static let chunkBytes = 64 << 10
    static let protocolName: StaticString = "rejoin"

    var records: [UInt: Record] = [:]

    private let loop: ServiceLoop
    /// One frame with room for its header before it, reused for each: the library masks in
    /// place and copies what the socket does not take at once.
    private let frame: UnsafeMutablePointer<UInt8>
    private let prefix = rejoin_client_write_prefix()
    /// Alive as long as the context, as the library demands.
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private var context: OpaquePointer?

    private init(_ loop: ServiceLoop) {
        self.loop = loop
        frame = .allocate(capacity: prefix + Self.chunkBytes)
        protocols = .allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        // A static string is never freed, so the pointer may be kept.
        protocols[0].name = UnsafeRawPointer(Self.protocolName.utf8Start)
            .assumingMemoryBound(to: CChar.self)
        protocols[0].callback = serviceCallback
        protocols[0].rx_buffer_size = Self.chunkBytes
    }

    deinit {
        frame.deallocate()
        protocols.deallocate()
    }

    /// The thread's whole life.
    static func run(_ loop: ServiceLoop, certificateAuthorities: String?) {
        let thread = ServiceThread(loop)
        // The context's user pointer is not retained: this frame keeps the object alive until
        // the context has been destroyed.
        withExtendedLifetime(thread) {
            thread.serve(certificateAuthorities)
        }
    }

    private func serve(_ certificateAuthorities: String?) {
        rejoin_client_silence()
        context = rejoin_client_create_context(
            protocols, Unmanaged.passUnretained(self).toOpaque(), certificateAuthorities,
            UInt32(Self.chunkBytes + prefix))
        loop.setContext(address: context.map { UInt(bitPattern: $0) })
        var isServing = true
        while isServing {
            let mail = loop.collect()
            for (link, attempt) in mail.attempts { open(link, attempt) }
            for id in mail.attention { attend(id) }
            isServing = !mail.stops
            // Without a context there is nothing to wait for: the thread has answered, and
            // ends.
            guard isServing, let context, lws_service(context, 0) >= 0 else { break }
        }
        let unserved = loop.retire()
        if let context { lws_context_destroy(context) }
        for (link, _) in unserved.attempts { link.handle(.failed(.libraryUnavailable)) }
        let rest = records
        records = [:]
        for record in rest.values { record.link.handle(.gone) }
    }

    // MARK: - Following the wishes

    private func open(_ link: Link, _ attempt: ConnectionAttempt) {
        guard let context else { return link.handle(.failed(.libraryUnavailable)) }
        records[link.id] = Record(link: link, attempt: attempt)
        let offered = attempt.request.subprotocols.joined(separator: ", ")
        let socket = rejoin_client_connect(
            context, attempt.address, Int32(attempt.url.port), attempt.url.isSecure ? 1 : 0,
            attempt.url.target, attempt.url.hostHeader, offered.isEmpty ? nil : offered,
            "rejoin", link.id)
        guard let socket else {
            records[link.id] = nil
            return link.handle(.failed(.unreachable))
        }
        records[link.id]?.socket = socket
        attend(link.id)
    }

    /// Brings a connection's socket into line with what its core wishes.
    func attend(_ id: UInt) {
        guard let record = records[id], let socket = record.socket else { return }
        let (wish, closeTimeout) = record.link.wish
        if wish.dropsSocket {
            rejoin_client_kill(socket)
            return
        }
        if wish.pausesReading != record.isReadingPaused {
            records[id]?.isReadingPaused = wish.pausesReading
            lws_rx_flow_control(socket, wish.pausesReading ? 0 : 1)
        }
        if wish.wantsToWrite { lws_callback_on_writable(socket) }
        if let closeTimeout, !record.hasCloseTimer {
            records[id]?.hasCloseTimer = true
            lws_set_timer_usecs(socket, max(1, closeTimeout.wholeMicroseconds))
        }
    }

    // MARK: - Writing

    /// Writes until the socket has had enough.
    ///
    /// - Returns: What the callback tells the library: nonzero closes.
    func write(_ id: UInt, _ socket: OpaquePointer) -> Int32 {
        guard let link = records[id]?.link else { return -1 }
        // One turn writes a bounded amount, so that other connections get theirs.
        for _ in 0..<16 {
            guard let next = link.nextWrite(limit: Self.chunkBytes) else { return 0 }
            switch next {
            case .fragment(let fragment):
                guard write(fragment, socket) else { return -1 }
                if let ticket = fragment.ticket { link.written(ticket) }
            case .ping(let number):
                guard writePing(number, socket) else { return -1 }
            case .close(let close):
                var reason = Array(close.reason.utf8)
                lws_close_reason(
                    socket, lws_close_status(UInt32(close.code)), &reason, reason.count)
                return -1
            }
            guard lws_send_pipe_choked(socket) == 0 else { break }
        }
        if link.wish.wish.wantsToWrite { lws_callback_on_writable(socket) }
        return 0
    }

    private func write(_ fragment: ConnectionCore.Fragment, _ socket: OpaquePointer) -> Bool {
        let payload = frame + prefix
        fragment.message.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            payload.update(from: base + fragment.range.lowerBound, count: fragment.range.count)
        }
        let opcode =
            switch fragment.message {
            case _ where fragment.range.lowerBound > 0: LWS_WRITE_CONTINUATION
            case .text: LWS_WRITE_TEXT
            case .binary: LWS_WRITE_BINARY
            }
        return rejoin_client_write(
            socket, payload, fragment.range.count, opcode, fragment.isFinal ? 1 : 0) >= 0
    }

    private func writePing(_ number: UInt64, _ socket: OpaquePointer) -> Bool {
        let payload = frame + prefix
        for index in 0..<8 {
            payload[index] = UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64(index)))
        }
        return rejoin_client_write(socket, payload, 8, LWS_WRITE_PING, 1) >= 0
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
#endif
