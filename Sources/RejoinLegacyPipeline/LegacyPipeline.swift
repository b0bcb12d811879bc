public import RejoinModel
public import RejoinPipeline
internal import RejoinSync
public import RejoinTime

/// The first design, kept as it was, so that a host can roll back to it while the refactored
/// pipeline is ramped up. It goes when the rollout is done: this target and the line that registers
/// it are all there is of it.
///
/// How it works, and what it therefore cannot do:
///
/// - Messages stand in an array in the order in which they came; duplicates are found by a linear
///   search. So a message that comes late stays where it came.
/// - Only a return to the foreground fills: one page, of a fixed size, of what follows the last
///   read message. So nothing repairs a drop in the foreground, a hole larger than a page stays,
///   and without a last read message nothing is fetched.
/// - Each live message moves the read position, whoever is looking. So after a drop the position
///   stands *behind* the hole, and the next fill starts after it: what was missed is never fetched.
/// - It knows no coverage and shows no gaps. Its commits carry no proof, and its checkpoint none.
public struct LegacyPipeline: RoomPipeline {
    private let configuration: PipelineConfiguration
    private var messages: [Message]
    private var members: [Member]
    private var lastRead: MessageID?
    private var version = SnapshotVersion()

    private var nextRequest: UInt64 = 0
    private var fill: RequestID?
    private var loads: [RequestID] = []

    private var nextCommit: UInt64 = 0
    private var underWay: [TimelineCommit] = []
    private var failed: [TimelineCommit] = []

    /// Starts from what was stored; the proof in it is left alone.
    public init(resuming checkpoint: PipelineCheckpoint, configuration: PipelineConfiguration) {
        self.configuration = configuration
        messages = checkpoint.messages
        members = checkpoint.members
        lastRead = checkpoint.lastRead
    }

    public var isSettled: Bool { underWay.isEmpty && failed.isEmpty }

    public var snapshot: TimelineSnapshot {
        let shown = messages.suffix(min(configuration.windowLimit, TimelineWindow.maximumCount))
        return TimelineSnapshot(
            room: configuration.room, version: version, window: .newest(configuration.windowLimit),
            items: shown.map { .message($0) },
            members: Dictionary(members.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
            hasOlder: shown.count < messages.count, hasNewer: false)
    }

    public func checkpoint() -> PipelineCheckpoint {
        PipelineCheckpoint(
            messages: messages.sorted { $0.id < $1.id }, members: members, lastRead: lastRead)
    }

    public mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        switch input {
        case .live(let event): receive(event)
        case .trigger(.foreground): startFill()
        case .answered(let id, let result): take(result, for: id)
        case .load(let anchor): load(anchor)
        case .readPosition(let position): moveLastRead(to: position)
        case .settledSend(let message): append([message], members: [])
        case .committed(let id): committed(id)
        case .commitFailed(let id): commitFailed(id, at: now)
        case .timer(.retry): retryCommits()
        case .leave: lastRead.map { [.suggestRead($0)] } ?? []
        case .subscription(.confirmed), .subscription(.assumed): [Self.nothingProven]
        case .trigger: [Self.nothingProven]
        case .subscription, .approach, .background, .timer: []
        }
    }

    // MARK: - Live events

    private mutating func receive(_ event: RoomEvent) -> [PipelineEffect] {
        switch event.kind {
        case .created(let message, let author):
            guard !holds(message.id) else { return [.metric(.duplicateSuppressed)] }
            lastRead = message.id
            return append([message], members: author.map { [$0] } ?? [])
                + [.suggestRead(message.id)]
        case .changed(let message):
            guard let index = messages.firstIndex(where: { $0.id == message.id }) else { return [] }
            messages[index] = message
            return commit(upserts: [message], members: [])
        case .read, .typing, .rejected, .unknown:
            return []
        @unknown default:
            return []
        }
    }

    // MARK: - The fill by REST

    private mutating func startFill() -> [PipelineEffect] {
        guard let lastRead else { return [Self.nothingProven] }
        let id = makeRequest()
        fill = id
        return [.fetch(id, .page(.after(lastRead), limit: configuration.pageSize))]
    }

    private mutating func take(
        _ result: Result<HistoryAnswer, BackendFailure>, for id: RequestID
    ) -> [PipelineEffect] {
        let isFill = fill == id
        guard isFill || loads.contains(id) else { return [] }
        if isFill { fill = nil } else { loads.removeAll { $0 == id } }
        guard case .success(.page(let page)) = result else {
            // The fill ignores errors; all that is left is to say so.
            guard isFill, case .failure(let failure) = result else { return [] }
            return [.recovered(.failed(failure, retryAt: nil))]
        }
        var effects: [PipelineEffect] = []
        if isFill, let last = page.messages.last?.id, lastRead.map({ last > $0 }) ?? true {
            lastRead = last
            effects.append(.suggestRead(last))
        }
        effects = append(page.messages, members: page.members, isHistory: !isFill) + effects
        if isFill { effects.append(Self.nothingProven) }
        return effects
    }

    /// Whatever this pipeline did to catch up: it cannot say that nothing is missing.
    private static let nothingProven = PipelineEffect.recovered(.partial([], RecoveryEvidence()))

    private static let loadLimit = 4

    private mutating func load(_ anchor: HistoryAnchor) -> [PipelineEffect] {
        guard loads.count < Self.loadLimit else { return [] }
        let id = makeRequest()
        loads.append(id)
        return [.fetch(id, .page(anchor, limit: configuration.pageSize))]
    }

    private mutating func makeRequest() -> RequestID {
        nextRequest += 1
        return RequestID(nextRequest)
    }

    // MARK: - The store

    private func holds(_ id: MessageID) -> Bool {
        messages.contains { $0.id == id }
    }

    private mutating func append(
        _ page: [Message], members newMembers: [Member], isHistory: Bool = false
    ) -> [PipelineEffect] {
        let fresh = page.filter { !holds($0.id) }
        // Older history goes to the front; everything else to the end, where it came.
        if isHistory, let first = messages.first?.id, let last = fresh.last?.id, last < first {
            messages.insert(contentsOf: fresh, at: 0)
        } else {
            messages += fresh
        }
        for member in newMembers {
            members.removeAll { $0.id == member.id }
            members.append(member)
        }
        return fresh.isEmpty ? [] : commit(upserts: fresh, members: newMembers)
    }

    private mutating func moveLastRead(to position: MessageID?) -> [PipelineEffect] {
        lastRead = position
        return []
    }

    private mutating func commit(upserts: [Message], members: [Member]) -> [PipelineEffect] {
        version = version.following()
        nextCommit += 1
        let commit = TimelineCommit(
            id: CommitID(nextCommit), upserts: upserts, members: members)
        underWay.append(commit)
        let own = upserts.filter {
            $0.author == configuration.user && $0.clientID != nil
        }
        return [.commit(commit)] + (own.isEmpty ? [] : [.observed(own)])
    }

    private mutating func committed(_ id: CommitID) -> [PipelineEffect] {
        underWay.removeAll { $0.id == id }
        return [.publish]
    }

    private mutating func commitFailed(_ id: CommitID, at now: Instant) -> [PipelineEffect] {
        guard let index = underWay.firstIndex(where: { $0.id == id }) else { return [] }
        failed.append(underWay.remove(at: index))
        return [.setTimer(.retry, now.advanced(by: .seconds(1)))]
    }

    /// A message goes as it is by now: the state of then must not replace a newer one that has been
    /// stored meanwhile, for the next pipeline starts from what is held here.
    private mutating func retryCommits() -> [PipelineEffect] {
        let again = failed.map { commit in
            TimelineCommit(
                id: commit.id,
                upserts: commit.upserts.map { old in messages.first { $0.id == old.id } ?? old },
                members: commit.members)
        }
        failed = []
        underWay += again
        return again.map { .commit($0) }
    }
}
