public import RejoinTime

/// A message written on this device that the server is not yet known to hold (promise P5).
public struct UnsentMessage: Hashable, Sendable {
    /// Its key.
    public let clientID: ClientMessageID
    /// What it holds.
    public var content: [ContentBlock]
    /// What becomes of it.
    public var state: State
    /// When the person pressed send; for people to read.
    public var queuedAt: WallTime

    /// Creates an unsent message.
    public init(
        clientID: ClientMessageID, content: [ContentBlock], state: State = .queued,
        queuedAt: WallTime
    ) {
        self.clientID = clientID
        self.content = content
        self.state = state
        self.queuedAt = queuedAt
    }

    /// What becomes of an unsent message.
    public enum State: Hashable, Sendable {
        /// It waits for its turn or for a connection.
        case queued
        /// It is on its way.
        case sending
        /// The server has it; the message itself has not come back yet.
        case accepted
        /// The server refused it, and why; the person can retry or discard it.
        case failed(BackendFailure)
        /// Whether the server has it is not known, and sending it again could double it; the person
        /// decides.
        case unconfirmed
    }
}
