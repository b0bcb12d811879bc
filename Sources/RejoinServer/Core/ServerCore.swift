#if os(Linux)
import RejoinModel
import RejoinTime

/// What the backend does with a call: who may make it, what it changes, what it answers and
/// whom it concerns. No socket, clock or wire format; its only world is the store.
struct ServerCore {
    let store: ChatStore
    let behaviour: ServerBehaviour
    let limits: ServerLimits

    /// What came of a call.
    struct Outcome {
        let answer: BackendAnswer
        /// What the room learns, in order; empty where nothing changed.
        var events: [RoomEvent] = []
    }

    /// A room and the caller's place in it.
    struct Access {
        let room: RoomRecord
        let user: UserID
        let mark: ReadMark
    }

    /// Performs a call. All that it changes is committed when this returns.
    func perform(_ call: BackendCall, by user: UserID, at now: WallTime)
        throws(BackendFailure) -> Outcome
    {
        switch call {
        case .capabilities:
            return Outcome(answer: .capabilities(capabilities))
        case .rooms:
            var summaries: [RoomSummary] = []
            let rooms = try stored { () throws(SQLiteError) in try store.rooms(of: user) }
            for (room, mark) in rooms {
                summaries.append(try summary(Access(room: room, user: user, mark: mark)))
            }
            return Outcome(answer: .rooms(summaries))
        case .room(let room):
            return Outcome(answer: .room(try summary(try access(room, by: user))))
        case .history(let room, let anchor, let limit):
            return Outcome(
                answer: .history(try history(anchor, limit, in: try access(room, by: user))))
        case .message(let room, let message):
            let found = try servedMessage(message, in: try access(room, by: user))
            return Outcome(answer: .message(shown(found)))
        case .changes(let room, let revision, let limit):
            return Outcome(
                answer: .changes(
                    try changes(after: revision, limit, in: try access(room, by: user))))
        case .send(let room, let draft):
            switch try prepare(draft, in: room, by: user) {
            case .repeated(let message): return Outcome(answer: .message(message))
            case .new: return try commit(draft, as: nil, in: room, by: user, at: now)
            }
        case .edit(let room, let message, let content):
            return try edit(message, to: content, in: try access(room, by: user), at: now)
        case .delete(let room, let message):
            return try delete(message, in: try access(room, by: user))
        case .react(let room, let message, let emoji, let isOn):
            return try react(message, emoji, isOn, in: try access(room, by: user))
        case .markRead(let room, let mark):
            return try markRead(mark, in: try access(room, by: user))
        case .markUnread(let room, let mark):
            return try markUnread(mark, in: try access(room, by: user))
        }
    }

    /// The room, if it exists and the person belongs to it.
    ///
    /// - Throws: `not_found` or `forbidden`.
    func access(_ room: RoomID, by user: UserID) throws(BackendFailure) -> Access {
        let found = try stored { () throws(SQLiteError) in
            try store.room(room, seenBy: user)
        }
        guard let found else {
            throw BackendFailure(.notFound, "there is no such room")
        }
        guard let mark = found.mark else {
            throw BackendFailure(.forbidden, "you are not a member of this room")
        }
        return Access(room: found.room, user: user, mark: mark)
    }

    /// What `GET /v1/capabilities` states.
    var capabilities: BackendCapabilities {
        BackendCapabilities(
            commitOrder: behaviour.settle.map { .settles(within: $0) } ?? .ordered,
            idempotentSendRetention: behaviour.idempotentSends ? .seconds(86_400) : nil,
            hasRevisions: behaviour.revisions,
            hasSubscribeReceipts: behaviour.subscribeReceipts,
            maximumPageSize: limits.pageMessages, maximumContentBytes: limits.contentBytes)
    }

    private func summary(_ access: Access) throws(BackendFailure) -> RoomSummary {
        try stored { () throws(SQLiteError) in
            let room = access.room
            let tip = MessageID(stored: room.tip)
            let last: Message? =
                if let tip { try store.message(tip, in: room) } else { nil }
            return RoomSummary(
                room: room.id, name: room.name, members: try store.members(of: room.key),
                lastMessage: last.map(shown), revision: revision(of: room), read: access.mark,
                unread: try store.unread(
                    for: access.user, after: access.mark.position, in: room),
                unreadAsOf: tip)
        }
    }

    /// The people of a room, whoever asks.
    func members(of room: RoomID) throws(BackendFailure) -> [UserID] {
        try stored { () throws(SQLiteError) in
            guard let record = try store.room(room, seenBy: UserID(""))?.room else { return [] }
            return try store.members(of: record.key).map(\.id)
        }
    }

    // MARK: Reading

    /// Folds an advance by max, as every device does (promise P4).
    private func markRead(_ mark: ReadMark, in access: Access) throws(BackendFailure)
        -> Outcome
    {
        try setMark(max(access.mark, try clamped(mark, in: access.room)), in: access)
    }

    /// Sets a mark back: only from the version before it, so that of two devices that mark
    /// unread at once the second learns of the first. A repeat of the same act succeeds.
    private func markUnread(_ mark: ReadMark, in access: Access) throws(BackendFailure)
        -> Outcome
    {
        let mark = try clamped(mark, in: access.room)
        guard mark == access.mark || mark.version == access.mark.version &+ 1 else {
            throw BackendFailure(
                .conflict,
                "the read mark has version \(access.mark.version), so a mark-unread must bring "
                    + "version \(access.mark.version &+ 1)")
        }
        return try setMark(mark, in: access)
    }

    private func setMark(_ mark: ReadMark, in access: Access) throws(BackendFailure) -> Outcome {
        try stored { () throws(SQLiteError) in
            var events: [RoomEvent] = []
            if mark != access.mark {
                try store.setMark(mark, of: access.user, in: access.room.key)
                events = [
                    RoomEvent(room: access.room.id, kind: .read(access.user, mark))
                ]
            }
            let answer = ReadAnswer(
                mark: mark,
                unread: try store.unread(
                    for: access.user, after: mark.position, in: access.room),
                unreadAsOf: MessageID(stored: access.room.tip))
            return Outcome(answer: .read(answer), events: events)
        }
    }

    /// The mark with its position no further than the room's last message.
    private func clamped(_ mark: ReadMark, in room: RoomRecord) throws(BackendFailure)
        -> ReadMark
    {
        guard mark.version < UInt64(Int64.max) else {
            throw BackendFailure(.rejected, "the version of the read mark is too large")
        }
        guard let position = mark.position, position.bound > room.tip else { return mark }
        return ReadMark(version: mark.version, position: MessageID(stored: room.tip))
    }

    // MARK: What clients see

    /// The room's revision, where this backend has revisions.
    func revision(of room: RoomRecord) -> Revision? {
        behaviour.revisions ? Revision(UInt64(clamping: room.revision)) : nil
    }

    /// A message as clients see it.
    func shown(_ message: Message) -> Message {
        guard !behaviour.revisions else { return message }
        var message = message
        message.revision = nil
        return message
    }

    /// Runs a piece of work on the store; its error becomes the caller's, without the values
    /// that it may be about.
    func stored<Result>(_ body: () throws(SQLiteError) -> Result) throws(BackendFailure)
        -> Result
    {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw BackendFailure(
                .serverError, "the server's database failed with code \(error.code); try later")
        }
    }
}
#endif
