import RejoinContracts
import RejoinLayout
import Testing

/// Words seen before are not shaped again; the cache keeps its budget.
@Suite("Word cache")
struct WordCacheTests {
    @Test("A word seen before is not shaped again, in any text of the same style")
    func hits() {
        let shaper = SyntheticShaper(SyntheticShaper.fixed)
        let preparer = TextPreparer(shaper: shaper)
        _ = preparer.prepare("the quick brown fox", style: .test)
        let before = shaper.requestCount
        _ = preparer.prepare("fox the brown", style: .test)
        #expect(shaper.requestCount == before)
        _ = preparer.prepare("fox news the brown", style: .test)
        #expect(shaper.requestCount == before + 1)
        var other = TextStyle.test
        other.font.size = Advance(pixels: 17)
        _ = preparer.prepare("the quick", style: other)
        #expect(shaper.requestCount > before + 1)
    }

    @Test("New fonts void what is remembered")
    func epoch() {
        let shaper = SyntheticShaper(SyntheticShaper.fixed)
        let preparer = TextPreparer(shaper: shaper)
        let first = preparer.prepare("the quick", style: .test)
        shaper.fontEpoch += 1
        let before = shaper.requestCount
        let second = preparer.prepare("the quick", style: .test)
        #expect(shaper.requestCount > before)
        #expect(first != second)
        #expect((first.fontEpoch, second.fontEpoch) == (1, 2))
    }

    @Test("The budget holds whatever comes, and words in use stay")
    func budget() {
        let cache = WordCache(byteBudget: 1 << 16)
        let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed), cache: cache)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            _ = preparer.prepare(
                "always \(UInt32.random(in: 0...UInt32.max, using: &random))", style: .test)
            #expect(cache.statistics.byteCount <= cache.byteBudget)
        }
        #expect(cache.statistics.turnovers > 1)
        #expect(cache.statistics.hits >= 4_999)
        cache.removeAll()
        #expect(cache.statistics.byteCount == 0)
    }

    @Test("A space is asked for once for what stands beside it, and is the same ever after")
    func gaps() {
        let shaper = PairShaper()
        let preparer = TextPreparer(shaper: shaper)
        let letters = ["a", "b", "y", "é", "가", "힣", "中", "\u{1F600}", "\u{10FFFD}"]
        var sizes: [TextStyle] = []
        for size in Int32(10)...14 {
            var style = TextStyle.test
            style.font.size = Advance(pixels: size)
            sizes.append(style)
        }
        for round in 0..<3 {
            shaper.spaceCount = 0
            for style in sizes {
                for before in letters {
                    for after in letters {
                        let words = "\(before)  \(after)"
                        let width = preparer.prepare(words, style: style)
                            .layout(width: 1 << 20).lastLineWidth
                        let pair = PairShaper.advance(
                            before.unicodeScalars.first, after.unicodeScalars.first,
                            style.font.size)
                        #expect(width.rawValue == 2 * 64 + 2 * pair.rawValue)
                    }
                }
            }
            let pairs = letters.count * letters.count * sizes.count
            #expect(round == 0 || shaper.spaceCount < pairs / 2)
        }
    }

    @Test("A space at a text's beginning is not taken for one behind U+0000")
    func gapBehindNothing() {
        let preparer = TextPreparer(shaper: PairShaper())
        for text in ["\u{0} b", " b"] {
            let width = preparer.prepare(text, style: .test).layout(width: 1 << 20).lastLineWidth
            let fresh = TextPreparer(shaper: PairShaper()).prepare(text, style: .test)
            #expect(width == fresh.layout(width: 1 << 20).lastLineWidth)
        }
        let advance = PairShaper.advance(nil, "b", TextStyle.test.font.size)
        #expect(
            preparer.prepare(" b", style: .test).layout(width: 1 << 20).lastLineWidth
                == Advance(rawValue: 64 + advance.rawValue))
    }

    @Test("More styles than the cache numbers are set all the same")
    func manyStyles() {
        let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
        for size in Int32(1)...600 {
            var style = TextStyle.test
            style.font.size = Advance(pixels: size)
            let rich = RichText("one two", spans: [TextSpan(range: 4..<7, kind: .bold)])
            #expect(
                preparer.prepare(rich, style: style).layout(width: 90).lastLineWidth
                    == Advance(pixels: 70))
        }
    }

    @Test("Row 71: other content, style or fonts make another text; the same make an equal one")
    func equality() {
        let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
        let one = preparer.prepare("hello", style: .test)
        #expect(one == preparer.prepare("hello", style: .test))
        #expect(one.hashValue == preparer.prepare("hello", style: .test).hashValue)
        #expect(one != preparer.prepare("hellp", style: .test))
        let bold = RichText("hello", spans: [TextSpan(range: 0..<1, kind: .bold)])
        #expect(one != preparer.prepare(bold, style: .test))
        var style = TextStyle.test
        style.lineBox = 21
        #expect(one != preparer.prepare("hello", style: style))
        #expect(one.byteCount < 300)
    }
}

/// Its words are a pixel wide, and its spaces have another advance between any two characters.
private final class PairShaper: TextShaper {
    let fontEpoch: UInt64 = 0
    /// How often it was asked for a space.
    var spaceCount = 0

    func metrics(of font: FontRequest) -> FontMetrics {
        FontMetrics(ascent: font.size, descent: .zero)
    }

    func shape(_ request: ShapingRequest) -> ShapedRun {
        let bytes = request.paragraph
        var clusters: [ShapedRun.Cluster] = []
        var previous: Unicode.Scalar?
        var place = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let start = place
            place += String(scalar).utf8.count
            if scalar != " " { previous = scalar }
            guard request.range.contains(start) else { continue }
            let next = String(decoding: bytes[place...], as: UTF8.self).unicodeScalars
                .first { $0 != " " }
            clusters.append(
                ShapedRun.Cluster(
                    start: Int32(start),
                    advance: scalar == " "
                        ? Self.advance(previous, next, request.font.size) : Advance(pixels: 1),
                    isSafeToCut: true))
        }
        return ShapedRun(
            clusters: clusters, extent: metrics(of: request.font), isContextFree: true)
    }

    func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        spaceCount += 1
        return Self.advance(previous, next, font.size)
    }

    static func advance(
        _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?, _ size: Advance
    ) -> Advance {
        let hash = (previous?.value ?? 0) &* 31 &+ (next?.value ?? 0) &+ UInt32(size.rawValue)
        // Some are too wide to be remembered.
        return Advance(rawValue: Int32(hash % 20_011))
    }

    func bidiLevels(of paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        Array(repeating: 0, count: paragraph.count)
    }

    func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] { [] }
}
