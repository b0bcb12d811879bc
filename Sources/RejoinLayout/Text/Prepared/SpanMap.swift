/// Which parts of a text ask for another font, and which are links.
struct SpanMap {
    /// Where the font changes: ascending; each holds up to the next one.
    private var changes: [(start: Int, traits: FontTraits)] = []
    private var links: [Range<Int>] = []
    private var count = 0

    init() {}

    /// Reads the spans of a text; their ends move back to the start of their cluster.
    ///
    /// - Complexity: O(spans · log spans).
    mutating func set(_ spans: [TextSpan], analysis: TextAnalysis, count: Int) {
        self.count = count
        changes.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        guard !spans.isEmpty else { return }
        var edges: [(place: Int, traits: FontTraits, begins: Bool)] = []
        for span in spans {
            let start = Self.snapped(span.range.lowerBound, analysis, count)
            let end = Self.snapped(span.range.upperBound, analysis, count)
            guard start < end else { continue }
            switch span.kind {
            case .link: links.append(start..<end)
            case .mention: break
            case .code: edges += [(start, .code, true), (end, .code, false)]
            case .bold: edges += [(start, .bold, true), (end, .bold, false)]
            case .italic: edges += [(start, .italic, true), (end, .italic, false)]
            }
        }
        mergeLinks()
        edges.sort { $0.place < $1.place }
        var depths = [0, 0, 0]
        for edge in edges {
            let trait = edge.traits.rawValue.trailingZeroBitCount
            depths[trait] += edge.begins ? 1 : -1
            var traits: FontTraits = []
            for (number, depth) in depths.enumerated() where depth > 0 {
                traits.insert(FontTraits(rawValue: 1 << UInt8(number)))
            }
            if changes.last?.start == edge.place { changes.removeLast() }
            changes.append((edge.place, traits))
        }
    }

    /// The start of the grapheme cluster that holds a place.
    static func snapped(_ place: Int, _ analysis: TextAnalysis, _ count: Int) -> Int {
        guard place > 0 else { return 0 }
        guard place < count else { return count }
        var place = place
        while place > 0, !analysis.marks[place].contains(.grapheme) { place -= 1 }
        return place
    }

    /// The traits at a place, and where they end.
    func traits(at place: Int) -> (FontTraits, Int) {
        guard !changes.isEmpty else { return ([], count) }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].start <= place { low = middle + 1 } else { high = middle }
        }
        let end = low < changes.count ? changes[low].start : count
        return (low == 0 ? [] : changes[low - 1].traits, end)
    }

    /// Whether a byte belongs to a link.
    func isLink(_ byte: Int) -> Bool {
        var low = 0
        var high = links.count
        while low < high {
            let middle = (low + high) / 2
            if links[middle].upperBound <= byte { low = middle + 1 } else { high = middle }
        }
        return low < links.count && links[low].contains(byte)
    }

    /// Sorts the links and joins those that overlap.
    private mutating func mergeLinks() {
        links.sort { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for link in links {
            if let last = merged.last, last.upperBound >= link.lowerBound {
                merged[merged.count - 1] =
                    last.lowerBound..<max(last.upperBound, link.upperBound)
            } else {
                merged.append(link)
            }
        }
        links = merged
    }
}
