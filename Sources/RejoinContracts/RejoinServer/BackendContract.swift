import Foundation
public import RejoinModel

/// A backend that is checked: in this process, or behind HTTP and a wire format.
public struct BackendUnderTest: Sendable {
    /// Creates a room with these people.
    public var makeRoom: @Sendable (RoomID, [UserID]) async throws -> Void
    /// Makes a call as a person; a refusal is thrown as ``BackendFailure``.
    public var perform: @Sendable (BackendCall, UserID) async throws -> BackendAnswer

    /// Names the backend.
    public init(
        makeRoom: @escaping @Sendable (RoomID, [UserID]) async throws -> Void,
        perform: @escaping @Sendable (BackendCall, UserID) async throws -> BackendAnswer
    ) {
        self.makeRoom = makeRoom
        self.perform = perform
    }
}

/// What every backend must keep, so that the promises hold on it. What it does not claim as a
/// capability is not asked for.
///
/// - Parameters:
///   - backend: The backend.
///   - prefix: Begins the names of the rooms that the checks create; each run needs its own.
public func backendChecks(_ backend: BackendUnderTest, rooms prefix: String = "contract")
    -> [ContractCheck]
{
    func check(
        _ id: String, _ promise: String,
        _ body: @escaping @Sendable (BackendRoom) async throws -> Void
    ) -> ContractCheck {
        ContractCheck(id, promise: promise) {
            let name = prefix + "-" + id.replacing(".", with: "-")
            let room = BackendRoom(check: id, room: RoomID(name), backend: backend)
            try await backend.makeRoom(room.room, [room.ann, room.bob])
            try await body(room)
        }
    }
    return [
        check("backend.history-pages-cover", "P1") { try await $0.pagesCover() },
        check("backend.history-pages-adjoin", "P1") { try await $0.pagesAdjoin() },
        check("backend.history-around", "P1") { try await $0.around() },
        check("backend.history-empty-room", "P1") { try await $0.emptyRoom() },
        check("backend.order", "P3") { try await $0.order() },
        check("backend.send-idempotent", "P5") { try await $0.idempotentSend() },
        check("backend.changes", "P1") { try await $0.changes() },
        check("backend.tombstones", "P1") { try await $0.tombstones() },
        check("backend.mutations-repeat", "P5") { try await $0.repeatedMutations() },
        check("backend.read-folds", "P4") { try await $0.readFolds() },
        check("backend.unread-is-versioned", "P4") { try await $0.unreadIsVersioned() },
        check("backend.unread-count", "P4") { try await $0.unreadCount() },
        check("backend.access", "section 9") { try await $0.access() },
    ]
}

/// One check's room and the calls that it makes there.
struct BackendRoom: Sendable {
    let check: String
    let room: RoomID
    let backend: BackendUnderTest
    let ann = UserID("ann")
    let bob = UserID("bob")
    let eve = UserID("eve")

    // MARK: Calls

    func say(_ text: String, as user: UserID) async throws -> Message {
        let draft = MessageDraft(clientID: ClientMessageID(UUID()), content: [.text(text)])
        return try await message(.send(room, draft), as: user)
    }

    func message(_ call: BackendCall, as user: UserID) async throws -> Message {
        guard case .message(let message) = try await backend.perform(call, user) else {
            throw wrongAnswer("a message")
        }
        return message
    }

    func page(_ anchor: HistoryAnchor, limit: Int) async throws -> HistoryPage {
        let answer = try await backend.perform(.history(room, anchor, limit: limit), ann)
        guard case .history(let page) = answer else { throw wrongAnswer("a page") }
        return page
    }

    func changes(after revision: Revision, limit: Int) async throws -> ChangePage {
        let answer = try await backend.perform(.changes(room, after: revision, limit: limit), ann)
        guard case .changes(let page) = answer else { throw wrongAnswer("a page of changes") }
        return page
    }

    func read(_ call: BackendCall, as user: UserID) async throws -> ReadAnswer {
        guard case .read(let answer) = try await backend.perform(call, user) else {
            throw wrongAnswer("a read state")
        }
        return answer
    }

    func summary(as user: UserID) async throws -> RoomSummary {
        guard case .room(let summary) = try await backend.perform(.room(room), user) else {
            throw wrongAnswer("a summary")
        }
        return summary
    }

    func capabilities() async throws -> BackendCapabilities {
        guard case .capabilities(let stated) = try await backend.perform(.capabilities, ann) else {
            throw wrongAnswer("capabilities")
        }
        return stated
    }

    /// Twelve messages, by both in turn.
    func twelve() async throws -> [Message] {
        var messages: [Message] = []
        for number in 1...12 {
            messages.append(
                try await say("message \(number)", as: number.isMultiple(of: 3) ? bob : ann))
        }
        return messages.sorted { $0.id < $1.id }
    }

    // MARK: Verdicts

    func expect<Value: Equatable & Sendable>(
        _ actual: Value, _ expected: Value, hurts: String
    ) throws(ContractFailure) {
        try require(actual, equals: expected, check, whoIsHurt: hurts)
    }

    func wrongAnswer(_ expected: String) -> ContractFailure {
        ContractFailure(
            check: check, expected: expected, got: "an answer of another kind",
            whoIsHurt: "every client: the answer does not belong to the call")
    }

    /// The code with which a call fails; `nil` where it succeeds.
    func failure(of call: BackendCall, as user: UserID) async throws -> BackendFailure.Code? {
        do {
            _ = try await backend.perform(call, user)
            return nil
        } catch let failure as BackendFailure {
            return failure.code
        }
    }
}
