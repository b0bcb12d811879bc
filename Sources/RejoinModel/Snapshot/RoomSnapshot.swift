/// One row of a room: what a list shows, with an identity that lasts.
public struct RoomRow: Hashable, Sendable, Identifiable {
    /// Stable from local echo to sent message.
    public let id: RowID
    /// What it shows.
    public let content: Content
    /// Own changes of this message that did not reach the server.
    public let failedChanges: [FailedChange]

    /// What a row can show.
    @nonexhaustive
    public enum Content: Hashable, Sendable {
        /// A message of the server, or its tombstone.
        case message(Message)
        /// History that is not held.
        case gap(Gap)
        /// A message that is not sent yet.
        case unsent(UnsentMessage)
    }

    /// Creates a row.
    public init(id: RowID, content: Content, failedChanges: [FailedChange] = []) {
        self.id = id
        self.content = content
        self.failedChanges = failedChanges
    }
}

/// All that a host needs to show a room: a bounded window of it, immutable, equal in O(1).
public struct RoomSnapshot: Hashable, Sendable {
    /// The identity of this state; ``ChangeSet`` names it.
    public let version: SnapshotVersion
    /// The window of sent messages and gaps.
    public let timeline: TimelineSnapshot
    /// Everything of this room that is not sent yet, in the order of sending.
    public let unsent: [UnsentMessage]
    /// Own changes of sent messages that did not reach the server, in the order of the queue; those
    /// of messages in the window stand in their rows too.
    public let failedChanges: [FailedChange]
    /// What the list shows: the timeline, then what is unsent (promise P3).
    public let rows: [RoomRow]
    /// How far the person has read.
    public let read: ReadMark
    /// How many messages are unread.
    public let unread: UnreadCount
    /// How complete the room is.
    public let recovery: RecoveryStatus
    /// Whether the room can be used.
    public let state: RoomState
    /// What gave the rows of own messages their identity.
    private let localKeys: Set<ClientMessageID>

    /// The room.
    public var room: RoomID { timeline.room }
    /// The people that the rows name.
    public var members: [UserID: Member] { timeline.members }
    /// Whether older messages are held than the window shows.
    public var hasOlder: Bool { timeline.hasOlder }
    /// Whether newer messages are held than the window shows. Unsent rows stand at the end of the
    /// room and are shown only where this is `false`.
    public var hasNewer: Bool { timeline.hasNewer }

    /// Puts a snapshot together.
    ///
    /// - Parameters:
    ///   - previous: the snapshot that this one follows. Where nothing differs, the new one has its
    ///     version and is equal to it.
    ///   - timeline: the window.
    ///   - unsent: the outbox of this room, in the order of sending.
    ///   - failedChanges: the changes of sent messages that did not reach the server.
    ///   - localKeys: the client IDs of messages that were written here in this session; their rows
    ///     keep the identity that they had as unsent ones.
    ///   - read: the read mark.
    ///   - unread: the unread count.
    ///   - recovery: how complete the room is.
    ///   - state: whether the room can be used.
    /// - Complexity: O(rows); O(1) where neither the timeline nor anything unsent has changed.
    public init(
        following previous: RoomSnapshot? = nil, timeline: TimelineSnapshot,
        unsent: [UnsentMessage] = [], failedChanges: [FailedChange] = [],
        localKeys: Set<ClientMessageID> = [],
        read: ReadMark = .unread, unread: UnreadCount = .exact(0),
        recovery: RecoveryStatus = .catchingUp, state: RoomState = .open
    ) {
        self.timeline = timeline
        self.unsent = unsent
        self.failedChanges = failedChanges
        self.read = read
        self.unread = unread
        self.recovery = recovery
        self.state = state
        self.localKeys = localKeys
        if let previous, previous.timeline == timeline, previous.unsent == unsent,
            previous.failedChanges == failedChanges, previous.localKeys == localKeys
        {
            rows = previous.rows
        } else {
            rows = Self.rows(
                of: timeline, unsent: unsent, failedChanges: failedChanges, localKeys: localKeys)
        }
        if let previous, previous.timeline == timeline, previous.unsent == unsent,
            previous.failedChanges == failedChanges, previous.read == read,
            previous.unread == unread, previous.recovery == recovery,
            previous.state == state, previous.rows == rows
        {
            version = previous.version
        } else {
            version = previous?.version.following() ?? SnapshotVersion()
        }
    }

    /// What changed from a snapshot to this one.
    ///
    /// - Complexity: O(n log n) in the number of rows.
    public func changes(since previous: RoomSnapshot) -> ChangeSet {
        .between(previous.rows, rows, from: previous.version, to: version)
    }

    private static func rows(
        of timeline: TimelineSnapshot, unsent: [UnsentMessage], failedChanges: [FailedChange],
        localKeys: Set<ClientMessageID>
    ) -> [RoomRow] {
        var rows: [RoomRow] = []
        let failed = Dictionary(grouping: failedChanges, by: \.target)
        rows.reserveCapacity(timeline.items.count + unsent.count)
        // Most of the time nothing waits.
        let waiting = unsent.isEmpty ? [] : Set(unsent.lazy.map(\.clientID))
        var settled: Set<ClientMessageID> = []
        for index in timeline.items.indices {
            switch timeline.items[index] {
            case .message(let message):
                var id = RowID.message(message.id)
                // A key that a server repeats names only the first message, so that no two rows
                // share an identity.
                if let key = message.clientID, localKeys.contains(key) || waiting.contains(key),
                    settled.insert(key).inserted
                {
                    id = .local(key)
                }
                rows.append(
                    RoomRow(
                        id: id, content: .message(message),
                        failedChanges: failed[message.id, default: []]))
            case .gap(let gap):
                rows.append(RoomRow(id: gap.rowID, content: .gap(gap)))
            }
        }
        guard !timeline.hasNewer else { return rows }
        // The echo may come before the outbox has settled the send; then the message is shown, once
        // (promise P2).
        for message in unsent where settled.insert(message.clientID).inserted {
            rows.append(RoomRow(id: .local(message.clientID), content: .unsent(message)))
        }
        return rows
    }

    public static func == (lhs: RoomSnapshot, rhs: RoomSnapshot) -> Bool {
        lhs.version == rhs.version
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
    }
}

extension Gap {
    /// The identity of the gap's row. A gap that reaches to the tip ends at the highest ID.
    public var rowID: RowID { .gap(through: before ?? MessageID(.max)) }
}
