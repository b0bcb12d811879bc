import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import Testing

/// Promise P6: a switch adds no loss, duplicate or cursor move of its own, at whatever moment.
@Suite("P6: PipelineSwitch")
struct PipelineSwitchTests {
    private let now = Instant.origin

    private func make(_ variant: PipelineVariant) -> PipelineSwitch {
        PipelineSwitch(
            variant, resuming: PipelineCheckpoint(), registry: Fixture.registry,
            configuration: Fixture.configuration())
    }

    private func commits(_ effects: [PipelineEffect]) -> [TimelineCommit] {
        effects.compactMap { if case .commit(let commit) = $0 { commit } else { nil } }
    }

    private func fetches(_ effects: [PipelineEffect]) -> [RequestID] {
        effects.compactMap { if case .fetch(let id, _) = $0 { id } else { nil } }
    }

    @Test("A settled pipeline is handed over at once, with what it held, and shown once")
    func settledHandover() {
        var pipelines = make(.legacy)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.handle(.committed(commit.id), at: now)
        let effects = pipelines.switchOver(to: .refactored, at: now)
        #expect(pipelines.variant == .refactored)
        #expect(pipelines.snapshot.messages.map(\.id) == [MessageID(1)])
        #expect(effects.filter { $0 == .publish }.count == 1)
    }

    @Test("A handover waits for commits, keeps what comes meanwhile, and loses none of it")
    func waitsForCommits() {
        var pipelines = make(.legacy)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        #expect(pipelines.switchOver(to: .refactored, at: now).isEmpty)
        #expect(pipelines.variant == .legacy)
        #expect(pipelines.handle(Fixture.live(2), at: now).isEmpty)
        let effects = pipelines.handle(.committed(commit.id), at: now)
        #expect(pipelines.variant == .refactored)
        #expect(pipelines.snapshot.messages.map(\.id) == [MessageID(1), MessageID(2)])
        #expect(commits(effects).map(\.upserts).flatMap { $0 }.map(\.id) == [MessageID(2)])
    }

    @Test("A failed commit is retried by the old pipeline before it goes")
    func failedCommit() {
        var pipelines = make(.legacy)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        _ = pipelines.handle(.commitFailed(commit.id), at: now)
        let again = commits(pipelines.handle(.timer(.retry), at: now))
        #expect(again.map(\.id) == [commit.id])
        _ = pipelines.handle(.committed(commit.id), at: now)
        #expect(pipelines.variant == .refactored)
    }

    @Test("The new pipeline is told the subscription and catches up; old fetches are called off")
    func toldThePresent() {
        var pipelines = make(.legacy)
        let old = fetches(pipelines.handle(.subscription(.confirmed), at: now))
        let effects = pipelines.switchOver(to: .refactored, at: now)
        #expect(effects.contains(.cancelFetch(old[0])))
        #expect(effects.contains(.cancelTimer(.confirmTail)))
        let new = fetches(effects)
        #expect(new.count == 1)
        #expect(new[0] != old[0])
    }

    @Test("Answers and commits of a pipeline that is gone change nothing")
    func staleTokens() {
        var pipelines = make(.legacy)
        let old = fetches(pipelines.handle(.subscription(.confirmed), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        let page = HistoryPage(
            messages: [Fixture.message(7)], from: nil, through: MessageID(7), hasBefore: false,
            hasAfter: false, tip: MessageID(7))
        #expect(pipelines.handle(.answered(old, .success(.page(page))), at: now).isEmpty)
        #expect(pipelines.snapshot.messages.isEmpty)
    }

    @Test("wire-ios#4410: no switch raises a cursor; it stays what the refactored one committed")
    func cursorOfTheRefactoredAlone() {
        var pipelines = make(.refactored)
        let proven = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.handle(.committed(proven.id), at: now)
        let before = pipelines.proof
        _ = pipelines.switchOver(to: .legacy, at: now)
        let legacy = commits(pipelines.handle(Fixture.live(9), at: now))[0]
        #expect(legacy.proof == nil)
        _ = pipelines.handle(.committed(legacy.id), at: now)
        #expect(pipelines.proof == before)
        _ = pipelines.switchOver(to: .refactored, at: now)
        #expect(pipelines.proof == before)
        #expect(pipelines.snapshot.messages.map(\.id) == [MessageID(1), MessageID(9)])
    }

    @Test("A proof counts only once its commit is stored")
    func proofNeedsItsCommit() {
        var pipelines = make(.refactored)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        #expect(pipelines.proof == TimelineProof())
        _ = pipelines.handle(.committed(commit.id), at: now)
        #expect(pipelines.proof == commit.proof)
    }

    @Test("Calling a waiting handover back leaves the pipeline, which looks again")
    func calledBack() {
        var pipelines = make(.legacy)
        _ = pipelines.handle(.subscription(.confirmed), at: now)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        _ = pipelines.switchOver(to: .legacy, at: now)
        let effects = pipelines.handle(.committed(commit.id), at: now)
        #expect(pipelines.variant == .legacy)
        #expect(fetches(effects).count == 1)
    }

    @Test("A pipeline that is called back keeps its timers, and hears of those that came due")
    func calledBackTimers() {
        var pipelines = make(.legacy)
        _ = pipelines.handle(.subscription(.confirmed), at: now)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        #expect(pipelines.handle(.timer(.reorder), at: now).isEmpty)
        _ = pipelines.switchOver(to: .legacy, at: now)
        let effects = pipelines.handle(.committed(commit.id), at: now)
        #expect(!effects.contains(.cancelTimer(.confirmTail)))
        #expect(effects.contains(.setTimer(.reorder, now)))
    }

    @Test("A timer that came due while a handover waited is told before any is set anew")
    func missedTimersComeFirst() throws {
        var pipelines = make(.legacy)
        _ = pipelines.handle(.subscription(.confirmed), at: now)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        _ = pipelines.handle(.timer(.settle), at: now)
        _ = pipelines.switchOver(to: .legacy, at: now)
        let effects = pipelines.handle(.committed(commit.id), at: now)
        let told = try #require(effects.firstIndex(of: .cancelTimer(.confirmTail)))
        let anew = try #require(
            effects.firstIndex { if case .setTimer(.confirmTail, _) = $0 { true } else { false } })
        #expect(told < anew)
    }

    @Test("A timer that came due and was set again while a handover waited is not told as due")
    func missedTimerSetAgain() {
        var pipelines = make(.legacy)
        _ = pipelines.handle(.subscription(.lost), at: now)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        _ = pipelines.handle(.timer(.settle), at: now)
        _ = pipelines.handle(.commitFailed(commit.id), at: now)
        let again = pipelines.handle(.timer(.retry), at: now)
        #expect(again.contains(.setTimer(.settle, now.advanced(by: .seconds(1)))))
        _ = pipelines.switchOver(to: .legacy, at: now)
        let effects = pipelines.handle(.committed(commit.id), at: now)
        #expect(!effects.contains(.cancelTimer(.confirmTail)))
    }

    @Test("P7: more than the kept inputs count as a loss, which the new pipeline must recover")
    func keptInputsAreBounded() {
        var pipelines = make(.legacy)
        let commit = commits(pipelines.handle(Fixture.live(1), at: now))[0]
        _ = pipelines.switchOver(to: .refactored, at: now)
        for id in 0...PipelineSwitch.keptInputsLimit {
            _ = pipelines.handle(Fixture.live(UInt128(id) + 2), at: now)
        }
        _ = pipelines.handle(.committed(commit.id), at: now)
        #expect(pipelines.snapshot.messages.count < PipelineSwitch.keptInputsLimit)
    }

    @Test("A hundred switches at random moments hold every message once")
    func randomMoments() {
        var random = SplitMix64(seed: 4_410)
        for _ in 0..<100 {
            var pipelines = make(.legacy)
            var pending: [CommitID] = []
            func run(_ effects: [PipelineEffect]) {
                for effect in effects {
                    if case .commit(let commit) = effect { pending.append(commit.id) }
                }
            }
            for id in 1...60 {
                run(pipelines.handle(Fixture.live(UInt128(id)), at: now))
                if Bool.random(using: &random), !pending.isEmpty {
                    run(pipelines.handle(.committed(pending.removeFirst()), at: now))
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    let target: PipelineVariant =
                        Bool.random(using: &random) ? .legacy : .refactored
                    run(pipelines.switchOver(to: target, at: now))
                }
            }
            while !pending.isEmpty {
                run(pipelines.handle(.committed(pending.removeFirst()), at: now))
            }
            #expect(pipelines.snapshot.messages.map(\.id) == (1...60).map { MessageID($0) })
        }
    }
}

@Suite("P6: selection")
struct PipelineSelectionTests {
    @Test("Away from the refactored pipeline is a rollback; everything else is a ramp")
    func rollback() {
        let legacy = PipelineSelection(.legacy, reason: "")
        let refactored = PipelineSelection(.refactored, reason: "")
        var session = RoomSession(
            resuming: RoomCheckpoint(), selection: refactored, registry: Fixture.registry,
            pipeline: Fixture.configuration())
        let wall = WallTime(milliseconds: 0)
        _ = session.handle(.selection(legacy), at: .origin, wall: wall)
        #expect(session.variant == .legacy, "a rollback takes effect at the next boundary")
        _ = session.handle(.selection(refactored), at: .origin, wall: wall)
        #expect(session.variant == .legacy, "a ramp waits for the next room session")
        _ = session.handle(.foreground(refactored), at: .origin, wall: wall)
        #expect(session.variant == .refactored)
    }
}
