internal import RejoinModel
internal import RejoinSync
internal import RejoinTime

/// One thing that a person did by the outbox, and what they were promised.
struct Act {
    enum Kind {
        case send, edit, delete, reaction
    }

    let device: Int
    let room: Int
    let id: ClientMessageID
    let kind: Kind
    let work: OutboxWork
    /// When the person last wanted it, by the device's wall clock.
    var wishedAt: WallTime
    /// `send` has returned: the promise begins (P5).
    var isAccepted = false
    /// The person took it back, gave it up or was refused: the promise ends.
    var isWithdrawn = false
    /// How often the person wanted it sent again although it may have arrived.
    var consents = 0
    /// How often the server made a message of it.
    var creations = 0
    /// The person gave it up after it had failed, or may have.
    var isDiscarded = false
    /// Whether the server carried it out at least once; for changes.
    var isPerformed = false
}

/// A reaction that is put or taken back.
struct Reacting: Hashable {
    let id: MessageID
    let emoji: String
    let isPut: Bool

    init(_ id: MessageID, _ emoji: String, _ isPut: Bool) {
        self.id = id
        self.emoji = emoji
        self.isPut = isPut
    }
}

extension Act {
    /// The reaction that it is; `nil`: it is none, or its message has not been sent.
    func reaction(of world: World) -> Reacting? {
        guard case .react(_, let emoji, let isPut) = work,
            let id = world.message(changedBy: self)?.id
        else { return nil }
        return Reacting(id, emoji, isPut)
    }
}

extension World {
    /// The message that an edit, a deletion or a reaction is about, as the server has it; `nil`: it
    /// was never sent, or is forgotten.
    func message(changedBy act: Act) -> Message? {
        switch act.work.target {
        case .sent(let id): server.rooms[act.room].entry(id)?.message
        case .local(let key): server.rooms[act.room].message(sentAs: key)
        case nil: nil
        }
    }
}
