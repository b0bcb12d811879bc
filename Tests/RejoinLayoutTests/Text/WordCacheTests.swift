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
