#if canImport(CPango)
import RejoinContracts
import RejoinLayout
import RejoinTypography
import Testing

@Suite("The fast path gives what Pango gives")
struct FastPathTests {
    private let fast: PangoShaper
    private let slow: PangoShaper

    init() throws {
        fast = try PangoShaper()
        slow = try PangoShaper(fonts: .standard, fontEpoch: 0, dividing: .byPango)
    }

    private func expectEqual(
        _ bytes: [UInt8], _ range: Range<Int>, _ font: FontRequest, _ corpus: Corpus,
        isIsolated: Bool
    ) {
        let request = ShapingRequest(
            paragraph: bytes, range: range, font: font,
            direction: corpus.isRightToLeft ? .rightToLeft : .leftToRight,
            language: corpus.language, isIsolated: isIsolated)
        let ours = fast.shape(request)
        let theirs = slow.shape(request)
        let text = String(decoding: bytes[range], as: UTF8.self)
        #expect(ours.clusters == theirs.clusters, "\(text)")
        #expect(ours.extent == theirs.extent, "\(text)")
        #expect(ours.isContextFree == theirs.isContextFree, "\(text)")
    }

    @Test("On whole texts, on words with their spaces, and on any cut", arguments: Corpus.allCases)
    func corpus(_ corpus: Corpus) {
        var generator = SeededGenerator(seed: 7)
        let fonts = [
            FontRequest(size: Advance(pixels: 16)),
            FontRequest(family: .monospaced, size: Advance(rawValue: 1000), isBold: true),
            FontRequest(
                family: .named("Noto Sans CJK KR"), size: Advance(pixels: 15), isItalic: true),
        ]
        for text in corpus.texts(40) {
            let bytes = [UInt8](text.utf8)
            let starts = text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) }
            for font in fonts {
                expectEqual(bytes, 0..<bytes.count, font, corpus, isIsolated: false)
                var start = 0
                for offset in bytes.indices where bytes[offset] == 0x20 {
                    expectEqual(bytes, start..<(offset + 1), font, corpus, isIsolated: false)
                    start = offset + 1
                }
                let lower = Int.random(in: 0..<starts.count, using: &generator)
                let upper = Int.random(in: lower..<starts.count, using: &generator)
                guard lower < upper else { continue }
                for isIsolated in [false, true] {
                    expectEqual(
                        bytes, starts[lower]..<starts[upper], font, corpus, isIsolated: isIsolated)
                }
            }
        }
    }

    @Test("On every simple character beside every kind of neighbour")
    func neighbours() {
        let kinds = ["a", " ", "가", "あ", "ア", "漢", ".", "(", "”", "Я", "ω", "3"]
        let font = FontRequest(size: Advance(pixels: 16))
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    let bytes = [UInt8]((first + second + third).utf8)
                    expectEqual(bytes, 0..<bytes.count, font, .english, isIsolated: false)
                }
            }
        }
        for scalar in (0x20...0x2100).compactMap(Unicode.Scalar.init) {
            let bytes = [UInt8]("x\(Character(scalar))가".utf8)
            expectEqual(bytes, 0..<bytes.count, font, .english, isIsolated: false)
        }
    }
}
#endif
