import RejoinModel
import RejoinReadState
import RejoinTime
import Testing

@Suite("P4, DESIGN 6: a read is reported until the server has it")
struct ReadReportingTests {
    @Test("Advances that come close together share one report (row 85)")
    func coalescing() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.see(7...12)
        #expect(rig.reports.isEmpty)
        rig.pass(.milliseconds(500))
        rig.give(.timer(.report))
        #expect(rig.reports.isEmpty, "a timer that fires early is harmless")
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(12)] && rig.reports.map(\.unread) == [false])
    }

    @Test(
        "Leaving the foreground or the room sends at once",
        arguments: [
            ReadSyncInput.deactivated, .closed,
        ])
    func flush(_ input: ReadSyncInput) {
        var rig = ReadRig.reading()
        rig.see(6...8)
        let effects = rig.give(input)
        #expect(rig.reports.map(\.mark) == [.at(8)])
        #expect(effects.contains(.cancelTimer(.report)))
    }

    @Test("What is stored comes before what is sent")
    func storedFirst() throws {
        var rig = ReadRig.reading()
        rig.give(.deactivated)
        let effects = rig.give(.markRead(through: MessageID(8)))
        let commit = try #require(
            effects.firstIndex { if case .commit = $0 { true } else { false } })
        let report = try #require(
            effects.firstIndex { if case .report = $0 { true } else { false } })
        #expect(commit < report)
    }

    @Test("An acknowledged mark is not sent again")
    func acknowledged() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.answer(ReadAnswer(mark: .at(8), unread: 12, unreadAsOf: MessageID(20)))
        rig.passTimer()
        rig.give(.deactivated)
        #expect(rig.reports.isEmpty && rig.record.acknowledged == .at(8) && rig.sync.isSettled)
    }

    @Test("An advance while a report is under way is sent after it")
    func advanceMeanwhile() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.see(6...10)
        #expect(rig.reports.count == 1)
        rig.answer(ReadAnswer(mark: .at(8), unread: 12, unreadAsOf: MessageID(20)))
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(10)])
    }

    @Test("Offline it applies here, survives a kill, and is sent later (row 65)")
    func offline() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.fail(.unreachable)
        var next = ReadRig(resuming: rig.record)
        next.give(.timeline(.held(1...20)))
        #expect(next.position == 8)
        #expect(next.reports.map(\.mark) == [.at(8)])
    }

    @Test(
        "A lost answer is repeated, and folds by max (RSL1k4)",
        arguments: [
            BackendFailure.Code.outcomeUnknown, .serverError, .unreachable, .rateLimited,
            .tokenExpired, .malformedAnswer,
        ])
    func lostAnswer(_ code: BackendFailure.Code) {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.fail(code)
        #expect(rig.reports.isEmpty)
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(8)])
    }

    @Test("Retry-After is honoured, with jitter, even by a flush (row 85)")
    func retryAfter() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.fail(.rateLimited, retryAfter: .seconds(300))
        rig.pass(.seconds(300))
        rig.give(.reconnected)
        rig.give(.deactivated)
        #expect(rig.reports.isEmpty)
        rig.pass(.seconds(1))
        rig.give(.timer(.report))
        #expect(rig.reports.count == 1)
    }

    @Test("The connection's return ends a wait that served an unreachable server")
    func reconnected() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.fail(.unreachable)
        rig.give(.reconnected)
        #expect(rig.reports.count == 1)
    }

    @Test("A refusal is not repeated until something changes (P8)")
    func refused() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.fail(.forbidden)
        rig.see(6...9)
        rig.passTimer()
        #expect(rig.reports.isEmpty && rig.record.mark == .at(9))
        rig.give(.reconnected)
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(9)])
    }

    @Test("A closed room does not try again; the store keeps what is unsent")
    func closed() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.give(.closed)
        #expect(!rig.sync.isSettled)
        rig.fail(.unreachable)
        #expect(rig.sync.isSettled && rig.record.acknowledged == .at(5))
        rig.passTimer()
        #expect(rig.reports.isEmpty)
    }

    @Test("A report that is never answered counts as lost at its deadline")
    func timeout() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.pass(.seconds(30))
        rig.give(.timer(.attempt))
        #expect(rig.reports.isEmpty)
        rig.passTimer()
        #expect(rig.reports.count == 1)
    }

    @Test("A commit that fails is tried again")
    func storeFailure() {
        var rig = ReadRig.reading()
        rig.storesAtOnce = false
        rig.see(6...8)
        rig.give(.commitFailed(rig.commits.removeFirst().id))
        #expect(rig.commits.isEmpty && !rig.sync.isSettled)
        rig.pass(.seconds(60))
        rig.give(.timer(.store))
        #expect(rig.commits.map(\.record.mark) == [.at(8)])
    }

    @Test("A server that answers with less than it was told is not told again")
    func clampingServer() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.passTimer()
        rig.answer(ReadAnswer(mark: .at(7), unread: 13, unreadAsOf: MessageID(20)))
        rig.passTimer()
        #expect(rig.reports.isEmpty && rig.position == 8)
    }
}

@Suite("DESIGN 6: several devices")
struct ReadDevicesTests {
    @Test("All of several marks in one update count, in any order (row 73)")
    func several() {
        var rig = ReadRig.reading()
        rig.give(.remote([.at(12), .at(7), .at(15), .at(9)]))
        #expect(rig.position == 15 && rig.record.acknowledged == .at(15))
        rig.give(.deactivated)
        #expect(rig.reports.isEmpty, "the server has it already")
    }

    @Test("Another device's read is taken in while this one is open (rows 69, 78)")
    func remoteRead() {
        var rig = ReadRig.reading()
        rig.see(6...8)
        rig.give(.remote([.at(12)]))
        #expect(rig.position == 12)
        rig.passTimer()
        #expect(rig.reports.isEmpty, "what gathered is behind by now")
    }

    @Test("The first summary after a reconnect folds too")
    func summary() {
        var rig = ReadRig.reading()
        rig.give(.summary(.of(.at(12), unread: 8, asOf: 20)))
        #expect(rig.position == 12)
        rig.give(.summary(.of(.at(6), unread: 14, asOf: 20)))
        #expect(rig.position == 12)
    }

    @Test("Mark-unread is reported as compare-and-set, and what was read after it follows")
    func markUnread() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(3)))
        rig.give(.markRead(through: MessageID(4)))
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(2, version: 1)])
        #expect(rig.reports.map(\.unread) == [true])
        rig.answer(
            ReadAnswer(mark: .at(2, version: 1), unread: 18, unreadAsOf: MessageID(20)))
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(4, version: 1)])
        #expect(rig.reports.map(\.unread) == [false])
    }

    @Test("A conflict on mark-unread takes the server's newer state")
    func conflict() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(5)))
        rig.passTimer()
        #expect(rig.fail(.conflict).contains(.fetchSummary))
        rig.give(.summary(.of(.at(2, version: 1), unread: 18, asOf: 20)))
        #expect(rig.sync.mark == .at(2, version: 1))
        rig.passTimer()
        #expect(rig.reports.isEmpty && rig.record.pendingUnread == nil)
    }

    @Test(
        "A lost acknowledgement of mark-unread: the repetition conflicts, and nothing changes (RSL1k4)"
    )
    func lostUnread() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(3)))
        rig.passTimer()
        rig.fail(.outcomeUnknown)
        rig.passTimer()
        rig.fail(.conflict)
        rig.give(.summary(.of(.at(2, version: 1), unread: 18, asOf: 20)))
        #expect(rig.sync.mark == .at(2, version: 1) && rig.record.pendingUnread == nil)
        rig.give(.deactivated)
        #expect(rig.reports.isEmpty)
    }

    @Test("Two mark-unreads offline arrive as one")
    func twoUnreads() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(5)))
        rig.give(.markUnread(from: MessageID(3)))
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(2, version: 2)])
        rig.fail(.conflict)
        rig.give(.summary(.of(.at(5), unread: 15, asOf: 20)))
        rig.passTimer()
        #expect(rig.reports.map(\.mark) == [.at(2, version: 1)])
    }

    @Test("Mark-unread survives a kill before it was sent")
    func unreadSurvivesKill() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(3)))
        var next = ReadRig(resuming: rig.record)
        next.give(.timeline(.held(1...20)))
        #expect(next.sync.mark == .at(2, version: 1))
        #expect(next.reports.map(\.unread) == [true])
    }

    @Test("A server that keeps conflicting is left alone (P8)")
    func conflictLoop() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(3)))
        for _ in 0..<10 {
            rig.passTimer()
            rig.fail(.conflict)
            rig.give(.summary(.of(.at(5), unread: 15, asOf: 20)))
        }
        #expect(rig.reports.isEmpty && rig.sync.isSettled)
    }

    @Test("P4, P8: a summary that could not be fetched is asked for again, after growing waits")
    func summaryMissed() {
        var rig = ReadRig.reading()
        for _ in 0..<3 {
            let effects = rig.give(.summaryMissed)
            guard case .setTimer(.summary, let due)? = effects.first else {
                Issue.record("no timer in \(effects)")
                return
            }
            #expect(rig.give(.timer(.summary)).isEmpty)
            rig.pass(due - rig.now)
            #expect(rig.give(.timer(.summary)) == [.fetchSummary])
        }
        rig.give(.summaryMissed)
        let effects = rig.give(.summary(.of(.at(5), unread: 15, asOf: 20)))
        #expect(effects.contains(.cancelTimer(.summary)))
        rig.give(.closed)
        #expect(rig.give(.summaryMissed).isEmpty)
    }

    @Test("A summary that does not come is asked for again")
    func summaryLost() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(3)))
        rig.passTimer()
        rig.fail(.conflict)
        rig.pass(.seconds(60))
        #expect(rig.give(.timer(.report)).contains(.fetchSummary))
    }
}
