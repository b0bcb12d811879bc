package import RejoinJSON
package import RejoinModel

private enum PageField: String, JSONField {
    case messages, members, from, through, hasBefore, hasAfter, tip, horizon, revision
    static let table = JSONFieldTable<Self>()
}

private enum ChangeField: String, JSONField {
    case messages, members, revision, hasMore, tip
    static let table = JSONFieldTable<Self>()
}

/// The messages of a page and the people who wrote them, whether the format writes these beside
/// each message or once for the page.
struct WireMessages {
    private(set) var messages: [Message] = []
    private(set) var authors: [Member] = []

    mutating func append(_ message: Message, author: Member?) {
        messages.append(message)
        guard let author else { return }
        guard let held = authors.firstIndex(where: { $0.id == author.id }) else {
            return authors.append(author)
        }
        if authors[held].version < author.version { authors[held] = author }
    }

    /// The page's own list, completed by the authors that came beside messages.
    func members(listed: [Member]) -> [Member] {
        listed + authors.filter { author in !listed.contains { $0.id == author.id } }
    }
}

extension WireFormat {
    private func readMessages(_ reader: inout JSONReader) throws(JSONError) -> WireMessages {
        var messages = WireMessages()
        try reader.beginArray()
        while try reader.nextElement() {
            let (message, author) = try readMessage(&reader)
            messages.append(message, author: author)
        }
        return messages
    }

    private func readMembers(_ reader: inout JSONReader) throws(JSONError) -> [Member] {
        try reader.array(readMember)
    }

    private func readOptionalID(_ reader: inout JSONReader) throws(JSONError) -> MessageID? {
        try reader.optional(readMessageID)
    }

    /// Reads a page of history, as the server answers it or a file holds it.
    package func readHistoryPage(_ reader: inout JSONReader) throws(JSONError) -> HistoryPage {
        var messages: WireMessages?
        var members: [Member] = []
        var from: MessageID?
        var through: MessageID?
        var hasBefore: Bool?
        var hasAfter: Bool?
        var tip: MessageID?
        var horizon: MessageID?
        var revision: Revision?
        var fields = JSONFields<PageField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .messages: messages = try readMessages(&reader)
            case .members: members = try readMembers(&reader)
            case .from: from = try readOptionalID(&reader)
            case .through: through = try readOptionalID(&reader)
            case .hasBefore: hasBefore = try reader.bool()
            case .hasAfter: hasAfter = try reader.bool()
            case .tip: tip = try readOptionalID(&reader)
            case .horizon: horizon = try readOptionalID(&reader)
            case .revision: if try !reader.takeNull() { revision = try reader.revision() }
            }
        }
        guard let messages else { throw reader.missing("messages") }
        guard let hasBefore else { throw reader.missing("hasBefore") }
        guard let hasAfter else { throw reader.missing("hasAfter") }
        return HistoryPage(
            messages: messages.messages, members: messages.members(listed: members), from: from,
            through: through, hasBefore: hasBefore, hasAfter: hasAfter, tip: tip, horizon: horizon,
            revision: revision)
    }

    func readChangePage(_ reader: inout JSONReader) throws(JSONError) -> ChangePage {
        var messages: WireMessages?
        var members: [Member] = []
        var revision: Revision?
        var hasMore: Bool?
        var tip: MessageID?
        var fields = JSONFields<ChangeField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .messages: messages = try readMessages(&reader)
            case .members: members = try readMembers(&reader)
            case .revision: revision = try reader.revision()
            case .hasMore: hasMore = try reader.bool()
            case .tip: tip = try readOptionalID(&reader)
            }
        }
        guard let messages else { throw reader.missing("messages") }
        guard let revision else { throw reader.missing("revision") }
        guard let hasMore else { throw reader.missing("hasMore") }
        return ChangePage(
            messages: messages.messages, members: messages.members(listed: members),
            revision: revision, hasMore: hasMore, tip: tip)
    }
}

extension WireFormat {
    /// Writes a member that is a message ID; nothing where there is none.
    func writeMember(_ name: String, _ id: MessageID?, to writer: inout JSONWriter) {
        guard let id else { return }
        writer.key(name)
        write(id, to: &writer)
    }
}

extension ServerWireFormat {
    func write(_ page: HistoryPage, to writer: inout JSONWriter) {
        writer.beginObject()
        write(page.messages, members: page.members, to: &writer)
        writeMember("from", page.from, to: &writer)
        writeMember("through", page.through, to: &writer)
        writer.member("hasBefore", page.hasBefore)
        writer.member("hasAfter", page.hasAfter)
        writeMember("tip", page.tip, to: &writer)
        writeMember("horizon", page.horizon, to: &writer)
        writer.member("revision", page.revision?.rawValue)
        writer.endObject()
    }

    func write(_ page: ChangePage, to writer: inout JSONWriter) {
        writer.beginObject()
        write(page.messages, members: page.members, to: &writer)
        writer.member("revision", page.revision.rawValue)
        writer.member("hasMore", page.hasMore)
        writeMember("tip", page.tip, to: &writer)
        writer.endObject()
    }

    private func write(_ messages: [Message], members: [Member], to writer: inout JSONWriter) {
        let authors = Dictionary(members.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        writer.key("messages")
        writer.beginArray()
        for message in messages {
            write(message, author: authors[message.author], to: &writer)
        }
        writer.endArray()
        writer.key("members")
        write(members, to: &writer)
    }

    func write(_ members: [Member], to writer: inout JSONWriter) {
        writer.beginArray()
        for member in members { write(member, to: &writer) }
        writer.endArray()
    }
}
