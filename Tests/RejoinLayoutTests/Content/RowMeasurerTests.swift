import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

/// Section 8: only what changed is computed again, and what is remembered is bounded.
@Suite("Rows are measured part by part")
struct RowMeasurerTests {
    static let environment = LayoutEnvironment(
        scale: 2, width: 750, locale: Locale(identifier: "en_GB"), today: MessageGallery.today)

    static func measurer(rowLimit: Int = 100) -> RowMeasurer {
        RowMeasurer(
            preparer: TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed)),
            environment: environment, me: MessageGallery.me, rowLimit: rowLimit)
    }

    static func row(
        _ id: UInt64 = 1, _ content: [ContentBlock] = [.text("Hello there")],
        author: String = "ann",
        reactions: [Reaction] = [], group: GroupPosition = .single
    ) -> TimelineRow {
        let message = Message(
            id: MessageID(UInt128(id)), author: UserID(author),
            sentAt: WallTime(milliseconds: 1_772_447_040_000), content: content,
            reactions: reactions)
        let row = RoomRow(id: .message(message.id), content: .message(message))
        return TimelineRow(id: .message(row.id), content: .message(row, group))
    }

    @Test("The same row in the same environment is the same data")
    func same() {
        let measurer = Self.measurer()
        let first = measurer.measure(Self.row())
        let counts = measurer.counts
        #expect(measurer.measure(Self.row()) == first)
        #expect(measurer.counts.wrapped == counts.wrapped)
        #expect(measurer.counts.reused == 1)
    }

    @Test("Another reaction neither prepares nor wraps the text again")
    func reaction() {
        let measurer = Self.measurer()
        let users = [UserID("ben")]
        let before = measurer.measure(
            Self.row(reactions: [Reaction(emoji: "👍", users: users)]))
        let counts = measurer.counts
        let after = measurer.measure(
            Self.row(
                reactions: [
                    Reaction(emoji: "👍", users: users), Reaction(emoji: "🎉", users: users),
                ]))
        #expect(before != after)
        #expect(measurer.counts.prepared == counts.prepared + 1)
        #expect(measurer.counts.wrapped == counts.wrapped + 2)
        #expect(measurer.counts.parts == counts.parts + 1)
    }

    @Test("Another width wraps again and prepares nothing")
    func width() {
        let measurer = Self.measurer(rowLimit: 1_000)
        let gallery = MessageGallery()
        measurer.members = gallery.members
        // Two examples of who is typing share one identity.
        let items = gallery.items.filter { $0.row.id != .typing }
        for item in items { _ = measurer.measure(item.row) }
        let counts = measurer.counts
        measurer.environment.width = 1_000
        let rows = items.map { measurer.measure($0.row) }
        #expect(measurer.counts.prepared == counts.prepared)
        #expect(measurer.counts.wrapped > counts.wrapped)
        #expect(rows.allSatisfy { $0.size.width == 1_000 })
    }

    @Test(
        "In the narrowest list a card shows its title, not its sign", arguments: [Int32(160), 375])
    func narrowCards(_ width: Int32) {
        let measurer = Self.measurer()
        measurer.environment.width = width * measurer.environment.scale
        let data = measurer.measure(
            Self.row(1, [.file(Media(url: "https://example.com/a", name: "plan.pdf"))]))
        let title = data.parts.first { $0.kind == .text(.title) }?.text
        #expect(title?.lines.first?.range.isEmpty == false)
        #expect(data.parts.contains { $0.kind == .icon(.file) } == (width > 160))
    }

    @Test("Widths and type sizes beyond all screens count as the greatest and the least")
    func extremes() {
        func sizes(_ change: (inout LayoutEnvironment) -> Void) -> [PixelSize] {
            let measurer = Self.measurer()
            change(&measurer.environment)
            let gallery = MessageGallery()
            measurer.members = gallery.members
            return gallery.items.map { measurer.measure($0.row).size }
        }
        #expect(sizes { $0.width = .max } == sizes { $0.width = 1 << 24 })
        #expect(sizes { $0.width = .min } == sizes { $0.width = 320 })
        #expect(sizes { $0.typeSize = .max } == sizes { $0.typeSize = 500 })
        #expect(sizes { $0.typeSize = .min } == sizes { $0.typeSize = 1 })
    }

    @Test("Another type size prepares again")
    func typeSize() {
        let measurer = Self.measurer()
        let small = measurer.measure(Self.row())
        let counts = measurer.counts
        measurer.environment.typeSize = 200
        let large = measurer.measure(Self.row())
        #expect(measurer.counts.prepared > counts.prepared)
        #expect(large.size.height > small.size.height)
    }

    @Test("Another name of the author reaches the row, and only its part is laid out again")
    func name() {
        let measurer = Self.measurer()
        let ann = UserID("ann")
        measurer.members = [ann: Member(id: ann, name: "Ann")]
        let before = measurer.measure(Self.row())
        let counts = measurer.counts
        measurer.members = [ann: Member(id: ann, name: "Anna", version: 1)]
        let after = measurer.measure(Self.row())
        #expect(before != after)
        #expect(measurer.counts.parts == counts.parts + 1)
    }

    @Test("A row whose place in the run changes keeps its parts")
    func group() {
        let measurer = Self.measurer()
        _ = measurer.measure(Self.row(author: "me"))
        let counts = measurer.counts
        _ = measurer.measure(Self.row(author: "me", group: .first))
        #expect(measurer.counts.parts == counts.parts)
        #expect(measurer.counts.rows == counts.rows + 1)
    }

    @Test("Bug 71: an edited message is measured anew, though its identity is the same")
    func edit() {
        let measurer = Self.measurer()
        let short = measurer.measure(Self.row())
        let long = measurer.measure(
            Self.row(1, [.text(String(repeating: "Hello there ", count: 20))]))
        #expect(long.size.height > short.size.height)
    }

    @Test("What is remembered stays within the limit")
    func limit() {
        let measurer = Self.measurer(rowLimit: 10)
        for id in 1...100 { _ = measurer.measure(Self.row(UInt64(id))) }
        #expect(measurer.rememberedCount == 10)
        for id in 91...100 { _ = measurer.measure(Self.row(UInt64(id))) }
        #expect(measurer.counts.reused == 10)
        // The one that was not asked for longest goes first.
        _ = measurer.measure(Self.row(91))
        _ = measurer.measure(Self.row(1))
        _ = measurer.measure(Self.row(91))
        #expect(measurer.counts.reused == 12)
        _ = measurer.measure(Self.row(92))
        #expect(measurer.counts.reused == 12)
    }

    @Test("Pictures of unknown size take the ratio that was learnt")
    func ratio() {
        let measurer = Self.measurer()
        let row = Self.row(1, [.image(Media(url: "a"))])
        let before = measurer.measure(row)
        let isNew = measurer.ratios.learn("a", width: 100, height: 100)
        #expect(isNew)
        let after = measurer.measure(row)
        #expect(after.size.height > before.size.height)
        let isNewAgain = measurer.ratios.learn("a", width: 200, height: 200)
        #expect(!isNewAgain)
    }

    @Test("Ratios that were learnt first are forgotten first")
    func ratios() {
        var ratios = AspectRatios(limit: 3)
        for name in ["a", "b", "c", "d", "e"] {
            let isNew = ratios.learn(name, width: 4, height: 3)
            #expect(isNew)
        }
        #expect(ratios.count == 3)
        #expect(["a", "b"].allSatisfy { ratios[$0] == nil })
        #expect(["c", "d", "e"].allSatisfy { ratios[$0] != nil })
        let teaches = ratios.learn("f", width: 0, height: 3)
        #expect(!teaches)
    }

    @Test("The time stands on the last line where it fits, and below it otherwise")
    func time() throws {
        let measurer = Self.measurer()
        func isInline(_ text: String) throws -> Bool {
            let data = measurer.measure(Self.row(1, [.text(text)], author: "me"))
            let body = try #require(data.parts.first { $0.kind == .text(.body) })
            let time = try #require(data.parts.first { $0.kind == .text(.caption) })
            return time.frame.y < body.frame.maxY
        }
        #expect(try isInline("Hello"))
        // 48 characters fill a line of the widest bubble.
        #expect(try !isInline(String(repeating: "m", count: 46)))
        #expect(try !isInline("שלום"))
        measurer.environment.direction = .rightToLeft
        #expect(try isInline("שלום"))
        #expect(try !isInline("Hello"))
    }

    @Test("Links have their frames, are read after their text, and lie in it")
    func links() throws {
        let measurer = Self.measurer()
        let text = String(repeating: "word ", count: 12) + "www.example.com/path. End"
        let data = measurer.measure(Self.row(1, [.text(text)]))
        let link = try #require(data.links.first)
        #expect(link.span.kind == .link("https://www.example.com/path"))
        #expect(!link.rects.isEmpty)
        #expect(link.rects.allSatisfy { data.parts[link.part].frame.contains($0) })
        let roles = data.accessibility.map(\.role)
        #expect(roles.contains(.link(at: 60)))
        #expect(data.part(atX: link.rects[0].x, y: link.rects[0].y) == link.part)
    }

    @Test("A hostile message costs what its parts cost, and changes cost what changed")
    func hostile() {
        let measurer = Self.measurer()
        let blocks = (0..<5_000).map { number in
            number.isMultiple(of: 2) ? ContentBlock.text("a") : .file(Media(url: "b"))
        }
        let reactions = (0..<2_000).map {
            Reaction(emoji: "e\($0)", users: [UserID("ben")])
        }
        let row = measurer.measure(Self.row(1, blocks, reactions: reactions))
        #expect(row.parts.count > 5_000)
        #expect(measurer.counts.parts == 5_004)
        _ = measurer.measure(
            Self.row(
                1, blocks, reactions: reactions + [Reaction(emoji: "x", users: [UserID("ben")])]))
        #expect(measurer.counts.parts == 5_005)
        #expect(measurer.counts.prepared == 2_500 * 2 + 2_000 + 4)
    }

    @Test(
        "Times, sizes and lengths beyond reason are shown, and trap nowhere",
        arguments: [Int64.min, -1, 0, 253_402_300_800_000, .max])
    func beyondReason(_ number: Int64) {
        let measurer = Self.measurer()
        let media = Media(
            url: "", name: "", byteCount: number, width: Int(number), height: 1,
            durationMilliseconds: number)
        let message = Message(
            id: MessageID(1), author: UserID(""), sentAt: WallTime(milliseconds: number),
            content: [
                .audio(media), .file(media), .image(media), .video(media), .text(""),
                .linkPreview(LinkPreview(url: "", image: media)), .systemNotice(""),
                .callRecord(CallRecord(missed: false, durationMilliseconds: number)),
                .quote(Quote(message: MessageID(.max), author: UserID(""), excerpt: "")),
            ], reactions: [Reaction(emoji: "", users: [])])
        var composer = RowComposer(me: nil)
        let room = RoomID("room")
        _ = composer.update(
            RoomSnapshot(
                timeline: TimelineSnapshot(
                    room: room, version: SnapshotVersion(), window: .newest(),
                    items: [.message(message)], members: [:], hasOlder: false, hasNewer: false)),
            environment: Self.environment)
        #expect(composer.rows.count == 2)
        for row in composer.rows.elements {
            #expect(measurer.measure(row).size.height > 0)
        }
    }

    @Test("Texts beyond the limit of a message are left out, and an ellipsis tells so")
    func textLimit() {
        var measures = ContentMeasures()
        measures.textLimit = 100
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed)),
            environment: Self.environment, me: nil, measures: measures)
        let text = String(repeating: "a", count: 60)
        let data = measurer.measure(Self.row(1, Array(repeating: .text(text), count: 4)))
        let kinds = data.parts.map(\.kind)
        #expect(kinds.count { $0 == .text(.body) } == 2)
        #expect(kinds.count { $0 == .text(.notice) } == 2)
    }

    @Test("Bug 10: where reactions come, the row only grows below the message")
    func growth() {
        let measurer = Self.measurer()
        let bare = measurer.measure(Self.row())
        let users = [UserID("ben")]
        let reacted = measurer.measure(
            Self.row(reactions: [Reaction(emoji: "👍", users: users)]))
        #expect(bare.size.height > 0 && reacted.size.height > bare.size.height)
        #expect(reacted.parts.prefix(bare.parts.count - 2).elementsEqual(bare.parts.dropLast(2)))
    }

    @Test(
        "Feature row 21: a picture of known size has its place before it is loaded, whatever its size"
    )
    func known() throws {
        let measurer = Self.measurer()
        for (width, height) in [(1, 1), (100_000, 1), (1, 100_000), (0, 5), (-3, 7)] {
            let data = measurer.measure(
                Self.row(1, [.image(Media(url: "a", width: width, height: height))]))
            let picture = try #require(
                data.parts.first { if case .image = $0.kind { true } else { false } })
            // 72 to 360 points at scale 2.
            #expect((144...720).contains(picture.frame.height))
        }
    }

    @Test("Feature row 22: a link preview keeps its height whatever its words, in each class")
    func preview() {
        let measurer = Self.measurer()
        func height(_ title: String, _ summary: String?, _ image: Media?) -> Int32 {
            measurer.measure(
                Self.row(
                    1,
                    [
                        .linkPreview(
                            LinkPreview(
                                url: "https://a.example", title: title, summary: summary,
                                image: image))
                    ])
            ).size.height
        }
        let long = String(repeating: "long words ", count: 30)
        #expect(height("a", nil, nil) == height(long, nil, nil))
        #expect(height("a", "b", nil) == height(long, long, nil))
        let small = Media(url: "p", width: 1, height: 9)
        #expect(height("a", "b", Media(url: "p")) == height(long, long, small))
    }

    @Test("A gap that begins to load, or fails, moves nothing", arguments: [80, 100])
    func gap(_ typeSize: Int32) {
        let measurer = Self.measurer()
        measurer.environment.typeSize = typeSize
        let heights = MessageGallery().items.filter { $0.name.hasPrefix("gap") }
            .map { measurer.measure($0.row).size.height }
        #expect(heights.count == 4 && Set(heights).count == 1)
    }

    @Test("Every text of the module can be replaced")
    func strings() {
        var strings = LayoutStrings()
        strings.deleted = "Gelöscht"
        strings.edited = "{time} (bearbeitet)"
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed)),
            environment: Self.environment, me: nil, strings: strings)
        let gallery = MessageGallery()
        let texts = gallery.items.flatMap { item in
            measurer.measure(item.row).parts.compactMap(\.text?.text.text)
        }
        #expect(texts.contains("Gelöscht"))
        #expect(texts.contains { $0.hasSuffix(" (bearbeitet)") })
    }
}

/// Addresses in plain text.
@Suite("Links in plain text")
struct LinkFinderTests {
    @Test(
        "An address ends before what belongs to the sentence",
        arguments: [
            ("see https://a.example/b.", "https://a.example/b"),
            ("(http://a.example/b(c))", "http://a.example/b(c)"),
            ("HTTPS://A.EXAMPLE, yes", "HTTPS://A.EXAMPLE"),
            ("www.a.example", "https://www.a.example"),
            ("\"https://a.example/?q=1&r=2\"", "https://a.example/?q=1&r=2"),
        ])
    func ends(_ text: String, _ address: String) {
        #expect(LinkFinder.richText(text).spans.map(\.kind) == [.link(address)])
    }

    @Test("No address", arguments: ["", "awww.b", "https://", "www.", "mailto:a@b", "http:/a"])
    func none(_ text: String) {
        #expect(LinkFinder.richText(text).spans.isEmpty)
    }
}
