import RejoinLayout
import RejoinTypography
import Testing

/// Glyphs that a typesetter names by UTF-16 become clusters by UTF-8: what the layout cuts, draws
/// and selects by.
@Suite("Clusters of glyphs")
struct GlyphClustersTests {
    private func clusters(_ text: String, _ glyphs: [(Int, Double)]) -> GlyphClusters {
        GlyphClusters(
            of: [UInt8](text.utf8)[...],
            glyphs: glyphs.map { GlyphClusters.Glyph(index: $0.0, advance: $0.1) })
    }

    @Test("Offsets of UTF-16 become offsets of UTF-8, beyond the basic plane too")
    func offsets() {
        let found = clusters("aé가😀b", [(0, 1), (1, 2), (2, 3), (3, 4), (5, 5)]).clusters
        #expect(found.map(\.start) == [0, 1, 3, 6, 10])
        #expect(found.map(\.index) == [0, 1, 2, 3, 5])
        #expect(found.map(\.advance.rawValue) == [64, 128, 192, 256, 320])
    }

    @Test("A ligature is one cluster, a letter with its marks too, in whatever order glyphs come")
    func gathered() {
        #expect(clusters("ffi.", [(3, 2), (0, 9)]).clusters.map(\.start) == [0, 3])
        // The vowel is drawn first, and belongs to the consonant.
        let hindi = clusters("कि", [(1, 3), (0, 5)]).clusters
        #expect(hindi.map(\.start) == [0])
        #expect(hindi.map(\.advance.rawValue) == [8 * 64])
    }

    @Test("No cluster has a negative advance, and the first one begins with the text")
    func odd() {
        let found = clusters("abc", [(1, -4), (2, 1), (7, 9)]).clusters
        #expect(found.map(\.start) == [0, 1, 2])
        #expect(found.map(\.advance.rawValue) == [0, 0, 64])
        #expect(clusters("", []).clusters.isEmpty)
    }

    @Test("A range is cut out where no ligature reaches over its ends")
    func ranges() {
        let found = clusters("affib", [(0, 1), (1, 6), (4, 1)])
        #expect(found.clusters(in: 1..<4, of: 5)?.map(\.start) == [1])
        #expect(found.clusters(in: 0..<5, of: 5)?.count == 3)
        #expect(found.clusters(in: 2..<5, of: 5) == nil)
        #expect(found.clusters(in: 0..<3, of: 5) == nil)
    }

    @Test(
        "Letters join with those beside the range, over marks, and with nothing across a space",
        arguments: [
            ("abcd", 1..<2, 1..<2), ("بيت", 2..<4, 0..<6), ("ب بيت", 3..<5, 3..<9),
            ("بَيت", 4..<6, 0..<8), ("aبb", 1..<3, 1..<3), ("بيت", 0..<0, 0..<0),
        ])
    func joining(_ text: String, _ range: Range<Int>, _ expected: Range<Int>) {
        #expect(JoiningContext.extend(range, in: [UInt8](text.utf8)) == expected)
    }

    @Test("However long the word, the context is short")
    func longWord() {
        let bytes = [UInt8](String(repeating: "ب", count: 10_000).utf8)
        let found = JoiningContext.extend(10_000..<10_002, in: bytes)
        #expect(found.count <= 2 * (JoiningContext.limit + 4) + 2)
    }
}
