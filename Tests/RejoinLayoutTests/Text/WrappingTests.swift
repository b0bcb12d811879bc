import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

/// Wrapping with characters of ten pixels, so that the expected lines can be counted by hand.
@Suite("Wrapping: the policies that PreparedText states")
struct WrappingTests {
    let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))

    func layout(_ text: RichText, columns: Int32, style: TextStyle = .test, maxLines: Int? = nil)
        -> TextLayout
    {
        preparer.prepare(text, style: style).layout(width: columns * 10, maxLines: maxLines)
    }

    func lines(_ text: String, columns: Int32, style: TextStyle = .test) -> [String] {
        let bytes = Array(text.utf8)
        return layout(RichText(text), columns: columns, style: style).lines.map {
            String(decoding: bytes[$0.range], as: UTF8.self)
        }
    }

    @Test("Greedy lines; white space hangs at the end and does not count")
    func hangingSpaces() {
        #expect(lines("the quick brown fox", columns: 9) == ["the quick ", "brown fox"])
        let text = layout(RichText("the quick    "), columns: 9)
        #expect(text.lines.count == 1)
        #expect(text.lastLineWidth == Advance(pixels: 90))
        #expect(text.size == PixelSize(width: 90, height: 20))
        #expect(layout(RichText("   "), columns: 1).lastLineWidth == .zero)
        #expect(lines("日本\u{3000}語", columns: 2) == ["日本\u{3000}", "語"])
        #expect(lines("a\u{A0}b", columns: 2) == ["a\u{A0}", "b"], "U+00A0 is content")
    }

    @Test(
        "Row 47: CR, LF, CRLF, VT, FF, NEL, LS and PS each end a line; CRLF ends one",
        arguments: ["\r", "\n", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func terminators(_ terminator: String) {
        let text = "ab\(terminator)cd"
        let result = layout(RichText(text), columns: 9)
        #expect(
            result.lines.map(\.range) == [0..<2, (2 + terminator.utf8.count)..<text.utf8.count])
        #expect(result.lines.map(\.endsParagraph) == [true, true])
        #expect(result.size == PixelSize(width: 20, height: 40))
        // Row 49: the terminator at the end adds an empty line, as TextKit and Pango do.
        let trailing = layout(RichText("ab\(terminator)"), columns: 9)
        #expect(
            trailing.lines.map(\.range) == [
                0..<2, (2 + terminator.utf8.count)..<(2 + terminator.utf8.count),
            ])
        #expect(trailing.lastLineWidth == .zero)
    }

    @Test("Row 50: the empty text is one empty line")
    func empty() {
        let result = layout(RichText(""), columns: 9)
        #expect(result.lines.map(\.range) == [0..<0])
        #expect(result.size == PixelSize(width: 0, height: 20))
        #expect(result.rects(of: 0..<5).isEmpty)
        #expect(
            result.caret(at: TextPosition(offset: 0)) == PixelRect(x: 0, y: 0, width: 1, height: 20)
        )
        #expect(result.position(atX: 50, y: 500) == TextPosition(offset: 0))
    }

    @Test("A word wider than the line begins a line of its own and is cut between clusters")
    func emergency() {
        #expect(lines("a bcdefgh i", columns: 4) == ["a ", "bcde", "fgh ", "i"])
        #expect(lines("abc", columns: 0) == ["a", "b", "c"], "one cluster at least")
        #expect(lines("👨‍👩‍👧👨‍👩‍👧", columns: 0).count == 2, "Row 65: never inside a family")
        #expect(lines("🇰🇷🇺🇸1️⃣", columns: 0) == ["🇰🇷", "🇺🇸", "1️⃣"])
    }

    @Test("A tab reaches to the next stop and hangs at the end of a line")
    func tabs() {
        // Eight spaces of ten pixels: stops at 80 and 160.
        #expect(layout(RichText("a\tb"), columns: 20).lastLineWidth == Advance(pixels: 90))
        #expect(layout(RichText("a\t\tb"), columns: 20).lastLineWidth == Advance(pixels: 170))
        #expect(lines("a\tb", columns: 8) == ["a\t", "b"])
        #expect(layout(RichText("a\t"), columns: 1).lastLineWidth == Advance(pixels: 10))
        var narrow = TextStyle.test
        narrow.tabWidth = Advance(pixels: 25)
        #expect(
            layout(RichText("abc\td"), columns: 9, style: narrow).lastLineWidth
                == Advance(pixels: 60))
    }

    @Test("A soft hyphen shows a hyphen only at a break, and that hyphen counts")
    func softHyphens() {
        let text = "extra\u{AD}ordinary"
        let whole = layout(RichText(text), columns: 20)
        #expect(whole.lines.count == 1)
        #expect(whole.lastLineWidth == Advance(pixels: 130))
        #expect(whole.endMark(of: whole.lines[0]) == nil)
        let broken = layout(RichText(text), columns: 8)
        #expect(broken.lines.map(\.showsHyphen) == [true, false])
        #expect(broken.lines[0].width == Advance(pixels: 60))
        #expect(broken.endMark(of: broken.lines[0]) == Advance(pixels: 50))
        // The hyphen does not fit beside "extra": then no line ends there.
        #expect(lines(text, columns: 5) == ["extr", "a\u{AD}", "ordin", "ary"])
        #expect(lines("to extra\u{AD}ordinary", columns: 8).first == "to ")
        // White space ends the line, not the hyphen before it.
        let spaced = layout(RichText("extra\u{AD} ordinary"), columns: 5)
        #expect(spaced.lines.prefix(2).map(\.showsHyphen) == [false, false])
        #expect(spaced.lines[0].width == Advance(pixels: 50))
        #expect(layout(RichText("ab \u{AD}cd"), columns: 3).lines[0].width == Advance(pixels: 20))
        #expect(lines("\u{AD}abc", columns: 1).first == "\u{AD}a", "no line for nothing")
        #expect(lines("a\u{AD}b", columns: 1) == ["a\u{AD}", "b"], "one cluster at least")
    }

    @Test("White space hangs on a cluster that is wider than the line, too")
    func overflow() {
        #expect(lines("👍 👍", columns: 0) == ["👍 ", "👍"])
        #expect(lines("ab  cd", columns: 0) == ["a", "b  ", "c", "d"])
        #expect(lines("a \tb \u{3000}c", columns: 0) == ["a \t", "b \u{3000}", "c"])
        #expect(lines("  a", columns: 0) == ["  ", "a"], "a break before the first word")
    }

    @Test("Row 59: no hyphen is shown in a link, and links break where UAX #14 has it")
    func links() {
        let address = "https://example.com/path/to?q=1"
        let plain = lines(address, columns: 12)
        #expect(plain == ["https://", "example.com/", "path/to?q=1"])
        let soft = RichText(
            "extra\u{AD}ordinary", spans: [TextSpan(range: 0..<15, kind: .link("x"))])
        #expect(layout(soft, columns: 8).lines.map(\.showsHyphen) == [false, false])
    }

    @Test("Korean breaks at words or at syllables, as the style says")
    func hangul() {
        #expect(lines("안녕하세요 반갑다", columns: 7) == ["안녕하세요 ", "반갑다"])
        var syllable = TextStyle.test
        syllable.hangul = .syllable
        #expect(lines("안녕하세요 반갑다", columns: 7, style: syllable) == ["안녕하세요 반", "갑다"])
    }

    @Test("Dictionary scripts break where the shaper's dictionary says")
    func dictionary() {
        // The synthetic dictionary has words of three code points; a cut inside a cluster is void.
        #expect(lines("กขคงจฉ", columns: 4) == ["กขค", "งจฉ"])
    }

    @Test("A maximum of lines: the last is cut at a cluster, and its ellipsis counts")
    func truncation() {
        let result = layout(RichText("the quick brown fox"), columns: 9, maxLines: 1)
        #expect(result.isTruncated)
        #expect(result.lines.map(\.range) == [0..<8])
        #expect(result.lines[0].showsEllipsis)
        #expect(result.lastLineWidth == Advance(pixels: 90))
        #expect(result.endMark(of: result.lines[0]) == Advance(pixels: 80))
        #expect(!layout(RichText("the quick"), columns: 9, maxLines: 1).isTruncated)
        #expect(
            layout(RichText("a\nb"), columns: 9, maxLines: 1).lines[0].width == Advance(pixels: 20))
        // Row 65: never inside a cluster; white space before the ellipsis is left out.
        #expect(layout(RichText("a 👨‍👩‍👧 b"), columns: 3, maxLines: 1).lines[0].range == 0..<1)
        #expect(layout(RichText("abc def"), columns: 0, maxLines: 1).lines[0].range == 0..<0)
    }

    @Test("Bold, italic and code are set in their fonts")
    func fonts() {
        let rich = RichText(
            "a bold code z",
            spans: [
                TextSpan(range: 2..<6, kind: .bold), TextSpan(range: 4..<6, kind: .italic),
                TextSpan(range: 7..<11, kind: .code),
                TextSpan(range: 0..<1, kind: .mention(UserID("u"))),
            ])
        let result = layout(rich, columns: 20)
        let runs = result.runs(of: result.lines[0])
        #expect(runs.map(\.range) == [0..<2, 2..<4, 4..<6, 6..<7, 7..<11, 11..<13])
        #expect(runs.map(\.font.isBold) == [false, true, true, false, false, false])
        #expect(runs.map(\.font.isItalic) == [false, false, true, false, false, false])
        #expect(runs[4].font.family == .monospaced)
        #expect(result.rects(of: 2..<6) == [PixelRect(x: 20, y: 0, width: 40, height: 20)])
    }

    @Test("Beyond its limit a text is cut at a cluster, and says so")
    func limit() {
        let text = String(repeating: "é", count: TextPreparer.maximumByteCount / 2 + 1)
        let prepared = preparer.prepare(text, style: .test)
        #expect(prepared.isCut)
        #expect(prepared.text.utf8.count == TextPreparer.maximumByteCount)
        let marks = "a" + String(repeating: "\u{301}", count: TextPreparer.maximumByteCount)
        #expect(
            preparer.prepare(marks, style: .test).text.utf8.count <= TextPreparer.maximumByteCount)
        var manner = SyntheticShaper.Manner("wide")
        manner.fixedAdvance = Int32.max
        let wide = TextPreparer(shaper: SyntheticShaper(manner))
        let cut = wide.prepare(String(repeating: "w ", count: 5000), style: .test)
        #expect(cut.isCut)
        #expect(cut.layout(width: Int32.max).lines.count == 1)
        #expect(!cut.layout(width: Int32.min).lines.isEmpty)
    }

    @Test("Sizes beyond reason are clamped, not trapped")
    func clamping() {
        var style = TextStyle.test
        (style.lineBox, style.baseline, style.overflow) = (Int32.max, Int32.max, Int32.max)
        var layout = preparer.prepare("a\nb\nא", style: style).layout(width: Int32.max)
        #expect(layout.lines.count == 3)
        layout.alignmentWidth = Int32.max
        #expect(layout.position(atX: Int32.max, y: Int32.max).offset >= 4)
        #expect(layout.rects(of: -5..<Int.max).count == 3)
        let spans = [
            TextSpan(range: -5..<Int.max, kind: .bold), TextSpan(range: 3..<3, kind: .code),
        ]
        #expect(!preparer.prepare(RichText("a", spans: spans), style: .test).isCut)
    }
}
