public import RejoinModel
public import RejoinSync
import RejoinTime

/// A sender over a room in memory, written as plainly as possible, for tests of what sends.
public actor ModelMessageSender: MessageSenderBench, MessageSender {
    public nonisolated let room: RoomID
    public nonisolated let user: UserID
    public nonisolated let capabilities: BackendCapabilities
    private var held: [Message] = []
    private var losesNextAnswer = false
    private let answersWithReceipts: Bool

    /// Creates an empty room.
    ///
    /// - Parameter answersWithReceipts: whether a send is answered by a receipt alone.
    public init(
        room: RoomID = RoomID("room"), user: UserID = UserID("me"),
        capabilities: BackendCapabilities = BackendCapabilities(),
        answersWithReceipts: Bool = false
    ) {
        self.room = room
        self.user = user
        self.capabilities = capabilities
        self.answersWithReceipts = answersWithReceipts
    }

    public nonisolated var sender: any MessageSender { self }

    public func messages() -> [Message] { held }

    public func storeForeignMessage() -> Message {
        store([.text("somebody else's words")], by: UserID("somebody"), as: nil)
    }

    public func loseNextAnswer() { losesNextAnswer = true }

    public func perform(_ mutation: Mutation, in room: RoomID) throws(BackendFailure)
        -> MutationAnswer
    {
        guard room == self.room else { throw BackendFailure(.notFound, "There is no such room.") }
        let message = try apply(mutation)
        if losesNextAnswer {
            losesNextAnswer = false
            throw BackendFailure(.outcomeUnknown, "The answer was lost.")
        }
        return answersWithReceipts ? .accepted : .stored(message)
    }

    private func apply(_ mutation: Mutation) throws(BackendFailure) -> Message {
        switch mutation {
        case .send(let draft):
            try check(draft.content)
            if capabilities.idempotentSendRetention != nil,
                let known = held.first(where: { $0.clientID == draft.clientID })
            {
                return known
            }
            return store(draft.content, by: user, as: draft.clientID)
        case .edit(let id, let content):
            try check(content)
            let place = try place(of: id, mustBeOwn: true)
            held[place].content = content
            return held[place]
        case .delete(let id):
            let place = try place(of: id, mustBeOwn: true)
            held[place].content = []
            held[place].reactions = []
            held[place].isDeleted = true
            return held[place]
        case .react(let id, let emoji, let isPut):
            let place = try place(of: id, mustBeOwn: false)
            react(to: place, with: emoji, isPut)
            return held[place]
        }
    }

    private func react(to place: Int, with emoji: String, _ isPut: Bool) {
        var users = held[place].reactions.first { $0.emoji == emoji }?.users ?? []
        users.removeAll { $0 == user }
        if isPut { users.append(user) }
        held[place].reactions.removeAll { $0.emoji == emoji }
        if !users.isEmpty { held[place].reactions.append(Reaction(emoji: emoji, users: users)) }
    }

    private func store(
        _ content: [ContentBlock], by author: UserID, as key: ClientMessageID?
    ) -> Message {
        let message = Message(
            id: MessageID(UInt128(held.count + 1)), author: author, clientID: key,
            sentAt: WallTime(milliseconds: Int64(held.count)), content: content)
        held.append(message)
        return message
    }

    private func place(of id: MessageID, mustBeOwn: Bool) throws(BackendFailure) -> Int {
        guard let place = held.firstIndex(where: { $0.id == id }) else {
            throw BackendFailure(.notFound, "There is no message \(id).")
        }
        guard !mustBeOwn || held[place].author == user else {
            throw BackendFailure(.forbidden, "Message \(id) was written by somebody else.")
        }
        return place
    }

    private func check(_ content: [ContentBlock]) throws(BackendFailure) {
        let size = content.reduce(0) { size, block in
            if case .text(let text) = block { size + text.utf8.count } else { size }
        }
        guard size <= capabilities.maximumContentBytes else {
            throw BackendFailure(.tooLarge, "The content has \(size) bytes.")
        }
    }
}
