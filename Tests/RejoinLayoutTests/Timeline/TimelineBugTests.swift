import Foundation
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

/// The rows of the reference's bug list that concern places in a list. Numbers are those of the
/// list; each was shipped by some chat.
@Suite("Bugs of other lists: jumps and anchors (1 to 31)")
struct TimelineBugTests {
    @Test("1, 2, 3: pages that come in while the person scrolls up move nothing")
    func pagesWhileScrolling() {
        var list = TestList(TestList.messages(1_000...1_060), older: true)
        var first = 1_000
        while first > 500 {
            list.scroll(to: list.layout.offset - 137)
            let edge = list.layout.anchor.rows[0].id
            let place = list.screen(edge)
            // Something below changes in the same moment, and the page has rows of many heights.
            let page = (0..<50).map { place in
                let id = TestList.message(first - 50 + place)
                return (place, NaiveRow(id: id, height: Int32(20 + place * 7)))
            }
            let incoming = NaiveRow(id: TestList.message(9_000 + first), height: 33)
            list.change(
                inserting: page + [(list.rows.count + 50, incoming)],
                resizing: [(list.rows.count - 1, 321)])
            first -= 50
            #expect(list.screen(edge) == place)
        }
    }

    @Test("5, 22, 23: no height is ever estimated, so none is corrected while scrolling up")
    func noEstimates() {
        var list = TestList(TestList.messages(1...500))
        let height = list.layout.contentHeight
        for offset in stride(from: list.layout.maximumOffset, to: 0, by: -91) {
            list.scroll(to: offset)
            _ = list.visibleRows()
            #expect(list.layout.offset == offset && list.layout.contentHeight == height)
        }
    }

    @Test("6: the anchor is that of the moment before the change, whatever came just before")
    func anchorBeforeUpdate() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_000)
        _ = list.visibleRows()
        list.scroll(to: 1_234)
        let place = list.screen(13)
        list.prepend(TestList.messages(-9...0))
        #expect(list.screen(13) == place)
        #expect(list.effects.first == .place(2_234), "in the same commit")
    }

    @Test("7, 19, 30: rows that come in while the finger pulls or the list bounces stay put")
    func inMotion() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: -130)
        let place = list.screen(1)
        list.prepend(TestList.messages(-9...0))
        #expect(list.screen(1) == place)
        list.scroll(to: list.layout.maximumOffset + 60)
        list.append(TestList.messages(61...61))
        #expect(list.layout.distanceToEnd == -60, "the bounce goes on at the new end")
    }

    @Test("9: an incoming message of any height moves nothing for who reads further up")
    func incoming() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 1_000)
        for number in 61...90 {
            list.append([NaiveRow(id: TestList.message(number), height: Int32(number * 13 % 400))])
            #expect(list.layout.offset == 1_000)
        }
    }

    @Test("10: a reaction on a row half hidden by the composer changes its height in one step")
    func reaction() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 1_000)
        list.change(resizing: [(17, 134)])
        #expect(list.layout.offset == 1_000)
        #expect(list.layout.extent(of: 17).count == 134)
        var pinned = TestList(TestList.messages(1...60))
        pinned.change(resizing: [(59, 134)])
        #expect(pinned.layout.distanceToEnd == 0)
    }

    @Test("11: an edit measures exactly that row, and the place is kept")
    func edit() {
        let rows = TestList.messages(1...60).map {
            TimelineRow(id: $0.id, content: .unreadDivider)
        }
        var measured: [TimelineRowID] = []
        let frame = TimelineFrame<Block>(RowList(rows), version: SnapshotVersion()) { row in
            measured.append(row.id)
            return Block(height: 100)
        }
        #expect(measured.count == 60)
        let (edited, change) = frame.measuringAgain([5]) { row in
            measured.append(row.id)
            return Block(height: 250)
        }
        #expect(measured.count == 61 && measured.last == TestList.message(6))
        var layout = TimelineLayout(viewport: TimelineViewport(height: 800))
        _ = layout.handle(.opened(frame.geometry, at: .row(TestList.message(20), .top)))
        let place = layout.extent(of: 19).lowerBound - layout.offset
        _ = layout.handle(.swapped(edited.geometry, change, sendsOwn: false))
        #expect(layout.extent(of: 19).lowerBound - layout.offset == place)
    }

    @Test("13: newer messages that are paged in below do not take the list with them")
    func newerPage() {
        var list = TestList(TestList.messages(1...60), newer: true)
        let end = list.layout.maximumOffset
        list.scroll(to: end)
        #expect(list.effects == [] && list.layout.mode == .anchored)
        list.append(TestList.messages(61...110))
        #expect(list.layout.offset == end)
    }

    @Test("14: which way a row grows that lies on the edge is the host's choice")
    func growthDirection() {
        for edge in [TimelineOptions.Edge.top, .bottom] {
            var list = TestList(
                TestList.messages(1...60), options: TimelineOptions(anchorEdge: edge))
            list.scroll(to: 1_000)
            let (above, below) = (list.screen(12), list.screen(18))
            list.change(resizing: [(14, 180)])
            switch edge {
            case .top: #expect(list.screen(12) == above && list.screen(18) != below)
            case .bottom: #expect(list.screen(12) != above && list.screen(18) == below)
            }
        }
    }

    @Test("15: a target is where its real height puts it, and follows when that changes")
    func targetHeight() {
        var list = TestList(
            TestList.messages(1...59) + [NaiveRow(id: TestList.message(60), height: 900)])
        list.scroll(to: 0)
        list.give(.sought(.row(TestList.message(60), .bottom)))
        #expect(list.effects == [.scroll(to: list.layout.maximumOffset)])
        list.change(resizing: [(59, 1_700)])
        #expect(list.effects.last == .scroll(to: list.layout.maximumOffset))
    }

    @Test("17, 26: offsets are clamped at both ends, and short content leaves none below zero")
    func clamping() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 100)
        list.change(removing: Array(0..<58))
        #expect(list.layout.offset == list.layout.minimumOffset)
        #expect(list.layout.offset == -50 && list.layout.distanceToEnd == 0)
        for alignment in TimelineAlignment.allCases {
            let first = TestList(
                TestList.messages(1...60), at: .row(TestList.message(1), alignment))
            #expect(first.layout.offset == -50)
            let last = TestList(
                TestList.messages(1...60), at: .row(TestList.message(60), alignment))
            #expect(last.layout.distanceToEnd == 0)
        }
    }

    @Test("18: a short first and a long second row that change at once end at their places")
    func firstAndSecond() {
        var list = TestList(TestList.messages(1...2, height: 10))
        list.change(resizing: [(0, 15), (1, 2_000)])
        #expect(list.layout.distanceToEnd == 0)
        #expect(list.layout.extent(of: 0) == 0..<15 && list.layout.extent(of: 1) == 15..<2_015)
    }

    @Test("21: what appears does so at its final place, what disappears where it stood")
    func animation() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 1_000)
        let before = list.layout.placement
        let version = list.version
        let place = list.screen(15)
        list.change(
            removing: [13],
            inserting: (0..<3).map { ($0, TestList.messages(-2...0)[$0]) })
        let change = RowChangeSet(
            from: version, to: list.version, oldCount: 60, newCount: 62, gone: [13],
            come: [0, 1, 2], pairs: [], reloads: [])
        let transition = TimelineTransition(
            before: before, after: list.layout.placement, change: change)
        #expect(transition.adjustment == 300)
        #expect(list.screen(15) == place.map { $0 - 100 }, "below the removed row")
        #expect(transition.initialExtent(ofAppearing: 0) == 0..<100)
        #expect(transition.finalExtent(ofDisappearing: 13) == 1_600..<1_700)
        // A row that stands still on the screen comes from where it stands.
        #expect(transition.initialExtent(ofStaying: 15) == list.layout.extent(of: 15))
        #expect(transition.initialExtent(ofStaying: 1) == nil)
    }

    @Test("25, feature 9: a row on the edge that grows line by line moves nothing above the edge")
    func streaming() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 5_000 - 400)
        #expect(list.layout.edge?.inside == 50)
        for step in 1...40 {
            list.change(resizing: [(46, Int32(100 + step * 20))])
            #expect(list.layout.offset == 4_600)
        }
        // Pinned, the same growth keeps the end in sight.
        var pinned = TestList(TestList.messages(1...60))
        for step in 1...40 {
            pinned.change(resizing: [(59, Int32(100 + step * 20))])
            #expect(pinned.layout.distanceToEnd == 0)
        }
    }

    @Test("27: nothing is compensated while scrolling back: offsets are only ever the finger's")
    func noCompensation() {
        var list = TestList(TestList.messages(1...500))
        for offset in stride(from: 40_000 as Int64, to: 30_000, by: -33) {
            list.scroll(to: offset)
            #expect(!list.effects.contains { if case .place = $0 { true } else { false } })
        }
    }

    @Test("29: edits, removals and moves in the middle move only what lies below them")
    func middle() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_000)
        let place = list.screen(22)
        list.change(removing: [3, 4, 10], inserting: [(7, TestList.messages(99...99)[0])])
        list.change(resizing: [(0, 7), (12, 300)])
        #expect(list.screen(22) == place)
    }

    @Test("31: no page is asked for again before the last one has been laid out")
    func latch() {
        var list = TestList(TestList.messages(1...60), older: true)
        list.scroll(to: 900)
        #expect(list.effects == [.page(.older)])
        for offset in stride(from: 890 as Int64, to: 0, by: -10) {
            list.scroll(to: offset)
            #expect(list.effects == [])
        }
        // Other changes do not open the latch.
        list.append(TestList.messages(61...61))
        #expect(!list.effects.contains(.page(.older)))
        list.prepend(TestList.messages(-9...0))
        #expect(list.effects.contains(.page(.older)), "ten rows are less than two screens")
        list.give(.pageEnded(.older))
        #expect(list.effects == [], "a page that failed is not asked for in a loop")
        list.scroll(to: list.layout.offset - 1)
        #expect(list.effects == [.page(.older)])
        list.give(.pages(older: false, newer: false))
        list.give(.pageEnded(.older))
        list.scroll(to: 0)
        #expect(list.effects == [])
    }

    @Test("Feature 5: where the row at the edge goes, the next one below stays, else the one above")
    func anchorGoes() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_000)
        let place = list.screen(25)
        list.change(removing: [19, 20, 21, 22, 23])
        #expect(list.screen(25) == place)
        list.scroll(to: 1_000)
        let above = list.screen(10)
        list.change(removing: Array(10..<list.rows.count))
        #expect(list.layout.distanceToEnd == 0, "nothing is left below")
        #expect(list.screen(10) != nil && above != nil)
    }
}

@Suite("Bugs of other lists: insets, rotation, memory (66 to 71)")
struct TimelineInsetBugTests {
    @Test("66: insets are inputs: the keyboard keeps the end in sight, or the row at the edge")
    func keyboard() {
        let keyboard = TimelineViewport(height: 800, topInset: 50, bottomInset: 350)
        var pinned = TestList(TestList.messages(1...60))
        pinned.give(.viewport(keyboard))
        #expect(pinned.screen(60) == 350)
        var reading = TestList(TestList.messages(1...60))
        reading.scroll(to: 1_000)
        let place = reading.screen(13)
        reading.give(.viewport(keyboard))
        #expect(reading.screen(13) == place)
        // A bar that grows takes the row along that lies under it.
        reading.give(.viewport(TimelineViewport(height: 800, topInset: 90, bottomInset: 350)))
        #expect(reading.screen(13) == place.map { $0 + 40 })
    }

    @Test("67: a rotation in the midst of changes keeps the row at the edge")
    func rotation() {
        var list = TestList(TestList.messages(1...60))
        list.scroll(to: 2_025)
        let edge = list.layout.edge
        list.prepend(TestList.messages(-9...0))
        list.give(.viewport(TimelineViewport(height: 390, topInset: 30, bottomInset: 50)))
        list.give(
            .relaid(
                TimelineGeometry(naive: TestList.messages(-9...60, height: 60)), inside: nil))
        #expect(list.layout.edge?.id == edge?.id)
        #expect(list.layout.edge?.inside == 45)
        // And back.
        list.give(.viewport(TimelineViewport(height: 800, topInset: 50, bottomInset: 70)))
        list.give(
            .relaid(TimelineGeometry(naive: TestList.messages(-9...60)), inside: nil))
        #expect(
            list.layout.edge
                == edge.map { edge in
                    var edge = edge
                    edge.row += 10
                    return edge
                })
    }

    @Test("69: nothing is kept for rows that were scrolled past")
    func memory() {
        var list = TestList(TestList.messages(1...500))
        for offset in stride(from: list.layout.maximumOffset, to: 0, by: -500) {
            list.scroll(to: offset)
            #expect(list.visibleRows().count <= 18)
        }
    }

    @Test("70: of 100,000 rows a new message measures one, a page its own")
    func manyRows() {
        var measured = 0
        func measure(_ row: TimelineRow) -> Block {
            measured += 1
            return Block(height: 40)
        }
        var rows = RowList(
            (1...100_000).map { TimelineRow(id: TestList.message($0), content: .unreadDivider) })
        let version = SnapshotVersion()
        let frame = TimelineFrame(rows, version: version, measure: measure)
        measured = 0
        rows.insert(
            contentsOf: (-49...0).map {
                TimelineRow(
                    id: .message(
                        .local(
                            .init(
                                .init(
                                    uuid: (
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(-$0)
                                    ))))),
                    content: .unreadDivider)
            }, at: 0)
        let change = RowChangeSet(
            from: version, to: version.following(), oldCount: 100_000, newCount: 100_050, gone: [],
            come: Array(0..<50), pairs: [], reloads: [])
        let next = frame.following(change, rows: rows, measure: measure)
        #expect(measured == 50 && next.count == 100_050)
        #expect(frame.count == 100_000, "the frame that is shown stays as it was")
        #expect(next.geometry.offsets.height == 100_050 * 40)
    }

    @Test("71: a row whose content changes under the same identity is measured again")
    func contentVersion() {
        let id = TestList.message(1)
        var rows = RowList([TimelineRow(id: id, content: .unreadDivider)])
        let version = SnapshotVersion()
        func measure(_ row: TimelineRow) -> Block {
            Block(height: row.content == .unreadDivider ? 10 : 20)
        }
        let frame = TimelineFrame(rows, version: version, measure: measure)
        rows[0] = TimelineRow(id: id, content: .typing([]))
        let change = RowChangeSet(
            from: version, to: version.following(), oldCount: 1, newCount: 1, gone: [], come: [],
            pairs: [], reloads: [0])
        let next = frame.following(change, rows: rows, measure: measure)
        #expect(next.geometry.offsets.height(of: 0) == 20 && next.rows[0].data.height == 20)
        #expect(next.version == change.to)
    }
}

/// Row data of nothing but a height.
private struct Block: LayoutDatable {
    static let `default` = Block(height: 0)
    var height: Int32
    var size: PixelSize { PixelSize(width: 100, height: height) }
}
