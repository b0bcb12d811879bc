import RejoinContracts
import RejoinLayout
import Testing

/// Wrapping with characters of ten pixels, so that the expected lines can be counted by hand.
@Suite("Wrapping: the policies that PreparedText states")
struct WrappingTests {
    static let style = TextStyle(
        font: FontRequest(size: Advance(pixels: 16)), lineBox: 20, baseline: 15)

    let preparer = TextPreparer(shaper: SyntheticShaper(SyntheticShaper.fixed))

    func lines(_ text: String, columns: Int32, style: TextStyle = Self.style) -> [String] {
        let layout = preparer.prepare(text, style: style).layout(width: columns * 10)
        return layout.lines.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    }

    @Test("Greedy lines; white space hangs at the end and does not count")
    func hangingSpaces() {
        #expect(lines("the quick brown fox", columns: 9) == ["the quick ", "brown fox"])
        let layout = preparer.prepare("the quick    ", style: Self.style).layout(width: 90)
        #expect(layout.lines.count == 1)
        #expect(layout.lastLineWidth == Advance(pixels: 90))
        #expect(layout.size == PixelSize(width: 90, height: 20))
    }
}
