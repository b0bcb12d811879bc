import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime

/// A recovery on the bench: its requests are answered by a naive room, when the test says so.
struct RecoveryBench {
    var room: ModelRoom
    var recovery: RoomRecovery
    var now = Instant.origin

    /// The request that is out.
    private(set) var open: (id: RequestID, request: HistoryRequest)?
    private(set) var requests: [HistoryRequest] = []
    private(set) var cancelled: [RequestID] = []
    private(set) var outcomes: [RecoveryOutcome] = []
    private(set) var metrics: [RecoveryMetric] = []
    private(set) var observed: [Message] = []
    private(set) var timers: [RecoveryTimer: Instant] = [:]

    static let me = UserID("me")
    static let other = UserID("other")

    /// - Parameters:
    ///   - count: messages in the room.
    ///   - held: how many of them, from the oldest on, were stored and proven before.
    init(
        _ count: Int = 0, held: Int? = nil,
        capabilities: BackendCapabilities = BackendCapabilities(),
        policy: RecoveryPolicy = RecoveryPolicy(pageSize: 5, catchUpPages: 3),
        windowLimit: Int = 20
    ) {
        room = ModelRoom(id: RoomID("r"), capabilities: capabilities)
        for number in 0..<(held ?? 0) {
            _ = room.create(author: Self.other, text: "old \(number)")
        }
        var coverage = Coverage()
        if let last = room.messages.last { coverage.insert(.init(from: nil, through: last.id)) }
        recovery = RoomRecovery(
            timeline: Timeline(
                room: RoomID("r"), messages: room.messages, coverage: coverage),
            revision: held != nil && capabilities.hasRevisions ? room.revision : nil,
            user: Self.me, capabilities: capabilities, policy: policy, windowLimit: windowLimit,
            seed: 1)
        for number in (held ?? 0)..<max(count, held ?? 0) {
            _ = room.create(author: Self.other, text: "new \(number)")
        }
    }

    // MARK: Inputs

    @discardableResult
    mutating func give(_ input: RecoveryInput) -> [RecoveryEffect] {
        let effects = recovery.handle(input, at: now)
        for effect in effects {
            switch effect {
            case .fetch(let id, let request):
                open = (id, request)
                requests.append(request)
            case .cancelFetch(let id):
                cancelled.append(id)
                if open?.id == id { open = nil }
            case .setTimer(let timer, let deadline): timers[timer] = deadline
            case .cancelTimer(let timer): timers[timer] = nil
            case .ended(let outcome): outcomes.append(outcome)
            case .observed(let messages): observed += messages
            case .metric(let metric): metrics.append(metric)
            case .store: break
            }
        }
        return effects
    }

    /// Answers the request that is out as the room would.
    @discardableResult
    mutating func answer() -> [RecoveryEffect] {
        guard let open else { return [] }
        self.open = nil
        do throws(BackendFailure) {
            return give(.answered(open.id, .success(try room.answer(open.request))))
        } catch {
            return give(.answered(open.id, .failure(error)))
        }
    }

    /// Answers the request that is out by something else.
    @discardableResult
    mutating func answer(_ result: Result<HistoryAnswer, BackendFailure>) -> [RecoveryEffect] {
        guard let open else { return [] }
        self.open = nil
        return give(.answered(open.id, result))
    }

    /// Answers until nothing is asked any more.
    mutating func answerAll() {
        var rounds = 0
        while open != nil, rounds < 100 {
            answer()
            rounds += 1
        }
    }

    /// Lets a timer come due.
    @discardableResult
    mutating func fire(_ timer: RecoveryTimer) -> [RecoveryEffect] {
        guard let deadline = timers.removeValue(forKey: timer) else { return [] }
        now = max(now, deadline)
        return give(.timer(timer))
    }

    /// Subscribes and catches up.
    mutating func goLive() {
        give(.subscribing)
        give(.subscribed)
        answerAll()
    }

    // MARK: People

    /// Somebody writes; the event comes live unless it is lost.
    @discardableResult
    mutating func write(
        _ text: String = "hello", by author: UserID = RecoveryBench.other, lost: Bool = false
    ) -> MessageID {
        let event = room.create(author: author, text: text)
        if !lost { give(.live(event)) }
        return room.messages[room.messages.count - 1].id
    }

    // MARK: What is held

    var heldIDs: [MessageID] { recovery.timeline.messages().map(\.id) }
    var roomIDs: [MessageID] { room.messages.map(\.id) }
    var gaps: [Gap] { recovery.timeline.gaps }

    /// Whether the whole room is held, proven and up to date.
    var isComplete: Bool {
        recovery.timeline.messages() == room.messages
            && recovery.provenCoverage.newest == room.messages.last?.id && gaps.isEmpty
    }
}

extension BackendCapabilities {
    /// A backend without revisions.
    static let plain = BackendCapabilities(hasRevisions: false)

    /// A backend without revisions whose messages may appear late.
    static let settling = BackendCapabilities(
        commitOrder: .settles(within: .seconds(2)), hasRevisions: false)

    /// A backend whose messages may appear late, and whose feed tells of them.
    static let settlingWithRevisions = BackendCapabilities(
        commitOrder: .settles(within: .seconds(2)))
}

/// The two kinds of backend that most tests try.
enum BackendKind: CaseIterable {
    case revisions
    case plain

    var capabilities: BackendCapabilities {
        switch self {
        case .revisions: BackendCapabilities()
        case .plain: .plain
        }
    }
}

extension RecoveryOutcome {
    var isComplete: Bool { if case .complete = self { true } else { false } }

    var gaps: [Gap] { if case .partial(let gaps, _) = self { gaps } else { [] } }

    var failure: BackendFailure? {
        if case .failed(let failure, _) = self { failure } else { nil }
    }
}
