public import RejoinModel
public import RejoinSync
internal import RejoinTime

/// A room of a backend, written as naively as possible: arrays, linear searches, no caches. What
/// it answers is the truth that pipelines and history sources are measured against.
public struct ModelRoom: Sendable {
    /// When one message was created and changed.
    public struct Life: Sendable, Hashable {
        /// The message.
        public let id: MessageID
        /// The counts of changes at which it was created and changed, ascending.
        public fileprivate(set) var revisions: [Revision]
    }

    /// The room's name.
    public let id: RoomID
    /// What the room keeps.
    public let capabilities: BackendCapabilities
    /// Whether pages state the tightest bounds (just beside their own messages) or the
    /// neighbours' IDs. Both are true; a client must not depend on either.
    public let statesTightBounds: Bool

    /// The messages that can be fetched, ascending.
    public private(set) var messages: [Message] = []
    /// The oldest retained message, once anything was trimmed.
    public private(set) var horizon: MessageID?
    /// Messages that have an ID but cannot be seen yet: late commits.
    public private(set) var reserved: [Message] = []
    /// How many changes there were; the room's revision, where the backend states one.
    public private(set) var revision = Revision(0)
    private var feedFloor = Revision(0)
    private var lastID: UInt128 = 100

    /// Creates an empty room.
    public init(
        id: RoomID, capabilities: BackendCapabilities = BackendCapabilities(),
        statesTightBounds: Bool = false
    ) {
        self.id = id
        self.capabilities = capabilities
        self.statesTightBounds = statesTightBounds
    }

    /// The IDs of all messages that could ever be fetched, ascending, each with the counts at which
    /// it was created and changed.
    public private(set) var changes: [Life] = []
}

// MARK: - What happens

extension ModelRoom {
    /// A new message, seen at once.
    public mutating func create(
        author: UserID, text: String, clientID: ClientMessageID? = nil
    ) -> RoomEvent {
        publish(draw(author: author, text: text, clientID: clientID))
    }

    /// A new message that draws its ID now and is seen when ``commitReserved(_:)`` says so.
    public mutating func reserve(
        author: UserID, text: String, clientID: ClientMessageID? = nil
    ) -> MessageID {
        let message = draw(author: author, text: text, clientID: clientID)
        reserved.append(message)
        return message.id
    }

    /// Makes a reserved message visible; `nil` where there is none of that ID.
    public mutating func commitReserved(_ id: MessageID) -> RoomEvent? {
        guard let index = reserved.firstIndex(where: { $0.id == id }) else { return nil }
        return publish(reserved.remove(at: index))
    }

    /// New content; `nil` where the message is not there or was deleted.
    public mutating func edit(_ id: MessageID, text: String) -> RoomEvent? {
        change(id) { message in
            message.content = [.text(text)]
            message.editedAt = message.sentAt
        }
    }

    /// A tombstone; `nil` where the message is not there or was deleted.
    public mutating func delete(_ id: MessageID) -> RoomEvent? {
        change(id) { message in
            message.content = []
            message.reactions = []
            message.isDeleted = true
        }
    }

    /// One more reaction; `nil` where the message is not there or was deleted.
    public mutating func react(_ id: MessageID, emoji: String, by user: UserID) -> RoomEvent? {
        change(id) { message in
            if let index = message.reactions.firstIndex(where: { $0.emoji == emoji }) {
                guard !message.reactions[index].users.contains(user) else { return }
                message.reactions[index].users.append(user)
            } else {
                message.reactions.append(Reaction(emoji: emoji, users: [user]))
            }
        }
    }

    /// One reaction less; `nil` where the message is not there or was deleted.
    public mutating func takeBack(_ id: MessageID, emoji: String, by user: UserID) -> RoomEvent? {
        change(id) { message in
            for index in message.reactions.indices where message.reactions[index].emoji == emoji {
                message.reactions[index].users.removeAll { $0 == user }
            }
            message.reactions.removeAll { $0.users.isEmpty }
        }
    }

    /// Forgets all messages but the newest `count`, and the part of the change feed that would have
    /// told of them: a feed after such a revision could not be complete.
    public mutating func trim(keeping count: Int) {
        guard messages.count > count, count > 0 else { return }
        let forgotten = messages.prefix(messages.count - count)
        feedFloor = max(feedFloor, forgotten.compactMap(\.revision).max() ?? feedFloor)
        messages.removeFirst(forgotten.count)
        horizon = messages.first?.id
        reserved.removeAll { message in horizon.map { message.id < $0 } ?? false }
    }

    /// Forgets the change feed: every revision asked for so far is gone.
    public mutating func trimFeed() {
        feedFloor = revision
    }

    private mutating func draw(
        author: UserID, text: String, clientID: ClientMessageID?
    ) -> Message {
        lastID += 10
        return Message(
            id: MessageID(lastID), author: author, clientID: clientID,
            sentAt: WallTime(milliseconds: Int64(lastID)), content: [.text(text)])
    }

    private mutating func publish(_ message: Message) -> RoomEvent {
        var message = message
        revision = revision.next
        message.revision = capabilities.hasRevisions ? revision : nil
        messages.insert(
            message, at: messages.firstIndex { $0.id > message.id } ?? messages.endIndex)
        changes.insert(
            Life(id: message.id, revisions: [revision]), at: index(after: message.id))
        return RoomEvent(
            room: id, kind: .created(message, author: Member(id: message.author, name: "N")),
            revision: message.revision)
    }

    private mutating func change(
        _ id: MessageID, _ body: (inout Message) -> Void
    ) -> RoomEvent? {
        guard let index = messages.firstIndex(where: { $0.id == id }), !messages[index].isDeleted
        else { return nil }
        revision = revision.next
        body(&messages[index])
        messages[index].revision = capabilities.hasRevisions ? revision : nil
        changes[self.index(after: id) - 1].revisions.append(revision)
        return RoomEvent(
            room: self.id, kind: .changed(messages[index]), revision: messages[index].revision)
    }
}

extension ModelRoom {
    /// The lives of all messages between two, ascending.
    public func lives(after left: MessageID, before right: MessageID) -> ArraySlice<Life> {
        changes[index(after: left)...].prefix { $0.id < right }
    }

    private func index(after id: MessageID) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: - What is answered

extension ModelRoom {
    /// Answers as a correct server would.
    ///
    /// - Throws: ``BackendFailure`` of code `gone` where the asked revision was trimmed, `rejected`
    ///   for the change feed of a backend without revisions.
    public func answer(_ request: HistoryRequest) throws(BackendFailure) -> HistoryAnswer {
        switch request {
        case .page(let anchor, let limit):
            return .page(page(anchor, limit: min(limit, capabilities.maximumPageSize)))
        case .changes(let after, let limit):
            return .changes(
                try changes(after: after, limit: min(limit, capabilities.maximumPageSize)))
        case .summary:
            return .summary(
                RoomSummary(
                    room: id, name: id.rawValue, lastMessage: messages.last,
                    revision: capabilities.hasRevisions ? revision : nil))
        }
    }

    private func page(_ anchor: HistoryAnchor, limit: Int) -> HistoryPage {
        let count = messages.count
        switch anchor {
        case .newest:
            return slice(max(0, count - limit)..<count, anchor)
        case .after(let bound):
            let start = messages.firstIndex { bound == nil || $0.id > bound ?? $0.id } ?? count
            return slice(start..<min(start + limit, count), anchor)
        case .before(let bound):
            let end = messages.firstIndex { $0.id >= bound } ?? count
            return slice(max(0, end - limit)..<end, anchor)
        case .around(let center):
            let middle = messages.firstIndex { $0.id >= center } ?? count
            let start = max(0, middle - limit / 2)
            return slice(start..<min(start + limit, count), anchor)
        }
    }

    private func slice(_ range: Range<Int>, _ anchor: HistoryAnchor) -> HistoryPage {
        let chosen = Array(messages[range])
        let previous = range.lowerBound > 0 ? messages[range.lowerBound - 1].id : nil
        var from: MessageID? = previous
        var through: MessageID? = chosen.last?.id ?? previous
        if statesTightBounds, previous != nil, let first = chosen.first {
            from = MessageID(first.id.rawValue - 1)
        }
        switch anchor {
        case .after(let bound):
            from = bound
            if chosen.isEmpty { through = bound }
        case .before(let bound):
            if statesTightBounds { through = MessageID(bound.rawValue - 1) }
        case .newest, .around:
            break
        }
        if let oldest = horizon, from.map({ $0 < oldest }) ?? true {
            from = MessageID(oldest.rawValue - 1)
        }
        return HistoryPage(
            messages: chosen, members: members(of: chosen), from: from, through: through,
            hasBefore: range.lowerBound > 0, hasAfter: range.upperBound < messages.count,
            tip: messages.last?.id, horizon: horizon,
            revision: capabilities.hasRevisions ? revision : nil)
    }

    private func changes(
        after: Revision, limit: Int
    ) throws(BackendFailure) -> ChangePage {
        guard capabilities.hasRevisions else {
            throw BackendFailure(.rejected, "this backend has no change feed")
        }
        guard after >= feedFloor, after <= revision else {
            throw BackendFailure(
                .gone, "the feed reaches from \(feedFloor) to \(revision); fetch pages")
        }
        let changed = messages.filter { $0.revision.map { $0 > after } ?? false }
            .sorted { ($0.revision ?? after) < ($1.revision ?? after) }
        let page = Array(changed.prefix(limit))
        let hasMore = page.count < changed.count
        return ChangePage(
            messages: page, members: members(of: page),
            revision: hasMore ? page.last?.revision ?? after : revision, hasMore: hasMore,
            tip: messages.last?.id)
    }

    private func members(of messages: [Message]) -> [Member] {
        var seen: [Member] = []
        for message in messages where !seen.contains(where: { $0.id == message.author }) {
            seen.append(Member(id: message.author, name: "N"))
        }
        return seen
    }
}
