#if os(Linux)
import RejoinModel
import RejoinTime
import RejoinWire

extension ServerEngine {
    /// Tells events of committed changes to whoever listens.
    func publish(_ events: [RoomEvent]) {
        for event in events where !listeners.isEmpty {
            // Encoded once, however many listen.
            var body: ContiguousArray<UInt8>?
            for topic in topics(of: event) {
                for listener in listeners[topic] {
                    guard mayHear(event, listener.connection) else { continue }
                    let bytes = body ?? configuration.format.encode(event)
                    body = bytes
                    run(
                        .event(subscription: listener.subscription, bytes),
                        on: listener.connection)
                }
            }
        }
    }

    /// The room itself; the room lists of its members for what a list shows; the reader's own
    /// list for a read mark.
    private func topics(of event: RoomEvent) -> [ServerStompSession.Topic] {
        switch event.kind {
        case .created, .changed:
            [.room(event.room)] + members(of: event.room).map { .rooms($0) }
        case .read(let user, _):
            [.room(event.room), .rooms(user)]
        case .typing, .rejected, .unknown:
            [.room(event.room)]
        }
    }

    private func members(of room: RoomID) -> [UserID] {
        guard listeners.hasLists else { return [] }
        // A failure here loses a list's event, not a message: the list is refetched anyway.
        return (try? core.members(of: room)) ?? []
    }

    /// Nobody is told that they type themselves.
    private func mayHear(_ event: RoomEvent, _ connection: Connection) -> Bool {
        guard case .typing(let user) = event.kind else { return true }
        return connection.socket?.principal?.user != user
    }

    /// Ends the subscriptions of people who left a room.
    func revoke(_ users: [UserID], in room: RoomID) {
        let topic = ServerStompSession.Topic.room(room)
        let left = Set(users)
        for listener in listeners[topic] {
            guard let user = listener.connection.socket?.principal?.user, left.contains(user)
            else { continue }
            run(.revoked(topic), on: listener.connection)
        }
    }

    // MARK: Late commits

    /// Keeps a send back for its late commit, and the waiter with it.
    func holdBack(
        _ draft: MessageDraft, in room: RoomID, by user: UserID, for waiter: Waiter
    ) throws(BackendFailure) -> ServerCore.Preparation {
        let preparation = try core.prepare(draft, in: room, by: user)
        guard case .new = preparation else { return preparation }
        let known =
            configuration.behaviour.idempotentSends
            ? late?.id(of: draft.clientID, in: room, by: user) : nil
        let id = if let known { known } else { try core.drawMessageID() }
        waiters[id, default: []].append(waiter)
        if known == nil {
            late?.hold(draft, as: id, in: room, by: user, at: time.now)
            setAlarm()
        }
        return .new
    }

    /// Commits sends whose time has come and tells who waits.
    func commitLate(_ sends: [LateCommits.Pending]) {
        for send in sends {
            let result: Result<ServerCore.Outcome, BackendFailure>
            do throws(BackendFailure) {
                result = .success(
                    try core.commit(
                        send.draft, as: send.id, in: send.room, by: send.author,
                        at: time.wallNow))
            } catch {
                result = .failure(error)
            }
            if case .success(let outcome) = result { publish(outcome.events) }
            for waiter in waiters.removeValue(forKey: send.id) ?? [] {
                tell(waiter, send, result)
            }
        }
    }

    private func tell(
        _ waiter: Waiter, _ send: LateCommits.Pending,
        _ result: Result<ServerCore.Outcome, BackendFailure>
    ) {
        switch waiter {
        case .session(let connection, let token):
            let outcome: ServerStompSession.SendOutcome =
                switch result {
                case .success: .stored
                case .failure(let failure):
                    .refused(send.room, send.draft.clientID, failure)
                }
            run(.performed(token, outcome), on: connection)
        case .exchange(let connection):
            let message = result.flatMap { outcome -> Result<Message, BackendFailure> in
                guard case .message(let message) = outcome.answer else {
                    return .failure(BackendFailure(.serverError, "no message was made"))
                }
                return .success(message)
            }
            complete(connection, with: message, to: .send(send.room, send.draft))
        }
    }
}
#endif
