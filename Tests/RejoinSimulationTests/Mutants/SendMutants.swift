import Foundation
import RejoinModel
import RejoinPipeline
import RejoinSimulation
import RejoinSync
import RejoinTime

struct NewKeyOnRetry: Mutant {
    let name = "client ID changed on retry"
    private var sent: [ClientMessageID: UInt8] = [:]

    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        effects.map { effect in
            guard case .perform(let attempt, .send(let draft)) = effect else { return effect }
            let count = sent[draft.clientID, default: 0]
            sent[draft.clientID] = count &+ 1
            guard count > 0 else { return effect }
            var bytes = draft.clientID.rawValue.uuid
            bytes.15 = bytes.15 &+ count
            let key = ClientMessageID(UUID(uuid: bytes))
            return .perform(attempt, .send(MessageDraft(clientID: key, content: draft.content)))
        }
    }
}

struct UnknownTakenForUnsent: Mutant {
    let name = "unknown outcome taken for not sent"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .performed(let attempt, .failure(let failure)) = input,
            failure.mayHaveTakenEffect
        else { return [input] }
        return [.performed(attempt, .failure(BackendFailure(.unreachable, "not sent")))]
    }
}

struct FailedSendHidden: Mutant {
    let name = "failed send hidden"
    private var keys: [RoomID: ClientMessageID] = [:]

    mutating func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .performed(_, .failure) = input, let key = keys[room] else { return [input] }
        return [input, .cancel(key)]
    }

    mutating func rewrite(_ effects: [RoomEffect], in room: RoomID, at now: Instant)
        -> [RoomEffect]
    {
        for case .perform(_, .send(let draft)) in effects { keys[room] = draft.clientID }
        return effects
    }
}

struct FailureTakenForStored: Mutant {
    let name = "failed attempt taken for stored"

    func rewrite(_ input: RoomInput, in room: RoomID, at now: Instant) -> [RoomInput] {
        guard case .performed(let attempt, .failure) = input else { return [input] }
        return [.performed(attempt, .success(.accepted))]
    }
}

struct OutboxNotStored: Mutant {
    let name = "send accepted before it is stored"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingOutbox { $0.puts = [] }
    }
}

struct ForgottenOnLeaving: Mutant {
    let name = "outbox item forgotten before its commit"

    func rewrite(_ commit: RoomCommit) -> RoomCommit? {
        commit.rewritingOutbox { outbox in
            let left = outbox.puts.filter { $0.leftAt != nil }.map(\.id)
            outbox.puts.removeAll { left.contains($0.id) }
            outbox.removals += left
        }
    }
}

struct OutboxLostOnStart: Mutant {
    let name = "resumed without the outbox"

    func rewrite(_ checkpoint: RoomCheckpoint, of room: RoomID) -> RoomCheckpoint {
        var checkpoint = checkpoint
        checkpoint.outbox = OutboxRecord()
        return checkpoint
    }
}
