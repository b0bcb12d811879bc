import RejoinLegacyPipeline
import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import Testing

/// The first design, as faithful as its account (background A, steps 3 to 5), its faults included.
@Suite("LegacyPipeline")
struct LegacyPipelineTests {
    private let now = Instant.origin
    private let room = RoomID("room")

    private func make(held: [UInt128] = [], lastRead: UInt128? = nil) -> LegacyPipeline {
        LegacyPipeline(
            resuming: PipelineCheckpoint(
                messages: held.map(message), lastRead: lastRead.map { MessageID($0) }),
            configuration: PipelineConfiguration(room: room, user: UserID("me"), seed: 1))
    }

    private func message(_ id: UInt128) -> Message {
        Message(
            id: MessageID(id), author: UserID("ann"), sentAt: WallTime(milliseconds: 0),
            content: [.text("text")])
    }

    private func live(_ id: UInt128) -> PipelineInput {
        .live(RoomEvent(room: room, kind: .created(message(id), author: nil)))
    }

    private func page(_ ids: [UInt128]) -> HistoryPage {
        HistoryPage(
            messages: ids.map(message), from: nil, through: ids.last.map { MessageID($0) },
            hasBefore: false, hasAfter: false, tip: nil)
    }

    private func ids(_ pipeline: LegacyPipeline) -> [UInt128] {
        pipeline.snapshot.messages.map(\.id.rawValue)
    }

    private func fetches(_ effects: [PipelineEffect]) -> [PipelineEffect] {
        effects.filter { if case .fetch = $0 { true } else { false } }
    }

    @Test("A.4: a live message is appended once, and moves the read position")
    func live() {
        var pipeline = make()
        let effects = pipeline.handle(live(5), at: now)
        #expect(effects.contains(.suggestRead(MessageID(5))))
        #expect(pipeline.handle(live(5), at: now) == [.metric(.duplicateSuppressed)])
        #expect(ids(pipeline) == [5])
    }

    @Test("A.4: it appends what comes, so a late message stays where it came")
    func appendsWhatComes() {
        var pipeline = make()
        _ = pipeline.handle(live(7), at: now)
        _ = pipeline.handle(live(6), at: now)
        #expect(ids(pipeline) == [7, 6])
    }

    @Test("A.3: the foreground fetches one page after the last read message, and nothing else")
    func fill() {
        var pipeline = make(held: [1, 2], lastRead: 2)
        let effects = pipeline.handle(.trigger(.foreground), at: now)
        #expect(
            fetches(effects) == [.fetch(.init(1), .page(.after(MessageID(2)), limit: 200))])
        let filled = pipeline.handle(
            .answered(.init(1), .success(.page(page([2, 3, 4])))), at: now)
        #expect(filled.contains(.suggestRead(MessageID(4))))
        #expect(fetches(filled).isEmpty, "a hole larger than a page stays")
        #expect(ids(pipeline) == [1, 2, 3, 4])
    }

    @Test("A.3: without a last read message nothing is fetched")
    func nothingToStartFrom() {
        var pipeline = make()
        #expect(fetches(pipeline.handle(.trigger(.foreground), at: now)).isEmpty)
    }

    @Test("A.3: nothing happens on a mere reconnect in the foreground")
    func reconnect() {
        var pipeline = make(held: [1], lastRead: 1)
        _ = pipeline.handle(.subscription(.lost), at: now)
        #expect(fetches(pipeline.handle(.subscription(.confirmed), at: now)).isEmpty)
    }

    @Test("How it loses: a live message after a drop moves the base of the fill past the hole")
    func theHole() {
        var pipeline = make(held: [1], lastRead: 1)
        _ = pipeline.handle(.subscription(.lost), at: now)
        // 2 and 3 are sent while the socket is down.
        _ = pipeline.handle(.subscription(.confirmed), at: now)
        _ = pipeline.handle(live(4), at: now)
        let effects = pipeline.handle(.trigger(.foreground), at: now)
        #expect(
            fetches(effects) == [.fetch(.init(1), .page(.after(MessageID(4)), limit: 200))])
    }

    @Test("A.5: leaving sends the last read position")
    func leaving() {
        var pipeline = make(held: [1], lastRead: 1)
        #expect(pipeline.handle(.leave, at: now) == [.suggestRead(MessageID(1))])
    }

    @Test("A.3: a failed fill is ignored, and said")
    func failedFill() {
        var pipeline = make(held: [1], lastRead: 1)
        _ = pipeline.handle(.trigger(.foreground), at: now)
        let failure = BackendFailure(.unreachable, "no network")
        let effects = pipeline.handle(.answered(.init(1), .failure(failure)), at: now)
        #expect(effects == [.recovered(.failed(failure, retryAt: nil))])
    }

    @Test("P6: its commits prove nothing, and its checkpoint carries no coverage")
    func noProof() {
        var pipeline = make()
        for effect in pipeline.handle(live(5), at: now) {
            if case .commit(let commit) = effect { #expect(commit.proof == nil) }
        }
        #expect(pipeline.checkpoint().proof == TimelineProof())
    }

    @Test("A commit that failed is stored again; until then the pipeline is not settled")
    func failedCommit() {
        var pipeline = make()
        _ = pipeline.handle(live(5), at: now)
        #expect(!pipeline.isSettled)
        _ = pipeline.handle(.commitFailed(CommitID(1)), at: now)
        let again = pipeline.handle(.timer(.retry), at: now)
        #expect(again.count == 1)
        #expect(pipeline.handle(.committed(CommitID(1)), at: now) == [.publish])
        #expect(pipeline.isSettled)
    }

    @Test(
        "P6: a commit that failed is stored as its messages are by then"
    )
    func failedCommitOfThen() throws {
        var pipeline = make()
        _ = pipeline.handle(live(5), at: now)
        _ = pipeline.handle(.commitFailed(CommitID(1)), at: now)
        var changed = message(5)
        changed.content = [.text("changed")]
        _ = pipeline.handle(.live(RoomEvent(room: room, kind: .changed(changed))), at: now)
        _ = pipeline.handle(.committed(CommitID(2)), at: now)
        let again = pipeline.handle(.timer(.retry), at: now)
        #expect(again == [.commit(TimelineCommit(id: CommitID(1), upserts: [changed]))])
        #expect(pipeline.checkpoint().messages == [changed])
    }

    @Test("P7: loads under way are bounded")
    func loadsAreBounded() {
        var pipeline = make()
        let asked = (0..<20).flatMap { _ in pipeline.handle(.load(.newest), at: now) }
        #expect(asked.count == 4)
    }
}
