public import RejoinReadState
public import RejoinSync

/// The timers of an open room, by the core that owns each.
public enum RoomTimer: Hashable, Sendable {
    /// The pipeline's.
    case pipeline(PipelineTimer)
    /// The outbox's.
    case outbox(OutboxTimer)
    /// The read position's.
    case read(ReadSyncTimer)
}

extension RoomCommit {
    /// What tells one commit of a room from another.
    public enum Token: Hashable, Sendable {
        /// The pipeline's.
        case timeline(CommitID)
        /// The outbox's.
        case outbox(OutboxCommit.ID)
        /// The read position's.
        case read(ReadCommit.ID)
    }

    /// The token that answers to this commit carry.
    public var token: Token {
        switch part {
        case .timeline(let commit): .timeline(commit.id)
        case .outbox(let commit): .outbox(commit.id)
        case .read(let commit): .read(commit.id)
        }
    }
}
