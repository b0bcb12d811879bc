import RejoinModel
import RejoinPipeline
import RejoinReadState
import RejoinSimulation
import RejoinTime

struct FailedReportTakenForDone: Mutant {
    let name = "failed read report taken for done"
    private var marks: [RoomID: ReadMark] = [:]

    mutating func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .reported(let attempt, .failure) = input, let mark = marks[room] else {
            return [input]
        }
        let answer = ReadAnswer(mark: mark, unread: 0, unreadAsOf: mark.position)
        return [.reported(attempt, .success(answer))]
    }

    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        for case .report(_, let mark, _) in effects { marks[room] = mark }
        return effects
    }
}

struct VersionNotSent: Mutant {
    let name = "read mark sent without its version"

    func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant) -> [RoomEffect] {
        effects.map { effect in
            guard case .report(let attempt, let mark, let unread) = effect else { return effect }
            return .report(
                attempt, ReadMark(version: 0, position: mark.position), unread: unread)
        }
    }
}

struct UnreadSentAsAdvance: Mutant {
    let name = "mark-unread sent as an advance"

    func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant) -> [RoomEffect] {
        effects.map { effect in
            guard case .report(let attempt, let mark, true) = effect else { return effect }
            return .report(
                attempt, ReadMark(version: mark.version - 1, position: mark.position),
                unread: false)
        }
    }
}

struct ReadOverwrittenOnStart: Mutant {
    let name = "read mark overwritten after a restart"

    func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint {
        var checkpoint = checkpoint
        checkpoint.read.mark = checkpoint.read.acknowledged
        checkpoint.read.pendingUnread = nil
        return checkpoint
    }
}

struct ReadOverwrittenByServer: Mutant {
    let name = "read mark overwritten instead of compared"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        guard case .read(let read) = commit.part else { return commit }
        var record = read.record
        record.mark = record.acknowledged
        return RoomCommit(
            room: commit.room, part: .read(ReadCommit(id: read.id, record: record)))
    }
}

struct RemoteReadsIgnored: Mutant {
    let name = "reads of other devices ignored"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        switch input {
        case .event(let event):
            if case .read = event.kind { [] } else { [input] }
        case .summarized(var summary?):
            {
                summary.read = .unread
                return [.summarized(summary)]
            }()
        default: [input]
        }
    }
}

struct ArrivalsCountAsRead: Mutant {
    let name = "read without being seen"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .event(let event) = input, case .created(let message, _) = event.kind else {
            return [input]
        }
        return [input, .markRead(through: message.id)]
    }
}
