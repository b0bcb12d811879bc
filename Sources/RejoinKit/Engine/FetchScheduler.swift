internal import RejoinModel
internal import RejoinSync

/// Decides which fetch of history goes next: at most so many at a time over all rooms, rooms on
/// screen first, else first come, first served. So after an outage the conversation that a person
/// looks at is whole first, and the server is not asked for everything at once (promise P8).
///
/// Bounded by its rooms: each has only a few requests under way.
struct FetchScheduler {
    struct Fetch: Hashable {
        let room: RoomID
        let id: RequestID
        let request: HistoryRequest
    }

    private let limit: Int
    private var running = 0
    private var waiting: [Fetch] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch; returns what is to be started now.
    ///
    /// - Complexity: O(waiting fetches).
    mutating func add(_ fetch: Fetch, onScreen: Set<RoomID>) -> [Fetch] {
        waiting.append(fetch)
        return start(onScreen)
    }

    /// Takes a fetch out that has not started; one that runs goes on and its answer is ignored.
    mutating func cancel(_ id: RequestID, in room: RoomID) {
        waiting.removeAll { $0.id == id && $0.room == room }
    }

    /// Takes the fetches of a room out that have not started.
    mutating func cancelAll(in room: RoomID) {
        waiting.removeAll { $0.room == room }
    }

    /// Counts one as ended; returns what is to be started now.
    mutating func finish(onScreen: Set<RoomID>) -> [Fetch] {
        running -= 1
        return start(onScreen)
    }

    private mutating func start(_ onScreen: Set<RoomID>) -> [Fetch] {
        var started: [Fetch] = []
        while running < limit, !waiting.isEmpty {
            let index = waiting.firstIndex { onScreen.contains($0.room) } ?? 0
            started.append(waiting.remove(at: index))
            running += 1
        }
        return started
    }
}
