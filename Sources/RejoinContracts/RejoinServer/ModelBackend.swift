public import RejoinModel
import RejoinSync
import RejoinTime
import Synchronization

/// A backend in memory, written as naively as possible: what it does is the truth that others are
/// measured against. It takes messages of one text block.
///
/// For tests of clients and of what checks backends; it keeps every promise that it declares.
public actor ModelBackend {
    private struct Listener {
        let id: Int
        let deliver: @Sendable (RoomEvent) -> Void
    }

    private struct Room {
        var model: ModelRoom
        let members: [UserID]
        var marks: [UserID: ReadMark] = [:]
        var listeners: [Listener] = []
        /// Sends that have an ID and are not committed yet, by their order.
        var pending: [Reserved] = []
    }

    /// A message that has its ID and becomes visible when its commit is due.
    private struct Reserved {
        let key: SendKey
        let id: MessageID
        let due: Instant
    }

    private struct SendKey: Hashable {
        let user: UserID
        let clientID: ClientMessageID
    }

    /// What it keeps.
    public nonisolated let capabilities: BackendCapabilities
    private var rooms: [RoomID: Room] = [:]
    private var issued = 0
    private var sends = 0
    private let time = SystemTime()

    /// Creates a backend without rooms.
    ///
    /// - Parameter capabilities: what it declares and keeps. With a settling time, every third
    ///   message becomes visible some milliseconds after its ID was drawn.
    public init(capabilities: BackendCapabilities = BackendCapabilities()) {
        self.capabilities = capabilities
    }

    /// Creates an empty room of these people.
    public func createRoom(_ id: RoomID, users: [UserID]) {
        rooms[id] = Room(
            model: ModelRoom(id: id, capabilities: capabilities), members: users)
    }

    /// Forgets all messages of a room but the newest `count`.
    public func trim(_ id: RoomID, keeping count: Int) {
        rooms[id]?.model.trim(keeping: count)
    }

    /// A person's way to it.
    public nonisolated func account(_ user: UserID) -> ModelAccount {
        ModelAccount(user: user, backend: self)
    }

    // MARK: Events

    func listen(
        to id: RoomID, as user: UserID, _ deliver: @escaping @Sendable (RoomEvent) -> Void
    ) throws(BackendFailure) -> Int {
        _ = try room(id, user)
        issued += 1
        rooms[id]?.listeners.append(Listener(id: issued, deliver: deliver))
        return issued
    }

    func unlisten(_ listeners: Set<Int>) {
        for id in rooms.keys { rooms[id]?.listeners.removeAll { listeners.contains($0.id) } }
    }

    private func publish(_ event: RoomEvent?) {
        guard let event else { return }
        for listener in rooms[event.room]?.listeners ?? [] { listener.deliver(event) }
    }

    // MARK: Calls

    /// Performs a call as a person.
    ///
    /// - Throws: ``BackendFailure`` as the reference backend answers.
    public func perform(
        _ call: BackendCall, as user: UserID
    ) async throws(BackendFailure) -> BackendAnswer {
        commitDue()
        switch call {
        case .capabilities:
            return .capabilities(capabilities)
        case .rooms:
            let own = rooms.filter { $0.value.members.contains(user) }.keys.sorted()
            var summaries: [RoomSummary] = []
            for id in own { summaries.append(try summary(id, user)) }
            return .rooms(summaries)
        case .room(let id):
            return .room(try summary(id, user))
        case .history(let id, let anchor, let limit):
            let answer = try room(id, user).model.answer(.page(anchor, limit: limit))
            guard case .page(let page) = answer else { break }
            return .history(page)
        case .changes(let id, let after, let limit):
            let answer = try room(id, user).model.answer(.changes(after: after, limit: limit))
            guard case .changes(let page) = answer else { break }
            return .changes(page)
        case .message(let id, let message):
            return .message(try held(message, id, user))
        case .send(let id, let draft):
            return .message(try await send(draft, id, user))
        case .edit, .delete, .react:
            return .message(try change(call, user))
        case .markRead(let id, let mark):
            return .read(try advance(mark, id, user))
        case .markUnread(let id, let mark):
            return .read(try setUnread(mark, id, user))
        }
        throw BackendFailure(.serverError, "the model answered another question")
    }

    private func room(_ id: RoomID, _ user: UserID) throws(BackendFailure) -> Room {
        guard let room = rooms[id] else { throw BackendFailure(.notFound, "there is no such room") }
        guard room.members.contains(user) else {
            throw BackendFailure(.forbidden, "you are not a member of this room")
        }
        return room
    }

    private func summary(_ id: RoomID, _ user: UserID) throws(BackendFailure) -> RoomSummary {
        let room = try room(id, user)
        let mark = room.marks[user] ?? .unread
        return RoomSummary(
            room: id, name: id.rawValue,
            members: room.members.map { Member(id: $0, name: $0.rawValue) },
            lastMessage: room.model.messages.last,
            revision: capabilities.hasRevisions ? room.model.revision : nil, read: mark,
            unread: unread(room, user, mark), unreadAsOf: room.model.messages.last?.id)
    }

    private func unread(_ room: Room, _ user: UserID, _ mark: ReadMark) -> Int {
        room.model.messages.count { message in
            message.author != user && !message.isDeleted
                && mark.position.map { $0 < message.id } ?? true
        }
    }

    // MARK: Messages

    private func send(
        _ draft: MessageDraft, _ id: RoomID, _ user: UserID
    ) async throws(BackendFailure) -> Message {
        let text = try text(of: draft.content)
        let key = SendKey(user: user, clientID: draft.clientID)
        if capabilities.idempotentSendRetention != nil {
            while let pending = try room(id, user).pending.first(where: { $0.key == key }) {
                try await wait(until: pending)
            }
            if let known = try room(id, user).model.messages.first(where: {
                $0.author == user && $0.clientID == draft.clientID
            }) {
                return known
            }
        }
        _ = try room(id, user)
        sends += 1
        guard case .settles(let settle) = capabilities.commitOrder, sends.isMultiple(of: 3) else {
            publish(rooms[id]?.model.create(author: user, text: text, clientID: draft.clientID))
            return try lastOwn(id, user)
        }
        guard
            let late = rooms[id]?.model.reserve(
                author: user, text: text, clientID: draft.clientID)
        else { throw BackendFailure(.notFound, "there is no such room") }
        let reserved = Reserved(
            key: key, id: late, due: time.now + min(settle / 2, .milliseconds(5)))
        rooms[id]?.pending.append(reserved)
        try await wait(until: reserved)
        return try held(late, id, user)
    }

    private func wait(until reserved: Reserved) async throws(BackendFailure) {
        do {
            try await time.sleep(until: reserved.due)
        } catch {
            throw BackendFailure(.cancelled, "the send of \(reserved.id) was cancelled")
        }
        commitDue()
    }

    /// Commits what is due. Each call begins with it: on a busy machine the sender itself may be
    /// woken long after its instant, and what was declared must hold all the same.
    private func commitDue() {
        let now = time.now
        for (id, room) in rooms {
            let due = room.pending.filter { $0.due <= now }
            guard !due.isEmpty else { continue }
            rooms[id]?.pending.removeAll { $0.due <= now }
            for reserved in due { publish(rooms[id]?.model.commitReserved(reserved.id)) }
        }
    }

    private func lastOwn(_ id: RoomID, _ user: UserID) throws(BackendFailure) -> Message {
        guard let message = try room(id, user).model.messages.last else {
            throw BackendFailure(.serverError, "nothing was stored")
        }
        return message
    }

    private func change(_ call: BackendCall, _ user: UserID) throws(BackendFailure) -> Message {
        switch call {
        case .edit(let id, let message, let content):
            let old = try own(message, id, user)
            let text = try text(of: content)
            guard !old.isDeleted else { throw BackendFailure(.conflict, "it was deleted") }
            if old.content != content { publish(rooms[id]?.model.edit(message, text: text)) }
            return try held(message, id, user)
        case .delete(let id, let message):
            if !(try own(message, id, user).isDeleted) {
                publish(rooms[id]?.model.delete(message))
            }
            return try held(message, id, user)
        case .react(let id, let message, let emoji, let isOn):
            let old = try held(message, id, user)
            let isPut = old.reactions.contains { $0.emoji == emoji && $0.users.contains(user) }
            guard isPut != isOn else { return old }
            publish(
                isOn
                    ? rooms[id]?.model.react(message, emoji: emoji, by: user)
                    : rooms[id]?.model.takeBack(message, emoji: emoji, by: user))
            return try held(message, id, user)
        case .capabilities, .rooms, .room, .history, .message, .changes, .send, .markRead,
            .markUnread:
            throw BackendFailure(.rejected, "this call changes no message")
        }
    }

    private func held(
        _ message: MessageID, _ id: RoomID, _ user: UserID
    ) throws(BackendFailure) -> Message {
        guard let found = try room(id, user).model.messages.first(where: { $0.id == message })
        else { throw BackendFailure(.notFound, "there is no message \(message)") }
        return found
    }

    private func own(
        _ message: MessageID, _ id: RoomID, _ user: UserID
    ) throws(BackendFailure) -> Message {
        let found = try held(message, id, user)
        guard found.author == user else {
            throw BackendFailure(.forbidden, "message \(message) is somebody else's")
        }
        return found
    }

    private func text(of content: [ContentBlock]) throws(BackendFailure) -> String {
        guard case .text(let text)? = content.first, content.count == 1 else {
            throw BackendFailure(.rejected, "the model takes one text block")
        }
        guard text.utf8.count <= capabilities.maximumContentBytes else {
            throw BackendFailure(.tooLarge, "the text has \(text.utf8.count) bytes")
        }
        return text
    }

    // MARK: Read marks

    private func clamped(_ mark: ReadMark, _ room: Room) -> ReadMark {
        let last = room.model.messages.last?.id
        return ReadMark(
            version: mark.version,
            position: mark.position.flatMap { position in last.map { min(position, $0) } })
    }

    private func advance(
        _ mark: ReadMark, _ id: RoomID, _ user: UserID
    ) throws(BackendFailure) -> ReadAnswer {
        let room = try room(id, user)
        return store(max(room.marks[user] ?? .unread, clamped(mark, room)), id, user, room)
    }

    private func setUnread(
        _ mark: ReadMark, _ id: RoomID, _ user: UserID
    ) throws(BackendFailure) -> ReadAnswer {
        let room = try room(id, user)
        let old = room.marks[user] ?? .unread
        let new = clamped(mark, room)
        guard new == old || new.version == old.version + 1 else {
            throw BackendFailure(.conflict, "the mark has version \(old.version)")
        }
        return store(new, id, user, room)
    }

    private func store(
        _ mark: ReadMark, _ id: RoomID, _ user: UserID, _ room: Room
    ) -> ReadAnswer {
        if mark != room.marks[user] {
            rooms[id]?.marks[user] = mark
            publish(RoomEvent(room: id, kind: .read(user, mark)))
        }
        return ReadAnswer(
            mark: mark, unread: unread(room, user, mark),
            unreadAsOf: room.model.messages.last?.id)
    }
}

/// A person's way to a ``ModelBackend``.
public struct ModelAccount: BackendAccount {
    public let user: UserID
    let backend: ModelBackend

    public var canConnect: Bool { true }

    public func perform(_ call: BackendCall) async throws(BackendFailure) -> BackendAnswer {
        try await backend.perform(call, as: user)
    }

    public func withConnection(
        _ body: @escaping @Sendable (any BackendConnection) async throws -> Void
    ) async throws {
        let connection = ModelConnection(account: self)
        let ending: Result<Void, any Error>
        do {
            ending = .success(try await body(connection))
        } catch {
            ending = .failure(error)
        }
        await backend.unlisten(connection.listeners)
        try ending.get()
    }
}

private final class ModelConnection: BackendConnection {
    private let account: ModelAccount
    private let held = Mutex<Set<Int>>([])

    init(account: ModelAccount) {
        self.account = account
    }

    var listeners: Set<Int> { held.withLock { $0 } }

    func subscribe(
        to room: RoomID, _ deliver: @escaping @Sendable (RoomEvent) -> Void
    ) async throws -> Bool {
        let id = try await account.backend.listen(to: room, as: account.user, deliver)
        held.withLock { _ = $0.insert(id) }
        return account.backend.capabilities.hasSubscribeReceipts
    }

    func send(_ command: RoomCommand) async throws -> Bool {
        guard let call = command.call else { return false }
        _ = try await account.perform(call)
        return true
    }
}
