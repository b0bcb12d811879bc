import RejoinModel

extension BackendRoom {
    /// Who is not a member can neither look nor act.
    func access() async throws {
        guard let eve = backend.outsider else {
            throw ContractSkip("it takes somebody who is not in the room")
        }
        let message = try await say("private")
        var calls: [BackendCall] = [
            .room(room), .history(room, .newest, limit: 10), .message(room, message.id),
            .send(room, .fresh("intrusion")), .edit(room, message.id, [.text("forged")]),
            .delete(room, message.id), .react(room, message.id, emoji: "👍", true),
            .markRead(room, ReadMark(version: 0, position: message.id)),
            .markUnread(room, ReadMark(version: 1, position: nil)),
        ]
        if capabilities.hasRevisions {
            calls.append(.changes(room, after: Revision(0), limit: 10))
        }
        for call in calls {
            let code = await failure(of: call, as: eve)
            try expect(
                code == .forbidden || code == .notFound, "forbidden, or not_found",
                got: code?.rawValue ?? "an answer",
                hurts: "the members, whose room is open to strangers")
        }
        try expect(
            try await page(.newest, limit: 1).messages, [message],
            hurts: "the members, whose room a stranger has changed")
        guard case .rooms(let rooms) = try await eve.perform(.rooms) else {
            throw wrongAnswer("the rooms")
        }
        try expect(
            rooms.contains { $0.room == room }, false,
            hurts: "the members, whose room is listed to strangers")
    }

    /// A token that was never good is refused as that: asking for a new one is useless.
    func tokenInvalid() async throws {
        guard let impostor = backend.impostor else {
            throw ContractSkip("no account with a made-up token was given")
        }
        try expect(
            await failure(of: .rooms, as: impostor), .tokenInvalid,
            hurts: "a person who was signed out elsewhere: the app asks for tokens for ever")
    }

    /// A token that was good once is refused as that: a new one helps.
    func tokenExpired() async throws {
        guard let expired = backend.expired else {
            throw ContractSkip("no account with an expired token was given")
        }
        try expect(
            await failure(of: .rooms, as: expired), .tokenExpired,
            hurts: "a person who is signed out although a new token was there to be had")
    }

    /// Who asks to come back later says when.
    func deferrals() async throws {
        let met = backend.deferrals()
        guard !met.isEmpty else { throw ContractSkip("the backend never asked to come back later") }
        try expect(
            met.count { $0.retryAfter == nil } == 0,
            "Retry-After with each of the \(met.count) refusals for overload",
            got: "\(met.count { $0.retryAfter == nil }) without it",
            hurts: "the server itself: clients can only guess when to come back")
    }
}
