import RejoinContracts
import RejoinModel
import RejoinTime
import Testing

private func id(_ value: Int) -> MessageID { MessageID(UInt128(value)) }

@Suite("Windows are bounded, and gaps stand at their place (section 3)")
struct WindowTests {
    private var timeline: Timeline

    init() {
        var generator = ModelGenerator(seed: 1)
        timeline = Timeline(room: RoomID("room"))
        let stamp = timeline.makeStamp()
        _ = timeline.merge(
            HistoryPage(
                messages: generator.messages(2_000, from: id(1), spacing: 1), from: nil,
                through: id(2_000), hasBefore: false, hasAfter: false, tip: id(2_000)),
            stamp: stamp)
    }

    @Test("The newest messages, then more by paging, up to the cap")
    func paging() {
        var window = TimelineWindow.newest(50)
        #expect(timeline.snapshot(window).messages.map(\.id) == (1_951...2_000).map(id))
        window = window.extended(.older, by: 50, in: timeline)
        #expect(timeline.snapshot(window).messages.count == 100)
        for _ in 0..<30 { window = window.extended(.older, by: 50, in: timeline) }
        let top = timeline.snapshot(window)
        #expect(top.messages.count <= TimelineWindow.maximumCount)
        #expect(top.messages.first?.id == id(401) && top.hasOlder && top.hasNewer)
        for _ in 0..<60 { window = window.extended(.newer, by: 50, in: timeline) }
        let bottom = timeline.snapshot(window)
        #expect(bottom.messages.last?.id == id(2_000) && !bottom.hasNewer)
        #expect(bottom.messages.count <= TimelineWindow.maximumCount)
        #expect(window.anchor == .newest)
    }

    @Test("Around a message that need not be held")
    func around() {
        let snapshot = timeline.snapshot(.around(id(1_000), older: 3, newer: 2))
        #expect(snapshot.messages.map(\.id) == (997...1_002).map(id))
        #expect(timeline.snapshot(.around(id(9_999), older: 2, newer: 2)).messages.count == 2)
    }

    @Test("A gap stands between its neighbours, and at the end")
    mutating func gaps() {
        var generator = ModelGenerator(seed: 2)
        timeline.noteLoss(.disconnected)
        let stamp = timeline.makeStamp()
        _ = timeline.merge(
            HistoryPage(
                messages: [generator.message(id(3_000))], from: id(2_900), through: id(3_000),
                hasBefore: true, hasAfter: true, tip: nil), stamp: stamp)
        let kinds = timeline.snapshot(.newest(2)).items.map { item in
            switch item {
            case .message(let message): "\(message.id)"
            case .gap(let gap): "gap to \(gap.before?.description ?? "tip")"
            }
        }
        #expect(kinds == ["2000", "gap to 3000", "3000", "gap to tip"])
        #expect(timeline.snapshot(.newest(1)).gaps.count == 2)
        #expect(timeline.snapshot(.around(id(100), older: 5, newer: 5)).gaps.isEmpty)
    }

    @Test("Snapshots are equal where nothing changed, and carry the people they name")
    mutating func equality() {
        let first = timeline.snapshot()
        #expect(first == timeline.snapshot() && first != timeline.snapshot(.newest(3)))
        var other = timeline
        let author = UserID("user-1")
        _ = timeline.update(members: [Member(id: author, name: "One")])
        _ = other.update(members: [Member(id: author, name: "Other")])
        #expect(first != timeline.snapshot() && timeline.snapshot() != other.snapshot())
        #expect(timeline.snapshot().members == [author: Member(id: author, name: "One")])
    }
}

@Suite("Rows keep their identity, and unsent ones stand last (promises P2 and P3)")
struct RoomSnapshotTests {
    private var generator = ModelGenerator(seed: 3)
    private var timeline = Timeline(room: RoomID("room"))

    @Test("From local echo to sent message the row stays the same, whatever comes first")
    mutating func localEcho() {
        let stamp = timeline.makeStamp()
        _ = timeline.confirmTail(through: nil, stamp: stamp)
        let key = generator.clientID()
        let draft = UnsentMessage(
            clientID: key, content: [.text("hi")], queuedAt: WallTime(milliseconds: 0))
        let queued = RoomSnapshot(timeline: timeline.snapshot(), unsent: [draft], localKeys: [key])
        #expect(queued.rows.map(\.id) == [.local(key)])

        _ = timeline.receive(generator.message(id(1)))
        _ = timeline.receive(generator.message(id(2), clientID: key))
        let echoed = RoomSnapshot(
            following: queued, timeline: timeline.snapshot(), unsent: [draft], localKeys: [key])
        #expect(echoed.rows.map(\.id) == [.message(id(1)), .local(key)])
        let settled = RoomSnapshot(
            following: echoed, timeline: timeline.snapshot(), localKeys: [key])
        #expect(settled.rows == echoed.rows && settled != echoed)
        #expect(settled.changes(since: echoed).isEmpty)

        let change = settled.changes(since: queued)
        #expect(change.insertions == [0] && change.reloads == [0] && change.moves.isEmpty)
    }

    @Test("Nothing new is the same version")
    func sameVersion() {
        let first = RoomSnapshot(timeline: timeline.snapshot())
        #expect(RoomSnapshot(following: first, timeline: timeline.snapshot()) == first)
        #expect(
            RoomSnapshot(following: first, timeline: timeline.snapshot(), recovery: .upToDate)
                != first)
    }

    @Test("A key that a server repeats names one row only")
    mutating func repeatedKey() {
        let key = generator.clientID()
        _ = timeline.receive(generator.message(id(1), clientID: key))
        _ = timeline.receive(generator.message(id(2), clientID: key))
        let rows = RoomSnapshot(timeline: timeline.snapshot(), localKeys: [key]).rows
        #expect(Set(rows.map(\.id)).count == rows.count)
    }

    @Test("A changed row stays while its neighbours move around it")
    func changedRowsStay() {
        func row(_ name: Int, _ text: String) -> RoomRow {
            RoomRow(
                id: .message(id(name)),
                content: .message(
                    Message(
                        id: id(name), author: UserID("a"), sentAt: WallTime(milliseconds: 0),
                        content: [.text(text)])))
        }
        let change = ChangeSet.between(
            [row(1, "a"), row(2, "b"), row(3, "c")], [row(3, "new"), row(1, "a"), row(2, "b")],
            from: SnapshotVersion(), to: SnapshotVersion())
        #expect(change.reloads == [2] && change.moves.count == 2)
        #expect(change.deletions.isEmpty && change.insertions.isEmpty)
    }
}

@Suite("Change sets name every row that shows something else (section 3)")
struct RowChangeTests {
    @Test("A failed edit that appears in a row, or goes from it, reloads the row")
    func failedChange() {
        var generator = ModelGenerator(seed: 3)
        let content = RoomRow.Content.message(generator.message(id(1)))
        let failed = FailedChange(
            id: generator.clientID(), target: id(1), change: .delete, outcome: .unconfirmed)
        let plain = RoomRow(id: .message(id(1)), content: content)
        let marked = RoomRow(id: .message(id(1)), content: content, failedChanges: [failed])
        let (first, second) = (SnapshotVersion(), SnapshotVersion())
        #expect(ChangeSet.between([plain], [marked], from: first, to: second).reloads == [0])
        #expect(ChangeSet.between([marked], [plain], from: first, to: second).reloads == [0])
    }
}
