#if canImport(CPango)
import RejoinLayout
import RejoinTypography
import Testing

@Suite("Hostile texts (section 8: an unbroken word, stacked marks, many lines)")
struct HostileTextTests {
    private let shaper: PangoShaper

    init() throws { shaper = try PangoShaper() }

    @Test(
        "100,000 characters are shaped whole: clusters ascend and nothing is lost",
        arguments: [
            ("a", 100_000), ("가", 100_000), ("a\u{301}\u{302}\u{303}\u{304}", 20_000),
            ("👨‍👩‍👧", 20_000), ("aא", 50_000), ("سلام", 25_000), ("กรุงเทพ", 14_000), (" ", 100_000),
            ("\u{2067}a", 50_000), ("\u{2068}", 100_000), ("\u{1780}\u{17D2}", 50_000),
            ("\u{1000}\u{1039}", 50_000), ("\u{0915}\u{094D}", 50_000),
            ("\u{1B13}\u{1B44}", 50_000), ("\u{A98F}\u{A9C0}", 50_000), ("\u{FFFF}", 10_000),
        ])
    func whole(part: String, count: Int) {
        let bytes = [UInt8](String(repeating: part, count: count).utf8)
        let run = shaper.shape(
            ShapingRequest(
                paragraph: bytes, range: 0..<bytes.count,
                font: FontRequest(size: Advance(pixels: 16)),
                direction: .leftToRight, language: ""))
        #expect(run.clusters.first?.start == 0)
        #expect(zip(run.clusters, run.clusters.dropFirst()).allSatisfy { $0.start < $1.start })
        #expect(run.clusters.count >= count / 128)
        #expect(shaper.bidiLevels(of: bytes, base: .leftToRight).count == bytes.count)
    }

    @Test("Marks beyond any script are shaped in pieces, and no piece may be cut off")
    func marks() {
        let bytes = [UInt8](("a" + String(repeating: "\u{301}", count: 50_000)).utf8)
        let run = shaper.shape(
            ShapingRequest(
                paragraph: bytes, range: 0..<bytes.count,
                font: FontRequest(size: Advance(pixels: 16)),
                direction: .leftToRight, language: ""))
        let width = run.clusters.reduce(Advance.zero) { $0 + $1.advance }
        #expect(width.pixels < 12)
        #expect(run.clusters.dropFirst().allSatisfy { !$0.isSafeToCut })
        #expect(run.clusters.count > 100)
    }

    @Test("Explicit directions beyond the limit count for nothing")
    func explicit() {
        let text = String(repeating: "\u{2067}", count: 600) + "a"
        let levels = shaper.bidiLevels(of: [UInt8](text.utf8), base: .leftToRight)
        #expect(levels.allSatisfy { $0 <= 126 })
    }

    @Test(
        "U+0000 beside other characters, on which Pango ends the program, is a control like others")
    func null() {
        let preparer = TextPreparer(shaper: shaper)
        let font = FontRequest(size: Advance(pixels: 16))
        let style = TextStyle(font: font, metrics: shaper.metrics(of: font))
        let prepared = preparer.prepare("a\u{0}b \u{0}\u{0}ש", style: style)
        let lines = prepared.layout(width: 1_000).lines
        #expect(lines.count == 1)
        #expect(prepared.text.utf8.count == 8)
        #expect(!prepared.text.utf8.contains(0))
    }

    @Test("Threads have shapers of their own and the same answers")
    func threads() async throws {
        let factory = try PangoShaperFactory()
        let texts = Corpus.allCases.flatMap { $0.texts(20) }
        func widths() -> [Advance] {
            let shaper = factory.makeShaper()
            return texts.map { text in
                let bytes = [UInt8](text.utf8)
                return shaper.shape(
                    ShapingRequest(
                        paragraph: bytes, range: 0..<bytes.count,
                        font: FontRequest(size: Advance(pixels: 16)), direction: .leftToRight,
                        language: "ko")
                ).clusters.reduce(Advance.zero) { $0 + $1.advance }
            }
        }
        let expected = widths()
        await withTaskGroup(of: [Advance].self) { group in
            for _ in 0..<4 { group.addTask { widths() } }
            for await result in group { #expect(result == expected) }
        }
    }
}
#endif
