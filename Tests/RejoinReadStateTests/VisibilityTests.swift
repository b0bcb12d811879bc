import RejoinModel
import RejoinReadState
import RejoinTime
import Testing

@Suite("P4, DESIGN 6: what advances the read position")
struct VisibilityTests {
    @Test("Visible rows of an active scene do, at once, and are stored")
    func visible() {
        var rig = ReadRig.reading()
        let effects = rig.see(6...9)
        #expect(rig.position == 9 && rig.record.mark == .at(9))
        #expect(effects.contains(.publish))
    }

    @Test("Scrolling up moves nothing back (element-ios#1293)")
    func scrollUp() {
        var rig = ReadRig.reading()
        rig.see(6...9)
        rig.see(1...3)
        #expect(rig.position == 9)
    }

    @Test("No token outside an active scene; an old one is void (rows 63, 70)")
    func background() throws {
        var rig = ReadRig.reading()
        let token = try #require(rig.sync.visibilityToken)
        rig.give(.deactivated)
        #expect(rig.sync.visibilityToken == nil)
        let rows = MessageID(6)...MessageID(9)
        rig.give(.visible(token, rows))
        #expect(rig.position == 5)
        rig.give(.activated)
        rig.give(.visible(token, rows))
        #expect(rig.position == 5, "a token does not outlive its scene")
        rig.give(.closed)
        #expect(rig.sync.visibilityToken == nil)
    }

    @Test("A token of another room is void (row 77)")
    func otherRoom() throws {
        var rig = ReadRig.reading()
        var other = ReadSync(room: RoomID("other"))
        _ = other.handle(.activated, at: rig.now, using: &rig.random)
        let token = try #require(other.visibilityToken)
        rig.give(.visible(token, MessageID(6)...MessageID(9)))
        #expect(rig.position == 5)
    }

    @Test("Invisible rows that adjoin are passed (row 62)")
    func invisibleRows() {
        var rig = ReadRig.reading(.held(1...20, invisible: [10, 11, 13]))
        rig.see(6...9)
        #expect(rig.position == 11)
    }

    @Test(
        "P4: a tombstone in an unproven tail is passed once it is proven that nothing precedes it")
    func unprovenTombstone() {
        func facts(provenThrough id: UInt128) -> ReadFacts {
            ReadFacts(
                rows: ReadFacts.held(1...10, invisible: [10]).rows,
                coverage: Coverage([Coverage.Interval(from: nil, through: MessageID(id))]))
        }
        var rig = ReadRig.reading(facts(provenThrough: 9))
        rig.see(6...9)
        #expect(rig.position == 9)
        rig.give(.timeline(facts(provenThrough: 10)))
        #expect(rig.position == 10)
    }

    @Test("A tombstone that arrives below what is on screen is passed too (row 62)")
    func lateTombstone() {
        var rig = ReadRig.reading(.held(1...9))
        rig.see(6...9)
        rig.give(.timeline(.held(1...10, invisible: [10])))
        #expect(rig.position == 10)
    }

    @Test(
        "A jump to the newest message reads what was jumped over, where nothing is missing (row 61)"
    )
    func jump() {
        var rig = ReadRig.reading()
        rig.see(18...20)
        #expect(rig.position == 20)
    }

    @Test("A gap is never passed by what is on screen")
    func gap() {
        var rig = ReadRig.reading(.held(1...20, gaps: [.between(8, 15)]))
        rig.see(16...20)
        #expect(rig.position == 5)
        rig.see(6...8)
        #expect(rig.position == 8, "up to the gap")
    }

    @Test("A gap that can hold no ID above the position stops nothing")
    func emptyGap() {
        var rig = ReadRig.reading(.held(1...20, gaps: [.between(3, 6)]))
        rig.see(6...9)
        #expect(rig.position == 9)
    }

    @Test("A gap that fills while the rows are on screen lets them count (row 69)")
    func gapFills() {
        var rig = ReadRig.reading(.held(1...20, gaps: [.between(8, 15)]))
        rig.see(16...20)
        rig.give(.timeline(.held(1...20)))
        #expect(rig.position == 20)
    }

    @Test("Messages that arrive below what is on screen are not read by that")
    func arrival() {
        var rig = ReadRig.reading(.held(1...9))
        rig.see(6...9)
        rig.give(.timeline(.held(1...12)))
        #expect(rig.position == 9)
    }

    @Test("A position below the window needs coverage to get there")
    func belowWindow() {
        func facts(_ coverage: Coverage) -> ReadFacts {
            ReadFacts(
                rows: ReadFacts.held(100...120).rows, hasOlder: true, coverage: coverage)
        }
        var rig = ReadRig.reading(facts(Coverage()))
        rig.see(110...120)
        #expect(rig.position == 5)
        rig.give(
            .timeline(
                facts(Coverage([.init(from: MessageID(2), through: MessageID(120))]))))
        #expect(rig.position == 120)
    }

    @Test("The host's word passes gaps, and needs no scene")
    func markRead() {
        var rig = ReadRig.reading(.held(1...20, gaps: [.between(8, 15)]))
        rig.give(.deactivated)
        rig.give(.markRead(through: MessageID(18)))
        #expect(rig.position == 18)
    }

    @Test("It is clamped to the room's last message")
    func markReadClamped() {
        var rig = ReadRig.reading()
        rig.give(.markRead(through: MessageID(.max)))
        #expect(rig.position == 20)
    }

    @Test("Marking unread goes back by a version, and what is on screen does not undo it")
    func markUnread() {
        var rig = ReadRig.reading()
        rig.see(6...20)
        rig.give(.markUnread(from: MessageID(12)))
        #expect(rig.sync.mark == .at(11, version: 1))
        rig.see(6...20)
        rig.give(.timeline(.held(1...20)))
        #expect(rig.sync.mark == .at(11, version: 1) && rig.sync.visibilityToken == nil)
        rig.give(.activated)
        rig.see(6...20)
        #expect(rig.sync.mark == .at(20, version: 1))
    }

    @Test("Another device's mark-unread is not undone by what is on screen here")
    func remoteUnread() {
        var rig = ReadRig.reading()
        rig.see(6...20)
        rig.give(.remote([.at(11, version: 1)]))
        rig.see(6...20)
        #expect(rig.sync.mark == .at(11, version: 1))
    }

    @Test("Marking unread what is unread changes nothing")
    func markUnreadAhead() {
        var rig = ReadRig.reading()
        #expect(rig.give(.markUnread(from: MessageID(6))).isEmpty)
        #expect(rig.sync.mark == .at(5))
    }

    @Test("Marking the first message unread leaves nothing read")
    func markAllUnread() {
        var rig = ReadRig.reading()
        rig.give(.markUnread(from: MessageID(1)))
        #expect(rig.sync.mark == ReadMark(version: 1, position: nil))
        #expect(rig.sync.unread == .exact(20))
    }
}

@Suite("DESIGN 6: unread counts and the opening position")
struct UnreadTests {
    @Test("Counted here where everything after the position is held")
    func counted() {
        var rig = ReadRig.reading()
        #expect(rig.sync.unread == .exact(15))
        rig.see(6...10)
        #expect(rig.sync.unread == .exact(10))
    }

    @Test("Own messages and tombstones never count (row 79)")
    func ownAndTombstones() {
        let rig = ReadRig.reading(.held(1...20, invisible: [6, 7], own: [8]))
        #expect(rig.sync.unread == .exact(12))
    }

    @Test("A message deleted later stops counting (rows 74, 79)")
    func deletedLater() {
        var rig = ReadRig.reading()
        rig.give(.timeline(.held(1...20, invisible: [9])))
        #expect(rig.sync.unread == .exact(14))
    }

    @Test("With a gap it is a lower bound")
    func gap() {
        let rig = ReadRig.reading(.held(1...20, gaps: [.between(8, 15)]))
        #expect(rig.sync.unread == .atLeast(15))
    }

    @Test("P4: what is held across a gap may be gone, so the server's count stands")
    func staleAcrossGap() {
        var rig = ReadRig.reading(.held(1...20, gaps: [.between(8, 15)]))
        rig.give(.summary(.of(.at(5), unread: 12, asOf: 20)))
        #expect(rig.sync.unread == .exact(12))
        rig.give(.timeline(.held(1...21, gaps: [.between(8, 15)])))
        #expect(rig.sync.unread == .exact(13))
    }

    @Test("The server's summary, and what came after it")
    func summary() {
        var rig = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 110)))
        #expect(rig.sync.unread == .exact(100))
        rig.give(
            .timeline(
                ReadFacts(
                    rows: ReadFacts.held(100...121).rows, gaps: [.between(121, nil)],
                    hasOlder: true)))
        #expect(rig.sync.unread == .atLeast(101))
    }

    @Test("P4: after a deletion the server has to count anew; until then only what is held is sure")
    func deletionAfterSummary() {
        var rig = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 120)))
        #expect(rig.sync.unread == .exact(90))
        #expect(
            rig.give(.recount([.deleted(MessageID(3)), .deleted(MessageID(121))]))
                .contains(.fetchSummary) == false)
        #expect(rig.sync.unread == .exact(90))
        #expect(rig.give(.recount([.deleted(MessageID(50))])).contains(.fetchSummary))
        #expect(rig.sync.unread == .atLeast(21))
        // The same deletion comes again by a page.
        rig.give(.summary(.of(.at(5), unread: 89, asOf: 120)))
        #expect(rig.give(.recount([.deleted(MessageID(50))])).contains(.fetchSummary) == false)
        #expect(rig.sync.unread == .exact(89))
    }

    @Test("P4: after a message became visible among later ones, the server has to count anew")
    func lateMessage() {
        let before = ReadFacts(
            rows: ReadFacts.held(100...120).rows.filter { $0.id != MessageID(118) },
            hasOlder: true)
        var rig = ReadRig.reading(before)
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 120)))
        #expect(rig.sync.unread == .exact(90))
        let after = ReadFacts(rows: ReadFacts.held(100...121).rows, hasOlder: true)
        #expect(rig.give(.timeline(after)).contains(.fetchSummary))
        #expect(rig.sync.unread == .atLeast(22))
        rig.give(.summary(.of(.at(5), unread: 92, asOf: 121)))
        #expect(rig.sync.unread == .exact(92))
        // What a gap held back is no late message.
        let gap = ReadFacts(
            rows: before.rows, gaps: [.between(116, 119)], hasOlder: true)
        rig.give(.timeline(gap))
        #expect(rig.give(.timeline(before)).contains(.fetchSummary) == false)
        rig.give(.timeline(gap))
        #expect(rig.give(.timeline(after)).contains(.fetchSummary) == false)
    }

    @Test("P4: a message that became visible below the window makes the server count anew, once")
    func lateBelowWindow() {
        var rig = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 120)))
        #expect(rig.give(.recount([.late(MessageID(50))])).contains(.fetchSummary))
        #expect(rig.sync.unread == .atLeast(21))
        rig.give(.summary(.of(.at(5), unread: 91, asOf: 120)))
        #expect(rig.give(.recount([.late(MessageID(50))])).contains(.fetchSummary) == false)
        #expect(rig.sync.unread == .exact(91))
        // Its deletion is another matter.
        #expect(rig.give(.recount([.deleted(MessageID(50))])).contains(.fetchSummary))
    }

    @Test("Late outside the window is what comes where nothing was missing")
    func isLate() {
        let facts = ReadFacts(
            rows: ReadFacts.held(100...120).rows, hasOlder: true, hasNewer: true,
            coverage: Coverage([
                Coverage.Interval(from: MessageID(40), through: MessageID(130))
            ]))
        func isLate(_ id: UInt128, counts: Bool = true) -> Bool {
            facts.isLateOutsideWindow(
                ReadFacts.Row(id: MessageID(id), counts: counts, isInvisible: false))
        }
        #expect(isLate(50) && isLate(125))
        #expect(!isLate(40) && !isLate(131))
        // In the window its row is compared with the rows before.
        #expect(!isLate(110))
        #expect(!isLate(50, counts: false))
    }

    @Test("Late is what the stream brings below what is shown or was heard, and is not shown yet")
    func isLateInStream() {
        let facts = ReadFacts(
            rows: ReadFacts.held(100...120).rows.filter { $0.id != MessageID(110) }, hasOlder: true)
        func isLate(_ id: UInt128, heard: UInt128? = nil, counts: Bool = true) -> Bool {
            facts.isLate(
                ReadFacts.Row(id: MessageID(id), counts: counts, isInvisible: false),
                heard: heard.map { MessageID($0) })
        }
        #expect(isLate(50) && isLate(110))
        #expect(!isLate(111), "the stream is merely behind the answers")
        #expect(!isLate(121) && !isLate(121, heard: 120) && !isLate(50, counts: false))
        // Two that a stalled store shows at once.
        #expect(isLate(121, heard: 122))
    }

    @Test("P4: an answer that crossed a deletion does not count")
    func deletionDuringReport() {
        var rig = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 120)))
        rig.give(.markRead(through: MessageID(10)))
        rig.passTimer()
        rig.give(.recount([.deleted(MessageID(50))]))
        rig.answer(ReadAnswer(mark: .at(10), unread: 85, unreadAsOf: MessageID(120)))
        #expect(rig.sync.unread == .atLeast(21))
        #expect(rig.position == 10)
    }

    @Test("What was read since the summary no longer counts")
    func readSinceSummary() {
        var rig = ReadRig.reading(.held(1...30, gaps: [.between(20, 25)]))
        rig.give(.summary(.of(.at(5), unread: 25, asOf: 30)))
        #expect(rig.sync.unread.value == 25)
        rig.see(6...10)
        #expect(rig.sync.unread.value == 20)
    }

    @Test("An older summary is ignored, by mark and by what it counts (row 66)")
    func olderSummary() {
        var rig = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        rig.give(.summary(.of(.at(105), unread: 15, asOf: 120)))
        #expect(rig.sync.unread == .exact(15))
        rig.give(.summary(.of(.at(5), unread: 90, asOf: 110)))
        rig.give(.summary(.of(.at(105), unread: 5, asOf: 110)))
        #expect(rig.sync.unread == .exact(15) && rig.position == 105)
    }

    @Test("The count may go down; only the position may not (row 71)")
    func countsDown() {
        var rig = ReadRig.reading()
        rig.give(.remote([.at(12)]))
        #expect(rig.sync.unread == .exact(8))
    }

    @Test("A summary of another room is ignored (row 77)")
    func otherRoom() {
        var rig = ReadRig.reading()
        rig.give(.summary(.of(.at(19), unread: 1, asOf: 20, room: RoomID("other"))))
        #expect(rig.position == 5)
    }

    @Test("A summary that has counted more than is held makes a lower bound of our count")
    func summaryAhead() {
        var rig = ReadRig.reading()
        rig.give(.summary(.of(.at(5), unread: 40, asOf: 45)))
        #expect(rig.sync.unread == .atLeast(40))
    }

    @Test("It opens at the first unread message, else at the newest")
    func opening() {
        var rig = ReadRig.reading(.held(1...20, invisible: [6], own: [7]))
        #expect(rig.sync.openingPosition == .firstUnread(MessageID(8)))
        rig.see(18...20)
        #expect(rig.sync.openingPosition == .newest)
    }

    @Test("Where the first unread message is not held, that part is to be loaded first")
    func openingUnloaded() {
        let below = ReadRig.reading(
            ReadFacts(rows: ReadFacts.held(100...120).rows, hasOlder: true))
        #expect(below.sync.openingPosition == .unloaded(.around(MessageID(5))))
        let gap = ReadRig.reading(.held(10...20, gaps: [.between(nil, 10)]))
        #expect(gap.sync.openingPosition == .unloaded(.around(MessageID(5))))
    }

    @Test("A room that was never read opens at its newest message, unless its beginning is held")
    func openingFirstTime() {
        var rig = ReadRig()
        rig.give(.timeline(.held(100...120, gaps: [.between(nil, 100)])))
        #expect(rig.sync.openingPosition == .newest)
        rig.give(.timeline(.held(1...20)))
        #expect(rig.sync.openingPosition == .firstUnread(MessageID(1)))
    }
}

@Suite("Facts are taken from snapshots")
struct ReadFactsTests {
    @Test("Rows and gaps, as seen by one person")
    func snapshot() {
        func message(_ id: UInt128, by author: String, _ content: [ContentBlock]) -> Message {
            Message(
                id: MessageID(id), author: UserID(author), sentAt: WallTime(milliseconds: 0),
                content: content, isDeleted: content.isEmpty)
        }
        let snapshot = TimelineSnapshot(
            room: ReadRig.room, version: SnapshotVersion(), window: .newest(),
            items: [
                .gap(.between(nil, 3)), .message(message(3, by: "you", [.text("a")])),
                .message(message(4, by: "me", [.text("b")])),
                .message(message(5, by: "you", [])),
                .message(message(6, by: "you", [.systemNotice("joined")])),
            ], members: [:], hasOlder: true, hasNewer: false)
        let facts = ReadFacts(snapshot, for: ReadRig.user)
        #expect(
            facts.rows == [
                .init(id: MessageID(3), counts: true, isInvisible: false),
                .init(id: MessageID(4), counts: false, isInvisible: false),
                .init(id: MessageID(5), counts: false, isInvisible: true),
                .init(id: MessageID(6), counts: true, isInvisible: true),
            ])
        #expect(facts.gaps == [.between(nil, 3)] && facts.hasOlder && !facts.hasNewer)
    }
}
