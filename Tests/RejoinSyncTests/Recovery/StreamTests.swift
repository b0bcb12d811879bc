import Foundation
import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("What the stream proves (DESIGN sections 3 and 5)")
struct StreamTests {
    @Test("Consecutive revisions prove the tail, without a request")
    func consecutive() {
        var bench = RecoveryBench(3, held: 3)
        bench.goLive()
        let requests = bench.requests.count
        for _ in 0..<40 { bench.write() }
        #expect(bench.isComplete)
        #expect(bench.requests.count == requests)
        #expect(bench.timers.isEmpty)
    }

    @Test("What the stream brings during a catch-up is joined to it, once (promise P2)")
    func joins() {
        var bench = RecoveryBench(9, held: 3)
        bench.give(.subscribing)
        bench.give(.subscribed)
        for _ in 0..<4 {
            bench.write()
            bench.answer()
        }
        bench.answerAll()
        #expect(bench.recovery.state == .live)
        #expect(bench.isComplete)
    }

    @Test(
        "A message from a gap that comes after its own change may be out of date, and says so (P1)")
    func creationAfterChange() throws {
        var bench = RecoveryBench(60, held: 5, windowLimit: 5)
        bench.goLive()
        let held = bench.heldIDs
        let missing = bench.room.messages.first { !held.contains($0.id) }
        let old = try #require(missing)
        let edit = bench.room.edit(old.id, text: "edited")
        let change = try #require(edit)
        bench.give(.live(change))
        #expect(bench.recovery.provenRevision == bench.room.revision)
        bench.give(
            .live(
                RoomEvent(
                    room: bench.room.id, kind: .created(old, author: nil), revision: old.revision)))
        #expect(bench.recovery.timeline[old.id] == old)
        #expect(bench.recovery.staleCoverage.contains(old.id))
    }

    @Test("A revision that comes late is waited for, and nothing is shown past the hole")
    func reordered() {
        var bench = RecoveryBench(3, held: 3)
        bench.goLive()
        let first = bench.room.create(author: RecoveryBench.other, text: "1")
        let second = bench.room.create(author: RecoveryBench.other, text: "2")
        let requests = bench.requests.count
        bench.give(.live(second))
        #expect(bench.heldIDs.count == 3)
        #expect(bench.timers[.reorder] != nil)
        bench.give(.live(first))
        #expect(bench.isComplete)
        #expect(bench.timers[.reorder] == nil)
        #expect(bench.requests.count == requests)
    }

    @Test("A revision that never comes is a gap: it is shown, and fetched")
    func jump() {
        var bench = RecoveryBench(3, held: 3)
        bench.goLive()
        bench.write(lost: true)
        bench.write()
        bench.fire(.reorder)
        #expect(bench.metrics.contains(.gapDetected))
        #expect(bench.recovery.state == .catchingUp)
        #expect(bench.gaps.last?.reason == .disconnected)
        bench.answerAll()
        #expect(bench.isComplete)
        #expect(bench.outcomes.last?.isComplete == true)
    }

    @Test("More events than may wait for a missing one are a gap at once")
    func reorderLimit() {
        var bench = RecoveryBench(
            3, held: 3, policy: RecoveryPolicy(pageSize: 50, reorderLimit: 2))
        bench.goLive()
        bench.write(lost: true)
        for _ in 0..<3 { bench.write() }
        #expect(bench.metrics.contains(.bufferOverflow))
        #expect(bench.recovery.state == .catchingUp)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("A full buffer is emptied; paging goes on, and then what it held is fetched (promise P7)")
    func overflow() {
        var bench = RecoveryBench(
            9, held: 3, policy: RecoveryPolicy(pageSize: 5, catchUpPages: 20, bufferLimit: 3))
        bench.give(.subscribing)
        bench.give(.subscribed)
        // The server goes on; these come while the first answer is under way.
        let answered = bench.room
        for _ in 0..<6 { bench.write() }
        #expect(bench.metrics.filter { $0 == .bufferOverflow }.count == 1)
        if let request = bench.open?.request, let answer = try? answered.answer(request) {
            bench.answer(.success(answer))
        }
        bench.answerAll()
        #expect(bench.recovery.state == .live)
        #expect(bench.isComplete)
    }

    @Test(
        "Events that our side dropped are a loss that is repaired", arguments: BackendKind.allCases)
    func dropped(_ kind: BackendKind) {
        var bench = RecoveryBench(3, held: 3, capabilities: kind.capabilities)
        bench.goLive()
        bench.write(lost: true)
        bench.give(.eventsDropped)
        #expect(bench.metrics.contains(.bufferOverflow))
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test(
        "An own message hides no gap: it is shown and proves nothing (matrix-rust-sdk#6190)",
        arguments: BackendKind.allCases)
    func ownMessage(_ kind: BackendKind) throws {
        var bench = RecoveryBench(3, held: 3, capabilities: kind.capabilities)
        bench.goLive()
        let proven = bench.recovery.provenCoverage
        bench.write(lost: true)
        bench.write("mine", by: RecoveryBench.me, lost: true)
        let mine = try #require(bench.room.messages.last)
        bench.give(.settledSend(mine))
        #expect(bench.recovery.timeline.contains(mine.id))
        #expect(bench.recovery.provenCoverage == proven)
        bench.fire(.confirmTail)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("Without revisions a live message proves nothing, until a page after a quiet moment does")
    func confirmsAfterQuiet() {
        var bench = RecoveryBench(3, held: 3, capabilities: .plain)
        bench.goLive()
        let proven = bench.recovery.provenCoverage
        bench.write(lost: true)
        bench.write()
        #expect(bench.recovery.provenCoverage == proven)
        #expect(bench.heldIDs.count == 4)
        bench.fire(.confirmTail)
        bench.answerAll()
        #expect(bench.isComplete)
        #expect(bench.recovery.state == .live)
    }

    @Test("Without revisions a busy stream is confirmed every so many messages")
    func confirmsBusyStream() {
        var bench = RecoveryBench(
            0, capabilities: .plain, policy: RecoveryPolicy(confirmAfterMessages: 10))
        bench.goLive()
        let requests = bench.requests.count
        for _ in 0..<10 { bench.write() }
        #expect(bench.requests.count == requests + 1)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test(
        "A tail that the server does not know is asked for at growing intervals, then no more (promise P8)"
    )
    func unknownTail() throws {
        var bench = RecoveryBench(3, held: 3, capabilities: .plain)
        bench.goLive()
        var elsewhere = bench.room
        let event = elsewhere.create(author: RecoveryBench.other, text: "rolled back")
        bench.give(.live(event))
        var waits: [Duration] = []
        while let deadline = bench.timers[.confirmTail], waits.count < 20 {
            waits.append(bench.now.duration(to: deadline))
            bench.fire(.confirmTail)
            bench.answerAll()
        }
        #expect(waits.count == 1 + RoomRecovery.maximumIdleConfirms)
        #expect(zip(waits.dropFirst(), waits.dropFirst(2)).allSatisfy { $0 < $1 })
    }

    @Test("An unknown message below the tip is looked at again")
    func suspect() throws {
        var bench = RecoveryBench(0, capabilities: .plain)
        let late = bench.room.reserve(author: RecoveryBench.other, text: "late")
        for _ in 0..<3 { bench.write(lost: true) }
        bench.goLive()
        let made = bench.room.commitReserved(late)
        let event = try #require(made)
        bench.give(.live(event))
        #expect(bench.recovery.timeline.contains(late))
        bench.fire(.confirmTail)
        #expect(bench.requests.last == .page(.around(late), limit: 5))
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test(
        "A change of a message that a running fetch may bring waits for it",
        arguments: BackendKind.allCases)
    func changeWaits(_ kind: BackendKind) throws {
        var bench = RecoveryBench(40, capabilities: kind.capabilities, windowLimit: 5)
        bench.goLive()
        let target = bench.roomIDs[10]
        bench.give(.load(.around(target)))
        let answered = bench.room
        let made = bench.room.edit(target, text: "edited meanwhile")
        let event = try #require(made)
        bench.give(.live(event))
        let request = try #require(bench.open?.request)
        bench.answer(.success(try answered.answer(request)))
        #expect(bench.recovery.timeline[target]?.text == "edited meanwhile")
    }

    @Test("Too many waiting changes are forgotten, and the fetch is made again after a while")
    func changesOverflow() throws {
        var bench = RecoveryBench(
            60, policy: RecoveryPolicy(pageSize: 8, waitingChangeLimit: 2), windowLimit: 4)
        bench.goLive()
        bench.give(.load(.around(bench.roomIDs[10])))
        let answered = bench.room
        for index in 8..<12 {
            let made = bench.room.edit(bench.roomIDs[index], text: "edited")
            let event = try #require(made)
            bench.give(.live(event))
        }
        let request = try #require(bench.open?.request)
        bench.answer(.success(try answered.answer(request)))
        #expect(!bench.recovery.timeline.contains(bench.roomIDs[10]), "that answer is not taken")
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.recovery.timeline[bench.roomIDs[11]]?.text == "edited")
    }

    @Test("Own messages are told with their keys, so that sends settle")
    func observed() {
        var bench = RecoveryBench(1, held: 1)
        bench.goLive()
        let key = ClientMessageID(UUID())
        let event = bench.room.create(author: RecoveryBench.me, text: "mine", clientID: key)
        bench.give(.live(event))
        #expect(bench.observed.map(\.clientID) == [key])
        bench.give(.live(event))
        #expect(bench.metrics.contains(.duplicateSuppressed))
        #expect(bench.heldIDs == bench.roomIDs)
    }

    @Test(
        "While the store is stalled nothing is taken; afterwards what passed is recovered (promise P7)"
    )
    func stalled() {
        var bench = RecoveryBench(3, held: 3)
        bench.goLive()
        bench.give(.storeStalled(true))
        bench.write()
        bench.give(.trigger)
        #expect(bench.heldIDs.count == 3)
        #expect(bench.open == nil)
        bench.give(.storeStalled(false))
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("P1: an edit that comes while the store is stalled is read afterwards, without revisions")
    func stalledEdit() throws {
        var bench = RecoveryBench(3, held: 3, capabilities: .plain)
        bench.goLive()
        let edit = bench.room.edit(bench.roomIDs[1], text: "edited")
        bench.give(.storeStalled(true))
        bench.give(.live(try #require(edit)))
        bench.give(.storeStalled(false))
        bench.answerAll()
        #expect(bench.isComplete)
        #expect(bench.recovery.timeline[bench.roomIDs[1]]?.text == "edited")
    }
}

@Suite("Messages that settle late (BackendCapabilities.CommitOrder)")
struct SettlingTests {
    @Test("What was read too early is read again before the recovery is complete")
    func readsAgain() throws {
        var bench = RecoveryBench(0, capabilities: .settling)
        for _ in 0..<2 { bench.write(lost: true) }
        let late = bench.room.reserve(author: RecoveryBench.other, text: "late")
        for _ in 0..<2 { bench.write(lost: true) }
        bench.goLive()
        #expect(bench.recovery.state == .catchingUp)
        #expect(bench.heldIDs == bench.roomIDs, "what is known is shown at once")
        #expect(bench.recovery.provenCoverage.isEmpty, "and not relied on")
        #expect(bench.outcomes.isEmpty)

        _ = bench.room.commitReserved(late)
        bench.fire(.settle)
        bench.answerAll()
        #expect(bench.outcomes.last?.isComplete == true)
        #expect(bench.isComplete)
    }

    @Test("A load that shows all that a catch-up waits to read again ends the catch-up")
    func loadSettles() throws {
        var bench = RecoveryBench(3, held: 3, capabilities: .settling)
        bench.write(lost: true)
        bench.give(.subscribing)
        bench.give(.subscribed)
        let request = try #require(bench.open?.request)
        let answer = try bench.room.answer(request)
        let newest = bench.write()
        bench.answer(.success(answer))
        bench.answerAll()
        #expect(bench.recovery.state == .catchingUp)
        bench.now = bench.now + .seconds(2)
        bench.give(.load(.around(newest)))
        bench.answerAll()
        #expect(bench.recovery.state == .live)
        #expect(bench.outcomes.last?.isComplete == true)
    }

    @Test("A live message is relied on once it has settled and a page has shown it")
    func liveSettles() throws {
        var bench = RecoveryBench(3, held: 3, capabilities: .settling)
        bench.goLive()
        bench.fire(.settle)
        bench.answerAll()
        let late = bench.room.reserve(author: RecoveryBench.other, text: "late")
        bench.write()
        _ = bench.room.commitReserved(late)
        var rounds = 0
        while !bench.timers.isEmpty, rounds < 10 {
            bench.fire(.settle)
            bench.fire(.confirmTail)
            bench.answerAll()
            rounds += 1
        }
        #expect(bench.isComplete)
        #expect(bench.recovery.state == .live)
    }
}
