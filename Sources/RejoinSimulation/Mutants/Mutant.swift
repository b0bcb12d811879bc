package import RejoinModel
package import RejoinPipeline
package import RejoinSync
package import RejoinTime
package import RejoinTransport

/// A deliberate fault in our own code, made at a core's edge: it rewrites what goes in and what
/// comes out. The simulator is worth something only if each mutant is caught.
///
/// Each device of a run has a copy of its own, so that a mutant may remember things. A method that
/// is left out changes nothing.
package protocol Mutant: Sendable {
    /// What it is called in the table of mutants.
    var name: String { get }

    /// What the transport's core is given.
    mutating func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input]
    /// What the transport's core wants done.
    mutating func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    /// What a room's core is given.
    mutating func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput]
    /// What a room's core wants done.
    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    /// What the server answers to a fetch.
    mutating func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure>
    /// What the store executes.
    mutating func rewrite(_ commit: RoomCommit) -> RoomCommit?
    /// What a room resumes from after the process started anew.
    mutating func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint
}

extension Mutant {
    package func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        [input]
    }

    package func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        effects
    }

    package func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        [input]
    }

    package func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        effects
    }

    package func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        answer
    }

    package func rewrite(_ commit: RoomCommit) -> RoomCommit? { commit }

    package func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint {
        checkpoint
    }
}
