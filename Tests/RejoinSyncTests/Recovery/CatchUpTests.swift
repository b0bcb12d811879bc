import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("Catching up (promise P1, DESIGN section 5)")
struct CatchUpTests {
    @Test(
        "Nothing is fetched before the subscription is confirmed, and a fetch from before counts for nothing (Rocket.Chat.ReactNative#7547, row 3)",
        arguments: BackendKind.allCases)
    func subscribesFirst(_ kind: BackendKind) {
        var bench = RecoveryBench(12, held: 4, capabilities: kind.capabilities)
        bench.give(.subscribing)
        #expect(bench.requests.isEmpty)
        #expect(bench.recovery.state == .subscribing)

        // A push asks before the socket stands: it is served, but not believed afterwards.
        bench.give(.trigger)
        let early = bench.open?.id
        bench.give(.subscribed)
        #expect(early.map { bench.cancelled == [$0] } == true)
        if let early {
            let stale = bench.give(.answered(early, .failure(BackendFailure(.forbidden, "late"))))
            #expect(stale.isEmpty, "an answer to a request of the old cycle is nobody's")
        }
        bench.answerAll()
        #expect(bench.recovery.state == .live)
        #expect(bench.isComplete)
        #expect(bench.outcomes.count == 1)
        #expect(bench.outcomes[0].isComplete)
    }

    @Test(
        "Each resubscription catches up, without the room being opened anew (code-ios-app#419, chahua#63, rows 2 and 25)",
        arguments: BackendKind.allCases)
    func catchesUpAgain(_ kind: BackendKind) {
        var bench = RecoveryBench(3, held: 3, capabilities: kind.capabilities)
        bench.goLive()
        for _ in 0..<3 {
            bench.give(.subscriptionLost)
            #expect(bench.recovery.state == .idle)
            bench.write(lost: true)
            bench.write(lost: true)
            bench.goLive()
            #expect(bench.isComplete)
        }
        #expect(bench.outcomes.allSatisfy { $0.isComplete })
    }

    @Test(
        "Without a cursor the newest page is taken, never the whole history (wire-ios#2245, row 10)",
        arguments: BackendKind.allCases)
    func missingCursorIsNotZero(_ kind: BackendKind) {
        var bench = RecoveryBench(100, capabilities: kind.capabilities)
        bench.goLive()
        #expect(bench.requests == [.page(.newest, limit: 5)])
        #expect(bench.heldIDs == Array(bench.roomIDs.suffix(5)))
        #expect(bench.gaps.map(\.reason) == [.notLoaded])
        #expect(bench.outcomes.last?.isComplete == true, "older history is not missing")
    }

    @Test(
        "What is stored is shown before the network is needed (wire-ios-sync-engine#1331, row 11)")
    func showsWhatIsStored() {
        let bench = RecoveryBench(9, held: 6)
        #expect(bench.recovery.timeline.snapshot().messages.count == 6)
        #expect(bench.recovery.state == .idle)
    }

    @Test("Pages run to the tip, whatever their size", arguments: BackendKind.allCases)
    func pagesToTheTip(_ kind: BackendKind) {
        var bench = RecoveryBench(
            14, held: 1, capabilities: kind.capabilities, windowLimit: 1)
        bench.goLive()
        #expect(bench.isComplete)
        guard case .complete(let evidence) = bench.outcomes.last else {
            Issue.record("not complete")
            return
        }
        #expect(evidence.pages == 3)
        #expect(evidence.messagesAdded == 13)
        #expect(evidence.through == bench.roomIDs.last)
    }

    @Test(
        "A hole beyond the budget becomes a gap before the newest page, not an invisible hole (thelounge#1883, matrix-rust-sdk#1742, rows 13 and 26)",
        arguments: BackendKind.allCases)
    func budget(_ kind: BackendKind) throws {
        var bench = RecoveryBench(60, held: 5, capabilities: kind.capabilities, windowLimit: 5)
        bench.goLive()
        let gap = try #require(bench.gaps.first)
        #expect(bench.gaps.count == 1)
        #expect(gap.reason == .budgetExceeded)
        #expect(bench.outcomes.last?.gaps == [gap])
        #expect(bench.recovery.state == .live)
        #expect(Array(bench.heldIDs.suffix(5)) == Array(bench.roomIDs.suffix(5)))

        // The person comes near, again and again.
        var rounds = 0
        while let gap = bench.gaps.first, rounds < 30 {
            bench.give(.approach(gap))
            bench.answerAll()
            rounds += 1
        }
        #expect(bench.heldIDs == bench.roomIDs)
        #expect(bench.metrics.contains(.gapFilled))
    }

    @Test(
        "Where the feed is longer than the budget, what it would have told of is a gap that is told, not older history (rows 13 and 26)",
        arguments: [BackendCapabilities(), .settlingWithRevisions])
    func feedBeyondBudget(_ capabilities: BackendCapabilities) throws {
        var bench = RecoveryBench(5, held: 5, capabilities: capabilities, windowLimit: 5)
        bench.goLive()
        bench.give(.subscriptionLost)
        for _ in 0..<60 { bench.write(lost: true) }
        bench.goLive()
        let gap = try #require(bench.gaps.first)
        #expect(bench.gaps.map(\.reason) == [.budgetExceeded])
        #expect(bench.outcomes.last?.gaps == [gap])
    }

    @Test(
        "A room that is empty is complete, and what is written then is proven",
        arguments: [BackendCapabilities(), .plain, .settlingWithRevisions])
    func emptyRoom(_ capabilities: BackendCapabilities) {
        var bench = RecoveryBench(0, capabilities: capabilities)
        bench.goLive()
        #expect(bench.outcomes.last?.isComplete == true && bench.gaps.isEmpty)
        bench.write()
        bench.give(.subscriptionLost)
        bench.goLive()
        #expect(bench.isComplete)
    }

    @Test("A gap goes only with proof of overlap (element-meta#3290, row 14)")
    func gapNeedsProof() throws {
        var bench = RecoveryBench(60, held: 5, windowLimit: 5)
        bench.goLive()
        let gap = try #require(bench.gaps.first)
        bench.give(.approach(gap))
        bench.answer()
        #expect(bench.gaps.first?.from == gap.from)
        #expect(bench.gaps.first?.before != gap.before, "one page nearer")
    }

    @Test(
        "What the server has trimmed is a gap that cannot be filled, and the cursor does not pass it",
        arguments: BackendKind.allCases)
    func trimmed(_ kind: BackendKind) {
        var bench = RecoveryBench(30, held: 5, capabilities: kind.capabilities, windowLimit: 5)
        bench.room.trim(keeping: 4)
        bench.goLive()
        #expect(bench.gaps.map(\.reason) == [.trimmed])
        #expect(bench.gaps.map(\.state) == [.unrecoverable])
        #expect(bench.outcomes.last?.gaps.map(\.reason) == [.trimmed])
        #expect(bench.heldIDs.count == 9, "what was held stays held")

        // It is told once; afterwards the room is as complete as it can be.
        bench.give(.trigger)
        bench.answerAll()
        #expect(bench.outcomes.last?.isComplete == true)
    }

    @Test(
        "A feed that is gone is replaced by pages, and what may be out of date is read again (wire-ios#3152, row 9)"
    )
    func gone() throws {
        var bench = RecoveryBench(12, held: 8, windowLimit: 6)
        let edited = bench.room.messages[6].id
        _ = bench.room.edit(edited, text: "edited in the outage")
        bench.room.trimFeed()
        bench.goLive()
        #expect(bench.heldIDs == bench.roomIDs)
        #expect(bench.recovery.timeline[edited] == bench.room.messages[6])
        #expect(bench.recovery.provenRevision == bench.room.revision)
        #expect(bench.outcomes.last?.isComplete == true)
        #expect(
            !bench.recovery.staleCoverage.contains(edited),
            "what is shown was read again; the rest is known to be stale")
        #expect(bench.recovery.staleCoverage.contains(bench.roomIDs[0]))
    }

    @Test("A server that always says gone is not asked in a loop (promise P8)")
    func alwaysGone() {
        var bench = RecoveryBench(30, held: 2, windowLimit: 2)
        bench.give(.subscribing)
        bench.give(.subscribed)
        for _ in 0..<20 {
            if case .changes = bench.open?.request {
                bench.answer(.failure(BackendFailure(.gone, "trimmed")))
            } else {
                // Each page is newer than the one before, so that the feed is asked again.
                _ = bench.room.edit(bench.roomIDs[0], text: "again")
                bench.answer()
            }
        }
        #expect(bench.requests.count < 12)
        #expect(bench.timers[.retry] != nil || bench.recovery.state == .live)
    }

    @Test(
        "An edit, a deletion and a reaction missed in an outage come back",
        arguments: BackendKind.allCases)
    func missedChanges(_ kind: BackendKind) {
        var bench = RecoveryBench(8, held: 8, capabilities: kind.capabilities)
        bench.goLive()
        bench.give(.subscriptionLost)
        _ = bench.room.edit(bench.roomIDs[1], text: "edited")
        _ = bench.room.delete(bench.roomIDs[3])
        _ = bench.room.react(bench.roomIDs[5], emoji: "+", by: RecoveryBench.other)
        bench.goLive()
        #expect(bench.recovery.timeline.messages() == bench.room.messages)
    }

    @Test("Without revisions, what comes into view is read again too")
    func refreshesTheWindow() throws {
        var bench = RecoveryBench(30, held: 30, capabilities: .plain, windowLimit: 4)
        _ = bench.room.edit(bench.roomIDs[2], text: "edited")
        bench.goLive()
        #expect(bench.recovery.timeline.messages()[2] != bench.room.messages[2])
        bench.give(.load(.around(bench.roomIDs[2])))
        bench.answerAll()
        #expect(bench.recovery.timeline.messages()[2] == bench.room.messages[2])
    }

    @Test("An empty room has a position from the first subscription on (socket.io#5538, row 31)")
    func emptyRoom() {
        var bench = RecoveryBench()
        bench.goLive()
        #expect(bench.outcomes.last?.isComplete == true)
        #expect(bench.recovery.provenRevision == Revision(0))
        bench.give(.subscriptionLost)
        bench.write(lost: true)
        bench.write(lost: true)
        bench.goLive()
        #expect(bench.isComplete)
        #expect(bench.requests.last == .changes(after: Revision(0), limit: 5))
    }

    @Test("A page without messages makes no empty interval (mattermost-mobile#9827, row 37)")
    func emptyPage() {
        var bench = RecoveryBench(3, held: 3, capabilities: .plain)
        bench.goLive()
        let before = bench.recovery.provenCoverage
        bench.give(.trigger)
        bench.answerAll()
        #expect(bench.recovery.provenCoverage == before)
        #expect(bench.heldIDs == bench.roomIDs)
    }

    @Test(
        "Paging is by message ID, so that what is new moves nothing (stream-chat-swift#2358, spreed#767, rows 38 and 41)"
    )
    func pagingByID() throws {
        var bench = RecoveryBench(40, windowLimit: 30)
        bench.goLive()
        var rounds = 0
        while let gap = bench.gaps.first, rounds < 30 {
            bench.write()
            bench.give(.approach(gap))
            bench.answerAll()
            rounds += 1
        }
        #expect(bench.heldIDs == bench.roomIDs)
    }

    @Test(
        "A message far from the window is an interval of its own (stream-chat-flutter#260, row 39)")
    func island() {
        var bench = RecoveryBench(60, windowLimit: 5)
        bench.goLive()
        bench.give(.load(.around(bench.roomIDs[20])))
        bench.answerAll()
        #expect(bench.recovery.timeline.contains(bench.roomIDs[20]))
        #expect(bench.gaps.count == 2)
        #expect(bench.recovery.provenCoverage.intervals.count == 2)
    }

    @Test(
        "An assumed subscription fetches at once and again once it is proven, and is not complete before",
        arguments: BackendKind.allCases)
    func assumed(_ kind: BackendKind) {
        var bench = RecoveryBench(6, held: 4, capabilities: kind.capabilities)
        bench.give(.subscribing)
        bench.give(.subscriptionAssumed)
        bench.answerAll()
        #expect(bench.recovery.state == .assumed)
        #expect(bench.heldIDs == bench.roomIDs, "what is known is shown")
        #expect(bench.outcomes.isEmpty)
        bench.write(lost: true)
        bench.give(.subscriptionProven)
        bench.answerAll()
        #expect(bench.recovery.state == .live)
        #expect(bench.isComplete)
        #expect(bench.outcomes.map(\.isComplete) == [true])
    }

    @Test(
        "Triggers coalesce; one while a request is out makes another round",
        arguments: BackendKind.allCases)
    func triggersCoalesce(_ kind: BackendKind) {
        var bench = RecoveryBench(6, held: 4, capabilities: kind.capabilities)
        bench.give(.trigger)
        for _ in 0..<5 { bench.give(.trigger) }
        #expect(bench.requests.count == 1)
        let answered = bench.room
        bench.write(lost: true)
        // The answer was made before the message that a push has told of.
        if let request = bench.open?.request, let answer = try? answered.answer(request) {
            bench.answer(.success(answer))
        }
        bench.answerAll()
        #expect(bench.heldIDs == bench.roomIDs)
        #expect(bench.outcomes.count == 1)
    }

    @Test("Triggers without an end do not keep the outcome from those that wait for it")
    func endlessTriggers() {
        var bench = RecoveryBench(6, held: 4)
        bench.give(.trigger)
        for _ in 0..<10 {
            bench.give(.trigger)
            bench.answer()
        }
        #expect(bench.outcomes.count >= 4)
        #expect(bench.requests.count <= 11)
    }

    @Test("Wishes to load are bounded; the oldest that is not under way goes (promise P7)")
    func loadLimit() throws {
        var bench = RecoveryBench(
            200, policy: RecoveryPolicy(pageSize: 5, loadLimit: 3), windowLimit: 4)
        bench.goLive()
        let targets = [20, 40, 60, 80, 100].map { bench.roomIDs[$0] }
        for id in targets { bench.give(.load(.around(id))) }
        bench.answerAll()
        let loaded = targets.map { bench.recovery.timeline.contains($0) }
        #expect(loaded == [true, false, false, true, true])
    }

    @Test(
        "A gap in one room says nothing of another: a recovery knows one room only (ably/docs#682, row 35)"
    )
    func oneRoom() {
        var bench = RecoveryBench(2, held: 2)
        bench.goLive()
        let event = RoomEvent(room: RoomID("r"), kind: .typing(RecoveryBench.other))
        #expect(bench.give(.live(event)).isEmpty)
    }

    @Test("Coverage and revision move together, with the page (centrifuge-go#159, row 34)")
    func onePosition() {
        var bench = RecoveryBench(20, held: 5)
        bench.give(.subscribing)
        bench.give(.subscribed)
        let coverage = bench.recovery.provenCoverage
        let revision = bench.recovery.provenRevision
        bench.answer(.failure(BackendFailure(.outcomeUnknown, "lost")))
        #expect(bench.recovery.provenCoverage == coverage)
        #expect(bench.recovery.provenRevision == revision, "no failure moves the cursor")
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test(
        "Messages that a pipeline without coverage stored are proven or removed, and its losses repaired (wire-ios#4410, row 6; promise P6)",
        arguments: BackendKind.allCases)
    func afterAnotherPipeline(_ kind: BackendKind) {
        var bench = RecoveryBench(20, capabilities: kind.capabilities)
        let kept = bench.room.messages.enumerated().filter { $0.offset % 3 != 1 }.map(\.element)
        bench.recovery = RoomRecovery(
            timeline: Timeline(room: RoomID("r"), messages: kept, coverage: Coverage()),
            user: RecoveryBench.me, capabilities: kind.capabilities,
            policy: RecoveryPolicy(pageSize: 5, catchUpPages: 5), seed: 1)
        #expect(bench.recovery.provenCoverage.isEmpty, "a switch raises no cursor")
        bench.goLive()
        #expect(bench.heldIDs == bench.roomIDs)
        #expect(bench.outcomes.last?.isComplete == true)
    }
}
