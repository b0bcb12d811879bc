import RejoinContracts
import RejoinLayout
import Testing

/// Carets, hit testing and rectangles, left to right and right to left.
@Suite("Geometry of a wrapped text")
struct GeometryTests {
    let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))

    func layout(_ text: String, width: Int32, style: TextStyle = .test) -> TextLayout {
        preparer.prepare(text, style: style).layout(width: width)
    }

    @Test("Left to right: carets stand between characters, rectangles cover lines")
    func leftToRight() {
        let result = layout("the quick brown fox", width: 90)
        #expect(result.caret(at: TextPosition(offset: 4)).x == 40)
        #expect(
            result.caret(at: TextPosition(offset: 10))
                == PixelRect(x: 0, y: 20, width: 1, height: 20))
        #expect(result.caret(at: TextPosition(offset: 10, isUpstream: true)).y == 0)
        #expect(
            result.rects(of: 4..<13) == [
                PixelRect(x: 40, y: 0, width: 50, height: 20),
                PixelRect(x: 0, y: 20, width: 30, height: 20),
            ])
        #expect(result.position(atX: 44, y: 5) == TextPosition(offset: 4))
        #expect(result.position(atX: 46, y: 5) == TextPosition(offset: 5))
        #expect(result.position(atX: -50, y: -50) == TextPosition(offset: 0))
        #expect(result.position(atX: 500, y: 5) == TextPosition(offset: 10, isUpstream: true))
        #expect(result.position(atX: 500, y: 500) == TextPosition(offset: 19))
    }

    @Test("Rows 61 and 62: each paragraph has the direction of its first strong character")
    func direction() {
        let result = layout("שלום abc\nabc שלום\n123\n\u{2067}אב\u{2069} x", width: 200)
        #expect(
            result.lines.map(\.direction) == [
                .rightToLeft, .leftToRight, .leftToRight, .leftToRight,
            ])
        #expect(result.text.direction == .rightToLeft)
        var arabic = TextStyle.test
        arabic.direction = .rightToLeft
        let neutral = layout("123\nabc", width: 200, style: arabic)
        #expect(neutral.lines.map(\.direction) == [.rightToLeft, .leftToRight])
    }

    @Test("Right to left: lines begin at the right edge, and levels turn runs round")
    func rightToLeft() {
        var result = layout("אב cd הו", width: 200)
        // Seen from the left: וה cd בא.
        #expect(result.size.width == 80)
        #expect(result.rects(of: 0..<4) == [PixelRect(x: 60, y: 0, width: 20, height: 20)])
        #expect(result.rects(of: 5..<7) == [PixelRect(x: 30, y: 0, width: 20, height: 20)])
        #expect(result.caret(at: TextPosition(offset: 0)).x == 80)
        #expect(result.caret(at: TextPosition(offset: 2)).x == 70)
        #expect(
            result.position(atX: 75, y: 0).offset == 2 || result.position(atX: 75, y: 0).offset == 0
        )
        #expect(result.position(atX: 34, y: 0) == TextPosition(offset: 5))
        #expect(result.position(atX: 0, y: 0) == TextPosition(offset: 12))
        let runs = result.runs(of: result.lines[0])
        #expect(runs.map(\.range) == [7..<12, 5..<7, 0..<5])
        #expect(runs.map(\.x) == [Advance.zero, Advance(pixels: 30), Advance(pixels: 50)])
        result.alignmentWidth = 100
        #expect(result.rects(of: 0..<4) == [PixelRect(x: 80, y: 0, width: 20, height: 20)])
    }

    @Test("L1: white space at the end of a line has the paragraph's level and hangs outside")
    func hanging() {
        let result = layout("אבג דהו", width: 40)
        #expect(result.lines.count == 2)
        #expect(result.rects(of: 0..<7) == [PixelRect(x: 0, y: 0, width: 30, height: 20)])
        #expect(result.runs(of: result.lines[0]).map(\.x) == [Advance.zero])
    }

    @Test("Row 65: a caret never stands inside a cluster, but may inside a ligature")
    func clusters() {
        let family = layout("a👨‍👩‍👧b", width: 200)
        let end = "a👨‍👩‍👧".utf8.count
        for offset in 1..<end { #expect(family.caret(at: TextPosition(offset: offset)).x == 10) }
        for x in Int32(0)..<70 {
            #expect([0, 1, end, end + 1].contains(family.position(atX: x, y: 0).offset))
        }
        var manner = SyntheticShaper.Manner("ligatures")
        (manner.fixedAdvance, manner.ligatures) = (640, 100)
        let ligatures = TextPreparer(shaper: SyntheticShaper(manner)).prepare("abcd", style: .test)
            .layout(width: 200)
        #expect(
            (0...4).map { ligatures.caret(at: TextPosition(offset: $0)).x } == [0, 5, 10, 15, 20])
        #expect(ligatures.position(atX: 4, y: 0).offset == 1)
        #expect(ligatures.rects(of: 1..<3) == [PixelRect(x: 5, y: 0, width: 10, height: 20)])
    }

    @Test(
        "Every caret is hit where it stands, and rectangles stay inside",
        arguments: SyntheticShaper.manners)
    func roundTrip(_ manner: SyntheticShaper.Manner) {
        let preparer = TextPreparer(shaper: SyntheticShaper(manner))
        for text in Corpus.all {
            let layout = preparer.prepare(text, style: .test).layout(width: 120)
            for rect in layout.rects(of: 0..<text.utf8.count) {
                #expect(
                    rect.x >= 0 && rect.maxX <= layout.alignmentWidth
                        && rect.maxY <= layout.size.height)
            }
            let graphemes = Set(TextBreaks(of: text).graphemes + [0, text.utf8.count])
            for line in layout.lines {
                for x in stride(from: Int32(-10), to: 140, by: 9) {
                    let position = layout.position(atX: x, y: line.top)
                    #expect(
                        graphemes.contains(position.offset)
                            || line.range.upperBound == position.offset)
                    #expect(
                        line.range.contains(position.offset)
                            || position.offset == line.range.upperBound)
                    let caret = layout.caret(at: position)
                    #expect(caret.y == line.top, "\(text.debugDescription)")
                }
            }
        }
    }

    @Test("Rows 53 to 57: the lines of a tile are found without the others")
    func tiles() {
        let layout = layout(String(repeating: "line\n", count: 999), width: 100)
        #expect(layout.lines.count == 1000)
        #expect(layout.lines(inY: 0..<20) == 0..<1)
        #expect(layout.lines(inY: 19..<41) == 0..<3)
        #expect(layout.lines(inY: 19_990..<30_000) == 999..<1000)
        #expect(layout.lines(inY: 50_000..<60_000) == 1000..<1000)
    }
}
