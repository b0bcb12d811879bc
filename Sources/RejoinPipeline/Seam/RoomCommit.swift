public import RejoinModel

/// The token of one commit.
public struct CommitID: Hashable, Comparable, Sendable {
    /// The count, unique within one core.
    public let rawValue: UInt64

    /// Wraps a count.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (lhs: CommitID, rhs: CommitID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What a pipeline wants stored in one transaction.
public struct TimelineCommit: Hashable, Sendable {
    /// Its token.
    public let id: CommitID
    /// Messages in their latest state.
    public var upserts: [Message]
    /// Messages that turned out not to exist on the server.
    public var removals: [MessageID]
    /// People in their latest state.
    public var members: [Member]
    /// What is proven once this commit is stored; replaces what was stored before. `nil` leaves it
    /// alone: the legacy pipeline knows no coverage and may never raise a cursor.
    public var proof: TimelineProof?

    /// Creates a commit.
    public init(
        id: CommitID, upserts: [Message] = [], removals: [MessageID] = [], members: [Member] = [],
        proof: TimelineProof? = nil
    ) {
        self.id = id
        self.upserts = upserts
        self.removals = removals
        self.members = members
        self.proof = proof
    }
}

/// What the refactored pipeline has proven of a room: its cursor. It is written only in the
/// transaction that stores the messages it speaks of.
public struct TimelineProof: Hashable, Sendable {
    /// The intervals in which every message of the server is held.
    public var coverage: Coverage
    /// The part of ``coverage`` in which edits may have been missed: every message is there, but
    /// some may be out of date. It is read again when it is shown.
    public var stale: Coverage
    /// The revision as of which the covered messages that are not ``stale`` are true, and up to
    /// which nothing newer is missing; `nil` without revisions.
    public var revision: Revision?
    /// The oldest message that the server still keeps.
    public var horizon: MessageID?

    /// Creates a proof.
    public init(
        coverage: Coverage = Coverage(), stale: Coverage = Coverage(), revision: Revision? = nil,
        horizon: MessageID? = nil
    ) {
        self.coverage = coverage
        self.stale = stale
        self.revision = revision
        self.horizon = horizon
    }
}

/// What a pipeline starts from: a room as it was last stored.
public struct PipelineCheckpoint: Hashable, Sendable {
    /// The messages held, ascending.
    public var messages: [Message]
    /// The people held.
    public var members: [Member]
    /// What the refactored pipeline last committed as proven, whichever pipeline ran since.
    public var proof: TimelineProof
    /// The last read message, for a pipeline that fills from there.
    public var lastRead: MessageID?

    /// Creates a checkpoint.
    public init(
        messages: [Message] = [], members: [Member] = [], proof: TimelineProof = TimelineProof(),
        lastRead: MessageID? = nil
    ) {
        self.messages = messages
        self.members = members
        self.proof = proof
        self.lastRead = lastRead
    }
}
