import RejoinContracts
import RejoinLayout
import Testing

/// Reference section 7, invariants 4, 5 and 7, under every synthetic shaper.
@Suite("Layout invariants under every synthetic shaper")
struct InvariantTests {
    static let widths: [Int32] = [0, 1, 13, 40, 77, 120, 200, 333, 600, 5000]

    @Test(
        "Invariant 5: lines partition the text at grapheme clusters",
        arguments: SyntheticShaper.manners)
    func partition(_ manner: SyntheticShaper.Manner) {
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        for text in Corpus.all {
            let prepared = preparer.prepare(text, style: .test)
            let graphemes = Set(TextBreaks(of: text).graphemes + [0, text.utf8.count])
            let bytes = Array(text.utf8)
            for width in Self.widths {
                let layout = prepared.layout(width: width, shaper: shaper)
                var reached = 0
                var top: Int32 = 0
                for line in layout.lines {
                    // Between lines of a paragraph nothing is lost; between paragraphs a
                    // terminator.
                    let gap = String(
                        decoding: bytes[reached..<line.range.lowerBound], as: UTF8.self)
                    #expect(
                        gap.isEmpty || Self.terminators.contains(gap), "\(text.debugDescription)")
                    #expect(graphemes.contains(line.range.lowerBound) || gap.isEmpty)
                    #expect(graphemes.contains(line.range.upperBound), "\(text.debugDescription)")
                    #expect(line.top == top && line.height >= 20)
                    top += line.height
                    reached = line.range.upperBound
                }
                #expect(reached == bytes.count)
                #expect(layout.size.height == top)
            }
        }
    }

    static let terminators: Set<String> = [
        "\r", "\n", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    @Test(
        "Invariant 5: a line is no wider than asked, unless it is one cluster",
        arguments: SyntheticShaper.manners)
    func width(_ manner: SyntheticShaper.Manner) {
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        for text in Corpus.all {
            let prepared = preparer.prepare(text, style: .test)
            for width in Self.widths {
                for line in prepared.layout(width: width, shaper: shaper).lines
                where line.width > Advance(pixels: width) {
                    let bytes = Array(text.utf8)[line.range]
                    var content = String(decoding: bytes, as: UTF8.self).unicodeScalars
                    while let last = content.last,
                        last.properties.isWhitespace || last == "\u{AD}"
                    {
                        content.removeLast()
                    }
                    let inner = TextBreaks(of: String(content)).graphemes
                    let isOne = inner.isEmpty || inner.count == 1 && manner.ligatures > 0
                    #expect(isOne, "\(String(content).debugDescription) at \(width)")
                }
            }
        }
    }

    @Test("Invariant 5: where cuts are safe, a wider line never means more lines")
    func monotone() {
        for manner in SyntheticShaper.manners where !manner.isContextual && manner.tall == 0 {
            let preparer = TextPreparer(shaper: SyntheticShaper(manner))
            for text in Corpus.all where !text.contains("\t") && !text.contains("\u{AD}") {
                let prepared = preparer.prepare(text, style: .test)
                var before = Int.max
                for width in stride(from: Int32(0), through: 700, by: 21) {
                    let count = prepared.layout(width: width).lines.count
                    #expect(count <= before, "\(text.debugDescription) at \(width)")
                    before = count
                }
            }
        }
    }

    @Test("Invariant 5: the next segment would not have fitted")
    func greedy() {
        let shaper = SyntheticShaper(SyntheticShaper.fixed)
        let preparer = TextPreparer(shaper: shaper)
        for text in Corpus.all where !text.contains("\t") && !text.contains("\u{AD}") {
            let prepared = preparer.prepare(text, style: .test)
            let breaks = TextBreaks(of: text, hangul: .word)
            for columns: Int32 in [1, 3, 4, 7, 11, 20] {
                let lines = prepared.layout(width: columns * 10).lines
                for (line, next) in zip(lines, lines.dropFirst()) where !line.endsParagraph {
                    let end =
                        breaks.allowed.first { $0 > line.range.upperBound } ?? next.range.upperBound
                    guard end <= next.range.upperBound else { continue }
                    let segment = preparer.prepare(
                        String(
                            decoding: Array(text.utf8)[line.range.lowerBound..<end], as: UTF8.self),
                        style: .test
                    ).layout(width: 10_000)
                    #expect(
                        segment.lines[0].width > Advance(pixels: columns * 10),
                        "\(text.debugDescription) at \(columns)")
                }
            }
        }
    }

    @Test(
        "Invariant 4: a hit of the cache is as good as a miss, and texts do not touch each other",
        arguments: SyntheticShaper.manners)
    func cache(_ manner: SyntheticShaper.Manner) {
        let shaper = SyntheticShaper(manner)
        let warm = TextPreparer(shaper: shaper)
        for text in Corpus.all + Corpus.all.reversed() {
            let fresh = TextPreparer(shaper: SyntheticShaper(manner))
            let one = warm.prepare(text, style: .test)
            let other = fresh.prepare(text, style: .test)
            for width in Self.widths {
                let left = one.layout(width: width, shaper: shaper)
                let right = other.layout(width: width, shaper: shaper)
                guard left.lines == right.lines else {
                    Issue.record("\(text.debugDescription) at \(width)")
                    return
                }
            }
        }
        if manner.allowsCache, !manner.isContextual {
            #expect(warm.cache.statistics.hits > 100)
        } else {
            #expect(warm.cache.statistics.hits == 0)
        }
    }

    @Test("Invariant 4: the same width again gives the same lines, whatever came between")
    func idempotence() {
        for manner in SyntheticShaper.manners {
            let shaper = SyntheticShaper(manner)
            let preparer = TextPreparer(shaper: shaper)
            for text in Corpus.all {
                let prepared = preparer.prepare(text, style: .test)
                let first = prepared.layout(width: 120, shaper: shaper)
                _ = prepared.layout(width: 77, shaper: shaper)
                #expect(prepared.layout(width: 120, shaper: shaper) == first)
                #expect(preparer.prepare(text, style: .test) == prepared)
            }
        }
    }

    @Test("A line cut where letters join is as wide as the shaper finds it alone")
    func isolated() {
        var manner = SyntheticShaper.Manner("contextual")
        (manner.seed, manner.isContextual) = (11, true)
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        for text in Corpus.all where !text.contains("\t") && !text.contains("\u{AD}") {
            let prepared = preparer.prepare(text, style: .test)
            for line in prepared.layout(width: 100, shaper: shaper).lines
            where line.isMeasuredAlone && line.direction == .leftToRight {
                let bytes = Array(text.utf8)
                var end = line.range.upperBound
                while end > line.range.lowerBound, bytes[end - 1] == 0x20 { end -= 1 }
                guard
                    !text.unicodeScalars.contains(where: {
                        (0x590..<0x700).contains($0.value) || $0 == "\u{3000}"
                    })
                else { continue }
                let alone = shaper.shape(
                    ShapingRequest(
                        paragraph: Array(bytes[line.range.lowerBound..<end]),
                        range: 0..<(end - line.range.lowerBound), font: TextStyle.test.font,
                        direction: .leftToRight, language: "", isIsolated: true))
                let width = alone.clusters.reduce(Int32(0)) { $0 + $1.advance.rawValue }
                #expect(line.width.rawValue == width, "\(text.debugDescription)")
            }
        }
    }

    @Test("Row 37: one tall word grows its own line only, and only past the stated overflow")
    func tallLines() {
        let shaper = TallShaper()
        let preparer = TextPreparer(shaper: shaper)
        for text in ["aaa T bbb", "aaa T bbb aaa T"] {  // The second time from the cache.
            let layout = preparer.prepare(text, style: .test).layout(width: 30)
            #expect(layout.lines.map(\.height).prefix(3) == [20, 37, 20])
            #expect(layout.lines[1].baseline == 32)
            #expect(layout.lines[1].top == 20 && layout.lines[2].top == 57)
        }
        var tolerant = TextStyle.test
        tolerant.overflow = 17
        #expect(preparer.prepare("aaa T bbb", style: tolerant).layout(width: 30).size.height == 60)
    }

    /// Every T is 32 pixels high.
    final class TallShaper: TextShaper {
        let base = SyntheticShaper(SyntheticShaper.fixed)
        var fontEpoch: UInt64 { base.fontEpoch }
        func metrics(of font: FontRequest) -> FontMetrics { base.metrics(of: font) }
        func shape(_ request: ShapingRequest) -> ShapedRun {
            var run = base.shape(request)
            if request.paragraph[request.range].contains(0x54) {
                run.extent.ascent = Advance(pixels: 32)
            }
            return run
        }
        func bidiLevels(of paragraph: [UInt8], base direction: TextDirection) -> [UInt8] {
            base.bidiLevels(of: paragraph, base: direction)
        }
        func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] { [] }
    }
}
