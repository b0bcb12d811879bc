import RejoinJSON
public import RejoinModel

private enum DraftField: String, JSONField {
    case clientID, content
    static let table = JSONFieldTable<Self>()
}

private enum ContentField: String, JSONField {
    case content
    static let table = JSONFieldTable<Self>()
}

/// How many messages a page has where the request does not say.
private let defaultPageLimit = 50

/// What a path names, whatever the method.
private enum Route {
    case capabilities
    case rooms
    case room(RoomID)
    case messages(RoomID)
    case message(RoomID, MessageID)
    case reaction(RoomID, MessageID, emoji: String)
    case changes(RoomID)
    case read(RoomID)
    case unread(RoomID)
}

extension ServerWireFormat {
    public func decode(_ request: HTTPRequest) throws(BackendFailure) -> BackendCall {
        let route = try route(of: request)
        switch (request.method, route) {
        case (.get, .capabilities): return .capabilities
        case (.get, .rooms): return .rooms
        case (.get, .room(let room)): return .room(room)
        case (.get, .messages(let room)):
            return .history(room, try anchor(of: request), limit: try limit(of: request))
        case (.get, .message(let room, let id)): return .message(room, id)
        case (.get, .changes(let room)):
            guard let after = try request.queryValue("after"), let revision = UInt64(after) else {
                throw BackendFailure(.rejected, "the query field 'after' must be a revision")
            }
            return .changes(room, after: Revision(revision), limit: try limit(of: request))
        case (.post, .messages(let room)):
            return .send(room, try body(of: request, readDraft))
        case (.patch, .message(let room, let id)):
            return .edit(room, id, try body(of: request, readContentObject))
        case (.delete, .message(let room, let id)): return .delete(room, id)
        case (.put, .reaction(let room, let id, let emoji)):
            return .react(room, id, emoji: emoji, true)
        case (.delete, .reaction(let room, let id, let emoji)):
            return .react(room, id, emoji: emoji, false)
        case (.put, .read(let room)): return .markRead(room, try body(of: request, readMark))
        case (.put, .unread(let room)): return .markUnread(room, try body(of: request, readMark))
        default:
            throw BackendFailure(.methodNotAllowed, "this path does not know this method")
        }
    }

    private func route(of request: HTTPRequest) throws(BackendFailure) -> Route {
        let unknown = BackendFailure(
            .notFound, "no such path; they begin with \(apiPath)/capabilities or \(apiPath)/rooms")
        guard request.path.hasPrefix(apiPath + "/"), let all = request.segments else {
            throw unknown
        }
        let segments = Array(all.dropFirst(apiPath.split(separator: "/").count))
        guard segments.allSatisfy({ !$0.isEmpty }) else { throw unknown }
        switch (segments.count, segments[0]) {
        case (1, "capabilities"): return .capabilities
        case (1, "rooms"): return .rooms
        case (2, "rooms"): return .room(RoomID(segments[1]))
        case (3..., "rooms"): break
        default: throw unknown
        }
        let room = RoomID(segments[1])
        switch (segments.count, segments[2]) {
        case (3, "messages"): return .messages(room)
        case (3, "changes"): return .changes(room)
        case (3, "read"): return .read(room)
        case (3, "unread"): return .unread(room)
        case (4, "messages"): return .message(room, try id(segments[3]))
        case (6, "messages") where segments[4] == "reactions":
            return .reaction(room, try id(segments[3]), emoji: segments[5])
        default: throw unknown
        }
    }

    private func id(_ text: String) throws(BackendFailure) -> MessageID {
        guard let id = messageID(text) else {
            throw BackendFailure(.notFound, "the path holds no message ID where one belongs")
        }
        return id
    }

    private func anchor(of request: HTTPRequest) throws(BackendFailure) -> HistoryAnchor {
        let after = try request.queryValue("after")
        let before = try request.queryValue("before")
        let around = try request.queryValue("around")
        switch (after, before, around) {
        case (nil, nil, nil): return .newest
        case (HistoryBound.beginning?, nil, nil): return .after(nil)
        case (let text?, nil, nil): return .after(try bound(text, "after"))
        case (nil, let text?, nil): return .before(try bound(text, "before"))
        case (nil, nil, let text?): return .around(try bound(text, "around"))
        default:
            throw BackendFailure(.rejected, "give one of 'after', 'before' and 'around', not more")
        }
    }

    private func bound(_ text: String, _ name: String) throws(BackendFailure) -> MessageID {
        guard let id = messageID(text) else {
            throw BackendFailure(.rejected, "the query field '\(name)' must be a message ID")
        }
        return id
    }

    private func limit(of request: HTTPRequest) throws(BackendFailure) -> Int {
        guard let text = try request.queryValue("limit") else { return defaultPageLimit }
        guard let limit = Int(text), limit > 0 else {
            throw BackendFailure(.rejected, "the query field 'limit' must be a number above 0")
        }
        return limit
    }

    private func body<Value>(
        of request: HTTPRequest, _ decode: (inout JSONReader) throws(JSONError) -> Value
    ) throws(BackendFailure) -> Value {
        do throws(WireError) {
            return try read(request.body, decode)
        } catch {
            throw error.asRefusal
        }
    }

    private func readDraft(_ reader: inout JSONReader) throws(JSONError) -> MessageDraft {
        var clientID: ClientMessageID?
        var content: [ContentBlock]?
        var fields = JSONFields<DraftField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .clientID: clientID = try reader.clientMessageID()
            case .content: content = try readContent(&reader)
            }
        }
        guard let clientID else { throw reader.missing("clientID") }
        guard let content else { throw reader.missing("content") }
        return MessageDraft(clientID: clientID, content: content)
    }

    private func readContentObject(
        _ reader: inout JSONReader
    ) throws(JSONError) -> [ContentBlock] {
        var content: [ContentBlock]?
        var fields = JSONFields<ContentField>()
        try reader.beginObject()
        while try reader.nextField(&fields) != nil { content = try readContent(&reader) }
        guard let content else { throw reader.missing("content") }
        return content
    }
}
