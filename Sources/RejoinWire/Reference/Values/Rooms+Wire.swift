import RejoinJSON
import RejoinModel

private enum SummaryField: String, JSONField {
    case room, name, members, lastMessage, revision, read, unread, unreadAsOf
    static let table = JSONFieldTable<Self>()
}

private enum ReadAnswerField: String, JSONField {
    case read, unread, unreadAsOf
    static let table = JSONFieldTable<Self>()
}

private enum MarkField: String, JSONField {
    case version, position
    static let table = JSONFieldTable<Self>()
}

private enum RoomsField: String, JSONField {
    case rooms
    static let table = JSONFieldTable<Self>()
}

extension WireFormat {
    func readRooms(_ reader: inout JSONReader) throws(JSONError) -> [RoomSummary] {
        var rooms: [RoomSummary]?
        var fields = JSONFields<RoomsField>()
        try reader.beginObject()
        while try reader.nextField(&fields) != nil { rooms = try reader.array(readSummary) }
        guard let rooms else { throw reader.missing("rooms") }
        return rooms
    }

    func readSummary(_ reader: inout JSONReader) throws(JSONError) -> RoomSummary {
        var room: RoomID?
        var name: String?
        var members: [Member] = []
        var last: (message: Message, author: Member?)?
        var revision: Revision?
        var read: ReadMark?
        var unread: Int?
        var unreadAsOf: MessageID?
        var fields = JSONFields<SummaryField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .room: room = try reader.roomID()
            case .name: name = try reader.string()
            case .members: members = try reader.array(readMember)
            case .lastMessage: last = try reader.optional(readMessage)
            case .revision: if try !reader.takeNull() { revision = try reader.revision() }
            case .read: read = try readMark(&reader)
            case .unread: unread = try readCount(&reader)
            case .unreadAsOf: unreadAsOf = try reader.optional(readMessageID)
            }
        }
        guard let room else { throw reader.missing("room") }
        guard let name else { throw reader.missing("name") }
        guard let read else { throw reader.missing("read") }
        guard let unread else { throw reader.missing("unread") }
        var authors = WireMessages()
        if let last { authors.append(last.message, author: last.author) }
        return RoomSummary(
            room: room, name: name, members: authors.members(listed: members),
            lastMessage: last?.message, revision: revision, read: read, unread: unread,
            unreadAsOf: unreadAsOf)
    }

    func readReadAnswer(_ reader: inout JSONReader) throws(JSONError) -> ReadAnswer {
        var mark: ReadMark?
        var unread: Int?
        var unreadAsOf: MessageID?
        var fields = JSONFields<ReadAnswerField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .read: mark = try readMark(&reader)
            case .unread: unread = try readCount(&reader)
            case .unreadAsOf: unreadAsOf = try reader.optional(readMessageID)
            }
        }
        guard let mark else { throw reader.missing("read") }
        guard let unread else { throw reader.missing("unread") }
        return ReadAnswer(mark: mark, unread: unread, unreadAsOf: unreadAsOf)
    }

    func readMark(_ reader: inout JSONReader) throws(JSONError) -> ReadMark {
        var version: UInt64?
        var position: MessageID?
        var fields = JSONFields<MarkField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .version: version = try reader.integer()
            case .position: position = try reader.optional(readMessageID)
            }
        }
        guard let version else { throw reader.missing("version") }
        return ReadMark(version: version, position: position)
    }

    private func readCount(_ reader: inout JSONReader) throws(JSONError) -> Int {
        let count: Int = try reader.integer()
        guard count >= 0 else {
            throw reader.failure(.invalidValue, "a count cannot be negative")
        }
        return count
    }

    func write(_ mark: ReadMark, to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(of: mark, to: &writer)
        writer.endObject()
    }

    func writeMembers(of mark: ReadMark, to writer: inout JSONWriter) {
        writer.member("version", mark.version)
        writeMember("position", mark.position, to: &writer)
    }
}

extension ServerWireFormat {
    func write(_ rooms: [RoomSummary], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("rooms")
        writer.beginArray()
        for room in rooms { write(room, to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    func write(_ summary: RoomSummary, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("room", summary.room.rawValue)
        writer.member("name", summary.name)
        writer.key("members")
        write(summary.members, to: &writer)
        if let message = summary.lastMessage {
            writer.key("lastMessage")
            write(
                message, author: summary.members.first { $0.id == message.author }, to: &writer)
        }
        writer.member("revision", summary.revision?.rawValue)
        writer.key("read")
        write(summary.read, to: &writer)
        writer.member("unread", summary.unread)
        writeMember("unreadAsOf", summary.unreadAsOf, to: &writer)
        writer.endObject()
    }

    func write(_ answer: ReadAnswer, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("read")
        write(answer.mark, to: &writer)
        writer.member("unread", answer.unread)
        writeMember("unreadAsOf", answer.unreadAsOf, to: &writer)
        writer.endObject()
    }
}
