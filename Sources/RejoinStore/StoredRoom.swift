package import RejoinModel
package import RejoinPipeline

/// One room in memory: the checkpoint, kept so that a commit costs no more than its own size.
package struct StoredRoom: Sendable {
    package private(set) var messages: [MessageID: Message] = [:]
    private var members: [UserID: Member] = [:]
    private var rest = RoomCheckpoint()

    package init() {}

    /// What is proven of the messages.
    package var proof: TimelineProof { rest.timeline.proof }

    /// The room as its last commit left it.
    ///
    /// - Complexity: O(n log n) in the messages held.
    package var checkpoint: RoomCheckpoint {
        var checkpoint = rest
        checkpoint.timeline.messages = messages.values.sorted { $0.id < $1.id }
        checkpoint.timeline.members = members.values.sorted { $0.id < $1.id }
        return checkpoint
    }

    /// Stores one commit.
    ///
    /// - Complexity: O(size of the commit) for a timeline's commit.
    package mutating func apply(_ part: RoomCommit.Part) {
        switch part {
        case .timeline(let commit):
            for message in commit.upserts { messages[message.id] = message }
            for id in commit.removals { messages[id] = nil }
            for member in commit.members { members[member.id] = member }
            if let proof = commit.proof { rest.timeline.proof = proof }
        case .outbox, .read:
            rest.apply(part)
        }
    }
}
