import RejoinModel
import RejoinPipeline
import RejoinSimulation
import RejoinSync
import RejoinTime

struct FetchBeforeConfirmed: Mutant {
    let name = "fetch before subscription confirmed"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .subscription(let phase) = input else { return [input] }
        switch phase {
        case .pending: return [.subscription(.confirmed)]
        case .confirmed, .assumed, .proven: return []
        case .lost, .overflowed: return [input]
        }
    }
}

struct OverflowNotReported: Mutant {
    let name = "overflow unreported"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        if case .subscription(.overflowed) = input { [] } else { [input] }
    }
}

struct UnreadableNotReported: Mutant {
    let name = "unreadable event unreported"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        if case .unreadableEvent = input { [] } else { [input] }
    }
}

struct ChangesNotHeard: Mutant {
    let name = "live change dropped"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .event(let event) = input, case .changed = event.kind else { return [input] }
        return []
    }
}

struct PageLosesMessage: Mutant {
    let name = "page loses a message"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .success(.page(var page)) = answer, page.messages.count > 2 else {
            return answer
        }
        page.messages.remove(at: page.messages.count / 2)
        return .success(.page(page))
    }
}

struct PageEndsEarly: Mutant {
    let name = "later pages ignored"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .success(.page(var page)) = answer, page.hasAfter else { return answer }
        page.hasAfter = false
        page.tip = page.through
        return .success(.page(page))
    }
}

struct HorizonIgnored: Mutant {
    let name = "horizon ignored"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .success(.page(var page)) = answer, page.horizon != nil else { return answer }
        page.horizon = nil
        if case .page(.after(let bound), _) = request { page.from = bound }
        return .success(.page(page))
    }
}

struct FailedPageTakenForEmpty: Mutant {
    let name = "failed page taken for empty"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .failure = answer, case .page(.after(let bound), _) = request else {
            return answer
        }
        return .success(
            .page(
                HistoryPage(
                    messages: [], from: bound, through: bound, hasBefore: false, hasAfter: false,
                    tip: bound)))
    }
}

struct FeedPageSkipped: Mutant {
    let name = "page of the change feed skipped"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .success(.changes(var page)) = answer, page.hasMore else { return answer }
        page.messages = []
        return .success(.changes(page))
    }
}

struct FeedEndsEarly: Mutant {
    let name = "rest of the change feed ignored"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .success(.changes(var page)) = answer, page.hasMore else { return answer }
        page.hasMore = false
        return .success(.changes(page))
    }
}

struct GoneTakenForNothing: Mutant {
    let name = "410 taken for no changes"

    func rewrite(
        _ answer: Result<HistoryAnswer, BackendFailure>, to request: HistoryRequest, in room: RoomID
    ) -> Result<HistoryAnswer, BackendFailure> {
        guard case .failure(let failure) = answer, failure.code == .gone,
            case .changes(let after, _) = request
        else { return answer }
        return .success(.changes(ChangePage(messages: [], revision: after, hasMore: false)))
    }
}

/// Whatever the timer was to call back for does not happen.
struct RoomTimerLost: Mutant {
    let name: String
    let timer: RoomTimer

    func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant) -> [RoomEffect] {
        effects.filter { if case .setTimer(timer, _) = $0 { false } else { true } }
    }
}

struct FailuresAskedAgain: Mutant {
    let name = "failed fetch asked again at once"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .answered(_, .failure) = input else { return [input] }
        return [input, .subscription(.overflowed), .trigger(.manual)]
    }
}

struct StaleRequestAccepted: Mutant {
    let name = "stale request ID accepted"
    private var newest: [RoomID: RequestID] = [:]

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .answered(_, let result) = input, let id = newest[room] else { return [input] }
        return [.answered(id, result)]
    }

    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        for case .fetch(let id, _) in effects { newest[room] = id }
        return effects
    }
}
