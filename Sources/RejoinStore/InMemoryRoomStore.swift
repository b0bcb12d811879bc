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
