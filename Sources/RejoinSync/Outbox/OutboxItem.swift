public import RejoinModel
public import RejoinTime

/// One change that a person made on this device and that the server does not have yet, as the
/// store keeps it (promise P5).
///
/// The ID is the client message ID of a send; edits, deletions and reactions get a key of their
/// own, drawn the same way, so that every item can be retried, cancelled and discarded by it.
public struct OutboxItem: Hashable, Sendable, Identifiable {
    /// The key, chosen once when the person acted, and never changed by a retry.
    public let id: ClientMessageID
    /// The place in the queue; unique within the room. A retry takes a new one at the tail.
    public internal(set) var sequence: UInt64
    /// What is to be done.
    public internal(set) var work: OutboxWork
    /// How far it has come.
    public internal(set) var state: State
    /// When the person acted; for people to read.
    public let queuedAt: WallTime
    /// When the person last asked for it: when they acted, or pressed "retry". An item that waits
    /// for too long after that is not sent without asking again.
    public internal(set) var consentedAt: WallTime
    /// When its key first left this device since ``consentedAt``; the server's retention of the key
    /// is counted from here. `nil`: it has not left.
    public internal(set) var leftAt: WallTime?
    /// Whether the server may have it, because an attempt began whose fate is not known.
    public internal(set) var mayBeStored: Bool
    /// Whether the person took a send back after it may have left: it is deleted on the server
    /// as soon as it shows up there.
    public internal(set) var isCancelled: Bool

    /// Creates an item as a store read it.
    public init(
        id: ClientMessageID, sequence: UInt64, work: OutboxWork, state: State = .waiting,
        queuedAt: WallTime, consentedAt: WallTime? = nil, leftAt: WallTime? = nil,
        mayBeStored: Bool = false, isCancelled: Bool = false
    ) {
        self.id = id
        self.sequence = sequence
        self.work = work
        self.state = state
        self.queuedAt = queuedAt
        self.consentedAt = consentedAt ?? queuedAt
        self.leftAt = leftAt
        self.mayBeStored = mayBeStored
        self.isCancelled = isCancelled
    }

    /// How far an item has come.
    public enum State: Hashable, Sendable {
        /// It waits for its turn, is on its way, or waits for the next attempt.
        case waiting
        /// The server said that it has it; the message itself has not been seen yet.
        case accepted
        /// An attempt's answer was lost, and repeating it could double the message: recovery is
        /// looking for it.
        case outcomeUnknown
        /// Recovery looked and did not find it, or the server refused a repetition: it may or may
        /// not have arrived, and the person decides. The failure says why, where one is known.
        case unconfirmed(BackendFailure?)
        /// The server does not have it, and will not get it without the person's help.
        case failed(BackendFailure)
    }
}

/// What an item is to do.
public enum OutboxWork: Hashable, Sendable {
    /// Send a message. The item's ID is its client message ID.
    case send([ContentBlock])
    /// Give an own message new content.
    case edit(OutboxTarget, [ContentBlock])
    /// Delete an own message.
    case delete(OutboxTarget)
    /// Put (`true`) or take back (`false`) an own reaction.
    case react(OutboxTarget, emoji: String, Bool)

    /// What it is done to; `nil` for a send.
    public var target: OutboxTarget? {
        switch self {
        case .send: nil
        case .edit(let target, _), .delete(let target), .react(let target, _, _): target
        }
    }

    /// Whether it sends a message.
    var isSend: Bool { target == nil }

    /// The content that it carries.
    var content: [ContentBlock]? {
        switch self {
        case .send(let content), .edit(_, let content): content
        case .delete, .react: nil
        }
    }

    /// The same work on another target.
    func retargeted(to target: OutboxTarget) -> OutboxWork {
        switch self {
        case .send: self
        case .edit(_, let content): .edit(target, content)
        case .delete: .delete(target)
        case .react(_, let emoji, let isPut): .react(target, emoji: emoji, isPut)
        }
    }

    /// Whether this later work makes `earlier` pointless, so that only this one needs to go.
    func supersedes(_ earlier: OutboxWork) -> Bool {
        guard let target, earlier.target == target else { return false }
        return switch (self, earlier) {
        case (.delete, _), (.edit, .edit): true
        case (.react(_, let emoji, _), .react(_, let other, _)):
            emoji.utf8.elementsEqual(other.utf8)
        case (.edit, _), (.react, _), (.send, _): false
        }
    }

    /// Whether `message`, as the server has it, shows that this work is done.
    func isReflected(in message: Message, by user: UserID) -> Bool {
        guard target == .sent(message.id) else { return false }
        guard !message.isDeleted else { return true }
        return switch self {
        case .send, .delete: false
        case .edit(_, let content): message.content == content
        case .react(_, let emoji, let isPut):
            message.reactions.contains {
                $0.emoji.utf8.elementsEqual(emoji.utf8) && $0.users.contains(user)
            } == isPut
        }
    }
}

/// The message that an edit, deletion or reaction is about.
public enum OutboxTarget: Hashable, Sendable {
    /// A message that the server has.
    case sent(MessageID)
    /// A message of this outbox; the change waits until the server has it.
    case local(ClientMessageID)
}
