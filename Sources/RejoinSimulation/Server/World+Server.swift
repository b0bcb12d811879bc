internal import RejoinModel
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport
internal import RejoinWire

// What the server does with requests, frames and time.

extension World {
    // MARK: REST

    func serve(_ request: Request) {
        guard server.isUp else {
            return respond(request, .failure(BackendFailure(.unreachable, "the server is down")))
        }
        guard request.era == server.era else {
            let failure = BackendFailure(.outcomeUnknown, "the connection broke")
            return respond(request, .failure(failure))
        }
        if let failure = refusal(of: request) { return respond(request, .failure(failure)) }
        let failing = (isSafetyPhase ? options.failingRequests : 0) + server.failing
        if serverRandom.chance(failing) { return fail(request) }
        carryOut(request)
    }

    private func refusal(of request: Request) -> BackendFailure? {
        let device = request.device
        if server.busyUntil[device] > now {
            return BackendFailure(
                .rateLimited, "too many requests", retryAfter: server.busyUntil[device] - now)
        }
        if server.revoked[device] {
            return BackendFailure(.tokenInvalid, "the token is not valid")
        }
        if request.token < server.tokens[device] {
            return BackendFailure(.tokenExpired, "the token has expired")
        }
        if server.forbidden[request.room][devices[device].person] {
            return BackendFailure(.forbidden, "no member of this room")
        }
        return nil
    }

    private func fail(_ request: Request) {
        note("server", "fails a request of d\(request.device)")
        switch serverRandom.int(0...5) {
        case 0:
            respond(request, .failure(BackendFailure(.unreachable, "no route")))
        case 1:
            respond(request, .failure(BackendFailure(.serverError, "the server is unwell")))
        case 2:
            // It has its effect, and the answer cannot be read.
            carryOut(request, answer: BackendFailure(.malformedAnswer, "half an answer"))
        case 3:
            carryOut(request, answer: BackendFailure(.serverError, "failed after the commit"))
        case 4:
            respond(
                request,
                .failure(
                    BackendFailure(.rateLimited, "too many requests", retryAfter: .seconds(3))))
        default:
            carryOut(request, answer: BackendFailure(.outcomeUnknown, "the answer was lost"))
        }
    }

    /// - Parameter failure: What is answered instead of the truth.
    private func carryOut(_ request: Request, answer failure: BackendFailure? = nil) {
        if server.lateAnswers > 0, case .perform = request.kind, lateRandom.chance(50) {
            return respond(request, .failure(BackendFailure(.unreachable, "no route")))
        }
        let device = devices[request.device]
        let room = request.room
        var outcome: Request.Outcome
        switch request.kind {
        case .fetch(_, let what):
            do throws(BackendFailure) {
                let isSummary = what == .summary
                outcome = .success(
                    .history(
                        isSummary
                            ? .summary(server.summary(of: room, for: device.person))
                            : try server.rooms[room].answer(what)))
            } catch {
                outcome = .failure(error)
            }
        case .summary:
            outcome = .success(
                .history(.summary(server.summary(of: room, for: device.person))))
        case .perform(_, let mutation):
            return perform(
                mutation, room, by: device, .rest(request), answer: failure)
        case .report(_, let mark, let unread):
            do throws(BackendFailure) {
                let (answer, hasChanged) = try server.setMark(
                    mark, unread: unread, in: room, of: device.person)
                if hasChanged {
                    announce(
                        RoomEvent(
                            room: server.rooms[room].id, kind: .read(device.user, answer.mark)),
                        room)
                    oracle.marked(answer.mark, room, device, in: self)
                }
                outcome = .success(.read(answer))
            } catch {
                outcome = .failure(error)
            }
        }
        if let failure { outcome = .failure(failure) }
        respond(request, outcome)
    }

    func respond(_ request: Request, _ outcome: Request.Outcome) {
        if case .failure(let failure) = outcome { server.count(failure, of: request) }
        if case .success = outcome, let kind = Request.Acknowledgement(request.kind),
            isLost(kind)
        {
            let failure = BackendFailure(.outcomeUnknown, "no answer came within 20 s")
            return plan(.answer(request, .failure(failure)), in: .seconds(20))
        }
        plan(.answer(request, outcome), in: oneWay() + delay(of: request))
    }

    private func delay(of request: Request) -> Duration {
        switch request.kind {
        case .fetch: return server.pageDelay
        case .summary: return .zero
        case .perform, .report:
            guard server.lateAnswers > 0 else { return .zero }
            server.lateAnswers -= 1
            note("network", "holds an answer to d\(request.device) back")
            let wait = lateRandom.milliseconds(62_000...90_000)
            server.lastHeldAnswer = max(server.lastHeldAnswer, now + wait)
            return wait
        }
    }

    private func isLost(_ kind: Request.Acknowledgement) -> Bool {
        guard server.lostAcknowledgements[kind.rawValue] > 0 else { return false }
        server.lostAcknowledgements[kind.rawValue] -= 1
        note("network", "loses the acknowledgement of a \(kind)")
        return true
    }

    // MARK: Changes

    private func perform(
        _ mutation: Mutation, _ room: Int, by device: Device, _ reply: Reply,
        answer failure: BackendFailure? = nil
    ) {
        if case .send(let draft) = mutation {
            return create(draft, room, by: device, reply, answer: failure)
        }
        do throws(BackendFailure) {
            let (message, event) = try server.change(mutation, in: room, by: device.user, at: now)
            if let event {
                note("server", "\(event.story) in \(event.room)")
                announce(event, room)
            }
            oracle.performed(mutation, room, by: device, in: self)
            self.reply(reply, failure.map { .failure($0) } ?? .success(message), mutation, room)
        } catch {
            self.reply(reply, .failure(failure ?? error), mutation, room)
        }
    }

    private func create(
        _ draft: MessageDraft, _ room: Int, by device: Device, _ reply: Reply,
        answer failure: BackendFailure?
    ) {
        let mutation = Mutation.send(draft)
        func answer(_ message: Message) {
            self.reply(reply, failure.map { .failure($0) } ?? .success(message), mutation, room)
        }
        if options.capabilities.idempotentSendRetention != nil {
            if let message = server.rooms[room].original(sentAs: draft.clientID) {
                return answer(message)
            }
            if let drawn = server.rooms[room].takeReserved(sentAs: draft.clientID) {
                return answer(publish(drawn, room))
            }
        }
        let drawn = server.rooms[room].draw(
            author: device.user, content: draft.content, clientID: draft.clientID,
            step: serverRandom.int(1...9), at: now)
        oracle.created(drawn, room, in: self)
        if serverRandom.chance(isSafetyPhase ? options.lateCommits : 0) {
            server.rooms[room].reserve(drawn)
            // With a lost answer nobody waits for it.
            let waiting = failure == nil ? reply : nil
            plan(
                .lateCommit(room: room, drawn.id, waiting),
                in: serverRandom.milliseconds(1...1_900))
            if let failure { self.reply(reply, .failure(failure), mutation, room) }
            return
        }
        answer(publish(drawn, room))
    }

    /// Makes a message visible and tells everybody.
    @discardableResult
    func publish(_ drawn: Message, _ room: Int) -> Message {
        let message = server.rooms[room].publish(drawn, at: now)
        statistics.messages += 1
        note("server", "stores \(message.story) in \(server.rooms[room].id)")
        announce(
            RoomEvent(
                room: server.rooms[room].id,
                kind: .created(
                    message, author: Member(id: message.author, name: message.author.rawValue)),
                revision: message.revision), room)
        return message
    }

    func commitLate(_ id: MessageID, _ room: Int, _ reply: Reply?) {
        if let drawn = server.rooms[room].takeReserved(id) { publish(drawn, room) }
        guard let reply, let message = server.rooms[room].entry(id)?.message,
            let key = message.clientID
        else { return }
        let mutation = Mutation.send(MessageDraft(clientID: key, content: message.content))
        self.reply(reply, .success(message), mutation, room)
    }

    private func reply(
        _ reply: Reply, _ result: Result<Message, BackendFailure>, _ mutation: Mutation, _ room: Int
    ) {
        switch reply {
        case .rest(let request):
            respond(request, result.map { .mutation(.stored($0)) })
        case .receipt(let socket, let receipt):
            guard socket.link != nil else { return }
            switch result {
            case .success:
                if isLost(Request.Acknowledgement(mutation)) { return }
                transmit(StompFrame(.receipt, headers: [("receipt-id", receipt)]), socket)
            case .failure(let failure): refuse(mutation, failure, receipt, room, socket)
            }
        }
    }

    private func refuse(
        _ mutation: Mutation, _ failure: BackendFailure, _ receipt: String, _ room: Int,
        _ socket: Socket
    ) {
        if case .send(let draft) = mutation,
            let id = socket.link?.subscriptions.first(where: { $0.room == room })?.id
        {
            let event = RoomEvent(
                room: server.rooms[room].id, kind: .rejected(draft.clientID, failure))
            return deliver(
                format.encode(event), id, format.destination(of: server.rooms[room].id), socket)
        }
        transmit(
            StompFrame(
                .error,
                headers: [
                    ("message", failure.message), ("code", failure.code.rawValue),
                    ("receipt-id", receipt),
                ]), socket)
        close(socket, Self.closed(1008))
    }

    // MARK: Events

    /// Hands an event to the workers that publish.
    func announce(_ event: RoomEvent, _ room: Int) {
        var time = now + serverRandom.milliseconds(1...30)
        if isSafetyPhase, serverRandom.chance(options.reorderings) {
            time = now + serverRandom.milliseconds(1...1_500)
        } else {
            time = max(time, server.publishFloor[room])
            server.publishFloor[room] = time
        }
        let happening = Happening.publish(
            room: room, event, incarnation: server.incarnation)
        plan(happening, at: time)
        if isSafetyPhase, serverRandom.chance(options.redeliveries) {
            plan(happening, at: time + serverRandom.milliseconds(1...3_000))
        }
    }

    func publish(_ event: RoomEvent, _ room: Int, _ incarnation: Int) {
        guard incarnation == server.incarnation else { return }
        let body = format.encode(event)
        let destination = format.destination(of: server.rooms[room].id)
        for socket in liveSockets where !socket.isOverrun {
            guard let link = socket.link else { continue }
            for subscription in link.subscriptions where subscription.room == room {
                deliver(body, subscription.id, destination, socket)
            }
        }
    }

    private func deliver(
        _ body: ContiguousArray<UInt8>, _ subscription: String, _ destination: String,
        _ socket: Socket
    ) {
        guard let link = socket.link else { return }
        link.messages += 1
        transmit(
            StompFrame(
                .message,
                headers: [
                    ("subscription", subscription),
                    ("message-id", "\(socket.number)-\(link.messages)"),
                    ("destination", destination),
                    ("content-type", "application/json"),
                ], body: body), socket)
    }

    // MARK: Frames

    func transmit(_ frame: StompFrame, _ socket: Socket) {
        guard let link = socket.link else { return }
        link.lastSent = now
        // The server's own headers fit into every frame.
        guard let bytes = try? link.encoder.encode(frame) else { return }
        sendToClient(bytes, socket)
    }

    func upgrade(_ socket: Socket) {
        let device = socket.device
        func refuse(_ error: WebSocketError) { plan(.ended(socket, error), in: oneWay()) }
        guard server.isUp else { return refuse(Self.unreachable) }
        if server.busyUntil[device] > now {
            return refuse(
                WebSocketError(
                    .upgradeRefused, "come back later", httpStatus: 429,
                    retryAfter: server.busyUntil[device] - now))
        }
        if options.checksUpgrade, server.revoked[device] {
            return refuse(
                WebSocketError(
                    .upgradeRefused, "invalid", httpStatus: 401,
                    body: ContiguousArray(#"{"code":"token_invalid"}"#.utf8)))
        }
        if options.checksUpgrade, socket.token < server.tokens[device] {
            return refuse(
                WebSocketError(
                    .upgradeRefused, "expired", httpStatus: 401,
                    body: ContiguousArray(#"{"code":"token_expired"}"#.utf8)))
        }
        socket.link = ServerLink(at: now)
        liveSockets.append(socket)
        plan(.linkTick(socket), in: .seconds(7))
        socket.clientFloor = now + oneWay()
        plan(.opened(socket), at: socket.clientFloor)
    }

    func receive(_ bytes: ContiguousArray<UInt8>, from socket: Socket) {
        guard let link = socket.link, !socket.isHalfOpen else { return }
        link.lastReceived = now
        link.decoder.append(bytes)
        do throws(StompError) {
            while let event = try link.decoder.next() {
                guard case .frame(let frame) = event else { continue }
                take(frame, link, socket)
                guard socket.link === link else { return }
            }
        } catch {
            oracle.brokeProtocol(error.description, socket, in: self)
            close(socket, Self.closed(1002))
        }
    }

    private func take(_ frame: StompFrame, _ link: ServerLink, _ socket: Socket) {
        switch frame.command {
        case .connect, .stomp: greet(link, socket)
        case .subscribe: subscribe(frame, link, socket)
        case .unsubscribe:
            if let id = frame.headers["id"] { link.subscriptions.removeAll { $0.id == id } }
        case .send: take(send: frame, socket)
        case .disconnect:
            if let receipt = frame.headers["receipt"] {
                transmit(StompFrame(.receipt, headers: [("receipt-id", receipt)]), socket)
            }
            close(socket, Self.closed(1000))
        default:
            oracle.brokeProtocol("\(frame.command.rawValue) from a client", socket, in: self)
        }
    }

    private func greet(_ link: ServerLink, _ socket: Socket) {
        if server.revoked[socket.device] { return fail(socket, code: "token_invalid") }
        guard socket.token >= server.tokens[socket.device] else {
            return fail(socket, code: "token_expired")
        }
        link.isGreeted = true
        transmit(
            StompFrame(
                .connected,
                headers: [
                    ("version", "1.2"),
                    ("heart-beat", options.serverBeats ? "10000,10000" : "0,0"),
                ]), socket)
    }

    /// ERROR, and then the end.
    func fail(_ socket: Socket, code: String?) {
        var headers = [("message", "the connection ends")]
        if let code { headers.append(("code", code)) }
        transmit(StompFrame(.error, headers: StompHeaders(headers)), socket)
        close(socket, Self.closed(1008))
    }

    /// No access to what the headers name; the connection ends with the ERROR, as STOMP says.
    func forbid(_ headers: [(String, String)], _ socket: Socket) {
        let own = [("message", "no member of this room"), ("code", "forbidden")]
        transmit(StompFrame(.error, headers: StompHeaders(own + headers)), socket)
        close(socket, Self.closed(1008))
    }

    private func subscribe(_ frame: StompFrame, _ link: ServerLink, _ socket: Socket) {
        guard link.isGreeted, let id = frame.headers["id"],
            let destination = frame.headers["destination"], let name = format.room(at: destination),
            let room = server.rooms.firstIndex(where: { $0.id == name })
        else { return oracle.brokeProtocol("a SUBSCRIBE to nothing", socket, in: self) }
        guard !server.forbidden[room][devices[socket.device].person] else {
            return forbid(
                [("receipt-id", frame.headers["receipt"] ?? ""), ("subscription", id)], socket)
        }
        link.subscriptions.append((id, room, now, server.rooms[room].tip))
        if options.capabilities.hasSubscribeReceipts, let receipt = frame.headers["receipt"] {
            transmit(StompFrame(.receipt, headers: [("receipt-id", receipt)]), socket)
        }
    }

    private func take(send frame: StompFrame, _ socket: Socket) {
        guard let destination = frame.headers["destination"],
            let receipt = frame.headers["receipt"],
            let command = try? format.decodeCommand(
                WireSend(destination: destination, body: frame.body)),
            let room = server.rooms.firstIndex(where: { $0.id == command.room })
        else { return oracle.brokeProtocol("a SEND of nothing", socket, in: self) }
        let mutation: Mutation
        switch command.kind {
        case .send(let draft): mutation = .send(draft)
        case .edit(let id, let content): mutation = .edit(id, content)
        case .delete(let id): mutation = .delete(id)
        case .react(let id, let emoji, let isPut): mutation = .react(id, emoji: emoji, isPut)
        default: return oracle.brokeProtocol("an unexpected command", socket, in: self)
        }
        let device = devices[socket.device]
        guard !server.forbidden[room][device.person] else {
            let failure = BackendFailure(.forbidden, "no member of this room")
            return refuse(mutation, failure, receipt, room, socket)
        }
        perform(mutation, room, by: device, .receipt(socket, receipt))
    }

    // MARK: Heart-beats

    func tick(_ socket: Socket) {
        guard let link = socket.link else { return }
        if isCarrying(socket) { oracle.looked(over: link, devices[socket.device], in: self) }
        if options.serverBeats {
            // No byte for two intervals: the device is gone.
            if link.lastReceived + .seconds(20) < now {
                note("server", "gives socket \(socket.number) up")
                return close(socket, Self.closed(1002))
            }
            if link.lastSent + .seconds(7) <= now {
                link.lastSent = now
                sendToClient(StompEncoder.heartBeat, socket)
            }
        } else if link.lastReceived + .seconds(90) < now {
            // Without heart-beats, TCP's own keep-alive finds out some day.
            let isDead = socket.isHalfOpen || !socket.isOpenForClient
            if isDead { return close(socket, Self.closed(1006)) }
        }
        plan(.linkTick(socket), in: .seconds(7))
    }
}
