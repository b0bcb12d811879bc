import Foundation
import RejoinModel
import RejoinPipeline
import RejoinReadState
import RejoinSync
import RejoinTime
import Testing

/// RoomSession holds the cores together: these tests drive it as a shell would, with a backend that
/// answers at once and a store that stores at once.
@Suite("RoomSession")
struct RoomSessionTests {
    private func key(_ number: UInt8) -> ClientMessageID {
        ClientMessageID(UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    }

    @Test("P1: an opened room catches up, is up to date, and shows what the server has")
    func opens() {
        var shell = SessionShell(messages: 3)
        shell.open()
        #expect(shell.session.snapshot.recovery == .upToDate)
        #expect(shell.shownIDs == [1, 2, 3])
        #expect(shell.session.snapshot.timeline.gaps.isEmpty)
    }

    @Test("P1: a drop shows catching up; what was missed is there after the next confirmation")
    func recovers() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.give(.subscription(.lost))
        #expect(shell.session.snapshot.recovery == .catchingUp)
        shell.post(author: "ann")
        shell.give(.subscription(.confirmed))
        #expect(shell.session.snapshot.recovery == .upToDate)
        #expect(shell.shownIDs == [1, 2, 3, 4])
    }

    @Test("P5, element-x-ios#4794: an echo shows at once and keeps its row when it is sent")
    func echo() {
        var shell = SessionShell(messages: 1)
        shell.open()
        shell.answersMutations = false
        shell.give(.submit(key(1), .send([.text("hi")])))
        #expect(shell.accepted == [key(1)])
        #expect(shell.session.snapshot.rows.last?.id == .local(key(1)))
        shell.answersMutations = true
        shell.releaseMutations()
        #expect(shell.session.snapshot.unsent.isEmpty)
        #expect(shell.session.snapshot.rows.map(\.id) == [.message(MessageID(1)), .local(key(1))])
    }

    @Test("P5: an own message stays shown while the pipeline's commit is on its way")
    func echoUntilStored() {
        var shell = SessionShell(messages: 1)
        shell.open()
        shell.holdsTimelineCommits = true
        shell.give(.submit(key(1), .send([.text("hi")])))
        #expect(shell.server.count == 2)
        #expect(shell.session.outboxItems.isEmpty)
        #expect(shell.shownIDs == [1])
        #expect(shell.session.snapshot.unsent.map(\.state) == [.accepted])
        #expect(shell.session.snapshot.rows.last?.id == .local(key(1)))
        shell.releaseTimelineCommits()
        #expect(shell.session.snapshot.unsent.isEmpty)
        #expect(shell.session.snapshot.rows.map(\.id) == [.message(MessageID(1)), .local(key(1))])
    }

    @Test("P5: an own message that crosses a catch-up stays shown when that ends")
    func echoAcrossRecovery() {
        var shell = SessionShell(messages: 1)
        shell.open()
        shell.holdsAnswers = true
        shell.give(.trigger(.manual))
        shell.give(.submit(key(1), .send([.text("hi")])))
        #expect(shell.server.count == 2)
        var rounds = 0
        while rounds < 5 {
            rounds += 1
            let isUnsent = shell.session.snapshot.unsent.contains { $0.clientID == key(1) }
            #expect(isUnsent || shell.shownIDs == [1, 2], "round \(rounds)")
            shell.releaseAnswers()
        }
        #expect(shell.shownIDs == [1, 2])
    }

    @Test(
        "P5: a catch-up that began before the subscription opens the outbox when it has asked again"
    )
    func gateAfterRunningRecovery() {
        var shell = SessionShell(
            messages: 1, capabilities: BackendCapabilities(idempotentSendRetention: nil))
        shell.holdsAnswers = true
        shell.give(.subscription(.pending))
        shell.give(.foreground(PipelineSelection(.refactored, reason: "")))
        shell.give(.submit(key(1), .send([.text("hi")])))
        shell.give(.subscription(.confirmed))
        for _ in 0..<4 { shell.releaseAnswers() }
        #expect(shell.server.count == 2)
    }

    @Test("P4: an unread count that was asked for before a deletion is asked for again")
    func summaryCrossesDeletion() {
        var shell = SessionShell(messages: 3)
        shell.open()
        let before = shell.summaryRequests
        shell.holdsSummaries = true
        shell.give(.trigger(.manual))
        let old = shell.summary
        shell.deleteLive(MessageID(2))
        #expect(shell.summaryRequests == before + 1)
        shell.releaseSummary(old)
        #expect(shell.summaryRequests == before + 2)
        #expect(shell.session.snapshot.unread == .exact(2))
    }

    @Test("P4: a count from before a deletion in the change feed is asked for again")
    func summaryCrossesDeletionInFeed() {
        var shell = SessionShell(messages: 250)
        shell.open()
        #expect(!shell.shownIDs.contains(2))
        #expect(shell.session.snapshot.unread == .exact(250))
        shell.give(.subscription(.lost))
        shell.holdsSummaries = true
        let old = shell.summary
        shell.delete(MessageID(2))
        shell.give(.subscription(.confirmed))
        #expect(shell.session.snapshot.recovery == .upToDate)
        shell.releaseSummary(old)
        #expect(shell.session.snapshot.unread == .exact(249))
    }

    @Test("P4: a count from before a late message in the change feed is asked for again")
    func summaryCrossesLateMessageInFeed() {
        var shell = SessionShell(
            messages: 250,
            capabilities: BackendCapabilities(commitOrder: .settles(within: .seconds(2))))
        shell.open()
        #expect(shell.session.snapshot.unread == .exact(250))
        shell.give(.subscription(.lost))
        shell.holdsSummaries = true
        let early = shell.postLate(author: "ann")
        shell.give(.subscription(.confirmed))
        shell.releaseSummary(early)
        #expect(shell.session.snapshot.unread == .exact(252))
    }

    @Test("P5: an own edit stays shown while the pipeline's commit is on its way")
    func editUntilStored() {
        var shell = SessionShell(messages: 1, author: Fixture.user.rawValue)
        shell.open()
        shell.holdsTimelineCommits = true
        shell.give(.submit(key(1), .edit(.sent(MessageID(1)), [.text("new")])))
        #expect(shell.server.first?.text == "new")
        #expect(shell.session.outboxItems.isEmpty)
        #expect(shell.session.snapshot.timeline.messages.first?.text == "new")
        shell.deliver(MessageID(1))
        shell.editLive(MessageID(1), text: "newer")
        shell.releaseTimelineCommits()
        #expect(shell.session.snapshot.timeline.messages.first?.text == "newer")
    }

    @Test("P5: an edit that failed stands in its message's row until it is discarded")
    func failedEdit() {
        var shell = SessionShell(messages: 1, author: Fixture.user.rawValue)
        shell.open()
        shell.refusesMutations = true
        shell.give(.submit(key(1), .edit(.sent(MessageID(1)), [.text("new")])))
        let failure = BackendFailure(.rejected, "refused")
        let failed = FailedChange(
            id: key(1), target: MessageID(1), change: .edit([.text("new")]),
            outcome: .failed(failure))
        #expect(shell.session.snapshot.failedChanges == [failed])
        #expect(shell.session.snapshot.rows.first?.failedChanges == [failed])
        #expect(shell.session.snapshot.timeline.messages.first?.text == "text")
        shell.give(.discard(key(1)))
        #expect(shell.session.snapshot.failedChanges.isEmpty)
        #expect(shell.session.snapshot.rows.first?.failedChanges == [])
    }

    @Test("P1: a subscription that rests shows when it is tried again, and is not up to date")
    func restingSubscription() {
        var shell = SessionShell(messages: 1)
        shell.open()
        let until = Instant.origin.advanced(by: .seconds(60))
        let failure = BackendFailure(.unreachable, "it rests")
        shell.give(.subscription(.lost))
        shell.give(.denied(failure, retryAt: until))
        #expect(shell.session.snapshot.recovery == .failed(failure, retryAt: until))
        #expect(shell.session.snapshot.state == .open)
        shell.give(.trigger(.push))
        #expect(shell.session.snapshot.recovery != .upToDate)
        shell.give(.subscription(.pending))
        shell.give(.subscription(.confirmed))
        #expect(shell.session.snapshot.recovery == .upToDate)
    }

    @Test("P3: what is unsent stands after everything that is sent")
    func unsentLast() {
        var shell = SessionShell(messages: 1)
        shell.open()
        shell.answersMutations = false
        shell.give(.submit(key(1), .send([.text("mine")])))
        shell.postLive(author: "ann")
        #expect(shell.session.snapshot.rows.map(\.id).last == .local(key(1)))
        #expect(shell.session.snapshot.rows.count == 3)
    }

    @Test("Own edits, deletions and reactions are shown before the server has them")
    func overlay() {
        var shell = SessionShell(messages: 1, author: "me")
        shell.open()
        shell.answersMutations = false
        shell.give(.submit(key(1), .edit(.sent(MessageID(1)), [.text("edited")])))
        #expect(shell.session.snapshot.timeline.messages.first?.text == "edited")
        shell.give(.submit(key(2), .delete(.sent(MessageID(1)))))
        #expect(shell.session.snapshot.timeline.messages.first?.isDeleted == true)
    }

    @Test("stream-chat-swift#2826: nothing is read in the background")
    func noReadingInBackground() throws {
        var shell = SessionShell(messages: 3)
        shell.open()
        let token = try #require(shell.session.visibilityToken)
        shell.give(.background)
        #expect(shell.session.visibilityToken == nil)
        shell.give(.visible(token, MessageID(1)...MessageID(3)))
        #expect(shell.session.snapshot.read == .unread)
    }

    @Test("P4: visible rows advance the position, and the count of unread messages follows")
    func reading() throws {
        var shell = SessionShell(messages: 3)
        shell.open()
        #expect(shell.session.snapshot.unread == .exact(3))
        let token = try #require(shell.session.visibilityToken)
        shell.give(.visible(token, MessageID(1)...MessageID(2)))
        #expect(shell.session.snapshot.read.position == MessageID(2))
        #expect(shell.session.snapshot.unread == .exact(1))
        shell.give(.markUnread(from: MessageID(1)))
        #expect(shell.session.snapshot.unread == .exact(3))
        #expect(shell.session.snapshot.read.version == 1)
    }

    @Test("R-row: another device's read position is taken over")
    func remoteRead() {
        var shell = SessionShell(messages: 3)
        shell.open()
        let mark = ReadMark(version: 0, position: MessageID(2))
        let event = RoomEvent(room: Fixture.room, kind: .read(Fixture.user, mark))
        shell.give(.event(event))
        #expect(shell.session.snapshot.read == mark)
    }

    @Test("A refused subscription ends this room alone, and says so")
    func noAccess() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.give(.denied(BackendFailure(.forbidden, "no"), retryAt: nil))
        #expect(shell.session.snapshot.state == .noAccess)
        #expect(shell.session.snapshot.rows.count >= 3, "what is held stays shown")
    }

    @Test("P1: a room whose access is gone is not up to date again before it is opened anew")
    func staysWithoutAccess() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.holdsAnswers = true
        shell.give(.trigger(.networkRestored))
        shell.give(.denied(BackendFailure(.forbidden, "no"), retryAt: nil))
        shell.releaseAnswers()
        shell.holdsAnswers = false
        shell.give(.trigger(.manual))
        #expect(shell.session.snapshot.state == .noAccess)
        guard case .failed = shell.session.snapshot.recovery else {
            Issue.record("got \(shell.session.snapshot.recovery)")
            return
        }
    }

    @Test("An event that cannot be read counts as a loss and is recovered")
    func unreadable() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.post(author: "ann")
        shell.give(.unreadableEvent)
        #expect(shell.shownIDs == [1, 2, 3, 4])
        #expect(shell.session.snapshot.recovery == .upToDate)
    }

    @Test("P1: a catch-up that the pipeline begins by itself is shown as one")
    func catchesUpByItself() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.holdsAnswers = true
        shell.post(author: "ann")
        shell.give(.unreadableEvent)
        #expect(shell.session.snapshot.recovery == .catchingUp)
        shell.holdsAnswers = false
        shell.releaseAnswers()
        #expect(shell.session.snapshot.recovery == .upToDate)
    }

    @Test("P4: what was dropped on the way may have been a read position of another device")
    func lostReadPosition() {
        for lost in [RoomInput.unreadableEvent, .subscription(.overflowed)] {
            var shell = SessionShell(messages: 3)
            shell.open()
            shell.readElsewhere(MessageID(3))
            shell.give(lost)
            #expect(shell.session.snapshot.read.position == MessageID(3))
            #expect(shell.session.snapshot.unread == .exact(0))
        }
    }

    @Test("P4: what is dropped while a summary is under way may be newer than that summary")
    func lostReadPositionDuringSummary() {
        var shell = SessionShell(messages: 3)
        shell.open()
        shell.holdsSummaries = true
        shell.give(.unreadableEvent)
        let early = shell.summary
        shell.readElsewhere(MessageID(3))
        shell.give(.subscription(.overflowed))
        let asked = shell.summaryRequests
        shell.give(.summarized(early))
        #expect(shell.summaryRequests == asked + 1)
        shell.give(.summarized(shell.summary))
        #expect(shell.session.snapshot.read.position == MessageID(3))
    }

    @Test("P8: a storm of what makes summaries outdated is not one of requests")
    func summaryStorm() {
        var shell = SessionShell(messages: 30)
        shell.open()
        shell.holdsSummaries = true
        shell.give(.trigger(.manual))
        let asked = shell.summaryRequests
        for id in 1...20 {
            shell.deleteLive(MessageID(UInt128(id)))
            shell.give(.summarized(id.isMultiple(of: 3) ? nil : shell.summary))
        }
        #expect(shell.summaryRequests <= asked + 2)
    }

    @Test("P5: a kill at any commit loses no accepted send and doubles none", arguments: 0..<12)
    func kill(afterCommits limit: Int) {
        var shell = SessionShell(messages: 2)
        shell.commitLimit = limit
        shell.open()
        shell.give(.submit(key(1), .send([.text("a")])))
        shell.give(.submit(key(2), .send([.text("b")])))
        let accepted = shell.accepted
        shell.restart()
        shell.open()
        let own = shell.server.filter { $0.author == Fixture.user }.compactMap(\.clientID)
        #expect(Set(own).count == own.count, "no send is doubled")
        #expect(Set(accepted).isSubset(of: own), "no accepted send is lost")
        #expect(shell.session.snapshot.unsent.isEmpty)
        #expect(shell.shownIDs == shell.server.map(\.id.rawValue))
    }

    @Test("P6: a flip in either direction while sends wait touches neither sends nor reading")
    func flipWithUnsent() {
        var shell = SessionShell(messages: 2)
        shell.open()
        shell.answersMutations = false
        shell.give(.submit(key(1), .send([.text("a")])))
        shell.give(.markRead(through: MessageID(2)))
        let read = shell.session.snapshot.read
        shell.give(.foreground(PipelineSelection(.legacy, reason: "")))
        #expect(shell.session.variant == .legacy)
        #expect(shell.session.snapshot.unsent.map(\.clientID) == [key(1)])
        #expect(shell.session.snapshot.read == read)
        shell.give(.foreground(PipelineSelection(.refactored, reason: "")))
        #expect(shell.session.snapshot.unsent.map(\.clientID) == [key(1)])
        shell.answersMutations = true
        shell.releaseMutations()
        #expect(shell.session.snapshot.unsent.isEmpty)
        #expect(shell.session.snapshot.read == read)
    }
}
