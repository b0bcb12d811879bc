public import RejoinModel

extension WireFormat {
    public var roomsDestination: String { "/sub/chat/rooms" }

    public func destination(of room: RoomID) -> String {
        RoomDestination.prefix + PercentEncoding.encode(room.rawValue)
    }

    public func room(at destination: String) -> RoomID? {
        guard destination.hasPrefix(RoomDestination.prefix) else { return nil }
        let name = destination.dropFirst(RoomDestination.prefix.count)
        guard !name.isEmpty, !name.contains("/"), let decoded = PercentEncoding.decode(name) else {
            return nil
        }
        return RoomID(decoded)
    }
}

private enum RoomDestination {
    static let prefix = "/sub/chat/room/"
}

/// Where the commands of the reference format go.
enum CommandDestination: String, CaseIterable {
    case send = "/pub/chat/message"
    case edit = "/pub/chat/edit"
    case delete = "/pub/chat/delete"
    case react = "/pub/chat/reaction"
    case markRead = "/pub/chat/read"
    case markUnread = "/pub/chat/unread"
    case typing = "/pub/chat/typing"

    init(_ kind: RoomCommand.Kind) {
        self =
            switch kind {
            case .send: .send
            case .edit: .edit
            case .delete: .delete
            case .react: .react
            case .markRead: .markRead
            case .markUnread: .markUnread
            case .typing: .typing
            }
    }
}
