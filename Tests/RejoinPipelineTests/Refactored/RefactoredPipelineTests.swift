import Foundation
import RejoinContracts
import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import Testing

/// A refactored pipeline, its room and its store, moved by hand.
private struct Bench {
    var room: ModelRoom
    var pipeline: RefactoredPipeline
    var now = Instant.origin
    var open: (id: RequestID, request: HistoryRequest)?
    var commits: [TimelineCommit] = []
    var log: [PipelineEffect] = []
    var timers: [PipelineTimer: Instant] = [:]

    init(
        _ count: Int = 0, checkpoint: PipelineCheckpoint = PipelineCheckpoint(),
        uncommittedLimit: Int = 2_000
    ) {
        room = ModelRoom(id: RoomID("r"))
        for number in 0..<count { _ = room.create(author: UserID("a"), text: "\(number)") }
        pipeline = RefactoredPipeline(
            resuming: checkpoint,
            configuration: PipelineConfiguration(
                room: RoomID("r"), user: UserID("me"),
                recovery: RecoveryPolicy(pageSize: 5), windowLimit: 20,
                uncommittedLimit: uncommittedLimit, seed: 3))
    }

    @discardableResult
    mutating func give(_ input: PipelineInput) -> [PipelineEffect] {
        let effects = pipeline.handle(input, at: now)
        log += effects
        for effect in effects {
            switch effect {
            case .fetch(let id, let request): open = (id, request)
            case .cancelFetch: open = nil
            case .commit(let commit): commits.append(commit)
            case .setTimer(let timer, let deadline): timers[timer] = deadline
            case .cancelTimer(let timer): timers[timer] = nil
            default: break
            }
        }
        return effects
    }

    @discardableResult
    mutating func answer() -> [PipelineEffect] {
        guard let open, let answer = try? room.answer(open.request) else { return [] }
        self.open = nil
        return give(.answered(open.id, .success(answer)))
    }

    @discardableResult
    mutating func store() -> [PipelineEffect] {
        guard !commits.isEmpty else { return [] }
        return give(.committed(commits.removeFirst().id))
    }

    mutating func write(by author: UserID = UserID("a"), key: ClientMessageID? = nil) {
        give(.live(room.create(author: author, text: "live", clientID: key)))
    }

    mutating func goLive() {
        subscribe()
        finish()
    }

    mutating func finish() {
        while open != nil || !commits.isEmpty {
            answer()
            store()
        }
    }

    mutating func subscribe() {
        give(.subscription(.pending))
        give(.subscription(.confirmed))
    }

    /// How many recoveries were told to have worked.
    var outcomes: Int {
        log.count { if case .recovered(.complete) = $0 { true } else { false } }
    }

    var shown: [MessageID] { pipeline.snapshot.messages.map(\.id) }
}

@Suite("RefactoredPipeline: persist, then publish, then acknowledge (DESIGN section 2)")
struct RefactoredPipelineTests {
    @Test("Pages and cursor are stored in one transaction; only then is anything shown or told")
    func order() throws {
        var bench = Bench(3)
        bench.give(.subscription(.pending))
        bench.give(.subscription(.confirmed))
        let answered = bench.answer()
        #expect(!answered.contains(.publish))
        #expect(!answered.contains { if case .recovered = $0 { true } else { false } })
        let commit = try #require(bench.commits.first)
        #expect(commit.upserts == bench.room.messages)
        #expect(commit.members.map(\.id) == [UserID("a")])
        #expect(commit.proof?.revision == bench.room.revision)
        #expect(commit.proof?.coverage.newest == bench.room.messages.last?.id)
        #expect(bench.shown.isEmpty)

        let stored = bench.store()
        #expect(stored.first == .publish)
        guard case .recovered(.complete(let evidence)) = stored.last else {
            Issue.record("no outcome after the publication")
            return
        }
        #expect(evidence.messagesAdded == 3)
        #expect(bench.shown == bench.room.messages.map(\.id))
    }

    @Test("An outcome that waited for the store is not told once a later catch-up has begun (P1)")
    func overtakenOutcome() {
        var bench = Bench(3)
        bench.give(.trigger(.foreground))
        bench.answer()
        #expect(!bench.pipeline.isCatchingUp)
        bench.subscribe()
        #expect(bench.pipeline.isCatchingUp)
        bench.store()
        #expect(bench.outcomes == 0, "what the subscription asks for is still on its way")
        bench.finish()
        #expect(bench.outcomes == 1)
        #expect(!bench.pipeline.isCatchingUp)
    }

    @Test("An outcome is not told while that of a later catch-up waits for the store (P1)")
    func outcomeBeforeLaterOne() {
        var bench = Bench(3)
        bench.give(.trigger(.foreground))
        bench.answer()
        #expect(bench.commits.count == 1, "the first catch-up waits for the store")
        // The subscription's catch-up finds one message more, and ends before the store answers.
        _ = bench.room.create(author: UserID("a"), text: "late")
        bench.subscribe()
        while bench.open != nil { bench.answer() }
        #expect(!bench.pipeline.isCatchingUp)
        #expect(bench.commits.count == 1)
        bench.store()
        #expect(bench.shown.count == 3)
        #expect(bench.outcomes == 0, "the room would be called up to date without its last message")
        bench.store()
        #expect(bench.shown == bench.room.messages.map(\.id))
        #expect(bench.outcomes == 1)
    }

    @Test("Own messages are told before they are shown, so that a send settles with its row")
    func observedFirst() {
        var bench = Bench(1)
        bench.goLive()
        bench.write(by: UserID("me"), key: ClientMessageID(UUID()))
        let stored = bench.store()
        guard case .observed(let messages) = stored.first else {
            Issue.record("not observed first")
            return
        }
        #expect(messages.count == 1)
        #expect(stored.last == .publish)
    }

    @Test("One commit is on its way at a time; what changes meanwhile goes into the next one")
    func batches() {
        var bench = Bench(1)
        bench.goLive()
        for _ in 0..<5 { bench.write() }
        #expect(bench.commits.count == 1)
        #expect(bench.shown.count == 1)
        bench.store()
        #expect(bench.shown.count == 2, "only what is stored is shown")
        #expect(bench.commits.count == 1)
        #expect(bench.commits[0].upserts.count == 4)
        bench.store()
        #expect(bench.shown.count == 6)
        #expect(bench.pipeline.isSettled)
    }

    @Test("A commit that failed is tried again with growing waits; nothing is shown meanwhile")
    func failingStore() throws {
        var bench = Bench(1)
        bench.goLive()
        bench.write()
        var waits: Set<Duration> = []
        for _ in 0..<6 {
            let failed = bench.commits.removeFirst()
            bench.give(.commitFailed(failed.id))
            #expect(bench.commits.isEmpty)
            bench.write()
            #expect(bench.commits.isEmpty, "no commit passes the wait by")
            let deadline = try #require(bench.timers[.retry])
            bench.timers[.retry] = nil
            waits.insert(bench.now.duration(to: deadline))
            bench.now = deadline
            bench.give(.timer(.retry))
            #expect(bench.commits.count == 1)
        }
        #expect(waits.count == 6)
        #expect(bench.shown.count == 1)
        #expect(bench.commits[0].upserts.count == 7)
        bench.store()
        #expect(bench.shown == bench.room.messages.map(\.id))
    }

    @Test("A late word about a commit of before is ignored")
    func staleCommit() throws {
        var bench = Bench(1)
        bench.goLive()
        bench.write()
        let failed = bench.commits.removeFirst()
        bench.give(.commitFailed(failed.id))
        #expect(bench.give(.committed(failed.id)).isEmpty)
        #expect(!bench.pipeline.isSettled)
    }

    @Test(
        "At its limit the pipeline takes nothing more, and recovers afterwards what passed (promise P7)"
    )
    func limit() {
        var bench = Bench(1, uncommittedLimit: 4)
        bench.goLive()
        for _ in 0..<12 { bench.write() }
        #expect(bench.commits[0].upserts.count == 1)
        bench.store()
        #expect(bench.commits[0].upserts.count == 3)
        while bench.open != nil || !bench.commits.isEmpty {
            bench.store()
            bench.answer()
        }
        #expect(bench.shown == bench.room.messages.map(\.id))
        #expect(bench.pipeline.isSettled)
    }

    @Test("A kill at any instant resumes from what was stored, and ends complete (promise P1)")
    func kill() {
        var stored = PipelineCheckpoint()
        for stop in 0..<12 {
            var bench = Bench(30, checkpoint: stored)
            var steps = 0
            bench.give(.subscription(.pending))
            bench.give(.subscription(.confirmed))
            while steps < stop, bench.open != nil || !bench.commits.isEmpty {
                bench.answer()
                bench.store()
                steps += 1
            }
            stored = bench.pipeline.checkpoint()
            for id in bench.room.messages.map(\.id) where stored.proof.coverage.contains(id) {
                #expect(stored.messages.contains { $0.id == id })
            }
        }
        var bench = Bench(30, checkpoint: stored)
        bench.goLive()
        #expect(bench.pipeline.state == .live)
        #expect(bench.pipeline.checkpoint().messages.last == bench.room.messages.last)
    }

    @Test("The checkpoint holds what is stored, never what is on its way")
    func checkpoint() {
        var bench = Bench(2)
        bench.goLive()
        let before = bench.pipeline.checkpoint()
        bench.write()
        #expect(bench.pipeline.checkpoint() == before)
        bench.store()
        #expect(bench.pipeline.checkpoint().messages == bench.room.messages)
        bench.give(.readPosition(bench.room.messages[0].id))
        #expect(bench.pipeline.checkpoint().lastRead == bench.room.messages[0].id)
    }

    @Test("A window that moves shows only what is stored, at once")
    func window() {
        var bench = Bench(1)
        bench.goLive()
        bench.write()
        let first = bench.room.messages[0].id
        let effects = bench.give(.load(.around(first)))
        #expect(effects.contains(.publish))
        #expect(bench.shown == [first])
    }

    @Test("The retry timer serves recovery and store alike")
    func sharedTimer() throws {
        var bench = Bench(3)
        bench.goLive()
        bench.write()
        bench.give(.commitFailed(bench.commits.removeFirst().id))
        bench.give(.trigger(.manual))
        let open = try #require(bench.open)
        bench.give(.answered(open.id, .failure(BackendFailure(.serverError, "unwell"))))
        var rounds = 0
        while let deadline = bench.timers.removeValue(forKey: .retry), rounds < 5 {
            bench.now = deadline
            bench.give(.timer(.retry))
            bench.answer()
            bench.store()
            rounds += 1
        }
        #expect(bench.shown == bench.room.messages.map(\.id))
        #expect(bench.pipeline.isSettled)
    }

    @Test("Leaving settles: what is on its way is stored, and nothing more is asked")
    func leaving() {
        var bench = Bench(3)
        bench.give(.subscription(.pending))
        bench.give(.subscription(.confirmed))
        bench.answer()
        bench.give(.leave)
        #expect(!bench.pipeline.isSettled)
        bench.store()
        #expect(bench.pipeline.isSettled)
        #expect(bench.give(.trigger(.manual)).isEmpty)
        #expect(bench.pipeline.state == .closed)
    }
}
