public import RejoinJSON
public import RejoinModel
import RejoinTime

private enum MessageField: String, JSONField {
    case id, author, clientID, sentAt, content, revision, editedAt, deleted, reactions
    static let table = JSONFieldTable<Self>()
}

private enum ReactionField: String, JSONField {
    case emoji, users
    static let table = JSONFieldTable<Self>()
}

private enum MemberField: String, JSONField {
    case id, name, avatar, version
    static let table = JSONFieldTable<Self>()
}

extension WireFormat {
    public func readMessage(_ reader: inout JSONReader) throws(JSONError) -> (
        message: Message, author: Member?
    ) {
        var id: MessageID?
        var author: UserID?
        var clientID: ClientMessageID?
        var sentAt: WallTime?
        var content: [ContentBlock]?
        var revision: Revision?
        var editedAt: WallTime?
        var isDeleted = false
        var reactions: [Reaction] = []

        var fields = JSONFields<MessageField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .id: id = try readMessageID(&reader)
            case .author: author = try reader.userID()
            case .clientID:
                if try !reader.takeNull() { clientID = try reader.clientMessageID() }
            case .sentAt: sentAt = try reader.wallTime()
            case .content: content = try readContent(&reader)
            case .revision: if try !reader.takeNull() { revision = try reader.revision() }
            case .editedAt: if try !reader.takeNull() { editedAt = try reader.wallTime() }
            case .deleted: isDeleted = try reader.bool()
            case .reactions: reactions = try reader.array(readReaction)
            }
        }
        guard let id else { throw reader.missing("id") }
        guard let author else { throw reader.missing("author") }
        guard let sentAt else { throw reader.missing("sentAt") }
        guard let content else { throw reader.missing("content") }
        let message = Message(
            id: id, author: author, clientID: clientID, sentAt: sentAt, content: content,
            revision: revision, editedAt: editedAt, isDeleted: isDeleted, reactions: reactions)
        return (message, nil)
    }

    private func readReaction(_ reader: inout JSONReader) throws(JSONError) -> Reaction {
        var emoji: String?
        var users: [UserID]?
        var fields = JSONFields<ReactionField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .emoji: emoji = try reader.string()
            case .users:
                users = try reader.array { reader throws(JSONError) in try reader.userID() }
            }
        }
        guard let emoji else { throw reader.missing("emoji") }
        guard let users else { throw reader.missing("users") }
        return Reaction(emoji: emoji, users: users)
    }

    public func readMember(_ reader: inout JSONReader) throws(JSONError) -> Member {
        var id: UserID?
        var name: String?
        var avatar: String?
        var version: UInt64 = 0
        var fields = JSONFields<MemberField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .id: id = try reader.userID()
            case .name: name = try reader.string()
            case .avatar: if try !reader.takeNull() { avatar = try reader.string() }
            case .version: version = try reader.integer()
            }
        }
        guard let id else { throw reader.missing("id") }
        guard let name else { throw reader.missing("name") }
        return Member(id: id, name: name, avatar: avatar, version: version)
    }
}

extension ServerWireFormat {
    public func write(_ message: Message, author: Member?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        write(message.id, to: &writer)
        writer.member("author", message.author.rawValue)
        writer.member("clientID", message.clientID)
        writer.member("sentAt", message.sentAt.milliseconds)
        writer.key("content")
        write(message.content, to: &writer)
        writer.member("revision", message.revision?.rawValue)
        writer.member("editedAt", message.editedAt?.milliseconds)
        if message.isDeleted { writer.member("deleted", true) }
        if !message.reactions.isEmpty {
            writer.key("reactions")
            writer.beginArray()
            for reaction in message.reactions { write(reaction, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }

    private func write(_ reaction: Reaction, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("emoji", reaction.emoji)
        writer.key("users")
        writer.beginArray()
        for user in reaction.users { writer.string(user.rawValue) }
        writer.endArray()
        writer.endObject()
    }

    public func write(_ member: Member, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", member.id.rawValue)
        writer.member("name", member.name)
        writer.member("avatar", member.avatar)
        if member.version != 0 { writer.member("version", member.version) }
        writer.endObject()
    }
}
