internal import RejoinModel
internal import RejoinSync

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
    /// `send` has returned: the promise begins (P5).
    var isAccepted = false
    /// The person took it back, gave it up or was refused: the promise ends.
    var isWithdrawn = false
    /// How often the person wanted it sent again although it may have arrived.
    var consents = 0
    /// How often the server made a message of it.
    var creations = 0
    /// Whether the server carried it out at least once; for changes of sent messages.
    var isPerformed = false
}
