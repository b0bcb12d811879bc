import RejoinContracts
import RejoinModel
import RejoinTime
import Testing

private func id(_ value: Int) -> MessageID { MessageID(UInt128(value)) }

private func message(
    _ value: Int, _ text: String = "hello", revision: UInt64? = nil, isDeleted: Bool = false,
    clientID: ClientMessageID? = nil
) -> Message {
    Message(
        id: id(value), author: UserID("ann"), clientID: clientID,
        sentAt: WallTime(milliseconds: 0), content: isDeleted ? [] : [.text(text)],
        revision: revision.map { Revision($0) }, isDeleted: isDeleted)
}

private func page(
    _ messages: [Message], from: Int?, through: Int?, hasAfter: Bool = false, horizon: Int? = nil
) -> HistoryPage {
    HistoryPage(
        messages: messages, from: from.map(id), through: through.map(id), hasBefore: from != nil,
        hasAfter: hasAfter, tip: messages.last?.id ?? through.map(id), horizon: horizon.map(id))
}

@Suite("Which state of a message wins (section 3)")
struct TimelineStateTests {
    private var timeline = Timeline(room: RoomID("room"))

    @Test("The higher revision wins, however it comes")
    mutating func revisions() {
        let stamp = timeline.makeStamp()
        _ = timeline.receive(message(1, "new", revision: 5))
        let delta = timeline.merge(
            page([message(1, "old", revision: 4)], from: nil, through: 1), stamp: stamp)
        #expect(timeline[id(1)]?.text == "new")
        #expect(delta.upserts.isEmpty && delta.duplicates == 1)
        let arrival1 = timeline.change(message(1, "newer", revision: 6))
        #expect(arrival1.outcome == .updated)
        let arrival2 = timeline.change(message(1, "older", revision: 5))
        #expect(arrival2.outcome == .stale)
        let arrival3 = timeline.receive(message(1, "newer", revision: 6))
        #expect(arrival3.outcome == .duplicate)
    }

    @Test("Without revisions a live change beats the answer to an earlier request")
    mutating func liveBeatsEarlierRequest() {
        _ = timeline.receive(message(1, "first"))
        let early = timeline.makeStamp()
        _ = timeline.change(message(1, "edited"))
        let late = timeline.makeStamp()
        _ = timeline.merge(page([message(1, "first")], from: nil, through: 1), stamp: early)
        #expect(timeline[id(1)]?.text == "edited")
        _ = timeline.merge(page([message(1, "again")], from: nil, through: 1), stamp: late)
        #expect(timeline[id(1)]?.text == "again")
    }

    @Test("A tombstone is not resurrected by an older state")
    mutating func tombstones() {
        let stamp = timeline.makeStamp()
        _ = timeline.receive(message(1, revision: 1))
        _ = timeline.change(message(1, revision: 2, isDeleted: true))
        _ = timeline.merge(page([message(1, revision: 1)], from: nil, through: 1), stamp: stamp)
        #expect(timeline[id(1)]?.isDeleted == true)
        _ = timeline.receive(message(2))
        _ = timeline.change(message(2, isDeleted: true))
        let arrival4 = timeline.receive(message(2))
        #expect(arrival4.outcome == .stale)
        #expect(timeline[id(2)]?.isDeleted == true)
    }

    @Test("A change of a message that is not held is left to the caller")
    mutating func changeBeforeTarget() {
        let arrival5 = timeline.change(message(7, revision: 9))
        #expect(arrival5.outcome == .notHeld)
        #expect(timeline.isEmpty)
    }

    @Test("The sender's key survives an answer without it (element-x-ios#4794)")
    mutating func keyIsKept() {
        var generator = ModelGenerator(seed: 1)
        let key = generator.clientID()
        _ = timeline.receive(message(1, "a", revision: 1, clientID: key))
        _ = timeline.change(message(1, "b", revision: 2))
        #expect(timeline[id(1)]?.clientID == key)
        let arrival6 = timeline.change(message(1, "b", revision: 2))
        #expect(arrival6.outcome == .duplicate)
    }

    @Test("The higher version of a member wins")
    mutating func members() {
        let ann = UserID("ann")
        _ = timeline.update(members: [Member(id: ann, name: "Ann", version: 2)])
        let delta = timeline.update(members: [Member(id: ann, name: "Anna", version: 1)])
        #expect(delta.members.isEmpty && timeline.members[ann]?.name == "Ann")
    }
}

@Suite("What a timeline claims to hold (section 3, promise P1)")
struct TimelineCoverageTests {
    private var timeline = Timeline(room: RoomID("room"))

    private mutating func load(
        _ messages: [Message], from: Int?, through: Int, hasAfter: Bool = false
    ) {
        let stamp = timeline.makeStamp()
        _ = timeline.merge(
            page(messages, from: from, through: through, hasAfter: hasAfter), stamp: stamp)
    }

    @Test("A new timeline is one gap, and an empty room is none")
    mutating func beginnings() {
        #expect(timeline.gaps == [Gap(from: nil, before: nil, reason: .notLoaded)])
        let stamp = timeline.makeStamp()
        _ = timeline.merge(page([], from: nil, through: nil), stamp: stamp)
        #expect(timeline.gaps.isEmpty)
    }

    @Test("Live messages are provisional until something proves them")
    mutating func provisionalTail() {
        load([message(10)], from: 5, through: 10)
        _ = timeline.receive(message(11))
        #expect(timeline.newestCovered == id(10) && timeline.hasProvisionalTail)
        #expect(timeline.tail.map(\.id) == [id(11)])
        let stamp = timeline.makeStamp()
        let delta = timeline.confirmTail(through: id(11), stamp: stamp)
        #expect(delta.coverageChanged && timeline.newestCovered == id(11))
        let next = timeline.receive(message(12), consecutive: true)
        #expect(next.delta.coverageChanged)
        #expect(timeline.newestCovered == id(12))
    }

    @Test("After a loss nothing live proves anything, and a page asked for before does not mend it")
    mutating func loss() {
        load([message(10)], from: nil, through: 10)
        let early = timeline.makeStamp()
        timeline.noteLoss(.disconnected)
        #expect(timeline.gaps == [Gap(from: id(10), before: nil, reason: .disconnected)])
        _ = timeline.receive(message(20), consecutive: true)
        #expect(timeline.newestCovered == id(10))
        _ = timeline.merge(page([message(12)], from: 10, through: 12), stamp: early)
        #expect(timeline.gaps == [Gap(from: id(12), before: nil, reason: .disconnected)])
        load([message(15), message(20)], from: 12, through: 20)
        #expect(timeline.gaps.isEmpty && timeline.count == 4)
    }

    @Test("A hole that is jumped over is a gap with its reason (thelounge#1883)")
    mutating func jump() {
        load([message(10)], from: nil, through: 10)
        timeline.noteLoss(.disconnected)
        load([message(50)], from: 40, through: 50)
        #expect(timeline.gaps == [Gap(from: id(10), before: id(50), reason: .disconnected)])
        timeline.setGap(timeline.gaps[0], reason: .budgetExceeded, state: .filling)
        #expect(timeline.gaps[0].reason == .budgetExceeded && timeline.gaps[0].state == .filling)
        load([message(30)], from: 20, through: 30, hasAfter: true)
        #expect(timeline.gaps.map(\.from) == [id(10), id(30)])
        #expect(timeline.gaps.allSatisfy { $0.reason == .budgetExceeded })
    }

    @Test("What is no longer claimed stays held, and keeps why it is missing")
    mutating func uncover() {
        load([message(10)], from: nil, through: 10)
        load([message(50)], from: 40, through: 50)
        timeline.setGap(timeline.gaps[0], reason: .budgetExceeded)
        timeline.uncover(allBut: Coverage.Interval(from: id(40), through: id(50)))
        #expect(timeline.gaps == [Gap(from: nil, before: id(50), reason: .budgetExceeded)])
        #expect(timeline.count == 2)
        timeline.distrust()
        #expect(timeline.gaps.map(\.before) == [nil], "nothing is known of the tail either")
        #expect(timeline.coverage.isEmpty && timeline.count == 2)
    }

    @Test("A message from outside the window is an interval of its own (stream-chat-flutter#260)")
    mutating func outsider() {
        load([message(50)], from: 40, through: 50)
        _ = timeline.receive(message(20))
        #expect(timeline.coverage.contains(id(20)) && !timeline.coverage.contains(id(21)))
        #expect(timeline.gaps.map(\.from) == [nil, id(20)])
        #expect(timeline.gaps.map(\.before) == [id(20), id(50)])
    }

    @Test("A page removes what was held before its request and is absent, and nothing newer")
    mutating func phantoms() {
        _ = timeline.receive(message(3))
        let stamp = timeline.makeStamp()
        _ = timeline.receive(message(4))
        let delta = timeline.merge(page([message(5)], from: nil, through: 5), stamp: stamp)
        #expect(delta.removals == [id(3)])
        #expect(timeline.messages().map(\.id) == [id(4), id(5)])
    }

    @Test("A late answer to an older request does not bring a removed message back")
    mutating func lateAnswer() {
        _ = timeline.receive(message(3))
        let early = timeline.makeStamp()
        load([message(5)], from: nil, through: 5)
        _ = timeline.merge(page([message(3), message(5)], from: nil, through: 5), stamp: early)
        #expect(!timeline.contains(id(3)))
    }

    @Test("Below the horizon is a gap that cannot be filled, and what is held stays")
    mutating func horizon() {
        load([message(10)], from: nil, through: 10)
        let stamp = timeline.makeStamp()
        _ = timeline.merge(
            page([message(40)], from: 10, through: 40, horizon: 30), stamp: stamp)
        #expect(
            timeline.gaps == [
                Gap(from: id(10), before: id(30), reason: .trimmed, state: .unrecoverable)
            ])
        #expect(timeline.contains(id(10)))
    }

    @Test("A gap in which nothing lies closes by the page before its end")
    mutating func emptyGap() {
        load([message(10)], from: nil, through: 10)
        load([message(50)], from: 40, through: 50)
        let stamp = timeline.makeStamp()
        let answer = HistoryPage(
            messages: [message(10)], from: nil, through: id(10), hasBefore: false, hasAfter: true,
            tip: id(50))
        _ = timeline.merge(answer, answering: .before(id(50)), stamp: stamp)
        #expect(timeline.gaps.isEmpty)
    }

    @Test("A checkpoint resumes with what it proved, and ends with a gap")
    func checkpoint() {
        let coverage = Coverage([.init(from: nil, through: id(2))])
        let resumed = Timeline(
            room: RoomID("room"), messages: [message(1), message(2), message(3)],
            coverage: coverage)
        #expect(resumed.gaps == [Gap(from: id(2), before: nil, reason: .unproven)])
        let whole = Timeline(
            room: RoomID("room"), messages: [message(1), message(2)], coverage: coverage)
        #expect(whole.gaps == [Gap(from: id(2), before: nil, reason: .disconnected)])
    }

    @Test("A change page brings in what belongs, and leaves gaps alone")
    mutating func changes() {
        load([message(10, revision: 1)], from: nil, through: 10)
        load([message(50, revision: 2)], from: 40, through: 50)
        let stamp = timeline.makeStamp()
        let feed = ChangePage(
            messages: [
                message(10, "edited", revision: 3), message(20, revision: 4),
                message(60, revision: 5),
            ], revision: Revision(5), hasMore: false, tip: id(60))
        let delta = timeline.merge(feed, stamp: stamp)
        #expect(delta.upserts.map(\.id) == [id(10), id(60)])
        #expect(!timeline.contains(id(20)) && timeline.newestCovered == id(50))
    }
}
