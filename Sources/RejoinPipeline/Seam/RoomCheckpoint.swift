public import RejoinModel
public import RejoinReadState
public import RejoinSync

/// One transaction of one room: either all of it is stored, or none.
public struct RoomCommit: Hashable, Sendable {
    /// The room.
    public let room: RoomID
    /// What is stored, by the core that wants it.
    public let part: Part

    /// Creates a commit.
    public init(room: RoomID, part: Part) {
        self.room = room
        self.part = part
    }

    /// The cores of a room, each with its own token of the commit.
    public enum Part: Hashable, Sendable {
        /// Messages and what is proven of them.
        case timeline(TimelineCommit)
        /// Unsent messages and changes.
        case outbox(OutboxCommit)
        /// The read position.
        case read(ReadCommit)
    }
}

/// A room as its last commit left it. A room session that is killed at any instant resumes from
/// here.
public struct RoomCheckpoint: Hashable, Sendable {
    /// Messages and what is proven of them.
    public var timeline: PipelineCheckpoint
    /// Unsent messages and changes.
    public var outbox: OutboxRecord
    /// The read position.
    public var read: ReadRecord

    /// Creates a checkpoint; without arguments that of a room never opened.
    public init(
        timeline: PipelineCheckpoint = PipelineCheckpoint(), outbox: OutboxRecord = OutboxRecord(),
        read: ReadRecord = ReadRecord()
    ) {
        self.timeline = timeline
        self.outbox = outbox
        self.read = read
    }
}

extension RoomCheckpoint {
    /// Stores one commit: what every store does, in the plainest way.
    ///
    /// - Complexity: O(n log n) in the messages held for a timeline's commit, O(items) for the
    ///   others.
    public mutating func apply(_ part: RoomCommit.Part) {
        switch part {
        case .timeline(let commit):
            timeline.apply(commit)
        case .outbox(let commit):
            outbox.apply(commit)
        case .read(let commit):
            read = commit.record
            timeline.lastRead = read.mark.position
        }
    }
}

extension PipelineCheckpoint {
    fileprivate mutating func apply(_ commit: TimelineCommit) {
        var held = Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for message in commit.upserts { held[message.id] = message }
        for id in commit.removals { held[id] = nil }
        messages = held.values.sorted { $0.id < $1.id }
        var people = Dictionary(members.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for member in commit.members { people[member.id] = member }
        members = people.values.sorted { $0.id < $1.id }
        if let proof = commit.proof { self.proof = proof }
    }
}
