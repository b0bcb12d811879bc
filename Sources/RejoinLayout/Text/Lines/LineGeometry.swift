/// Where the clusters of one line stand, in the order in which they are seen (UAX #9, L1 and L2).
struct LineGeometry {
    /// Clusters of one level side by side.
    struct Piece {
        var first: Int
        var end: Int
        var level: UInt8
        /// The left edge in the text's frame, in 26.6 pixels.
        var x: Int32 = 0

        var isRightToLeft: Bool { level % 2 == 1 }
    }

    let storage: PreparedStorage
    let line: TextLine
    /// From left to right.
    private(set) var pieces: [Piece] = []
    /// The offset at which each cluster begins, and that of the line's end.
    private var starts: [Int] = []
    /// The pen before each cluster in logical order, and after the last.
    private var pens: [Int32] = []
    /// Where the line ends in reading order, without a mark, in 26.6 pixels.
    private(set) var contentEdge: Int32 = 0

    /// - Complexity: linear in the line.
    init(_ layout: TextLayout, _ line: TextLine) {
        storage = layout.text.storage
        self.line = line
        var byte = Int(line.start)
        var pen: Int32 = 0
        for cluster in clusters {
            let packed = storage.clusters[cluster]
            starts.append(byte)
            pens.append(pen)
            byte += packed.length
            pen = LinePen.advanced(pen, by: packed, tab: storage.context.tabWidth)
        }
        starts.append(byte)
        pens.append(pen)
        let content = pens[Int(line.contentEnd) - Int(line.firstCluster)]
        let left = layout.x(of: line) * 64
        let right = (layout.x(of: line) + line.width.roundedUp) * 64
        let origin = line.direction == .leftToRight ? left : right - pen
        contentEdge = line.direction == .leftToRight ? left + content : right - content
        var x = origin
        for var piece in orderedPieces() {
            piece.x = x
            x += width(of: piece)
            pieces.append(piece)
        }
    }

    private var clusters: Range<Int> { Int(line.firstCluster)..<Int(line.endCluster) }
    private var base: UInt8 { line.direction == .leftToRight ? 0 : 1 }

    private func width(of piece: Piece) -> Int32 { pen(piece.end) - pen(piece.first) }

    /// The pen before a cluster.
    private func pen(_ cluster: Int) -> Int32 { pens[cluster - clusters.lowerBound] }

    /// The offset of a cluster.
    func byte(_ cluster: Int) -> Int { starts[cluster - clusters.lowerBound] }

    // MARK: Order

    private func orderedPieces() -> [Piece] {
        guard !clusters.isEmpty else { return [] }
        guard base == 1 || !storage.runs.isEmpty else {
            return [Piece(first: clusters.lowerBound, end: clusters.upperBound, level: 0)]
        }
        var pieces: [Piece] = []
        for (cluster, level) in zip(clusters, levels()) {
            if pieces.last?.level == level {
                pieces[pieces.count - 1].end = cluster + 1
            } else {
                pieces.append(Piece(first: cluster, end: cluster + 1, level: level))
            }
        }
        // L2: from the highest level to the lowest odd one, turn round what has at least it.
        let highest = pieces.reduce(0) { max($0, $1.level) }
        for level in stride(from: Int(highest), through: 1, by: -1) {
            var start = 0
            while start < pieces.count {
                guard pieces[start].level >= UInt8(level) else {
                    start += 1
                    continue
                }
                var end = start
                while end < pieces.count, pieces[end].level >= UInt8(level) { end += 1 }
                pieces[start..<end].reverse()
                start = end
            }
        }
        return pieces
    }

    /// The level of each cluster after L1: tabs, white space before them and white space at the end
    /// have the paragraph's.
    private func levels() -> [UInt8] {
        var levels = [UInt8](repeating: base, count: clusters.count)
        var isReset = true
        for cluster in clusters.reversed() {
            let packed = storage.clusters[cluster]
            if packed.has(PackedCluster.tab) {
                isReset = true
            } else if !packed.has(PackedCluster.hangs) {
                isReset = false
            }
            if !isReset {
                levels[cluster - clusters.lowerBound] = storage.run(at: cluster).level
            }
        }
        return levels
    }

    // MARK: Places

    /// Clusters that a caret cannot enter, or enters only in equal parts: from one grapheme
    /// boundary to the next.
    private struct Unit {
        var first: Int
        var end: Int
    }

    private func unit(at cluster: Int) -> Unit {
        var first = cluster
        while first > clusters.lowerBound,
            !storage.clusters[first].has(PackedCluster.boundary)
        {
            first -= 1
        }
        var end = cluster + 1
        while end < clusters.upperBound, !storage.clusters[end].has(PackedCluster.boundary) {
            end += 1
        }
        return Unit(first: first, end: end)
    }

    /// The starts of the grapheme clusters in a unit, and its end.
    private func graphemes(in unit: Unit) -> [Int] {
        let range = byte(unit.first)..<byte(unit.end)
        guard range.count > 1 else { return [range.lowerBound, range.upperBound] }
        let utf8 = storage.text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        var analysis = TextAnalysis()
        analysis.analyze(
            Array(utf8[start..<utf8.index(start, offsetBy: range.count)]), hangul: .syllable)
        var places = [range.lowerBound]
        for (place, marks) in analysis.marks.enumerated().dropFirst()
        where marks.contains(.grapheme) {
            places.append(range.lowerBound + place)
        }
        return places + [range.upperBound]
    }

    /// How far an offset lies from the logical start of the line.
    private func pen(atByte offset: Int) -> Int32 {
        let cluster = self.cluster(atByte: offset)
        guard cluster < clusters.upperBound else { return pens[pens.count - 1] }
        let unit = unit(at: cluster)
        let first = pen(unit.first)
        guard offset > byte(unit.first) else { return first }
        let places = graphemes(in: unit)
        let part = (places.lastIndex { $0 <= offset }) ?? 0
        let width = Int64(pen(unit.end) - first)
        return first + Int32(width * Int64(part) / Int64(places.count - 1))
    }

    private func cluster(atByte offset: Int) -> Int {
        var low = 0
        var high = starts.count - 1
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] <= offset { low = middle + 1 } else { high = middle }
        }
        return clusters.lowerBound + low
    }

    private func x(ofPen pen: Int32, in piece: Piece) -> Int32 {
        let inside = min(max(0, pen - self.pen(piece.first)), width(of: piece))
        return piece.isRightToLeft ? piece.x + width(of: piece) - inside : piece.x + inside
    }

    /// The edge before which a caret at an offset stands.
    func caret(at offset: Int) -> Int32 {
        guard !pieces.isEmpty else { return contentEdge }
        let cluster = self.cluster(atByte: offset)
        let owner = min(cluster, clusters.upperBound - 1)
        guard let piece = pieces.first(where: { $0.first <= owner && owner < $0.end }) else {
            return contentEdge
        }
        return x(ofPen: pen(atByte: offset), in: piece)
    }

    /// The spans of x that a range of offsets covers, from left to right.
    func spans(of range: Range<Int>) -> [(left: Int32, right: Int32)] {
        var spans: [(left: Int32, right: Int32)] = []
        for piece in pieces {
            guard let (left, right) = span(of: range, in: piece) else { continue }
            if let last = spans.last, last.right == left {
                spans[spans.count - 1].right = right
            } else {
                spans.append((left, right))
            }
        }
        return spans
    }

    /// The span of x that a range of offsets covers in a piece; `nil` where it covers none.
    func span(of range: Range<Int>, in piece: Piece) -> (left: Int32, right: Int32)? {
        let start = max(range.lowerBound, byte(piece.first))
        let end = min(range.upperBound, byte(piece.end))
        guard start < end else { return nil }
        let one = x(ofPen: pen(atByte: start), in: piece)
        let other = x(ofPen: pen(atByte: end), in: piece)
        return (min(one, other), max(one, other))
    }

    /// The offset of the caret that stands nearest to x.
    func offset(atX x: Int32) -> Int {
        guard let last = pieces.last else { return Int(line.start) }
        let piece = pieces.first { x < $0.x + width(of: $0) } ?? last
        var inside = min(max(0, x - piece.x), width(of: piece))
        if piece.isRightToLeft { inside = width(of: piece) - inside }
        let reached = pen(piece.first) + inside
        // The last cluster of the piece that begins at or before the pen.
        var low = piece.first
        var high = piece.end - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if pen(middle) <= reached { low = middle } else { high = middle - 1 }
        }
        let unit = unit(at: low)
        let places = graphemes(in: unit)
        let whole = Int64(pen(unit.end) - pen(unit.first))
        guard whole > 0 else { return places[0] }
        let parts = Int64(places.count - 1)
        let share = Int64(reached - pen(unit.first)) * parts
        let nearest = (share * 2 + whole) / (whole * 2)
        return places[Int(min(parts, max(0, nearest)))]
    }
}
