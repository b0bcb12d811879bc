import RejoinContracts
import RejoinLayout
import Testing

/// Reference section 7, invariant 7, by counting: what the shaper is asked for grows as the text.
@Suite("Hostile text costs linear work")
struct HostileTextTests {
    static let shapes: [(name: String, unit: String)] = [
        ("row 51: an unbroken word", "x"), ("rows 53 to 55: many words", "word "),
        ("row 58: a breakable run without spaces", "日"),
        ("stacked marks", "a\u{300}\u{301}\u{302}\u{303}"),
        ("lines", "line of text\n"), ("alternating bidi", "aא "), ("emoji", "👨‍👩‍👧"),
        ("white space", " "),
        ("tabs", "\t"), ("soft hyphens", "a\u{AD}"), ("marks without a base", "\u{301}"),
        ("Thai", "กข"),
        ("joiners", "\u{200D}"), ("flags", "🇰"),
    ]

    static func count(_ unit: String, _ length: Int, _ manner: SyntheticShaper.Manner) -> (
        bytes: Int, lines: Int
    ) {
        let shaper = SyntheticShaper(manner)
        let preparer = TextPreparer(shaper: shaper)
        let text = String(repeating: unit, count: max(1, length / unit.utf8.count))
        let layout = preparer.prepare(text, style: .test).layout(width: 300, shaper: shaper)
        return (shaper.shapedByteCount, layout.lines.count)
    }

    @Test("The shaper is asked for a bounded multiple of the text", arguments: shapes.map(\.unit))
    func linear(_ unit: String) {
        for manner in SyntheticShaper.manners {
            for length in [4_000, 8_000] {
                let count = Self.count(unit, length, manner)
                #expect(count.bytes <= length * 12 + 200, "\(manner)")
                #expect(count.lines <= length + 1, "\(manner)")
            }
        }
    }

    @Test("A word of 100,000 characters and 5,000 lines are laid out whole")
    func large() {
        let shaper = SyntheticShaper(SyntheticShaper.fixed)
        let preparer = TextPreparer(shaper: shaper)
        let word = preparer.prepare(String(repeating: "x", count: 100_000), style: .test)
        #expect(word.layout(width: 300).lines.count == 3334)
        let lines = preparer.prepare(String(repeating: "some line\n", count: 5_000), style: .test)
        let layout = lines.layout(width: 300)
        #expect(layout.lines.count == 5_001)
        #expect(layout.size.height == 5_001 * 20)
        #expect(!word.isCut && !lines.isCut)
    }

    @Test(
        "A cluster wider than 16 bits hold, such as a thumb with 300 skin tones, may end a text",
        arguments: [
            "\u{1F44D}" + String(repeating: "\u{1F3FD}", count: 300), "x", "one two", "a\n",
        ])
    func veryWideCluster(_ text: String) {
        var manner = SyntheticShaper.Manner("two thousand pixels")
        manner.fixedAdvance = 2_000 * 64
        let shaper = SyntheticShaper(manner)
        let prepared = TextPreparer(shaper: shaper).prepare(text, style: .test)
        for width in [Int32(1), 2_000, 30_000] {
            let layout = prepared.layout(width: width, shaper: shaper)
            #expect(layout.lines.last?.range.upperBound == text.utf8.count)
            #expect(layout.lines.allSatisfy { $0.width.rawValue % (2_000 * 64) == 0 })
            let caret = layout.caret(at: TextPosition(offset: text.utf8.count))
            #expect(layout.position(atX: caret.x, y: caret.y).offset == text.utf8.count)
        }
    }

    @Test("What is drawn of a line that changes its direction 40,000 times is found piece by piece")
    func manyDirections() {
        let text = String(repeating: "aא", count: 20_000)
        let layout = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
            .prepare(text, style: .test).layout(width: .max)
        let runs = layout.runs(of: layout.lines[0])
        #expect(runs.count == 40_000)
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.x + $0.width == $1.x })
        #expect(runs.reduce(0) { $0 + $1.range.count } == text.utf8.count)
    }

    @Test("Tabs behind Hebrew, after which no line may end (LB21a), are looked at line by line")
    func unbreakableTabs() {
        let text = String(repeating: "א\ta", count: 15_000)
        let layout = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))
            .prepare(text, style: .test).layout(width: 40)
        #expect(layout.lines.count > 10_000)
        #expect(layout.lines.last?.range.upperBound == text.utf8.count)
        #expect(layout.lines.allSatisfy { $0.width.roundedUp <= 40 })
    }
}
