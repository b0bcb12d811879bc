import RejoinJSON
public import RejoinModel

/// The types of event.
private enum EventType: String {
    case created, changed, read, typing, rejected
}

private enum EventField: String, JSONField {
    case type, room, revision, message, member, read, typing, clientID, error
    static let table = JSONFieldTable<Self>()
}

private enum ReadField: String, JSONField {
    case user, version, position
    static let table = JSONFieldTable<Self>()
}

private enum TypingField: String, JSONField {
    case user
    static let table = JSONFieldTable<Self>()
}

// MARK: Reading

extension WireFormat {
    public func decodeEvent(
        _ body: ContiguousArray<UInt8>, at destination: String
    ) throws(WireError) -> RoomEvent {
        let expected = room(at: destination)
        return try read(body) { (reader) throws(JSONError) -> RoomEvent in
            let name = try reader.lookingAhead { (reader) throws(JSONError) -> String in
                var fields = JSONFields<EventField>()
                try reader.beginObject()
                while let field = try reader.nextField(&fields) {
                    if field == .type { return try reader.string() }
                    try reader.skip()
                }
                throw reader.missing("type")
            }
            let type = EventType(rawValue: name)
            let members = try readEventMembers(&reader, isKnown: type != nil)
            guard let room = members.room ?? expected else { throw reader.missing("room") }
            guard expected == nil || room == expected else {
                throw reader.failure(.invalidValue, "the event belongs to another room")
            }
            let kind = try type.map { (type) throws(JSONError) in
                try members.kind(of: type, else: reader)
            }
            return RoomEvent(
                room: room, kind: kind ?? .unknown(type: name), revision: members.revision)
        }
    }

    /// Reads the members of an event. Of an unknown one only those are read that every event has:
    /// the others may mean something else there.
    private func readEventMembers(
        _ reader: inout JSONReader, isKnown: Bool
    ) throws(JSONError) -> EventMembers {
        var members = EventMembers()
        var fields = JSONFields<EventField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .room: members.room = try reader.roomID()
            case .revision: if try !reader.takeNull() { members.revision = try reader.revision() }
            case .type: try reader.skip()
            case _ where !isKnown: try reader.skip()
            case .message: (members.message, members.author) = try readMessage(&reader)
            case .member: members.member = try reader.optional(readMember)
            case .read: members.read = try readReadEvent(&reader)
            case .typing: members.typing = try readTypingEvent(&reader)
            case .clientID: members.clientID = try reader.clientMessageID()
            case .error: members.error = try readFailure(&reader)
            }
        }
        return members
    }

    private func readReadEvent(
        _ reader: inout JSONReader
    ) throws(JSONError) -> (UserID, ReadMark) {
        var user: UserID?
        var version: UInt64?
        var position: MessageID?
        var fields = JSONFields<ReadField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .user: user = try reader.userID()
            case .version: version = try reader.integer()
            case .position: position = try reader.optional(readMessageID)
            }
        }
        guard let user else { throw reader.missing("user") }
        guard let version else { throw reader.missing("version") }
        return (user, ReadMark(version: version, position: position))
    }

    private func readTypingEvent(_ reader: inout JSONReader) throws(JSONError) -> UserID {
        var user: UserID?
        var fields = JSONFields<TypingField>()
        try reader.beginObject()
        while try reader.nextField(&fields) != nil { user = try reader.userID() }
        guard let user else { throw reader.missing("user") }
        return user
    }
}

/// The members that an event may have, before its type says which it must have.
private struct EventMembers {
    var room: RoomID?
    var revision: Revision?
    var message: Message?
    /// The author, where the format writes it beside the message.
    var author: Member?
    var member: Member?
    var read: (UserID, ReadMark)?
    var typing: UserID?
    var clientID: ClientMessageID?
    var error: WireFailure?

    func kind(
        of type: EventType, else reader: borrowing JSONReader
    ) throws(JSONError) -> RoomEvent.Kind {
        switch type {
        case .created:
            guard let message else { throw reader.missing("message") }
            return .created(message, author: member ?? author)
        case .changed:
            guard let message else { throw reader.missing("message") }
            return .changed(message)
        case .read:
            guard let read else { throw reader.missing("read") }
            return .read(read.0, read.1)
        case .typing:
            guard let typing else { throw reader.missing("typing") }
            return .typing(typing)
        case .rejected:
            guard let clientID else { throw reader.missing("clientID") }
            guard let error else { throw reader.missing("error") }
            return .rejected(clientID, error.asEvent)
        }
    }
}

extension WireFailure {
    /// The failure as an event tells it: there is no status, so the code alone decides.
    var asEvent: BackendFailure {
        BackendFailure(
            code.map { BackendFailure.Code($0) } ?? .rejected,
            text ?? "the server refused the send",
            retryAfter: retryAfter)
    }
}

// MARK: Writing

extension ServerWireFormat {
    public func encode(_ event: RoomEvent) -> ContiguousArray<UInt8> {
        var writer = JSONWriter(reservingBytes: 512)
        writer.beginObject()
        switch event.kind {
        case .created(let message, let author):
            writeHead(.created, event, to: &writer)
            writer.key("message")
            write(message, author: author, to: &writer)
            if let author {
                writer.key("member")
                write(author, to: &writer)
            }
        case .changed(let message):
            writeHead(.changed, event, to: &writer)
            writer.key("message")
            write(message, author: nil, to: &writer)
        case .read(let user, let mark):
            writeHead(.read, event, to: &writer)
            writer.key("read")
            writer.beginObject()
            writer.member("user", user.rawValue)
            writeMembers(of: mark, to: &writer)
            writer.endObject()
        case .typing(let user):
            writeHead(.typing, event, to: &writer)
            writer.key("typing")
            writer.beginObject()
            writer.member("user", user.rawValue)
            writer.endObject()
        case .rejected(let clientID, let failure):
            writeHead(.rejected, event, to: &writer)
            writer.member("clientID", clientID)
            writer.key("error")
            write(failure, to: &writer)
        case .unknown(let type):
            writeHead(type, event, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private func writeHead(_ type: EventType, _ event: RoomEvent, to writer: inout JSONWriter) {
        writeHead(type.rawValue, event, to: &writer)
    }

    private func writeHead(_ type: String, _ event: RoomEvent, to writer: inout JSONWriter) {
        writer.member("type", type)
        writer.member("room", event.room.rawValue)
        writer.member("revision", event.revision?.rawValue)
    }
}
