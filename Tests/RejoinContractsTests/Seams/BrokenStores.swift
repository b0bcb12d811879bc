import RejoinContracts
import RejoinModel
import RejoinPipeline
import RejoinReadState
import RejoinStore
import RejoinSync

extension BrokenFake {
    static let stores: [BrokenFake] = [
        store("invents a checkpoint", foundBy: "store.unknown-room-is-nil", also: [apart]) {
            $0.shown = { $0 ?? RoomCheckpoint() }
        },
        timelines(
            "forgets what is proven", foundBy: "store.timeline-is-one-transaction",
            also: ["store.commit-without-proof-leaves-the-cursor"]
        ) { commit, _ in
            TimelineCommit(
                id: commit.id, upserts: commit.upserts, removals: commit.removals, proof: nil)
        },
        timelines(
            "takes a commit without proof for one",
            foundBy: "store.commit-without-proof-leaves-the-cursor"
        ) { commit, _ in
            guard commit.proof == nil, let last = commit.upserts.last?.id else { return commit }
            var proof = TimelineProof()
            proof.coverage.insert(Coverage.Interval(from: nil, through: last))
            return TimelineCommit(
                id: commit.id, upserts: commit.upserts, removals: commit.removals, proof: proof)
        },
        timelines("keeps the first state of a message", foundBy: "store.latest-state-wins") {
            commit, known in
            let new = commit.upserts.filter { message in
                known.update { $0.insert(message.id).inserted }
            }
            // A repeated commit changes nothing either way.
            return TimelineCommit(
                id: commit.id, upserts: new, removals: commit.removals, proof: commit.proof)
        },
        timelines("never removes", foundBy: "store.removals-remove") { commit, _ in
            TimelineCommit(id: commit.id, upserts: commit.upserts, proof: commit.proof)
        },
        store(
            "undoes a repeated commit", foundBy: "store.repeating-a-commit-changes-nothing"
        ) { store in
            let seen = Shared<Set<RoomCommit>>([])
            store.executed = { commit in
                seen.update { $0.insert(commit).inserted }
                    ? commit : RoomCommit(room: commit.room, part: commit.part.undone)
            }
        },
        store("keeps one unsent message alone", foundBy: "store.outbox-survives-in-order") {
            $0.executed = { commit in
                guard case .outbox(let outbox) = commit.part else { return commit }
                return RoomCommit(
                    room: commit.room,
                    part: .outbox(
                        OutboxCommit(
                            id: outbox.id, puts: Array(outbox.puts.suffix(1)),
                            removals: outbox.removals)))
            }
        },
        store("forgets the read position", foundBy: "store.read-record-survives") {
            $0.shown = { checkpoint in
                var checkpoint = checkpoint
                checkpoint?.read = ReadRecord()
                return checkpoint
            }
        },
        store("keeps all rooms in one place", foundBy: apart) { $0.isOneRoom = true },
        store("never forgets a room", foundBy: apart) { $0.removes = false },
    ]

    private static let apart = "store.rooms-are-apart"

    private static func store(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ breaking: @escaping @Sendable (inout BrokenStore) -> Void
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check, also: also) {
            RoomStoreContract.checks {
                var store = BrokenStore()
                breaking(&store)
                return store
            }
        }
    }

    private static func timelines(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ change:
            @escaping @Sendable (TimelineCommit, Shared<Set<MessageID>>) -> TimelineCommit
    ) -> BrokenFake {
        store(name, foundBy: check, also: also) { store in
            let known = Shared<Set<MessageID>>([])
            store.executed = { commit in
                guard case .timeline(let timeline) = commit.part else { return commit }
                return RoomCommit(room: commit.room, part: .timeline(change(timeline, known)))
            }
        }
    }
}

/// The store in memory with one rule broken.
private struct BrokenStore: RoomStore {
    private let base = InMemoryRoomStore()
    var executed: @Sendable (RoomCommit) -> RoomCommit = { $0 }
    var shown: @Sendable (RoomCheckpoint?) -> RoomCheckpoint? = { $0 }
    var isOneRoom = false
    var removes = true

    private func place(_ room: RoomID) -> RoomID { isOneRoom ? RoomID("all") : room }

    func checkpoint(of room: RoomID) async throws(RoomStoreError) -> RoomCheckpoint? {
        shown(await base.checkpoint(of: place(room)))
    }

    func execute(_ commit: RoomCommit) async throws(RoomStoreError) {
        await base.execute(RoomCommit(room: place(commit.room), part: executed(commit).part))
    }

    func remove(_ room: RoomID) async throws(RoomStoreError) {
        if removes { await base.remove(place(room)) }
    }
}

extension RoomCommit.Part {
    /// What takes the commit's messages out again.
    fileprivate var undone: RoomCommit.Part {
        guard case .timeline(let commit) = self else { return self }
        return .timeline(
            TimelineCommit(id: commit.id, removals: commit.upserts.map(\.id), proof: nil))
    }
}
