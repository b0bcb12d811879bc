import RejoinChat

/// A store whose commits wait while they are held, as on a slow or busy disk.
actor HeldStore: RoomStore {
    private let inner = InMemoryRoomStore()
    private var isHeld = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func hold() { isHeld = true }

    func release() {
        isHeld = false
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Commits that wait.
    var waiting: Int { waiters.count }

    func checkpoint(of room: RoomID) async -> RoomCheckpoint? {
        await inner.checkpoint(of: room)
    }

    func execute(_ commit: RoomCommit) async {
        if isHeld { await withCheckedContinuation { waiters.append($0) } }
        await inner.execute(commit)
    }

    func remove(_ room: RoomID) async {
        await inner.remove(room)
    }
}
