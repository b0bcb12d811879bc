#if os(Linux)
import CLibWebSockets
import Foundation
import RejoinModel
import RejoinTime
import RejoinTransport
import RejoinWire

/// One run of the server, from listening to the stop: executes what ``ServerCore`` and the
/// sessions decide. All of it runs on one thread, see ``ServiceThread``.
actor ServerEngine {
    let configuration: ServerConfiguration
    let signer: TokenSigner
    let core: ServerCore
    let time = SystemTime()
    /// The clock of the limiter.
    let rateClock: any TimeSource
    nonisolated let thread: ServiceThread

    var server: UnsafeMutablePointer<rejoin_server>?
    var connections: [OpaquePointer: Connection] = [:]
    var lastSerial: UInt64 = 0
    var isStopping = false
    var limiter: RateLimiter?
    var late: LateCommits?
    /// Who waits for the late commit of a message, in the order in which they asked.
    var waiters: [MessageID: [Waiter]] = [:]
    var listeners = ListenerIndex()
    private var drained: CheckedContinuation<Void, Never>?
    private var drainDeadline: Instant?

    /// Whoever wants to know what became of a send.
    enum Waiter {
        case exchange(Connection)
        case session(Connection, ServerStompSession.SendToken)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    init(
        _ configuration: ServerConfiguration, store: sending ChatStore, rateClock: any TimeSource
    ) {
        self.configuration = configuration
        self.rateClock = rateClock
        signer = TokenSigner(secret: configuration.secret)
        core = ServerCore(
            store: store, behaviour: configuration.behaviour, limits: configuration.limits)
        limiter = configuration.limits.rate.map {
            RateLimiter($0, capacity: configuration.limits.ratedUsers)
        }
        late = configuration.behaviour.settle.map {
            LateCommits(
                settle: $0, capacity: configuration.limits.lateCommits,
                seed: configuration.behaviour.seed)
        }
        thread = ServiceThread()
        thread.begin(name: "rejoin server")
    }

    // MARK: Start and stop

    /// Listens; returns the port.
    func listen(on port: UInt16) throws(ReferenceServerError) -> UInt16 {
        let address = configuration.host == "0.0.0.0" ? nil : configuration.host
        let limits = configuration.limits
        var options = rejoin_server_options()
        options.port = Int32(port)
        options.header_bytes = UInt32(clamping: limits.headerBytes)
        options.connections = UInt32(clamping: limits.connections)
        options.timeout_seconds = UInt32(
            clamping: max(1, limits.requestTimeout.components.seconds))
        options.receive_bytes = 64 << 10
        options.callback = { serverCallback($0, $1, $2, $3, $4) }
        // Kept until `end`: a server that is let go without a stop goes on running.
        let kept = Unmanaged.passRetained(self)
        options.user = kept.toOpaque()
        server = Self.withCStrings(
            address, configuration.tls?.certificate, configuration.tls?.privateKey
        ) {
            options.address = $0
            options.certificate = $1
            options.private_key = $2
            return rejoin_server_start(&options)
        }
        guard let server else {
            kept.release()
            close(checkpointing: false)
            throw ListenFailure.diagnose(
                host: configuration.host, port: port, hasTLS: configuration.tls != nil)
        }
        thread.serve(server.pointee.context)
        return UInt16(clamping: lws_get_vhost_listen_port(server.pointee.vhost))
    }

    /// Stops in good order: commits what waits, tells every WebSocket (1001), gives writers a
    /// moment, closes, and folds the log into the database.
    func stop(within patience: Duration) async {
        isStopping = true
        commitLate(late?.takeAll() ?? [])
        for connection in connections.values.sorted(by: { $0.serial < $1.serial }) {
            if connection.socket != nil {
                run(.stopping, on: connection)
            } else if case .idle = connection.exchange {
                rejoin_server_kill(connection.wsi)
            }
        }
        if !connections.isEmpty {
            drainDeadline = time.now + patience
            setAlarm()
            await withCheckedContinuation { drained = $0 }
        }
        end()
        close(checkpointing: true)
    }

    /// Stops as a kill would: no word to anybody, nothing that was not committed, the
    /// database's log as it is.
    func kill() {
        isStopping = true
        end()
        close(checkpointing: false)
    }

    private func end() {
        guard let server else { return }
        thread.serve(nil)
        self.server = nil
        rejoin_server_stop(server)
        Unmanaged.passUnretained(self).release()
        connections.removeAll()
        listeners = ListenerIndex()
        waiters.removeAll()
    }

    private func close(checkpointing: Bool) {
        core.store.close(checkpointing: checkpointing)
        thread.finish()
    }

    // MARK: Time

    /// Sets the one alarm to the earliest of what is due.
    func setAlarm() {
        guard let server else { return }
        let due = [drainDeadline, late?.nextDeadline].compactMap(\.self).min()
        let wait = due.map { max(1, (time.now.duration(to: $0)).wholeNanoseconds / 1_000) }
        rejoin_server_set_alarm(server, wait ?? -1)
    }

    func alarmRang() {
        commitDue()
        if let drainDeadline, time.now >= drainDeadline { finishDraining() }
        setAlarm()
    }

    private func commitDue() {
        if let due = late?.takeDue(at: time.now) { commitLate(due) }
    }

    /// Ends the wait for the last connection.
    private func finishDraining() {
        drainDeadline = nil
        drained?.resume()
        drained = nil
    }

    // MARK: Connections

    func handle(
        _ reason: lws_callback_reasons, on wsi: OpaquePointer, _ input: UnsafeRawBufferPointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
            return connections.count < configuration.limits.connections ? 0 : -1
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
            lastSerial += 1
            connections[wsi] = Connection(serial: lastSerial, wsi: wsi)
            return 0
        case LWS_CALLBACK_WSI_DESTROY:
            forget(wsi)
            return 0
        default:
            guard let connection = connections[wsi] else { return -1 }
            return handle(reason, on: connection, input)
        }
    }

    private func handle(
        _ reason: lws_callback_reasons, on connection: Connection,
        _ input: UnsafeRawBufferPointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY_COMPLETION, LWS_CALLBACK_RECEIVE:
            // A busy thread's alarm rings late, and nobody may read a room without what is due.
            commitDue()
        default: break
        }
        return serve(reason, on: connection, input)
    }

    private func serve(
        _ reason: lws_callback_reasons, on connection: Connection,
        _ input: UnsafeRawBufferPointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_HTTP: requestCame(on: connection)
        case LWS_CALLBACK_HTTP_BODY: bodyCame(input, on: connection)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: bodyEnded(on: connection)
        case LWS_CALLBACK_HTTP_WRITEABLE: responseMayGo(on: connection)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: upgradeAsked(on: connection, for: input)
        case LWS_CALLBACK_ESTABLISHED: socketOpened(on: connection)
        case LWS_CALLBACK_RECEIVE: socketReceived(input, on: connection)
        case LWS_CALLBACK_SERVER_WRITEABLE: socketMayWrite(on: connection)
        case LWS_CALLBACK_TIMER: socketTimerRang(on: connection)
        case LWS_CALLBACK_RAW_RX: strangerSpoke(input, on: connection)
        case LWS_CALLBACK_CLOSED: socketClosed(on: connection)
        default: 0
        }
    }

    private func forget(_ wsi: OpaquePointer) {
        guard let connection = connections.removeValue(forKey: wsi) else { return }
        if connection.socket != nil { _ = socketClosed(on: connection) }
        if connections.isEmpty, isStopping { finishDraining() }
    }

    // MARK: What every request needs

    /// Who asks.
    func principal(of token: String?) throws(BackendFailure) -> Principal {
        guard let token else {
            throw BackendFailure(
                .tokenInvalid, "a token is needed: Authorization: Bearer, or X-AUTH-TOKEN")
        }
        return try signer.principal(of: token, at: time.wallNow)
    }

    /// Counts a request of a person.
    func checkRate(of user: UserID) throws(BackendFailure) {
        guard let wait = limiter?.take(user, at: rateClock.now) else { return }
        throw BackendFailure(
            .rateLimited, "too many requests; wait as long as is said", retryAfter: wait)
    }

    private static func withCStrings<Result>(
        _ first: String?, _ second: String?, _ third: String?,
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        func lend(
            _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
        ) -> Result {
            guard let text else { return body(nil) }
            return text.withCString { body($0) }
        }
        return lend(first) { first in
            lend(second) { second in lend(third) { body(first, second, $0) } }
        }
    }
}
#endif
