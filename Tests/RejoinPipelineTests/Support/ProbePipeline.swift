import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime

/// The least pipeline that a switch can be tried with: it stores and shows what comes live, and
/// fetches the newest page at each confirmation.
struct ProbePipeline: RoomPipeline {
    /// Whether its commits carry a proof, as the refactored pipeline's do.
    let proves: Bool
    private let room: RoomID
    private var messages: [Message]
    private var proof: TimelineProof
    private var version = SnapshotVersion()
    private var commits: UInt64 = 0
    private var requests: UInt64 = 0
    private var underWay: Set<CommitID> = []

    init(_ checkpoint: PipelineCheckpoint, room: RoomID, proves: Bool) {
        self.proves = proves
        self.room = room
        messages = checkpoint.messages
        proof = checkpoint.proof
    }

    var isSettled: Bool { underWay.isEmpty }

    var snapshot: TimelineSnapshot {
        TimelineSnapshot(
            room: room, version: version, window: .newest(), items: messages.map { .message($0) },
            members: [:], hasOlder: false, hasNewer: false)
    }

    func checkpoint() -> PipelineCheckpoint {
        PipelineCheckpoint(messages: messages, proof: proves ? proof : TimelineProof())
    }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        switch input {
        case .live(let event): return receive(event)
        case .subscription(.confirmed):
            requests += 1
            return [
                .fetch(RequestID(requests), .page(.newest, limit: 10)),
                .setTimer(.confirmTail, now.advanced(by: .seconds(1))),
            ]
        case .answered(_, .success(.page(let page))): return store(page.messages)
        case .committed(let id):
            underWay.remove(id)
            return [.publish]
        case .commitFailed: return [.setTimer(.retry, now.advanced(by: .seconds(1)))]
        case .timer(.reorder): return [.setTimer(.reorder, now)]
        case .timer(.retry):
            return underWay.sorted().map { .commit(TimelineCommit(id: $0)) }
                + [.setTimer(.settle, now.advanced(by: .seconds(1)))]
        case .timer(.settle): return [.cancelTimer(.confirmTail)]
        default: return []
        }
    }

    private mutating func receive(_ event: RoomEvent) -> [PipelineEffect] {
        guard case .created(let message, _) = event.kind else { return [] }
        return store([message])
    }

    private mutating func store(_ new: [Message]) -> [PipelineEffect] {
        messages += new
        version = version.following()
        if proves, let last = messages.map(\.id).max() {
            proof.coverage.insert(Coverage.Interval(from: nil, through: last))
        }
        commits += 1
        let id = CommitID(commits)
        underWay.insert(id)
        return [.commit(TimelineCommit(id: id, upserts: new, proof: proves ? proof : nil))]
    }
}

/// What the tests of this target share: one room and messages in it.
enum Fixture {
    static let room = RoomID("room")
    static let user = UserID("me")

    static func message(_ id: UInt128, _ text: String = "text", author: String = "ann") -> Message {
        Message(
            id: MessageID(id), author: UserID(author), sentAt: WallTime(milliseconds: 0),
            content: [.text(text)])
    }

    static func live(_ id: UInt128) -> PipelineInput {
        .live(RoomEvent(room: room, kind: .created(message(id), author: nil)))
    }

    static func configuration(_ capabilities: BackendCapabilities = BackendCapabilities())
        -> PipelineConfiguration
    {
        PipelineConfiguration(room: room, user: user, capabilities: capabilities, seed: 1)
    }

    /// Both names stand for probes; only the refactored one proves.
    static var registry: PipelineRegistry {
        var registry = PipelineRegistry()
        registry.register(.legacy) { ProbePipeline($0, room: $1.room, proves: false) }
        registry.register(.refactored) { ProbePipeline($0, room: $1.room, proves: true) }
        return registry
    }
}
