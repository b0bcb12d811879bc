#if canImport(CoreText)
import CoreGraphics
import RejoinContracts
import RejoinLayout
import RejoinTypography
import Testing

@Suite("CoreTextShaper keeps the contract of shapers")
struct CoreTextShaperContractTests {
    static let cases = [Int32(1), 2, 3].flatMap { scale in
        let factory = CoreTextShaperFactory(scale: scale)
        return TextShaperContract.checks(size: Advance(pixels: 17 * scale)) {
            factory.makeShaper()
        }
    }

    @Test("TextShaperContract, at scales 1, 2 and 3", arguments: cases)
    func contract(_ check: ContractCheck) async throws { try await check.run() }

    @Test("A text that was measured can be drawn: the picture has its size")
    func drawing() throws {
        let factory = CoreTextShaperFactory(scale: 2)
        let shaper = factory.makeCoreTextShaper()
        let font = FontRequest(size: Advance(pixels: 34))
        let style = TextStyle(font: font, metrics: shaper.metrics(of: font))
        for text in TextShaperContract.texts where text.contains(where: \.isLetter) {
            let layout = TextPreparer(shaper: shaper).prepare(text, style: style)
                .layout(width: 200, shaper: shaper)
            let canvas = try Canvas(frame: PixelRect(size: layout.size))
            canvas.draw(layout, x: 0, y: 0, shaper: shaper)
            let image = try #require(canvas.makeImage())
            #expect(image.width == Int(layout.size.width))
            #expect(image.height == Int(layout.size.height))
        }
    }
}
#else
import Testing

@Suite("CoreTextShaper")
struct CoreTextShaperContractTests {
    /// `make check-apple` type-checks the shaper on Linux; only a Mac runs it.
    @Test(
        "CoreTextShaper keeps the contract of shapers",
        .disabled("NOT RUN: there is no CoreText here; run `swift test` on a Mac"))
    func contract() {}
}
#endif
