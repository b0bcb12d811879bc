#if os(Linux)
import RejoinModel

/// Who listens to what, in the order in which they subscribed.
struct ListenerIndex {
    struct Listener {
        let connection: Connection
        let subscription: String
    }

    private var rooms: [RoomID: [Listener]] = [:]
    private var lists: [UserID: [Listener]] = [:]

    var isEmpty: Bool { rooms.isEmpty && lists.isEmpty }

    /// Whether anybody listens to a room list.
    var hasLists: Bool { !lists.isEmpty }

    subscript(topic: ServerStompSession.Topic) -> [Listener] {
        get {
            switch topic {
            case .room(let room): rooms[room] ?? []
            case .rooms(let user): lists[user] ?? []
            }
        }
        set {
            let kept = newValue.isEmpty ? nil : newValue
            switch topic {
            case .room(let room): rooms[room] = kept
            case .rooms(let user): lists[user] = kept
            }
        }
    }

    mutating func add(
        _ subscription: String, of connection: Connection, to topic: ServerStompSession.Topic
    ) {
        self[topic].append(Listener(connection: connection, subscription: subscription))
        connection.socket?.topics.insert(topic)
    }

    mutating func remove(
        _ subscription: String, of connection: Connection,
        from topic: ServerStompSession.Topic
    ) {
        self[topic].removeAll {
            $0.connection === connection && $0.subscription == subscription
        }
    }

    /// Forgets a connection that is gone.
    mutating func removeAll(of connection: Connection) {
        for topic in connection.socket?.topics ?? [] {
            self[topic].removeAll { $0.connection === connection }
        }
    }
}
#endif
