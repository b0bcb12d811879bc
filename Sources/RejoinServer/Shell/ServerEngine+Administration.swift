#if os(Linux)
import RejoinModel
import RejoinTime

extension ServerEngine {
    /// The longest room or user ID, in bytes: it stands in paths and headers.
    fileprivate static let maximumIDBytes = 200

    func createRoom(_ room: RoomID, name: String, members: [Member])
        throws(ReferenceServerError)
    {
        try check(room.rawValue)
        for member in members { try check(member.id.rawValue) }
        let gone = try stored { () throws(SQLiteError) in
            try core.store.putRoom(room, name: name, members: members)
        }
        revoke(gone, in: room)
    }

    func perform(_ call: BackendCall, as user: UserID) throws(BackendFailure) -> BackendAnswer {
        let outcome = try core.perform(call, by: user, at: time.wallNow)
        publish(outcome.events)
        return outcome.answer
    }

    func post(_ drafts: [MessageDraft], as user: UserID, in room: RoomID)
        throws(BackendFailure) -> [Message]
    {
        var messages: [Message] = []
        messages.reserveCapacity(drafts.count)
        for draft in drafts {
            guard case .message(let message) = try perform(.send(room, draft), as: user) else {
                continue
            }
            messages.append(message)
        }
        return messages
    }

    func messages(in room: RoomID) throws(ReferenceServerError) -> [Message] {
        let record = try record(of: room)
        return try stored { () throws(SQLiteError) in
            try core.store.messages(
                after: 0, before: .max, newest: false, limit: .max, in: record)
        }.map(core.shown)
    }

    func readMark(of user: UserID, in room: RoomID) throws(ReferenceServerError) -> ReadMark {
        let found = try stored { () throws(SQLiteError) in
            try core.store.room(room, seenBy: user)
        }
        guard let mark = found?.mark else {
            throw ReferenceServerError(
                .unknownRoom, "there is no room '\(room)' with a member '\(user)'")
        }
        return mark
    }

    func trim(_ room: RoomID, before horizon: MessageID?, through revision: Revision?)
        throws(ReferenceServerError)
    {
        let record = try record(of: room)
        try stored { () throws(SQLiteError) in
            try core.store.trim(record, before: horizon, through: revision)
        }
    }

    private func record(of room: RoomID) throws(ReferenceServerError) -> RoomRecord {
        let found = try stored { () throws(SQLiteError) in
            try core.store.room(room, seenBy: UserID(""))
        }
        guard let found else {
            throw ReferenceServerError(.unknownRoom, "there is no room '\(room)'")
        }
        return found.room
    }

    private func check(_ id: String) throws(ReferenceServerError) {
        if let fault = ReferenceServer.fault(ofID: id) {
            throw ReferenceServerError(.invalidArgument, fault)
        }
    }

    private func stored<Result>(_ body: () throws(SQLiteError) -> Result)
        throws(ReferenceServerError) -> Result
    {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw ReferenceServerError(.storage, error.description)
        }
    }
}

extension ReferenceServer {
    /// What is wrong with the ID of a room or a person; `nil` where the server can have it. IDs are
    /// path segments and parts of destinations: no slash, no control characters.
    package static func fault(ofID id: String) -> String? {
        let most = ServerEngine.maximumIDBytes
        guard (1...most).contains(id.utf8.count), id != ".", id != "..",
            id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
        else {
            return "a room or user ID has 1 to \(most) bytes without spaces, slashes and control "
                + "characters"
        }
        return nil
    }
}
#endif
