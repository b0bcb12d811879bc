internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTransport

// How the cores' values are told in the trace: who and what, by their IDs, without texts.

extension ConnectionStatus {
    var story: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting(let until, let error):
            "waiting \(until.map { "until \(Trace.clock($0))" } ?? "for the foreground")"
                + (error.map { " after \($0.code.rawValue)" } ?? "")
        case .disconnecting: "disconnecting"
        case .stopped(.requested): "stopped on request"
        case .stopped(.failed(let error)): "stopped by \(error.code.rawValue)"
        }
    }
}

extension StompSubscriptionPhase {
    var story: String {
        switch self {
        case .waiting: "wanted"
        case .pending: "pending"
        case .confirmed: "confirmed"
        case .assumed: "assumed"
        case .proven: "proven"
        case .lost: "lost"
        case .resting(let error, let until):
            "rests until \(Trace.clock(until)), \(error.code.rawValue)"
        case .denied(let error): "denied, \(error.code.rawValue)"
        case .quarantined(let error): "QUARANTINED, \(error.code.rawValue)"
        case .refused(let error): "refused, \(error.code.rawValue)"
        case .unsubscribed: "ended"
        }
    }
}

extension StompReport {
    var story: String {
        switch self {
        case .serverError: "the server sent ERROR"
        case .unroutedMessage: "a message for no subscription"
        case .connectionEnded(let epoch, let error): "\(epoch) ended, \(error.code.rawValue)"
        case .quarantined(let key, _): "subscription \(key.number) is put out of action"
        case .resting(let key, _, _): "subscription \(key.number) rests"
        case .overflowed(let count): "\(count) reports dropped"
        }
    }
}

extension HistoryRequest {
    var story: String {
        switch self {
        case .page(let anchor, let limit): "page \(anchor.story), at most \(limit)"
        case .changes(let after, let limit): "changes after \(after), at most \(limit)"
        case .summary: "the summary"
        }
    }
}

extension HistoryAnchor {
    var story: String {
        switch self {
        case .newest: "newest"
        case .after(let id): "after \(id.map(\.description) ?? "the beginning")"
        case .before(let id): "before \(id)"
        case .around(let id): "around \(id)"
        }
    }
}

extension Result<HistoryAnswer, BackendFailure> {
    var story: String {
        switch self {
        case .failure(let failure): failure.code.rawValue
        case .success(.page(let page)):
            "(\(page.from.map(\.description) ?? "-"), "
                + "\(page.through.map(\.description) ?? "-")], \(page.messages.count) messages, tip "
                + "\(page.tip.map(\.description) ?? "-")"
                + (page.revision.map { ", revision \($0)" } ?? "")
        case .success(.changes(let page)):
            "\(page.messages.count) changes up to revision \(page.revision)"
                + (page.hasMore ? " and more" : "")
        case .success(.summary(let summary)):
            "\(summary.unread) unread, read \(summary.read.story)"
        }
    }
}

extension Mutation {
    var story: String {
        switch self {
        case .send(let draft): "sends \(draft.content.act.map { "#\($0)" } ?? "something")"
        case .edit(let id, let content):
            "edits \(id) to \(content.act.map { "#\($0)" } ?? "something")"
        case .delete(let id): "deletes \(id)"
        case .react(let id, let emoji, let isPut): "\(isPut ? "puts" : "takes") \(emoji) on \(id)"
        }
    }
}

extension Message {
    var story: String {
        let text = act.map { " #\($0)" } ?? ""
        return "\(id)\(text) of \(author)" + (revision.map { " at revision \($0)" } ?? "")
    }
}

extension RoomEvent {
    var story: String {
        switch kind {
        case .created(let message, _): "new \(message.story)"
        case .changed(let message):
            "\(message.isDeleted ? "deleted" : "changed") \(message.story)"
        case .read(let user, let mark): "\(user) has read \(mark.story)"
        case .typing(let user): "\(user) types"
        case .rejected(_, let failure): "a send rejected, \(failure.code.rawValue)"
        case .unknown(let type): "an unknown \(type)"
        @unknown default: "something new"
        }
    }
}

extension ReadMark {
    var story: String {
        "v\(version) \(position.map(\.description) ?? "nothing")"
    }
}

extension RecoveryOutcome {
    var story: String {
        switch self {
        case .complete(let evidence): "complete through \(evidence.through?.description ?? "-")"
        case .partial(let gaps, _):
            "partial, gaps \(gaps.map { "\($0.reason) \($0.from?.description ?? "-")…" })"
        case .failed(let failure, let retryAt):
            "failed, \(failure.code.rawValue)"
                + (retryAt.map { ", again at \(Trace.clock($0))" } ?? "")
        }
    }
}

extension ShadowReport.Finding {
    var story: String {
        switch self {
        case .missing(let id): "the candidate lacks \(id)"
        case .misordered(let id): "the candidate shows \(id) too early"
        case .duplicated(let id): "the candidate shows \(id) twice"
        case .dropped(let reason): "the candidate is dropped, limit of \(reason.rawValue)"
        }
    }
}

extension RoomInput {
    var story: String {
        switch self {
        case .load(let anchor): "loads \(anchor.story)"
        case .approach(let gap):
            "comes near the gap after \(gap.from?.description ?? "the beginning")"
        default: "does something"
        }
    }
}

extension OutboxItem {
    /// As the trace tells it: the state without texts.
    func story(in world: World) -> String {
        let act = world.actsByID[id].map { "#\($0)" } ?? "something"
        let state =
            switch self.state {
            case .waiting: "waiting"
            case .accepted: "accepted"
            case .outcomeUnknown: "of unknown outcome"
            case .unconfirmed: "unconfirmed"
            case .failed: "failed"
            }
        return "\(act), \(state)" + (isCancelled ? ", cancelled" : "") + target(in: world)
    }

    private func target(in world: World) -> String {
        switch work.target {
        case nil: ""
        case .sent(let id): ", of message \(id)"
        case .local(let key): ", of \(world.actsByID[key].map { "#\($0)" } ?? "something")"
        }
    }
}
