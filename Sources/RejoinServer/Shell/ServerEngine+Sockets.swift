#if os(Linux)
import CLibWebSockets
import RejoinModel
import RejoinTime
import RejoinTransport
import RejoinWire

extension ServerEngine {
    private static let subprotocols = ["v12.stomp", "v11.stomp", "v10.stomp"]

    // MARK: From HTTP to WebSocket

    /// A client asks for an upgrade: 0 lets it pass, 1 says that the refusal is written.
    func upgradeAsked(on connection: Connection, for input: UnsafeRawBufferPointer) -> Int32 {
        guard let refusal = refusalOfUpgrade(on: connection) else { return 0 }
        guard ResponseWriter.send(refusal, to: connection.wsi, closing: false) else {
            return -1
        }
        return 1
    }

    private func refusalOfUpgrade(on connection: Connection) -> HTTPResponse? {
        let reader = RequestReader(wsi: connection.wsi)
        guard reader.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket",
            reader.path == configuration.webSocketPath
        else {
            return response(
                to: BackendFailure(
                    .notFound, "the WebSocket is at \(configuration.webSocketPath)"))
        }
        guard !isStopping else { return overload }
        if let offered = reader.header(WSI_TOKEN_PROTOCOL) {
            let names = offered.split { $0 == "," || $0 == " " }.map(String.init)
            guard names.contains(where: Self.subprotocols.contains) else {
                return response(
                    to: BackendFailure(
                        .rejected,
                        "offer one of the subprotocols \(Self.subprotocols.joined(separator: ", "))"
                    ))
            }
        }
        // Without a token here, CONNECT has to bring one; a bad one is refused at once.
        guard let token = reader.token else { return nil }
        do throws(BackendFailure) {
            connection.upgradePrincipal = try principal(of: token)
            return nil
        } catch {
            return response(to: error)
        }
    }

    func socketOpened(on connection: Connection) -> Int32 {
        let limits = configuration.limits
        let session = ServerStompSession(
            ServerStompSession.Configuration(
                session: "s\(connection.serial)", heartbeat: configuration.heartbeat,
                connectTimeout: limits.connectTimeout,
                maximumSubscriptions: limits.subscriptions,
                subscribeReceipts: configuration.behaviour.subscribeReceipts),
            openedAt: time.now)
        connection.socket = Connection.Socket(
            session: session,
            decoder: StompDecoder(
                role: .server,
                limits: StompLimits(
                    headers: 100, lineOctets: 8 << 10, headerSectionOctets: 32 << 10,
                    bodyOctets: limits.bodyBytes)))
        setTimer(of: connection)
        return 0
    }

    // MARK: Reading

    /// A piece of a WebSocket message is there. Where its frames end does not matter: the
    /// decoder takes STOMP in any shape, and its limits hold for any.
    func socketReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Int32 {
        run(.bytes, on: connection)
        connection.socket?.decoder.append(ContiguousArray(bytes))
        while connection.socket?.session.state != .closed {
            do throws(StompError) {
                guard let event = try connection.socket?.decoder.next() else { break }
                switch event {
                case .frame(let frame): run(.frame(frame), on: connection)
                case .heartBeat: continue
                }
            } catch {
                run(.broken(error), on: connection)
            }
        }
        setTimer(of: connection)
        return 0
    }

    func socketTimerRang(on connection: Connection) -> Int32 {
        run(.tick, on: connection)
        setTimer(of: connection)
        return 0
    }

    func socketClosed(on connection: Connection) -> Int32 {
        listeners.removeAll(of: connection)
        connection.socket = nil
        return 0
    }

    private func setTimer(of connection: Connection) {
        guard let session = connection.socket?.session else { return }
        let wait = session.nextDeadline.map {
            max(1_000, time.now.duration(to: $0).wholeNanoseconds / 1_000)
        }
        rejoin_server_set_timer(connection.wsi, wait ?? -1)
    }

    // MARK: Executing effects

    func run(_ input: ServerStompSession.Input, on connection: Connection) {
        guard let effects = connection.socket?.session.handle(input, at: time.now) else {
            return
        }
        for effect in effects { execute(effect, on: connection) }
    }

    private func execute(_ effect: ServerStompSession.Effect, on connection: Connection) {
        switch effect {
        case .send(let frame):
            enqueue(frame, on: connection)
        case .beat:
            enqueue(StompEncoder.heartBeat, isText: true, on: connection)
        case .authenticate(let token):
            authenticate(token, on: connection)
        case .authorise(let id, let destination):
            run(.authorised(id, topic(at: destination, for: connection)), on: connection)
        case .listen(let topic, let id):
            listeners.add(id, of: connection, to: topic)
        case .unlisten(let topic, let id):
            listeners.remove(id, of: connection, from: topic)
        case .perform(let send, let token):
            perform(send, token, on: connection)
        case .deliver(let event, let id):
            let body = configuration.format.encode(event)
            run(.event(subscription: id, body), on: connection)
        case .close(let code, let reason):
            connection.socket?.closing = (code, reason)
            lws_callback_on_writable(connection.wsi)
        }
    }

    private func authenticate(_ token: String?, on connection: Connection) {
        let result: Result<ServerStompSession.Lifetime, BackendFailure>
        do throws(BackendFailure) {
            // The token of CONNECT counts; the upgrade's stands in where it brings none.
            let principal =
                if token == nil, let known = connection.upgradePrincipal { known } else {
                    try self.principal(of: token)
                }
            guard connection.upgradePrincipal.map({ $0.user == principal.user }) ?? true else {
                throw BackendFailure(
                    .tokenInvalid, "the tokens of the upgrade and of CONNECT name two people")
            }
            connection.socket?.principal = principal
            result = .success(
                ServerStompSession.Lifetime(
                    remaining: time.wallNow.duration(to: principal.expiry)))
        } catch {
            result = .failure(error)
        }
        run(.authenticated(result), on: connection)
        if let version = connection.socket?.session.version {
            connection.socket?.decoder.version = version
            connection.socket?.encoder.version = version
        }
    }

    private func topic(at destination: String, for connection: Connection)
        -> Result<ServerStompSession.Topic, BackendFailure>
    {
        do throws(BackendFailure) {
            guard let user = connection.socket?.principal?.user else {
                throw BackendFailure(.tokenInvalid, "no token was given")
            }
            if destination == configuration.format.roomsDestination {
                return .success(.rooms(user))
            }
            guard let room = configuration.format.room(at: destination) else {
                throw BackendFailure(.notFound, "there is nothing to subscribe to there")
            }
            _ = try core.access(room, by: user)
            return .success(.room(room))
        } catch {
            return .failure(error)
        }
    }

    // MARK: SEND

    private func perform(
        _ send: WireSend, _ token: ServerStompSession.SendToken, on connection: Connection
    ) {
        let command: RoomCommand
        do throws(WireError) {
            command = try configuration.format.decodeCommand(send)
        } catch {
            run(.performed(token, .malformed(error)), on: connection)
            return
        }
        if let outcome = outcome(of: command, token, on: connection) {
            run(.performed(token, outcome), on: connection)
        }
    }

    /// `nil` where the outcome comes later.
    private func outcome(
        of command: RoomCommand, _ token: ServerStompSession.SendToken,
        on connection: Connection
    ) -> ServerStompSession.SendOutcome? {
        let client: ClientMessageID? =
            if case .send(let draft) = command.kind { draft.clientID } else { nil }
        do throws(BackendFailure) {
            guard let user = connection.socket?.principal?.user else { return .dropped }
            guard let call = command.call else {
                return try typing(in: command.room, by: user)
            }
            try checkRate(of: user)
            if case .send(let draft) = command.kind, late != nil {
                let waiter = Waiter.session(connection, token)
                switch try holdBack(draft, in: command.room, by: user, for: waiter) {
                case .repeated: return .stored
                case .new: return nil
                }
            }
            publish(try core.perform(call, by: user, at: time.wallNow).events)
            return .stored
        } catch {
            return .refused(command.room, client, error)
        }
    }

    /// Typing is told to the others and kept nowhere; what is too much of it falls.
    private func typing(in room: RoomID, by user: UserID) throws(BackendFailure)
        -> ServerStompSession.SendOutcome
    {
        _ = try core.access(room, by: user)
        guard limiter?.take(user, at: rateClock.now) == nil else { return .dropped }
        publish([RoomEvent(room: room, kind: .typing(user))])
        return .stored
    }

    // MARK: Writing

    private func enqueue(_ frame: StompFrame, on connection: Connection) {
        guard let encoder = connection.socket?.encoder else { return }
        var bytes = ContiguousArray<UInt8>(repeating: 0, count: rejoin_server_padding())
        do throws(StompError) {
            try encoder.encode(frame, into: &bytes)
        } catch {
            // Only a header with a line end can do this, in a version without escapes; such a
            // frame cannot be told to this client at all.
            connection.socket?.closing = (1002, "a header cannot be carried")
            lws_callback_on_writable(connection.wsi)
            return
        }
        enqueue(padded: bytes, isText: frame.isUTF8, on: connection)
    }

    private func enqueue(
        _ bytes: ContiguousArray<UInt8>, isText: Bool, on connection: Connection
    ) {
        let padding = ContiguousArray<UInt8>(repeating: 0, count: rejoin_server_padding())
        enqueue(padded: padding + bytes, isText: isText, on: connection)
    }

    private func enqueue(
        padded bytes: ContiguousArray<UInt8>, isText: Bool, on connection: Connection
    ) {
        connection.socket?.outbound.append(OutboundQueue.Item(bytes: bytes, isText: isText))
        let waiting = connection.socket?.outbound.byteCount ?? 0
        guard waiting <= configuration.limits.outboundBytes else {
            // A slow consumer: it cannot be told, because nothing more goes to it.
            _ = socketClosed(on: connection)
            rejoin_server_kill(connection.wsi)
            return
        }
        lws_callback_on_writable(connection.wsi)
    }

    /// The socket takes bytes: writes until it is full, then closes if that was asked.
    func socketMayWrite(on connection: Connection) -> Int32 {
        let padding = rejoin_server_padding()
        while var item = connection.socket?.outbound.popFirst() {
            let kind = item.isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY
            let written = item.bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
                guard let start = buffer.baseAddress else { return -1 }
                return lws_write(connection.wsi, start + padding, buffer.count - padding, kind)
            }
            guard written >= 0 else { return -1 }
            guard lws_send_pipe_choked(connection.wsi) == 0 else {
                lws_callback_on_writable(connection.wsi)
                return 0
            }
        }
        guard let closing = connection.socket?.closing else { return 0 }
        var reason = Array(closing.reason.utf8.prefix(120))
        lws_close_reason(
            connection.wsi, lws_close_status(UInt32(closing.code)), &reason, reason.count)
        return -1
    }
}
#endif
