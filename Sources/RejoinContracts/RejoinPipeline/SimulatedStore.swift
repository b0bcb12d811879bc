internal import RejoinModel
internal import RejoinPipeline

/// What a pipeline has committed, kept as naively as possible: what a process that is killed finds
/// again.
struct SimulatedStore: Sendable {
    private(set) var messages: [MessageID: Message] = [:]
    private(set) var members: [UserID: Member] = [:]
    private(set) var proof = TimelineProof()

    mutating func apply(_ commit: TimelineCommit) {
        for message in commit.upserts { messages[message.id] = message }
        for id in commit.removals { messages[id] = nil }
        for member in commit.members { members[member.id] = member }
        if let proof = commit.proof { self.proof = proof }
    }

    /// A message that a pipeline without coverage stores: nothing is proven of it.
    mutating func append(_ message: Message) {
        if messages[message.id] == nil { messages[message.id] = message }
    }

    func checkpoint() -> PipelineCheckpoint {
        PipelineCheckpoint(
            messages: messages.values.sorted { $0.id < $1.id },
            members: members.values.sorted { $0.id < $1.id }, proof: proof,
            lastRead: messages.keys.max())
    }
}
