public import RejoinModel
import RejoinTime

/// A room as a server keeps it, in the simplest way that is surely right: one sorted array. The
/// oracle of tests and the heart of fakes.
///
/// IDs are assigned in the order of commits, so nothing ever appears below the tip.
public struct NaiveRoom: Sendable {
    /// The room.
    public let room: RoomID
    /// Whether messages and pages carry revisions.
    public let hasRevisions: Bool
    /// Every message that was ever sent and not trimmed, ascending, tombstones included.
    public private(set) var messages: [Message] = []
    /// The people who wrote.
    public private(set) var members: [Member] = []
    /// How many changes there were.
    public private(set) var revision = Revision(0)
    /// The oldest message kept, once something was trimmed.
    public private(set) var horizon: MessageID?
    private var nextID: UInt128

    /// Creates an empty room.
    public init(room: RoomID = RoomID("room"), hasRevisions: Bool = true, firstID: UInt128 = 1_000)
    {
        self.room = room
        self.hasRevisions = hasRevisions
        nextID = firstID
    }

    /// The newest message.
    public var tip: MessageID? { messages.last?.id }

    /// Stores a message and returns the event that tells of it. `skipping` leaves that many IDs
    /// out, as Snowflakes do.
    public mutating func send(
        _ content: [ContentBlock], author: UserID, clientID: ClientMessageID? = nil,
        skipping: Int = 0
    ) -> RoomEvent {
        nextID += UInt128(max(skipping, 0))
        revision = revision.next
        let message = Message(
            id: MessageID(nextID), author: author, clientID: clientID,
            sentAt: WallTime(milliseconds: Int64(truncatingIfNeeded: nextID)), content: content,
            revision: hasRevisions ? revision : nil)
        nextID += 1
        messages.append(message)
        if !members.contains(where: { $0.id == author }) {
            members.append(Member(id: author, name: "Name of \(author)", version: 1))
        }
        return event(.created(message, author: members.first { $0.id == author }))
    }

    /// Gives a message new content; `nil` where it is unknown or deleted.
    public mutating func edit(_ id: MessageID, _ content: [ContentBlock]) -> RoomEvent? {
        change(id) { message, now in
            message.content = content
            message.editedAt = now
        }
    }

    /// Makes a message a tombstone; `nil` where it is unknown or deleted.
    public mutating func delete(_ id: MessageID) -> RoomEvent? {
        change(id) { message, _ in
            message.content = []
            message.reactions = []
            message.isDeleted = true
        }
    }

    /// Adds a reaction; `nil` where the message is unknown or deleted.
    public mutating func react(_ id: MessageID, emoji: String, user: UserID) -> RoomEvent? {
        change(id) { message, _ in
            guard let index = message.reactions.firstIndex(where: { $0.emoji == emoji }) else {
                message.reactions.append(Reaction(emoji: emoji, users: [user]))
                return
            }
            if !message.reactions[index].users.contains(user) {
                message.reactions[index].users.append(user)
            }
        }
    }

    /// Forgets everything before a message.
    public mutating func trim(below id: MessageID) {
        messages.removeAll { $0.id < id }
        horizon = id
    }

    /// A page of history, as a backend gives it.
    ///
    /// - Complexity: O(messages).
    public func page(_ anchor: HistoryAnchor, limit: Int) -> HistoryPage {
        let range: Range<Int>
        var from: MessageID?
        var through: MessageID?
        switch anchor {
        case .newest:
            range = max(0, messages.count - limit)..<messages.count
        case .after(let bound):
            let start = bound.map { place(after: $0) } ?? 0
            range = start..<min(messages.count, start + limit)
            from = bound
            through = bound
        case .before(let bound):
            let end = place(notBefore: bound)
            range = max(0, end - limit)..<end
        case .around(let id):
            let middle = place(notBefore: id)
            let start = max(0, middle - limit / 2)
            range = start..<min(messages.count, start + limit)
        }
        if from == nil, range.lowerBound > 0 { from = messages[range.lowerBound - 1].id }
        if let last = messages[range].last { through = last.id } else { through = through ?? from }
        let shown = Array(messages[range])
        return HistoryPage(
            messages: shown, members: authors(of: shown), from: from, through: through,
            hasBefore: range.lowerBound > 0, hasAfter: range.upperBound < messages.count, tip: tip,
            horizon: horizon, revision: hasRevisions ? revision : nil)
    }

    /// A page of the change feed: the latest state of each message that changed after a revision.
    ///
    /// - Complexity: O(n log n) in the number of messages.
    public func changes(after bound: Revision, limit: Int) -> ChangePage {
        let changed = messages.filter { $0.revision.map { $0 > bound } ?? false }
            .sorted { ($0.revision ?? revision) < ($1.revision ?? revision) }
        let shown = Array(changed.prefix(limit))
        let hasMore = shown.count < changed.count
        return ChangePage(
            messages: shown, members: authors(of: shown),
            revision: hasMore ? shown.last?.revision ?? bound : revision, hasMore: hasMore, tip: tip
        )
    }

    private mutating func change(
        _ id: MessageID, _ body: (inout Message, WallTime) -> Void
    ) -> RoomEvent? {
        let index = place(notBefore: id)
        guard index < messages.count, messages[index].id == id, !messages[index].isDeleted else {
            return nil
        }
        revision = revision.next
        body(&messages[index], WallTime(milliseconds: Int64(revision.rawValue)))
        if hasRevisions { messages[index].revision = revision }
        return event(.changed(messages[index]))
    }

    private func event(_ kind: RoomEvent.Kind) -> RoomEvent {
        RoomEvent(room: room, kind: kind, revision: hasRevisions ? revision : nil)
    }

    private func authors(of messages: [Message]) -> [Member] {
        let authors = Set(messages.lazy.map(\.author))
        return members.filter { authors.contains($0.id) }
    }

    private func place(notBefore id: MessageID) -> Int {
        messages.firstIndex { $0.id >= id } ?? messages.count
    }

    private func place(after id: MessageID) -> Int {
        messages.firstIndex { $0.id > id } ?? messages.count
    }
}
