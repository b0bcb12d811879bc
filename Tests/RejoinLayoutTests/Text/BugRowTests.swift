import RejoinContracts
import RejoinLayout
import Testing

/// Rows of the reference's list of bugs that others shipped, as far as they concern text and no
/// other suite names them. Elsewhere: 37 in `InvariantTests`; 47, 49, 50, 59 and 65 in
/// `WrappingTests`; 51, 53 to 55 and 58 in `HostileTextTests`; 57, 61 and 62 in `GeometryTests`.
///
/// Not here, since they lie in other layers: 45 (how far the fallback font of an emoji spreads) and
/// 46 (the order in which a text storage is filled) in the shaper of the platform, 63 (direction of
/// bubbles) in the composition of rows.
@Suite("Bug rows that concern text")
struct BugRowTests {
    static let face = "Ꮚ˘̴͈́ꈊ˘̴͈̀Ꮚ⋆✩"

    @Test("Row 33: fallback fonts and stacked marks are inside the height, without a magic number")
    func stackedMarks() {
        var manner = SyntheticShaper.Manner("tall")
        (manner.seed, manner.tall) = (5, 100)
        let tall = TextPreparer(shaper: SyntheticShaper(manner)).prepare(Self.face, style: .test)
            .layout(width: 1000)
        // The synthetic fallback rises 36 pixels above the baseline, which lies at 15.
        #expect(tall.size.height == 20 + 36 - 15)
        #expect(tall.lines[0].baseline == 36)
        let usual = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
            .prepare(Self.face, style: .test).layout(width: 1000)
        #expect(usual.size.height == 20)
    }

    @Test(
        "Rows 34, 38 and 39: no last line or word is lost, at any width and size",
        arguments: [Int32(12), 16, 53])
    func lastWord(_ size: Int32) {
        var manner = SyntheticShaper.Manner("random")
        manner.seed = UInt64(size)
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        let font = FontRequest(size: Advance(pixels: size))
        let style = TextStyle(font: font, metrics: shaper.metrics(of: font))
        let text =
            "Wanna try vanilla? " + String(repeating: "many words follow ", count: 40) + "end"
        let prepared = preparer.prepare(text, style: style)
        for width in stride(from: Int32(1), through: 900, by: 13) {
            let layout = prepared.layout(width: width)
            #expect(layout.lines.last?.range.upperBound == text.utf8.count)
            #expect(layout.size.height == Int32(layout.lines.count) * style.lineBox)
            #expect(!layout.isTruncated)
        }
    }

    @Test("Row 35: a width is rounded up once, at the end, so what fits in it fits again")
    func rounding() {
        var manner = SyntheticShaper.Manner("a third of a pixel")
        manner.fixedAdvance = 21
        let prepared = TextPreparer(shaper: SyntheticShaper(manner)).prepare(
            "one two three", style: .test)
        let layout = prepared.layout(width: 1000)
        // 13 · 21/64 = 4.27 pixels, not 13 times one.
        #expect(layout.size.width == 5)
        #expect(layout.lastLineWidth == Advance(rawValue: 13 * 21))
        #expect(prepared.layout(width: layout.size.width).lines == layout.lines)
        for text in Corpus.all {
            var random = SyntheticShaper.Manner("random")
            random.seed = 2
            let prepared = TextPreparer(shaper: SyntheticShaper(random)).prepare(text, style: .test)
            let wide = prepared.layout(width: 200)
            #expect(prepared.layout(width: wide.size.width).lines.count == wide.lines.count)
        }
    }

    @Test("Rows 41 and 42: lines with emoji are as high as all others")
    func emojiLines() {
        let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
        let layout = preparer.prepare("text\n👍🏽 👨‍👩‍👧\ntext", style: .test).layout(width: 300)
        #expect(layout.lines.map(\.top) == [0, 20, 40])
        #expect(Set(layout.lines.map(\.height)) == [20])
        #expect(Set(layout.lines.map(\.baseline)) == [15])
    }

    @Test("Row 43: the last line is as high as the others, truncated or not")
    func spacing() {
        let prepared = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
            .prepare("one two three four", style: .test)
        let whole = prepared.layout(width: 50)
        #expect(whole.size.height == Int32(whole.lines.count) * 20)
        let cut = prepared.layout(width: 50, maxLines: 2)
        #expect(cut.isTruncated)
        #expect(cut.size.height == 40)
        #expect(cut.lines[0] == whole.lines[0])
    }
}
