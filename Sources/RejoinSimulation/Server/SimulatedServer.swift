internal import RejoinModel
internal import RejoinReadState
internal import RejoinSync
internal import RejoinTime

/// The backend of a run: rooms, read marks, tokens, and what is wrong with it just now.
struct SimulatedServer {
    let users: [UserID]
    var rooms: [ServerRoom]
    /// Read marks by room, then by person.
    var marks: [[ReadMark]]

    /// Raised when the server goes down: what it had not published yet is lost.
    var incarnation = 1
    var isUp = true
    /// The token that is valid, by device; older ones have expired.
    var tokens: [Int]
    /// Devices that are signed out for good.
    var revoked: [Bool]
    /// Who has no access to a room, by room, then by person.
    var forbidden: [[Bool]]
    /// Raised with each day that passes.
    var era = 1
    /// How many answers to changes and reports come only after everybody has given them up.
    var lateAnswers = 0
    /// When the last of them comes.
    var lastHeldAnswer = Instant.origin
    /// Pages come so much later than they were read.
    var pageDelay = Duration.zero
    /// Until when each device is asked to come back later.
    var busyUntil: [Instant]
    /// Of 100 requests, how many fail, beyond the run's usual share.
    var failing = 0
    /// How many requests of each device it has failed over, of the kinds that a guard counts.
    var failedSends: [Int]
    var failedFetches: [Int]
    /// How many acknowledgements of each kind are lost next.
    var lostAcknowledgements = [Int](repeating: 0, count: Request.Acknowledgement.allCases.count)
    /// Nothing in a room is published before these instants, so that a room's order is kept.
    var publishFloor: [Instant]

    init(_ options: SimulationOptions) {
        let people = (options.people.max() ?? 0) + 1
        users = (0..<people).map { UserID("u\($0)") }
        rooms = (0..<options.rooms).map {
            ServerRoom(
                id: RoomID("room\($0)"), capabilities: options.capabilities,
                statesTightBounds: options.statesTightBounds)
        }
        marks = rooms.map { _ in [ReadMark](repeating: .unread, count: people) }
        tokens = options.people.map { _ in 1 }
        revoked = options.people.map { _ in false }
        forbidden = rooms.map { _ in [Bool](repeating: false, count: people) }
        busyUntil = options.people.map { _ in .origin }
        failedSends = options.people.map { _ in 0 }
        failedFetches = options.people.map { _ in 0 }
        publishFloor = rooms.map { _ in .origin }
    }

    func summary(of room: Int, for person: Int) -> RoomSummary {
        let kept = rooms[room]
        let mark = marks[room][person]
        return RoomSummary(
            room: kept.id, name: kept.id.rawValue, lastMessage: kept.kept.last?.message,
            revision: kept.capabilities.hasRevisions ? kept.revision : nil, read: mark,
            unread: kept.unread(for: users[person], after: mark.position), unreadAsOf: kept.tip)
    }

    /// Counts what a rollout guard may count too.
    mutating func count(_ failure: BackendFailure, of request: Request) {
        guard failure.code == .serverError || failure.code == .malformedAnswer else { return }
        switch request.kind {
        case .perform(_, .send): failedSends[request.device] += 1
        case .fetch: failedFetches[request.device] += 1
        case .perform, .summary, .report: break
        }
    }

    // MARK: Read marks

    /// Advances fold by `max`; "mark unread" is a compare-and-set to the next version.
    mutating func setMark(_ mark: ReadMark, unread: Bool, in room: Int, of person: Int)
        throws(BackendFailure) -> (answer: ReadAnswer, hasChanged: Bool)
    {
        let stored = marks[room][person]
        var wanted = mark
        if let position = mark.position, let tip = rooms[room].tip, position > tip {
            wanted = ReadMark(version: mark.version, position: tip)
        }
        if unread {
            guard wanted == stored || wanted.version == stored.version + 1 else {
                throw BackendFailure(.conflict, "the read mark has version \(stored.version)")
            }
        } else {
            wanted = max(stored, wanted)
        }
        marks[room][person] = wanted
        let unreadCount = rooms[room].unread(for: users[person], after: wanted.position)
        return (
            ReadAnswer(mark: wanted, unread: unreadCount, unreadAsOf: rooms[room].tip),
            wanted != stored
        )
    }

    // MARK: Changes of sent messages

    /// Carries a change of a sent message out; `nil` for the event means that nothing changed.
    mutating func change(_ mutation: Mutation, in room: Int, by user: UserID, at now: Instant)
        throws(BackendFailure) -> (message: Message, event: RoomEvent?)
    {
        switch mutation {
        case .send:
            throw BackendFailure(.rejected, "a send changes no message")
        case .edit(let id, let content):
            let message = try own(id, in: room, by: user)
            guard !message.isDeleted else {
                throw BackendFailure(.conflict, "the message was deleted")
            }
            // A repeat, after an answer was lost, changes nothing.
            guard message.content != content else { return (message, nil) }
            return apply(to: message, in: room, at: now) { message in
                message.content = content
                message.editedAt = WallTime(milliseconds: now.nanoseconds / 1_000_000)
            }
        case .delete(let id):
            let message = try own(id, in: room, by: user)
            guard !message.isDeleted else { return (message, nil) }
            return apply(to: message, in: room, at: now) { $0.becomeTombstone() }
        case .react(let id, let emoji, let isPut):
            let message = try served(id, in: room)
            guard !message.isDeleted else {
                throw BackendFailure(.conflict, "the message was deleted")
            }
            let isThere = message.reactions.contains {
                $0.emoji == emoji && $0.users.contains(user)
            }
            guard isThere != isPut else { return (message, nil) }
            return apply(to: message, in: room, at: now) { $0.react(emoji, isPut, by: user) }
        }
    }

    private mutating func apply(
        to message: Message, in room: Int, at now: Instant, _ body: (inout Message) -> Void
    ) -> (message: Message, event: RoomEvent?) {
        let changed = rooms[room].change(message.id, at: now) { message in
            body(&message)
            return true
        }
        guard let changed else { return (message, nil) }
        return (
            changed,
            RoomEvent(room: rooms[room].id, kind: .changed(changed), revision: changed.revision)
        )
    }

    private func served(_ id: MessageID, in room: Int) throws(BackendFailure) -> Message {
        guard let entry = rooms[room].entry(id) else {
            throw BackendFailure(.notFound, "there is no such message in this room")
        }
        return entry.message
    }

    private func own(_ id: MessageID, in room: Int, by user: UserID) throws(BackendFailure)
        -> Message
    {
        let message = try served(id, in: room)
        guard message.author == user else {
            throw BackendFailure(.forbidden, "only its author may change a message")
        }
        return message
    }
}

extension Message {
    mutating func becomeTombstone() {
        content = []
        reactions = []
        isDeleted = true
    }

    mutating func react(_ emoji: String, _ isPut: Bool, by user: UserID) {
        let place = reactions.firstIndex { $0.emoji == emoji }
        switch (place, isPut) {
        case (let place?, true): reactions[place].users.append(user)
        case (nil, true): reactions.append(Reaction(emoji: emoji, users: [user]))
        case (let place?, false):
            reactions[place].users.removeAll { $0 == user }
            if reactions[place].users.isEmpty { reactions.remove(at: place) }
        case (nil, false): break
        }
    }
}
