import RejoinModel
import RejoinPipeline
import RejoinReadState
import RejoinSync
import RejoinTime

/// The least shell and backend that a `RoomSession` can be driven with: answers come at once, in
/// the order of the effects, unless a test holds them back.
struct SessionShell {
    private(set) var session: RoomSession
    private(set) var server: [Message]
    private(set) var accepted: [ClientMessageID] = []
    /// Commits after which the store takes nothing any more, as if the process had been killed.
    var commitLimit = Int.max
    /// Whether mutations are carried out at once, or held back.
    var answersMutations = true
    /// Whether the server refuses mutations.
    var refusesMutations = false
    /// Whether what a pipeline commits stays on its way to the store.
    var holdsTimelineCommits = false

    private var checkpoint = RoomCheckpoint()
    private var revision: UInt64
    private var read = ReadMark.unread
    private var held: [(Outbox.AttemptID, Mutation)] = []
    private var heldCommits: [RoomCommit] = []
    /// Whether summaries stay on their way, and how many were asked for.
    var holdsSummaries = false
    private(set) var summaryRequests = 0
    /// Whether answers to fetches stay on their way, as they were when they were made.
    var holdsAnswers = false
    private var heldAnswers: [(RequestID, HistoryAnswer)] = []
    private var now = Instant.origin
    private let wall = WallTime(milliseconds: 1_000)

    private let capabilities: BackendCapabilities

    init(
        messages: Int, author: String = "ann",
        capabilities: BackendCapabilities = BackendCapabilities()
    ) {
        self.capabilities = capabilities
        server = (0..<messages).map { index in
            var message = Fixture.message(UInt128(index + 1), author: author)
            message.revision = Revision(UInt64(index + 1))
            return message
        }
        revision = UInt64(messages)
        session = Self.makeSession(from: RoomCheckpoint(), capabilities)
    }

    private static func makeSession(
        from checkpoint: RoomCheckpoint, _ capabilities: BackendCapabilities
    ) -> RoomSession {
        // The real refactored pipeline; the legacy one may not be imported here.
        var registry = PipelineRegistry()
        registry.register(.legacy) { ProbePipeline($0, room: $1.room, proves: false) }
        return RoomSession(
            resuming: checkpoint, selection: PipelineSelection(.refactored, reason: ""),
            registry: registry, pipeline: Fixture.configuration(capabilities))
    }

    var shownIDs: [UInt128] { session.snapshot.timeline.messages.map(\.id.rawValue) }

    mutating func open() {
        give(.foreground(PipelineSelection(.refactored, reason: "")))
        give(.subscription(.pending))
        give(.subscription(.confirmed))
    }

    /// A new process on the same store.
    mutating func restart() {
        commitLimit = .max
        held = []
        accepted = []
        session = Self.makeSession(from: checkpoint, capabilities)
    }

    /// A message that the subscription does not deliver.
    mutating func post(author: String, clientID: ClientMessageID? = nil, text: String = "text") {
        revision += 1
        server.append(
            Message(
                id: MessageID(UInt128(server.count + 1)), author: UserID(author),
                clientID: clientID, sentAt: wall, content: [.text(text)],
                revision: Revision(revision)))
    }

    /// Two messages that the subscription does not deliver, of which the first becomes visible last;
    /// returns what the server counts in between.
    mutating func postLate(author: String) -> RoomSummary {
        post(author: author)
        post(author: author)
        let (first, second) = (server.count - 2, server.count - 1)
        let revision = server[first].revision
        server[first].revision = server[second].revision
        server[second].revision = revision
        let late = server.remove(at: first)
        defer { server.insert(late, at: first) }
        return summary
    }

    /// Another device of the person reads, and the subscription does not tell.
    mutating func readElsewhere(_ id: MessageID) {
        read = ReadMark(version: 0, position: id)
    }

    /// A message that the subscription delivers.
    mutating func postLive(author: String) {
        post(author: author)
        give(
            .event(
                RoomEvent(
                    room: Fixture.room, kind: .created(server[server.count - 1], author: nil),
                    revision: Revision(revision))))
    }

    /// An edit by another device, which the subscription delivers.
    mutating func editLive(_ id: MessageID, text: String) {
        guard edit(id, [.text(text)]) != nil else { return }
        deliver(id)
    }

    /// A deletion by another device, which the subscription delivers.
    mutating func deleteLive(_ id: MessageID) {
        delete(id)
        deliver(id)
    }

    /// A deletion by another device, of which only the change feed tells.
    mutating func delete(_ id: MessageID) {
        guard let index = server.firstIndex(where: { $0.id == id }) else { return }
        server[index].isDeleted = true
        _ = edit(id, [])
    }

    /// The summary that was held back comes.
    mutating func releaseSummary(_ summary: RoomSummary) {
        holdsSummaries = false
        give(.summarized(summary))
    }

    /// The event of a message's last change.
    mutating func deliver(_ id: MessageID) {
        guard let message = server.first(where: { $0.id == id }) else { return }
        give(
            .event(
                RoomEvent(
                    room: Fixture.room, kind: .changed(message), revision: Revision(revision))))
    }

    private mutating func edit(_ id: MessageID, _ content: [ContentBlock]) -> Message? {
        guard let index = server.firstIndex(where: { $0.id == id }) else { return nil }
        revision += 1
        server[index].content = content
        server[index].revision = Revision(revision)
        return server[index]
    }

    mutating func releaseTimelineCommits() {
        holdsTimelineCommits = false
        let waiting = heldCommits
        heldCommits = []
        for commit in waiting { store(commit) }
    }

    /// Lets the answers go that are on their way by now.
    mutating func releaseAnswers() {
        let waiting = heldAnswers
        heldAnswers = []
        for (id, answer) in waiting { give(.answered(id, .success(answer))) }
    }

    mutating func releaseMutations() {
        let waiting = held
        held = []
        for (attempt, mutation) in waiting { perform(attempt, mutation) }
    }

    mutating func give(_ input: RoomInput) {
        now = now.advanced(by: .milliseconds(1))
        for effect in session.handle(input, at: now, wall: wall) { execute(effect) }
    }

    private mutating func execute(_ effect: RoomEffect) {
        switch effect {
        case .fetch(let id, let request):
            if holdsAnswers {
                heldAnswers.append((id, answer(request)))
            } else {
                give(.answered(id, .success(answer(request))))
            }
        case .perform(let attempt, let mutation):
            if answersMutations {
                perform(attempt, mutation)
            } else {
                held.append((attempt, mutation))
            }
        case .report(let attempt, let mark, _):
            read = max(read, mark)
            let answer = ReadAnswer(mark: read, unread: unread, unreadAsOf: server.last?.id)
            give(.reported(attempt, .success(answer)))
        case .fetchSummary:
            summaryRequests += 1
            if !holdsSummaries { give(.summarized(summary)) }
        case .commit(let commit):
            guard commitLimit > 0 else { return }
            commitLimit -= 1
            if holdsTimelineCommits, case .timeline = commit.part {
                heldCommits.append(commit)
            } else {
                store(commit)
            }
        case .accepted(let id): accepted.append(id)
        case .cancelFetch, .abandon, .abandonReport, .publish, .unsubscribe, .setTimer,
            .cancelTimer, .cancelled,
            .refused, .recovered, .switched, .metric, .shadow:
            break
        }
    }

    private mutating func store(_ commit: RoomCommit) {
        checkpoint.apply(commit.part)
        give(.committed(commit.token))
    }

    private var unread: Int {
        server.count { $0.author != Fixture.user && !$0.isDeleted && isUnread($0.id) }
    }

    private func isUnread(_ id: MessageID) -> Bool {
        read.position.map { $0 < id } ?? true
    }

    var summary: RoomSummary {
        RoomSummary(
            room: Fixture.room, name: "Room", lastMessage: server.last,
            revision: Revision(revision), read: read, unread: unread,
            unreadAsOf: server.last?.id)
    }

    private func answer(_ request: HistoryRequest) -> HistoryAnswer {
        switch request {
        case .summary: .summary(summary)
        case .changes(let after, let limit):
            .changes(changes(after: after, limit: limit))
        case .page(let anchor, let limit): .page(page(anchor, limit))
        }
    }

    private func changes(after: Revision, limit: Int) -> ChangePage {
        let later = server.filter { ($0.revision ?? after) > after }
            .sorted { ($0.revision ?? after) < ($1.revision ?? after) }
        let page = Array(later.prefix(limit))
        return ChangePage(
            messages: page, revision: page.last?.revision ?? Revision(revision),
            hasMore: later.count > limit, tip: server.last?.id)
    }

    private func page(_ anchor: HistoryAnchor, _ limit: Int) -> HistoryPage {
        let chosen: ArraySlice<Message> =
            switch anchor {
            case .newest: server.suffix(limit)
            case .after(let id): server.drop { $0.id <= id ?? MessageID(0) }.prefix(limit)
            case .before(let id): server.prefix { $0.id < id }.suffix(limit)
            case .around(let id): server.drop { $0.id < id }.prefix(limit)
            }
        let older = server.prefix { $0.id < chosen.first?.id ?? MessageID(.max) }
        return HistoryPage(
            messages: Array(chosen), from: older.last?.id, through: chosen.last?.id,
            hasBefore: !older.isEmpty, hasAfter: chosen.last?.id != server.last?.id,
            tip: server.last?.id, revision: Revision(revision))
    }

    private mutating func perform(_ attempt: Outbox.AttemptID, _ mutation: Mutation) {
        guard !refusesMutations else {
            return give(.performed(attempt, .failure(BackendFailure(.rejected, "refused"))))
        }
        if case .edit(let id, let content) = mutation, let edited = edit(id, content) {
            return give(.performed(attempt, .success(.stored(edited))))
        }
        guard case .send(let draft) = mutation else {
            return give(.performed(attempt, .failure(BackendFailure(.rejected, "not played here"))))
        }
        if !server.contains(where: { $0.clientID == draft.clientID }) {
            post(author: Fixture.user.rawValue, clientID: draft.clientID)
        }
        guard let message = server.first(where: { $0.clientID == draft.clientID }) else { return }
        give(.performed(attempt, .success(.stored(message))))
    }
}
