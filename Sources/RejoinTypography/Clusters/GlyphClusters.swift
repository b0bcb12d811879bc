package import RejoinLayout

/// Gathers glyphs that a typesetter names by UTF-16 into the clusters that the layout works with:
/// one for each grapheme cluster that has glyphs of its own. So a ligature is one cluster, and
/// vowels that are drawn before their consonant stay with it.
package struct GlyphClusters {
    /// A glyph of a typeset text.
    package struct Glyph {
        /// The offset of UTF-16 of the character that it stands for.
        package var index: Int
        /// How far it moves the pen, in pixels.
        package var advance: Double

        package init(index: Int, advance: Double) {
            self.index = index
            self.advance = advance
        }
    }

    /// A cluster of the typeset text.
    package struct Cluster: Hashable {
        /// The offset of UTF-8 at which it begins.
        package var start: Int
        /// The offset of UTF-16 at which it begins.
        package var index: Int
        /// How far it moves the pen.
        package var advance: Advance
    }

    /// The clusters in logical order. The first begins with the text; empty for an empty text.
    package let clusters: [Cluster]

    /// Gathers the glyphs of a text, which may come in any order.
    ///
    /// - Complexity: linear in the text and the glyphs.
    package init(of bytes: ArraySlice<UInt8>, glyphs: some Sequence<Glyph>) {
        let text = String(decoding: bytes, as: UTF8.self)
        var advances = [Double?](repeating: nil, count: text.utf16.count)
        for glyph in glyphs where advances.indices.contains(glyph.index) {
            advances[glyph.index] = (advances[glyph.index] ?? 0) + glyph.advance
        }
        var clusters: [Cluster] = []
        var (start, index) = (0, 0)
        for end in TextBreaks(of: text).graphemes + [bytes.count] where end > start {
            var next = index
            for byte in bytes[bytes.startIndex + start..<bytes.startIndex + end] {
                // A lead byte begins a scalar: one unit, or two for those of four bytes.
                if byte & 0xC0 != 0x80 { next += byte < 0xF0 ? 1 : 2 }
            }
            let own = advances[index..<next].compactMap(\.self)
            if !own.isEmpty || clusters.isEmpty {
                let pixels = max(0, own.reduce(0, +))
                clusters.append(
                    Cluster(
                        start: start, index: index,
                        advance: Advance(rawValue: Int32(clamping: Int((pixels * 64).rounded())))))
            }
            (start, index) = (end, next)
        }
        self.clusters = clusters
    }

    /// The clusters from one offset of UTF-8 to another; `nil` where one of the two lies inside a
    /// cluster.
    package func clusters(in range: Range<Int>, of count: Int) -> ArraySlice<Cluster>? {
        let first = clusters.firstIndex { $0.start >= range.lowerBound } ?? clusters.endIndex
        let end = clusters.firstIndex { $0.start >= range.upperBound } ?? clusters.endIndex
        func isEdge(_ index: Int, _ offset: Int) -> Bool {
            index < clusters.endIndex ? clusters[index].start == offset : offset == count
        }
        guard isEdge(first, range.lowerBound), isEdge(end, range.upperBound) else { return nil }
        return clusters[first..<end]
    }
}
