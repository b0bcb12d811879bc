import RejoinJSON
public import RejoinModel

// MARK: Requests

extension WireFormat {
    public func encode(_ call: BackendCall) -> HTTPRequest {
        switch call {
        case .capabilities:
            return HTTPRequest(.get, "\(apiPath)/capabilities")
        case .rooms:
            return HTTPRequest(.get, "\(apiPath)/rooms")
        case .room(let room):
            return HTTPRequest(.get, path(room))
        case .history(let room, let anchor, let limit):
            var query: [HTTPQueryItem] = []
            switch anchor {
            case .newest: break
            case .after(nil): query.append(HTTPQueryItem("after", HistoryBound.beginning))
            case .after(let id?): query.append(HTTPQueryItem("after", text(of: id)))
            case .before(let id): query.append(HTTPQueryItem("before", text(of: id)))
            case .around(let id): query.append(HTTPQueryItem("around", text(of: id)))
            }
            query.append(HTTPQueryItem("limit", String(limit)))
            return HTTPRequest(.get, path(room) + "/messages", query: query)
        case .message(let room, let id):
            return HTTPRequest(.get, path(room, id))
        case .changes(let room, let revision, let limit):
            return HTTPRequest(
                .get, path(room) + "/changes",
                query: [
                    HTTPQueryItem("after", String(revision.rawValue)),
                    HTTPQueryItem("limit", String(limit)),
                ])
        case .send(let room, let draft):
            return request(.post, path(room) + "/messages") { writer in
                writer.member("clientID", draft.clientID)
                writeContent(draft.content, to: &writer)
            }
        case .edit(let room, let id, let content):
            return request(.patch, path(room, id)) { writeContent(content, to: &$0) }
        case .delete(let room, let id):
            return HTTPRequest(.delete, path(room, id))
        case .react(let room, let id, let emoji, let isOn):
            return HTTPRequest(
                isOn ? .put : .delete,
                "\(path(room, id))/reactions/\(PercentEncoding.encode(emoji))")
        case .markRead(let room, let mark):
            return request(.put, path(room) + "/read") { writeMembers(of: mark, to: &$0) }
        case .markUnread(let room, let mark):
            return request(.put, path(room) + "/unread") { writeMembers(of: mark, to: &$0) }
        }
    }

    private func path(_ room: RoomID) -> String {
        "\(apiPath)/rooms/\(PercentEncoding.encode(room.rawValue))"
    }

    private func path(_ room: RoomID, _ id: MessageID) -> String {
        "\(path(room))/messages/\(PercentEncoding.encode(text(of: id)))"
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ writeMembers: (inout JSONWriter) -> Void
    ) -> HTTPRequest {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(&writer)
        writer.endObject()
        return HTTPRequest(
            method, path, headers: ["Content-Type": "application/json"], body: writer.bytes)
    }

    func writeContent(_ content: [ContentBlock], to writer: inout JSONWriter) {
        writer.key("content")
        write(content, to: &writer)
    }
}

/// The words of the query that are no message IDs.
enum HistoryBound {
    /// The exclusive bound before the first message of a room.
    static let beginning = "beginning"
}

// MARK: Answers

extension WireFormat {
    public func decode(_ response: HTTPResponse, answering call: BackendCall)
        throws(BackendFailure) -> BackendAnswer
    {
        guard (200...299).contains(response.status) else { throw failure(of: response) }
        do throws(WireError) {
            return try read(response.body) { (reader) throws(JSONError) -> BackendAnswer in
                switch call {
                case .capabilities: .capabilities(try readCapabilities(&reader))
                case .rooms: .rooms(try readRooms(&reader))
                case .room: .room(try readSummary(&reader))
                case .history: .history(try readHistoryPage(&reader))
                case .changes: .changes(try readChangePage(&reader))
                case .message, .send, .edit, .delete, .react:
                    .message(try readMessage(&reader).message)
                case .markRead, .markUnread: .read(try readReadAnswer(&reader))
                }
            }
        } catch {
            throw error.asFailure
        }
    }
}

extension ServerWireFormat {
    public func encode(_ answer: BackendAnswer, to call: BackendCall) -> HTTPResponse {
        var writer = JSONWriter(reservingBytes: 4_096)
        switch answer {
        case .capabilities(let capabilities): write(capabilities, to: &writer)
        case .rooms(let rooms): write(rooms, to: &writer)
        case .room(let summary): write(summary, to: &writer)
        case .history(let page): write(page, to: &writer)
        case .changes(let page): write(page, to: &writer)
        case .message(let message): write(message, author: nil, to: &writer)
        case .read(let read): write(read, to: &writer)
        }
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: writer.bytes)
    }
}
