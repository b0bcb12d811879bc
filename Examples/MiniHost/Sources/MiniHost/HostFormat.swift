import RejoinChat
import RejoinJSON

/// The payload of this host:
/// `{"message":{"messageId","message","image","createdAt"},"member":{…}}`, with what Rejoin needs
/// beside it (`clientId`, `revision`, `deleted`). Pages, summaries, paths and destinations stay
/// those of the reference format.
struct HostFormat: ServerWireFormat {
    private enum Field: String, JSONField {
        case message, member
        static let table = JSONFieldTable<Self>()
    }

    private enum MessageField: String, JSONField {
        case messageId, message, image, createdAt, clientId, revision, editedAt, deleted
        static let table = JSONFieldTable<Self>()
    }

    private enum MemberField: String, JSONField {
        case memberId, username, description, profileImage
        static let table = JSONFieldTable<Self>()
    }

    func readMessage(_ reader: inout JSONReader) throws(JSONError) -> (
        message: Message, author: Member?
    ) {
        var read: ((UserID) -> Message)?
        var author: Member?
        var fields = JSONFields<Field>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .message: read = try readBody(&reader)
            case .member: author = try readMember(&reader)
            }
        }
        guard let read else { throw reader.missing("message") }
        guard let author else { throw reader.missing("member") }
        // A server that does not know the author's name sends the ID alone.
        return (read(author.id), author.name.isEmpty ? nil : author)
    }

    /// The message stands before its author, so what is returned waits for them.
    private func readBody(_ reader: inout JSONReader) throws(JSONError) -> (UserID) -> Message {
        var id: MessageID?
        var content: [ContentBlock] = []
        var time = WallTime(milliseconds: 0)
        var clientID: ClientMessageID?
        var revision: Revision?
        var editedAt: WallTime?
        var isDeleted = false
        var fields = JSONFields<MessageField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .messageId: id = try readMessageID(&reader)
            case .message: content.append(.text(try reader.string()))
            case .image: content.append(.image(Media(url: try reader.string())))
            case .createdAt: time = try reader.wallTime()
            case .clientId: clientID = try reader.clientMessageID()
            case .revision: revision = try reader.revision()
            case .editedAt: editedAt = try reader.wallTime()
            case .deleted: isDeleted = try reader.bool()
            }
        }
        guard let id else { throw reader.missing("messageId") }
        return { author in
            Message(
                id: id, author: author, clientID: clientID, sentAt: time, content: content,
                revision: revision, editedAt: editedAt, isDeleted: isDeleted)
        }
    }

    func readMember(_ reader: inout JSONReader) throws(JSONError) -> Member {
        var id: UserID?
        var name = ""
        var avatar: String?
        var fields = JSONFields<MemberField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .memberId: id = try reader.userID()
            case .username: name = try reader.string()
            case .profileImage: avatar = try reader.string()
            case .description: _ = try reader.string()
            }
        }
        guard let id else { throw reader.missing("memberId") }
        return Member(id: id, name: name, avatar: avatar)
    }

    func write(_ message: Message, author: Member?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("message")
        writer.beginObject()
        writer.key("messageId")
        write(message.id, to: &writer)
        for block in message.content {
            if case .text(let text) = block { writer.member("message", text) }
            if case .image(let image) = block { writer.member("image", image.url) }
        }
        writer.member("createdAt", message.sentAt.milliseconds)
        writer.member("clientId", message.clientID?.description)
        writer.member("revision", message.revision?.rawValue)
        writer.member("editedAt", message.editedAt?.milliseconds)
        if message.isDeleted { writer.member("deleted", true) }
        writer.endObject()
        writer.key("member")
        write(author ?? Member(id: message.author, name: ""), to: &writer)
        writer.endObject()
    }

    func write(_ member: Member, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("memberId", member.id.rawValue)
        writer.member("username", member.name)
        writer.member("profileImage", member.avatar)
        writer.endObject()
    }
}
