internal import RejoinModel
internal import RejoinPipeline

/// Compares what a pipeline claims with what the server has.
struct PipelineOracle {
    let check: String
    let scenario: PipelineScenario

    /// P1: every covered range of the store holds every message of the server. Where it is not
    /// called stale, the latest state of each is held, or its latest change lies above the proven
    /// revision, so that the change feed will bring it.
    func store(_ store: SimulatedStore, agreesWith room: ModelRoom) throws(ContractFailure) {
        let proof = store.proof
        let asOf = room.capabilities.hasRevisions ? proof.revision : nil
        let isLateAllowed = asOf != nil && room.capabilities.commitOrder != .ordered
        for change in room.changes where proof.coverage.contains(change.id) {
            // What became visible late and has changed since comes with its latest change.
            guard let created = isLateAllowed ? change.revisions.last : change.revisions.first
            else { continue }
            if let asOf, created > asOf { continue }
            guard let held = store.messages[change.id] else {
                throw failure(
                    "message \(change.id) held, because \(describe(proof)) covers it",
                    "it is missing", "people never see it, and nothing shows that it is missing")
            }
            guard let asOf, !proof.stale.contains(change.id),
                room.horizon.map({ change.id >= $0 }) ?? true,
                let latest = change.revisions.last, latest <= asOf
            else { continue }
            guard let revision = held.revision, revision >= latest else {
                throw failure(
                    "message \(change.id) at revision \(latest), as of \(asOf)",
                    "\(held.revision.map(\.description) ?? "none")",
                    "people see a text that was edited or deleted")
            }
        }
    }

    /// P2, P3, and persist before publish: a snapshot ascends, repeats nothing and shows only what
    /// is stored.
    func snapshot(
        _ snapshot: TimelineSnapshot, agreesWith store: SimulatedStore, of room: ModelRoom
    ) throws(ContractFailure) {
        var last: MessageID?
        var followsGap = false
        for item in snapshot.items {
            guard case .message(let message) = item else {
                followsGap = true
                continue
            }
            if let last, message.id <= last {
                throw failure(
                    "messages in server order, each once", "\(message.id) after \(last)",
                    "people read answers before questions, or twice")
            }
            guard store.messages[message.id] == message else {
                throw failure(
                    "only what is stored is shown", "\(message.id) shown in another state",
                    "what a person has seen is gone after a kill")
            }
            if let last, !followsGap {
                try noHole(between: last, and: message.id, in: snapshot, store, room)
            }
            last = message.id
            followsGap = false
        }
    }

    /// Where two messages stand side by side, and the second is not in the provisional tail, what
    /// is missing between them lies in a gap that is shown.
    private func noHole(
        between left: MessageID, and right: MessageID, in snapshot: TimelineSnapshot,
        _ store: SimulatedStore, _ room: ModelRoom
    ) throws(ContractFailure) {
        guard let newest = store.proof.coverage.newest, right <= newest else { return }
        let asOf = room.capabilities.hasRevisions ? store.proof.revision : nil
        for change in room.lives(after: left, before: right) {
            let isLateAllowed = room.capabilities.commitOrder != .ordered
            let created = isLateAllowed ? change.revisions.last : change.revisions.first
            if let asOf, let created, created > asOf { continue }
            if case .settles = room.capabilities.commitOrder, asOf == nil { continue }
            let isShown = snapshot.gaps.contains { gap in
                (gap.from.map { $0 < change.id } ?? true)
                    && (gap.before.map { change.id < $0 } ?? true)
            }
            if isShown { continue }
            throw failure(
                "a gap between \(left) and \(right), where \(change.id) is missing",
                "the two stand side by side; shown \(snapshot.gaps), proven \(describe(store.proof))",
                "people take the conversation for complete")
        }
    }

    /// At rest: what is covered is what the server has, to the last reaction.
    func rest(
        _ store: SimulatedStore, _ snapshot: TimelineSnapshot, agreesWith room: ModelRoom
    ) throws(ContractFailure) {
        guard let tip = room.messages.last else {
            guard store.messages.isEmpty else {
                throw failure("an empty room", "\(store.messages.count) messages", "everybody")
            }
            return
        }
        guard store.proof.coverage.contains(tip.id) else {
            throw failure(
                "the newest message \(tip.id) proven", "\(describe(store.proof))",
                "people miss the latest messages although everything works again")
        }
        for message in room.messages where store.proof.coverage.contains(message.id) {
            if room.capabilities.hasRevisions, store.proof.stale.contains(message.id) { continue }
            guard store.messages[message.id] != message else { continue }
            // Without revisions only what is shown is kept up to date.
            let isShown = snapshot.messages.contains { $0.id == message.id }
            guard room.capabilities.hasRevisions || isShown else { continue }
            throw failure(
                "message \(message.id) as the server has it", "another state, at rest",
                "people see a text that was edited or deleted")
        }
        for id in store.messages.keys.sorted() where store.proof.coverage.contains(id) {
            guard !room.changes.contains(where: { $0.id == id }) else { continue }
            throw failure("only messages of the server", "\(id)", "people see what never was")
        }
    }

    func failure(
        _ expected: String, _ got: String, _ whoIsHurt: String
    ) -> ContractFailure {
        ContractFailure(
            check: "\(check) [\(scenario)]", expected: expected, got: got, whoIsHurt: whoIsHurt)
    }

    func describe(_ proof: TimelineProof) -> String {
        let ranges = proof.coverage.intervals.map {
            "(\($0.from.map(\.description) ?? "-"), \($0.through)]"
        }
        return ranges.joined(separator: " ")
            + (proof.revision.map { " as of revision \($0)" } ?? "")
    }
}
