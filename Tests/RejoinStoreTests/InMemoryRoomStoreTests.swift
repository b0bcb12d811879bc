import RejoinContracts
import RejoinModel
import RejoinPipeline
import RejoinStore
import RejoinTime
import Testing

@Suite("InMemoryRoomStore")
struct InMemoryRoomStoreTests {
    @Test("P5: it stores what the plain fold of commits stores, over random commits")
    func equalsTheFold() async {
        var random = SeededGenerator(seed: 77)
        let store = InMemoryRoomStore()
        let room = RoomID("room")
        var model = RoomCheckpoint()
        for number in 1...300 {
            let commit = TimelineCommit(
                id: CommitID(UInt64(number)),
                upserts: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    Message(
                        id: MessageID(UInt128(UInt.random(in: 1...40, using: &random))),
                        author: UserID("ann"), sentAt: WallTime(milliseconds: 0),
                        content: [.text("\(number)")])
                },
                removals: (0..<Int.random(in: 0...1, using: &random)).map { _ in
                    MessageID(UInt128(UInt.random(in: 1...40, using: &random)))
                },
                members: [Member(id: UserID("ann"), name: "Ann \(number)")],
                proof: Bool.random(using: &random)
                    ? TimelineProof(revision: Revision(UInt64(number))) : nil)
            await store.execute(RoomCommit(room: room, part: .timeline(commit)))
            model.apply(.timeline(commit))
        }
        #expect(await store.checkpoint(of: room) == model)
    }
}
