/// A bounded window of a timeline, ready to be shown. Equal in O(1), by version, window and
/// overlay.
public struct TimelineSnapshot: Hashable, Sendable {
    /// One thing in the window.
    public enum Item: Hashable, Sendable {
        /// A message, or the tombstone of one.
        case message(Message)
        /// History that is not held, at its place.
        case gap(Gap)

        /// The message's ID; `nil`: a gap. Inlined, so that who asks for it copies no message.
        @inlinable
        package var messageID: MessageID? {
            switch self {
            case .message(let message): message.id
            case .gap: nil
            }
        }
    }

    /// The room.
    public let room: RoomID
    /// The state of the timeline that this shows.
    public let version: SnapshotVersion
    /// The part of the timeline that this shows.
    public let window: TimelineWindow
    /// What is in the window, ascending.
    public let items: [Item]
    /// The people that the messages name: authors, quoted authors, and who reacted.
    public let members: [UserID: Member]
    /// Whether older messages are held than the window shows.
    public let hasOlder: Bool
    /// Whether newer messages are held than the window shows.
    public let hasNewer: Bool
    /// Numbers what is shown over the timeline and is not in it, such as edits of this person that
    /// the server does not have yet; 0: nothing.
    public let overlay: UInt64

    /// Creates a snapshot, for pipelines that keep no ``Timeline``.
    public init(
        room: RoomID, version: SnapshotVersion, window: TimelineWindow, items: [Item],
        members: [UserID: Member], hasOlder: Bool, hasNewer: Bool, overlay: UInt64 = 0
    ) {
        self.room = room
        self.version = version
        self.window = window
        self.items = items
        self.members = members
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
        self.overlay = overlay
    }

    /// Creates an empty snapshot.
    public init(room: RoomID) {
        self.init(
            room: room, version: SnapshotVersion(), window: .newest(), items: [], members: [:],
            hasOlder: false, hasNewer: false)
    }

    /// The messages in the window, ascending.
    ///
    /// - Complexity: O(items).
    public var messages: [Message] {
        var messages: [Message] = []
        messages.reserveCapacity(items.count)
        for case .message(let message) in items { messages.append(message) }
        return messages
    }

    /// The gaps in the window, ascending.
    ///
    /// - Complexity: O(items).
    public var gaps: [Gap] {
        items.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
    }

    public static func == (lhs: TimelineSnapshot, rhs: TimelineSnapshot) -> Bool {
        lhs.version == rhs.version && lhs.window == rhs.window && lhs.overlay == rhs.overlay
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(window)
        hasher.combine(overlay)
    }
}

extension Timeline {
    /// What a window shows now.
    ///
    /// - Complexity: O(window + intervals · log n), whatever the size of the room.
    public func snapshot(_ window: TimelineWindow = .newest()) -> TimelineSnapshot {
        var gaps = gaps[...]
        var items: [TimelineSnapshot.Item] = []
        items.reserveCapacity(min(window.older + window.newer, store.count) + gaps.count)
        var named = NamedPeople(known: people)
        var first: MessageID?
        var last: MessageID?
        forEachMessage(in: window) { message in
            if first == nil {
                first = message.id
                gaps = gaps.drop { isOutOfWindow($0, beginningWith: message.id) }
            }
            last = message.id
            while let gap = gaps.first, precedes(gap.from, message.id) {
                items.append(.gap(gap))
                gaps.removeFirst()
            }
            items.append(.message(message))
            named.add(message)
        }
        let reachesNewest = last.map { $0 == store.last } ?? true
        if reachesNewest { items += gaps.map { .gap($0) } }
        return TimelineSnapshot(
            room: room, version: version, window: window, items: items, members: named.members,
            hasOlder: precedes(store.first, first), hasNewer: !reachesNewest)
    }

    /// Gaps whose row stands before an older message are out of the window, unless the window
    /// begins among messages that are held inside the gap: then the row leads it, so that no hole
    /// between them is silent.
    private func isOutOfWindow(_ gap: Gap, beginningWith first: MessageID) -> Bool {
        let reachesIn = gap.before.map { first < $0 } ?? true
        return !reachesIn && precedes(gap.from, store.ids(before: first, limit: 1).first)
    }

    /// Walks through the messages of a window, ascending.
    private func forEachMessage(in window: TimelineWindow, _ body: (Message) -> Void) {
        switch window.anchor {
        case .newest:
            store.forEach(before: nil, limit: window.older) { body($0.message) }
        case .message(let id):
            store.forEach(before: id, limit: window.older) { body($0.message) }
            store.forEach(after: id.predecessor, limit: window.newer) { body($0.message) }
        }
    }

    /// What a window spans: its first and its last message, and the message before the first.
    ///
    /// - Complexity: O(window / 64 + log n).
    package func bounds(
        of window: TimelineWindow
    ) -> (previous: MessageID?, first: MessageID, last: MessageID)? {
        let first: MessageID?
        let last: MessageID?
        switch window.anchor {
        case .newest:
            first = store.first(ofLast: window.older, before: nil)
            last = store.last
        case .message(let id):
            let after = store.ids(after: id.predecessor, through: nil, limit: window.newer)
            first = store.first(ofLast: window.older, before: id) ?? after.first
            last = after.last ?? store.first(ofLast: 1, before: id)
        }
        guard let first, let last else { return nil }
        return (store.first(ofLast: 1, before: first), first, last)
    }

    /// Their IDs.
    func ids(in window: TimelineWindow) -> [MessageID] {
        switch window.anchor {
        case .newest:
            store.ids(before: nil, limit: window.older)
        case .message(let id):
            store.ids(before: id, limit: window.older)
                + store.ids(after: id.predecessor, through: nil, limit: window.newer)
        }
    }
}

/// Gathers the people whom messages name.
///
/// Few people write most of a window, and in most rooms everybody who is known writes in it: then
/// the snapshot shares the timeline's own table.
private struct NamedPeople {
    /// The people of the room.
    private let known: [UserID: Member]
    /// Who was named, as far as they are few; looked through before anything is hashed.
    private var few: [UserID] = []
    private var found: [UserID: Member] = [:]
    /// Of the few, those who are known; ``found`` holds them once there are more.
    private var fewFound: [Member] = []

    private static let fewLimit = 8

    init(known: [UserID: Member]) {
        self.known = known
    }

    /// Those who were named and are known.
    var members: [UserID: Member] {
        if isComplete { return known }
        guard found.isEmpty else { return found }
        return Dictionary(uniqueKeysWithValues: fewFound.lazy.map { ($0.id, $0) })
    }

    private var isComplete: Bool { max(found.count, fewFound.count) == known.count }

    mutating func add(_ message: Message) {
        guard !isComplete else { return }
        add(message.author)
        for case .quote(let quote) in message.content { add(quote.author) }
        for reaction in message.reactions {
            for user in reaction.users { add(user) }
        }
    }

    private mutating func add(_ id: UserID) {
        guard !few.contains(id) else { return }
        if few.count < Self.fewLimit {
            few.append(id)
            if let member = known[id] { fewFound.append(member) }
            return
        }
        if found.isEmpty {
            found = Dictionary(uniqueKeysWithValues: fewFound.lazy.map { ($0.id, $0) })
        }
        guard found[id] == nil, let member = known[id] else { return }
        found[id] = member
    }
}
