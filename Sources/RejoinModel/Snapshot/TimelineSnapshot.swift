/// A bounded window of a timeline, ready to be shown. Equal in O(1), by version, window and
/// overlay.
public struct TimelineSnapshot: Hashable, Sendable {
    /// One thing in the window.
    public enum Item: Hashable, Sendable {
        /// A message, or the tombstone of one.
        case message(Message)
        /// History that is not held, at its place.
        case gap(Gap)
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
        items.compactMap { if case .message(let message) = $0 { message } else { nil } }
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
        let messages = messages(in: window)
        let first = messages.first?.id
        let reachesNewest = messages.last.map { $0.id == store.last } ?? true
        var items: [TimelineSnapshot.Item] = []
        items.reserveCapacity(messages.count + 2)
        var people: [UserID: Member] = [:]
        var gaps = gaps[...]
        if let first {
            // Gaps whose row stands before an older message are out of the window, unless the
            // window begins among messages that are held inside the gap: then the row leads it,
            // so that no hole between them is silent.
            let previous = store.ids(before: first, limit: 1).first
            gaps = gaps.drop { gap in
                let reachesIn = gap.before.map { first < $0 } ?? true
                return precedes(gap.from, previous) && !reachesIn
            }
        }
        for message in messages {
            while let gap = gaps.first, precedes(gap.from, message.id) {
                items.append(.gap(gap))
                gaps.removeFirst()
            }
            items.append(.message(message))
            collectMembers(of: message, into: &people)
        }
        if reachesNewest { items += gaps.map { .gap($0) } }
        return TimelineSnapshot(
            room: room, version: version, window: window, items: items, members: people,
            hasOlder: precedes(store.first, first), hasNewer: !reachesNewest)
    }

    /// The messages of a window, ascending.
    private func messages(in window: TimelineWindow) -> [Message] {
        switch window.anchor {
        case .newest:
            store.collect(before: nil, limit: window.older) { $0.message }
        case .message(let id):
            store.collect(before: id, limit: window.older) { $0.message }
                + store.collect(after: id.predecessor, through: nil, limit: window.newer) {
                    $0.message
                }
        }
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

    private func collectMembers(of message: Message, into people: inout [UserID: Member]) {
        func need(_ id: UserID) {
            guard people[id] == nil, let member = members[id] else { return }
            people[id] = member
        }
        need(message.author)
        for case .quote(let quote) in message.content { need(quote.author) }
        for reaction in message.reactions { reaction.users.forEach(need) }
    }
}
