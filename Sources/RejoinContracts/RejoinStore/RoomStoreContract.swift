internal import Foundation
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinReadState
public import RejoinStore
internal import RejoinSync
internal import RejoinTime

/// What every ``RoomStore`` must keep.
///
/// In Swift Testing:
///
/// ```swift
/// @Test(arguments: RoomStoreContract.checks { MyStore() })
/// func keepsTheContract(_ check: ContractCheck) async throws { try await check.run() }
/// ```
public enum RoomStoreContract {
    private static let room = RoomID("contract")
    private static let other = RoomID("contract-other")

    /// The checks; each makes a store of its own, which must be empty.
    public static func checks(_ makeStore: @escaping @Sendable () async throws -> any RoomStore)
        -> [ContractCheck]
    {
        [
            check("store.unknown-room-is-nil", "P1", makeStore) { store, id in
                try require(
                    try await store.checkpoint(of: room), equals: nil, id,
                    whoIsHurt: "a room opened for the first time would start from a false cursor")
            },
            check("store.timeline-is-one-transaction", "P1", makeStore) { store, id in
                let commit = timeline(1, upserts: [message(1), message(2)], through: 2)
                try await store.execute(commit)
                let held = try await store.checkpoint(of: room)?.timeline
                try require(
                    held?.messages.map(\.id) ?? [], equals: [MessageID(1), MessageID(2)], id,
                    whoIsHurt: "messages that recovery called complete would be gone")
                try require(
                    held?.proof.coverage.intervals.map(\.through) ?? [], equals: [MessageID(2)], id,
                    whoIsHurt: "the next catch-up would start from a wrong place")
            },
            check("store.commit-without-proof-leaves-the-cursor", "P6", makeStore) { store, id in
                try await store.execute(timeline(1, upserts: [message(1)], through: 1))
                try await store.execute(timeline(2, upserts: [message(9)], through: nil))
                let proof = try await store.checkpoint(of: room)?.timeline.proof
                try require(
                    proof?.coverage.intervals.map(\.through) ?? [], equals: [MessageID(1)], id,
                    whoIsHurt: "a legacy interval would raise the cursor past messages it missed")
            },
            check("store.latest-state-wins", "P2", makeStore) { store, id in
                try await store.execute(timeline(1, upserts: [message(1)], through: 1))
                try await store.execute(
                    timeline(2, upserts: [message(1, "edited")], through: 1))
                let texts = try await store.checkpoint(of: room)?.timeline.messages.map(\.text)
                try require(
                    texts ?? [], equals: ["edited"], id,
                    whoIsHurt: "an edit would be undone by the next start, or shown twice")
            },
            check("store.removals-remove", "P1", makeStore) { store, id in
                try await store.execute(
                    timeline(1, upserts: [message(1), message(2)], through: 2))
                try await store.execute(timeline(2, removals: [MessageID(1)], through: 2))
                let ids = try await store.checkpoint(of: room)?.timeline.messages.map(\.id)
                try require(
                    ids ?? [], equals: [MessageID(2)], id,
                    whoIsHurt: "a message that the server never had would come back")
            },
            check("store.repeating-a-commit-changes-nothing", "P2", makeStore) { store, id in
                let commit = timeline(1, upserts: [message(1)], through: 1)
                try await store.execute(commit)
                let once = try await store.checkpoint(of: room)
                try await store.execute(commit)
                try require(
                    try await store.checkpoint(of: room), equals: once, id,
                    whoIsHurt: "a commit retried after a lost answer would double its work")
            },
            check("store.outbox-survives-in-order", "P5", makeStore) { store, id in
                let items = (1...3).map(item)
                try await store.execute(outbox(1, puts: [items[2], items[0]]))
                try await store.execute(outbox(2, puts: [items[1]]))
                try await store.execute(outbox(3, removals: [items[0].id]))
                let kept = try await store.checkpoint(of: room)?.outbox.items
                try require(
                    kept ?? [], equals: [items[1], items[2]], id,
                    whoIsHurt: "accepted messages would be lost or sent out of order")
            },
            check("store.read-record-survives", "P4", makeStore) { store, id in
                let record = ReadRecord(mark: ReadMark(version: 2, position: MessageID(7)))
                let commit = ReadCommit(id: ReadCommit.ID(1), record: record)
                try await store.execute(RoomCommit(room: room, part: .read(commit)))
                try require(
                    try await store.checkpoint(of: room)?.read, equals: record, id,
                    whoIsHurt: "a read position that was not sent yet would move back")
            },
            check("store.rooms-are-apart", "P1", makeStore) { store, id in
                try await store.execute(timeline(1, upserts: [message(1)], through: 1))
                try require(
                    try await store.checkpoint(of: other), equals: nil, id,
                    whoIsHurt: "messages would appear in a room where they were never sent")
                try await store.remove(room)
                try require(
                    try await store.checkpoint(of: room), equals: nil, id,
                    whoIsHurt: "a room whose access was withdrawn would stay readable")
            },
        ]
    }

    private static func check(
        _ id: String, _ promise: String,
        _ makeStore: @escaping @Sendable () async throws -> any RoomStore,
        _ body: @escaping @Sendable (any RoomStore, String) async throws -> Void
    ) -> ContractCheck {
        ContractCheck(id, promise: promise) { try await body(makeStore(), id) }
    }

    private static func message(_ id: UInt128, _ text: String = "text") -> Message {
        Message(
            id: MessageID(id), author: UserID("ann"), sentAt: WallTime(milliseconds: 0),
            content: [.text(text)])
    }

    private static func item(_ number: Int) -> OutboxItem {
        let key = UInt8(number)
        return OutboxItem(
            id: ClientMessageID(
                UUID(uuid: (key, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
            sequence: UInt64(number), work: .send([.text("text")]),
            queuedAt: WallTime(milliseconds: 0))
    }

    private static func timeline(
        _ id: UInt64, upserts: [Message] = [], removals: [MessageID] = [], through: UInt128?
    ) -> RoomCommit {
        var proof: TimelineProof?
        if let through {
            proof = TimelineProof()
            proof?.coverage.insert(Coverage.Interval(from: nil, through: MessageID(through)))
        }
        return RoomCommit(
            room: room,
            part: .timeline(
                TimelineCommit(
                    id: CommitID(id), upserts: upserts, removals: removals, proof: proof)))
    }

    private static func outbox(
        _ id: UInt64, puts: [OutboxItem] = [], removals: [ClientMessageID] = []
    ) -> RoomCommit {
        let commit = OutboxCommit(id: OutboxCommit.ID(id), puts: puts, removals: removals)
        return RoomCommit(room: room, part: .outbox(commit))
    }
}
