package import RejoinModel
package import RejoinSync

/// Decides which fetch of history goes next: at most so many at a time over all rooms, rooms on
/// screen first, else first come, first served. So after an outage the conversation that a person
/// looks at is whole first, and the server is not asked for everything at once (promise P8).
///
/// Bounded by its rooms: each has only a few requests under way.
package struct FetchScheduler {
    /// One fetch of one room.
    package struct Fetch: Hashable {
        package let room: RoomID
        package let id: RequestID
        package let request: HistoryRequest

        package init(room: RoomID, id: RequestID, request: HistoryRequest) {
            self.room = room
            self.id = id
            self.request = request
        }
    }

    private let limit: Int
    private var running = 0
    private var waiting: [Fetch] = []

    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch; returns what is to be started now.
    ///
    /// - Complexity: O(waiting fetches).
    package mutating func add(_ fetch: Fetch, onScreen: Set<RoomID>) -> [Fetch] {
        waiting.append(fetch)
        return start(onScreen)
    }

    /// Takes a fetch out that has not started; one that runs goes on and its answer is ignored.
    package mutating func cancel(_ id: RequestID, in room: RoomID) {
        waiting.removeAll { $0.id == id && $0.room == room }
    }

    /// Takes the fetches of a room out that have not started.
    package mutating func cancelAll(in room: RoomID) {
        waiting.removeAll { $0.room == room }
    }

    /// Counts one as ended; returns what is to be started now.
    package mutating func finish(onScreen: Set<RoomID>) -> [Fetch] {
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
