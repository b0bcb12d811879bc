internal import RejoinModel
internal import RejoinSync
internal import RejoinTime

/// The reads of a shadow pipeline: those of the control go out as they are, those of the candidate
/// wait for a read of the control that asks the same, or go out within the ration.
struct ShadowReads {
    /// What becomes of a read that the candidate wants.
    enum Verdict {
        /// It goes out under this token.
        case goes(RequestID)
        /// It is answered by the control's read of the same.
        case waits
        /// It came too early.
        case refused(BackendFailure)
        /// The ration is used up.
        case exhausted
    }

    /// Where an answer belongs.
    enum Owner {
        case control
        case candidate(RequestID)
    }

    private static let candidateBit: UInt64 = 1 << 39

    private let limit: Int
    private let burst: Int
    private let interval: Duration
    private var used = 0
    /// When the last reads went out, as many as may follow each other at once.
    private var recent: [Instant] = []
    /// The control's reads under way.
    private var control: [RequestID: HistoryRequest] = [:]
    /// The candidate's reads that wait for one of them, in the order in which they were asked.
    private var waiting: [(candidate: RequestID, control: RequestID)] = []
    /// The candidate's reads under way.
    private var own: Set<RequestID> = []

    init(_ policy: ShadowPolicy) {
        limit = policy.readLimit
        burst = max(1, policy.readBurst)
        interval = policy.readInterval
    }

    /// Whether nothing is under way, of either.
    var isIdle: Bool { control.isEmpty && waiting.isEmpty && own.isEmpty }

    mutating func controlAsks(_ id: RequestID, _ request: HistoryRequest) {
        control[id] = request
    }

    /// The control gives a read up; returns who waited for it.
    mutating func controlCancels(_ id: RequestID) -> [RequestID] {
        control[id] = nil
        return takeWaiting(for: id)
    }

    mutating func candidateAsks(_ id: RequestID, _ request: HistoryRequest, at now: Instant)
        -> Verdict
    {
        // Tokens ascend, so the oldest read of the same kind answers.
        if let same = control.filter({ $0.value == request }).keys.min() {
            waiting.append((id, same))
            return .waits
        }
        guard used < limit else { return .exhausted }
        if recent.count == burst, let oldest = recent.first, now < oldest + interval * burst {
            return .refused(
                BackendFailure(
                    .rateLimited, "a shadow's reads are rationed", retryAfter: interval))
        }
        used += 1
        if recent.count == burst { recent.removeFirst() }
        recent.append(now)
        own.insert(id)
        return .goes(Self.token(id))
    }

    /// The candidate gives a read up; the token under which it is under way, if it is.
    mutating func candidateCancels(_ id: RequestID) -> RequestID? {
        waiting.removeAll { $0.candidate == id }
        return own.remove(id) == nil ? nil : Self.token(id)
    }

    /// An answer came; returns whose it is, and who waited for it too.
    mutating func answered(_ token: RequestID) -> (owner: Owner, shared: [RequestID]) {
        if token.rawValue & Self.candidateBit != 0 {
            let id = RequestID(token.rawValue & ~Self.candidateBit)
            own.remove(id)
            return (.candidate(id), [])
        }
        control[token] = nil
        return (.control, takeWaiting(for: token))
    }

    /// Everything of the candidate's that is under way, by token, in order of issue.
    var underWay: [RequestID] { own.sorted().map(Self.token) }

    private mutating func takeWaiting(for id: RequestID) -> [RequestID] {
        let taken = waiting.filter { $0.control == id }.map(\.candidate)
        waiting.removeAll { $0.control == id }
        return taken
    }

    private static func token(_ id: RequestID) -> RequestID {
        RequestID(id.rawValue | candidateBit)
    }
}
