import RejoinModel
import RejoinPipeline
import RejoinSimulation
import RejoinSync
import RejoinTime

extension RoomCommit {
    /// The same commit with another timeline.
    func rewritingTimeline(_ body: (inout TimelineCommit) -> Void) -> RoomCommit {
        guard case .timeline(var timeline) = part else { return self }
        body(&timeline)
        return RoomCommit(room: room, part: .timeline(timeline))
    }

    /// The same commit with another outbox.
    func rewritingOutbox(_ body: (inout OutboxCommit) -> Void) -> RoomCommit {
        guard case .outbox(var outbox) = part else { return self }
        body(&outbox)
        return RoomCommit(room: room, part: .outbox(outbox))
    }
}

struct CursorBeforeMessages: Mutant {
    let name = "cursor moved before the commit"
    private var held: [RoomID: [Message]] = [:]

    mutating func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { timeline in
            swap(&timeline.upserts, &held[commit.room, default: []])
        }
    }
}

struct OwnEchoCovers: Mutant {
    let name = "own echo counted as coverage"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { timeline in
            guard let own = timeline.upserts.filter({ $0.clientID != nil }).map(\.id).max(),
                let newest = timeline.proof?.coverage.newest, newest < own
            else { return }
            timeline.proof?.coverage.insert(Coverage.Interval(from: newest, through: own))
        }
    }
}

struct LiveTailTrusted: Mutant {
    let name = "live tail trusted without proof"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { timeline in
            guard let last = timeline.upserts.map(\.id).max(),
                let newest = timeline.proof?.coverage.newest, newest < last
            else { return }
            timeline.proof?.coverage.insert(Coverage.Interval(from: newest, through: last))
        }
    }
}

struct GapForgotten: Mutant {
    let name = "gap removed without filling"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { timeline in
            guard let first = timeline.proof?.coverage.intervals.first,
                let newest = timeline.proof?.coverage.newest
            else { return }
            timeline.proof?.coverage.insert(Coverage.Interval(from: first.from, through: newest))
        }
    }
}

struct StoreOnlyInserts: Mutant {
    let name = "store inserts and never updates"
    private var stored: [RoomID: Set<MessageID>] = [:]

    mutating func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { timeline in
            timeline.upserts.removeAll {
                !stored[commit.room, default: []].insert($0.id).inserted
            }
        }
    }
}

struct TombstonesNotStored: Mutant {
    let name = "deletion not stored"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingTimeline { $0.upserts.removeAll(where: \.isDeleted) }
    }
}

struct RefusedCommitTaken: Mutant {
    let name = "refused commit taken for stored"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        if case .commitFailed(let token) = input { [.committed(token)] } else { [input] }
    }
}

struct AcknowledgedBeforeStored: Mutant {
    let name = "commit acknowledged before it is stored"
    private var early: [RoomID: [RoomCommit.Token]] = [:]

    mutating func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        let tokens = early[room, default: []]
        early[room] = []
        switch input {
        case .committed, .commitFailed: return tokens.map { .committed($0) }
        default: return tokens.map { .committed($0) } + [input]
        }
    }

    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        for case .commit(let commit) in effects { early[room, default: []].append(commit.token) }
        return effects
    }

    mutating func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint {
        early[room] = []
        return checkpoint
    }
}

struct ResumedWithoutNewest: Mutant {
    let name = "resumed without the newest message"

    func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint {
        var checkpoint = checkpoint
        checkpoint.timeline.messages = checkpoint.timeline.messages.dropLast()
        return checkpoint
    }
}
