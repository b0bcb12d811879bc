public import RejoinModel
public import RejoinPipeline

/// A store that lives as long as the process.
///
/// Its transactions are those of a durable store, so that a kill can be tried out: drop everything
/// but the store, and resume from ``checkpoint(of:)``.
public actor InMemoryRoomStore: RoomStore {
    private var rooms: [RoomID: StoredRoom] = [:]

    /// Creates an empty store.
    public init() {}

    public func checkpoint(of room: RoomID) -> RoomCheckpoint? {
        rooms[room]?.checkpoint
    }

    /// Stores one commit.
    ///
    /// - Complexity: O(size of the commit), whatever the size of the room.
    public func execute(_ commit: RoomCommit) {
        rooms[commit.room, default: StoredRoom()].apply(commit.part)
    }

    public func remove(_ room: RoomID) {
        rooms[room] = nil
    }
}

/// One room in memory: the checkpoint, kept so that a commit costs no more than its own size.
private struct StoredRoom {
    private var messages: [MessageID: Message] = [:]
    private var members: [UserID: Member] = [:]
    private var rest = RoomCheckpoint()

    /// The room as its last commit left it.
    ///
    /// - Complexity: O(n log n) in the messages held.
    var checkpoint: RoomCheckpoint {
        var checkpoint = rest
        checkpoint.timeline.messages = messages.values.sorted { $0.id < $1.id }
        checkpoint.timeline.members = members.values.sorted { $0.id < $1.id }
        return checkpoint
    }

    mutating func apply(_ part: RoomCommit.Part) {
        switch part {
        case .timeline(let commit):
            for message in commit.upserts { messages[message.id] = message }
            for id in commit.removals { messages[id] = nil }
            for member in commit.members { members[member.id] = member }
            if let proof = commit.proof { rest.timeline.proof = proof }
        case .outbox, .read:
            rest.apply(part)
        }
    }
}
