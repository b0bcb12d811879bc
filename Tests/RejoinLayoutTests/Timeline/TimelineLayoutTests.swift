import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

@Suite("Opening, targets, short content, headers and windows (section 8)")
struct TimelineLayoutTests {
    private func header(_ number: Int, height: Int32 = 30) -> NaiveRow {
        NaiveRow(
            id: .date(DayID(start: WallTime(milliseconds: Int64(number)))), height: height)
    }

    private let divider = NaiveRow(id: .unreadDivider, height: 40)

    // MARK: Opening

    @Test("A room opens at the first unread message, else at its end")
    func opening() {
        var rows = TestList.messages(1...40)
        #expect(TestList(rows).layout.mode == .pinned)
        #expect(TestList(rows, at: .firstUnread).layout.mode == .pinned)
        rows.insert(divider, at: 20)
        let list = TestList(rows, at: .firstUnread)
        #expect(list.layout.mode == .anchored && list.screen(.unreadDivider) == 50)
        #expect(list.layout.newerCount > 0)
        // Too near to the end to stand at the upper edge.
        rows.remove(at: 20)
        rows.insert(divider, at: 38)
        #expect(TestList(rows, at: .firstUnread).layout.mode == .pinned)
    }

    @Test("A room opens at a row, in each alignment", arguments: TimelineAlignment.allCases)
    func openingAtRow(_ alignment: TimelineAlignment) {
        let list = TestList(
            TestList.messages(1...40), at: .row(TestList.message(20), alignment))
        let place: Int64 =
            switch alignment {
            case .top: 50
            case .center: 50 + (680 - 100) / 2
            case .bottom: 800 - 70 - 100
            }
        #expect(list.screen(20) == place)
        #expect(
            TestList(
                TestList.messages(1...40), at: .row(TestList.message(99), alignment)
            ).layout.mode == .pinned)
    }

    @Test("An anchor brings a place back in another session, by the first row that is still there")
    func anchors() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_030)
        let anchor = list.layout.anchor
        #expect(anchor.rows.first?.id == TestList.message(21))
        #expect(anchor.rows.count <= TimelineAnchor.maximumCount)
        let place = list.screen(23)
        // More history, and the rows at the edge are gone.
        let later = TestList.messages(-40...20) + TestList.messages(23...60)
        #expect(TestList(later, at: .anchor(anchor)).screen(23) == place)
        #expect(
            TestList(TestList.messages(100...150), at: .anchor(anchor)).layout.mode == .pinned)
    }

    @Test("Rows that were replaced without a change set leave the place where it was")
    func replaced() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_030)
        let place = list.screen(22)
        list.give(
            .swapped(
                TimelineGeometry(naive: TestList.messages(-20...70)), nil, sendsOwn: false))
        #expect(list.screen(22) == place)
    }

    // MARK: A raised row

    @Test("Feature 8: a question goes to the upper edge and stays while its answer grows below it")
    func raised() {
        var list = TestList(TestList.messages(1...40))
        list.append(TestList.messages(41...41), sendsOwn: true)
        list.give(.raised(TestList.message(41)))
        #expect(list.effects.contains(.scroll(to: list.layout.maximumOffset)))
        list.scroll(to: list.layout.maximumOffset, by: .list)
        list.give(.settled)
        #expect(list.layout.mode == .pinned && list.screen(41) == 50)
        // The answer is written: nothing moves until the space is used up, then the end is kept.
        list.append(TestList.messages(42...42))
        for height: Int32 in [200, 400, 580] {
            list.change(resizing: [(41, height)])
            #expect(list.layout.mode == .pinned && list.screen(41) == 50)
        }
        #expect(list.layout.trailingSpace == 0)
        list.change(resizing: [(41, 700)])
        #expect(list.layout.mode == .pinned && list.screen(41) == 50 - 120)
    }

    @Test("Feature 8: who reads further up is not moved by a raised row")
    func raisedElsewhere() {
        var list = TestList(TestList.messages(1...40))
        list.scroll(to: 1_000)
        let place = list.screen(12)
        list.give(.raised(TestList.message(40)))
        #expect(list.layout.mode == .anchored && list.screen(12) == place)
        list.give(.raised(nil))
        #expect(list.screen(12) == place && list.layout.trailingSpace == 0)
    }

    @Test("Feature 8: a raised row that goes, or another opening, takes its space with it")
    func raisedGoes() {
        let lowest: Int64 = 800 - 70 - 100
        var list = TestList(TestList.messages(1...40))
        list.give(.raised(TestList.message(40)))
        list.give(.settled)
        list.change(removing: [39])
        #expect(list.layout.trailingSpace == 0 && list.layout.mode == .pinned)
        #expect(list.screen(39) == lowest)
        list.give(.raised(TestList.message(39)))
        list.give(.opened(list.layout.geometry, at: .newest))
        #expect(list.layout.raised == nil && list.screen(39) == lowest)
    }

    // MARK: Short content

    @Test(
        "Feature 7: rows that do not fill the viewport stand at either edge",
        arguments: [0, 1, 6])
    func shortContent(count: Int) {
        let rows = count == 0 ? [] : TestList.messages(1...count)
        let bottom = TestList(rows)
        let top = TestList(rows, options: TimelineOptions(shortContent: .top))
        for list in [bottom, top] {
            #expect(list.layout.offset == -50)
            #expect(list.layout.minimumOffset == list.layout.maximumOffset)
        }
        #expect(bottom.layout.contentHeight == 680)
        #expect(top.layout.contentHeight == Int64(count) * 100)
        if count > 0 {
            #expect(bottom.screen(count) == 630)
            #expect(top.screen(1) == 50)
        }
    }

    @Test("Feature 7: rows that fill the viewport exactly leave no space and no way to scroll")
    func exactlyFull() {
        let list = TestList(TestList.messages(1...4, height: 170))
        #expect(list.layout.leadingSpace == 0)
        #expect(list.layout.minimumOffset == list.layout.maximumOffset)
        #expect(list.screen(1) == 50)
    }

    @Test("Short rows grow into a list that stays at its end")
    func growing() {
        var list = TestList(TestList.messages(1...2), options: TimelineOptions(shortContent: .top))
        for number in 3...20 {
            list.append(TestList.messages(number...number))
            #expect(list.layout.mode == .pinned && list.layout.distanceToEnd == 0)
        }
        #expect(list.screen(20) == 630)
    }

    // MARK: Targets and newer messages

    @Test("The list goes to a row, on to where it then stands, and stops for a finger")
    func targets() {
        var list = TestList(TestList.messages(1...60))
        list.give(.sought(.row(TestList.message(10), .top)))
        #expect(list.effects == [.scroll(to: 850)])
        list.scroll(to: 3_000, by: .list)
        list.prepend(TestList.messages(-9...0))
        #expect(list.effects.last == .scroll(to: 1_850))
        list.scroll(to: 1_850, by: .list)
        list.give(.settled)
        #expect(list.layout.mode == .anchored && list.screen(10) == 50)
        list.give(.sought(.newest))
        list.scroll(to: 2_500, by: .person)
        #expect(list.layout.mode == .anchored)
        list.give(.sought(.row(TestList.message(999), .top)))
        #expect(list.effects == [] && list.layout.mode == .anchored)
    }

    @Test("A target that goes leaves the list where it is")
    func targetGoes() {
        var list = TestList(TestList.messages(1...60))
        list.give(.sought(.row(TestList.message(10), .top)))
        list.scroll(to: 3_000, by: .list)
        let place = list.screen(35)
        list.change(removing: [9])
        #expect(list.layout.mode == .anchored && list.screen(35) == place)
    }

    @Test("What came below is counted until it was seen, history is not")
    func newer() {
        var list = TestList(TestList.messages(1...60))
        #expect(list.layout.newerCount == 0)
        list.scroll(to: 1_000)
        list.append(TestList.messages(61...63))
        list.prepend(TestList.messages(-9...0))
        #expect(list.layout.newerCount == 3)
        list.give(.sought(.newest))
        list.scroll(to: list.layout.maximumOffset, by: .list)
        list.give(.settled)
        #expect(list.layout.newerCount == 0 && list.layout.mode == .pinned)
    }

    @Test("Where the end of the room is not held, going there asks for its newest window")
    func newestElsewhere() {
        var list = TestList(TestList.messages(1...60), newer: true)
        list.give(.sought(.newest))
        #expect(list.effects == [.openNewest])
        #expect(list.layout.mode == .anchored, "the end of the rows is not the end of the room")
    }

    @Test("Feature 6: a message of one's own goes to the end, or stays, as the host says")
    func ownMessages() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 1_000)
        let place = list.screen(12)
        list.append(TestList.messages(61...61), sendsOwn: true)
        #expect(list.effects.last == .scroll(to: list.layout.maximumOffset))
        #expect(list.screen(12) == place, "what is seen moves only by scrolling")
        var still = TestList(
            TestList.messages(1...60), options: TimelineOptions(ownMessages: .stay))
        still.scroll(to: 1_000)
        still.append(TestList.messages(61...61), sendsOwn: true)
        #expect(still.effects == [.place(1_000)] && still.layout.mode == .anchored)
    }

    // MARK: Headers

    @Test("Feature 10: the header sticks, and the next one pushes it out")
    func sticky() {
        let rows =
            [header(1)] + TestList.messages(1...10) + [header(2)] + TestList.messages(11...30)
        var list = TestList(rows)
        list.scroll(to: 400)
        #expect(list.layout.stickyHeader?.row == 0 && list.layout.stickyHeader?.top == 450)
        // The second header begins at 1,030; the edge lies 50 below the offset.
        list.scroll(to: 960)
        #expect(list.layout.stickyHeader?.row == 0 && list.layout.stickyHeader?.top == 1_000)
        list.scroll(to: 980)
        #expect(list.layout.stickyHeader?.row == 11 && list.layout.stickyHeader?.top == 1_030)
        list.scroll(to: -120)
        #expect(list.layout.stickyHeader == nil, "pulled down, the header goes with its rows")
    }

    // MARK: Windows

    @Test("Scrolling inside the last answer answers the same rows")
    func hysteresis() {
        var list = TestList(TestList.messages(1...200))
        list.scroll(to: 5_000)
        let first = list.visibleRows()
        #expect(first == 46..<62)
        list.scroll(to: 5_300)
        #expect(list.visibleRows() == first)
        list.scroll(to: 5_500)
        #expect(list.visibleRows() != first)
    }

    @Test("Feature 14: more is ready in the direction of scrolling")
    func prefetch() {
        var list = TestList(TestList.messages(1...200))
        list.scroll(to: 5_000)
        #expect(list.layout.prefetchRows == 42..<62)
        list.scroll(to: 5_001)
        #expect(list.layout.prefetchRows == 46..<67)
    }

    @Test("Feature 15: what lies beyond a cap goes, far from the viewport first, and nothing moves")
    func cap() {
        var list = TestList(TestList.messages(1...300))
        list.scroll(to: 5_000)
        let excess = list.layout.excess(over: 120)
        #expect(excess.older == 0 && excess.newer == 180)
        let place = list.screen(55)
        list.change(removing: Array(120..<300))
        #expect(list.screen(55) == place && list.layout.geometry.count == 120)
        #expect(list.layout.excess(over: 120) == (0, 0))
        // What is seen and prefetched stays, whatever the cap.
        let most = list.layout.excess(over: 1)
        #expect(list.rows.count - most.older - most.newer >= 24)
        #expect(TestList(TestList.messages(1...300)).layout.excess(over: 100) == (200, 0))
    }

    // MARK: Another width

    private struct Paragraphs: TextAnchorable {
        static let `default` = Paragraphs(lines: 0, height: 0)
        var lines: Int32
        var height: Int32
        var size: PixelSize { PixelSize(width: 100, height: lines * height) }

        func textPosition(at y: Int32) -> Int? { y < size.height ? Int(y / height) * 10 : nil }
        func place(ofTextPosition position: Int) -> Int32? { Int32(position / 10) * height }
    }

    @Test("Feature 16: another width keeps the line of text at the edge where it is")
    func anotherWidth() {
        func rows(_ height: Int32) -> TimelineFrame<Paragraphs> {
            let rows = TestList.messages(1...20).map {
                TimelineRow(id: $0.id, content: .unreadDivider)
            }
            return TimelineFrame(RowList(rows), version: SnapshotVersion()) { row in
                // A heading of another height above makes the fraction of the row differ.
                Paragraphs(lines: row.id == TestList.message(5) ? 1_000 : 10, height: height)
            }
        }
        let (narrow, wide) = (rows(20), rows(12))
        var layout = TimelineLayout(viewport: TimelineViewport(height: 600))
        _ = layout.handle(.opened(narrow.geometry, at: .row(TestList.message(5), .top)))
        _ = layout.handle(.scrolled(to: layout.offset + 7_000, by: .person))
        guard let edge = layout.edge else {
            Issue.record("a list with rows has one at its edge")
            return
        }
        #expect(edge.id == TestList.message(5) && edge.inside == 7_000)
        let inside = wide.inside(edge, of: narrow)
        #expect(inside == 4_200)
        _ = layout.handle(.relaid(wide.geometry, inside: inside))
        #expect(layout.edge?.inside == 4_200 && layout.edge?.id == edge.id)
    }

    @Test("A place far behind a low last row that becomes high stays within the list")
    func relaidFarBehind() {
        func rows(_ last: Int32) -> TimelineGeometry {
            let rows = TestList.messages(1...1, height: 5_000)
            return TimelineGeometry(
                naive: rows + TestList.messages(2...2, height: last), shape: .standard)
        }
        var layout = TimelineLayout(viewport: TimelineViewport(height: 600))
        _ = layout.handle(.pages(older: false, newer: true))
        _ = layout.handle(.opened(rows(1), at: .newest))
        _ = layout.handle(.scrolled(to: 20_000, by: .person))
        #expect(layout.edge?.inside == 15_000)
        _ = layout.handle(.relaid(rows(400_000), inside: nil))
        #expect(layout.offset == layout.maximumOffset)
    }

    @Test("Insets may be higher than any screen, and a screen has at least no height")
    func hugeInsets() {
        let none = TimelineViewport(height: 0, topInset: .max, bottomInset: .max)
        let all = TimelineViewport(height: .max, topInset: .min, bottomInset: .min)
        #expect(none.visibleHeight == 0 && all.visibleHeight == .max)
        var negative = TimelineViewport(height: -10, topInset: 44)
        #expect(negative.height == 0)
        negative.height = .min
        #expect(negative.height == 0)
        for viewport in [none, all, negative] {
            var list = TestList(TestList.messages(1...40))
            list.give(.raised(TestList.message(3)))
            list.give(.viewport(viewport))
            #expect(list.visibleRows().upperBound <= 40)
            let layout = list.layout
            #expect(layout.offset >= layout.minimumOffset && layout.offset <= layout.maximumOffset)
        }
    }
}
