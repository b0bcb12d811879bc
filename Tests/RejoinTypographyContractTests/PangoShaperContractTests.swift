#if canImport(CPango)
import RejoinLayout
import RejoinTypography
import Testing

@Suite("PangoShaperFactory as a TextShaperFactory")
struct PangoShaperContractTests {
    @Test("The same call gives the same answer, whatever was asked before")
    func repeatable() throws {
        let factory = try PangoShaperFactory()
        let paragraph = [UInt8]("office 안녕 سلام".utf8)
        let request = ShapingRequest(
            paragraph: paragraph, range: 0..<paragraph.count,
            font: FontRequest(size: Advance(pixels: 15)), direction: .leftToRight,
            language: "ko")
        let fresh = factory.makeShaper().shape(request)
        let used = factory.makeShaper()
        for word in ["가나", "office", "١٢٣"] {
            let bytes = [UInt8](word.utf8)
            _ = used.shape(
                ShapingRequest(
                    paragraph: bytes, range: 0..<bytes.count,
                    font: FontRequest(size: Advance(pixels: 15)), direction: .leftToRight,
                    language: "ko"))
        }
        #expect(used.shape(request) == fresh)
        #expect(used.shape(request) == fresh)
    }
}
#endif
