import RejoinJSON
public import RejoinModel

private enum CommandField: String, JSONField {
    case room, clientID, content, id, emoji, on, version, position
    static let table = JSONFieldTable<Self>()
}

extension WireFormat {
    public func encode(_ command: RoomCommand) -> WireSend? {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("room", command.room.rawValue)
        switch command.kind {
        case .send(let draft):
            writer.member("clientID", draft.clientID)
            writeContent(draft.content, to: &writer)
        case .edit(let id, let content):
            writeMember("id", id, to: &writer)
            writeContent(content, to: &writer)
        case .delete(let id):
            writeMember("id", id, to: &writer)
        case .react(let id, let emoji, let isOn):
            writeMember("id", id, to: &writer)
            writer.member("emoji", emoji)
            writer.member("on", isOn)
        case .markRead(let mark), .markUnread(let mark):
            writeMembers(of: mark, to: &writer)
        case .typing:
            break
        }
        writer.endObject()
        return WireSend(
            destination: CommandDestination(command.kind).rawValue, body: writer.bytes)
    }
}

extension ServerWireFormat {
    public func decodeCommand(_ send: WireSend) throws(WireError) -> RoomCommand {
        guard let destination = CommandDestination(rawValue: send.destination) else {
            throw WireError(.unknownDestination, "nothing is taken at this destination")
        }
        return try read(send.body) { (reader) throws(JSONError) -> RoomCommand in
            let members = try readCommandMembers(&reader)
            guard let room = members.room else { throw reader.missing("room") }
            return RoomCommand(
                room: room, kind: try members.kind(for: destination, else: reader))
        }
    }

    private func readCommandMembers(
        _ reader: inout JSONReader
    ) throws(JSONError) -> CommandMembers {
        var members = CommandMembers()
        var fields = JSONFields<CommandField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .room: members.room = try reader.roomID()
            case .clientID: members.clientID = try reader.clientMessageID()
            case .content: members.content = try readContent(&reader)
            case .id: members.id = try readMessageID(&reader)
            case .emoji: members.emoji = try reader.string()
            case .on: members.isOn = try reader.bool()
            case .version: members.version = try reader.integer()
            case .position: members.position = try reader.optional(readMessageID)
            }
        }
        return members
    }
}

/// The members that a command may have, before its destination says which it must have.
private struct CommandMembers {
    var room: RoomID?
    var clientID: ClientMessageID?
    var content: [ContentBlock]?
    var id: MessageID?
    var emoji: String?
    var isOn: Bool?
    var version: UInt64?
    var position: MessageID?

    func kind(
        for destination: CommandDestination, else reader: borrowing JSONReader
    ) throws(JSONError) -> RoomCommand.Kind {
        switch destination {
        case .send:
            guard let clientID else { throw reader.missing("clientID") }
            guard let content else { throw reader.missing("content") }
            return .send(MessageDraft(clientID: clientID, content: content))
        case .edit:
            guard let id else { throw reader.missing("id") }
            guard let content else { throw reader.missing("content") }
            return .edit(id, content)
        case .delete:
            guard let id else { throw reader.missing("id") }
            return .delete(id)
        case .react:
            guard let id else { throw reader.missing("id") }
            guard let emoji else { throw reader.missing("emoji") }
            guard let isOn else { throw reader.missing("on") }
            return .react(id, emoji: emoji, isOn)
        case .markRead, .markUnread:
            guard let version else { throw reader.missing("version") }
            let mark = ReadMark(version: version, position: position)
            return destination == .markRead ? .markRead(mark) : .markUnread(mark)
        case .typing:
            return .typing
        }
    }
}
