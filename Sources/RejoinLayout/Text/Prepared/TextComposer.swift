/// Composes prepared texts one after the other; its buffers keep their storage between them.
struct TextComposer {
    private var bytes: [UInt8] = []
    private var analysis = TextAnalysis()
    private var segments: [TextSegment] = []
    private var paragraphs: [TextParagraph] = []
    private var spans = SpanMap()
    private var words = WordComposer()

    init() {}

    /// Composes a text.
    mutating func compose(
        _ text: RichText, context: StyleContext, shaper: any TextShaper, cache: WordCache
    ) -> PreparedStorage {
        bytes.removeAll(keepingCapacity: true)
        var isCut = false
        if text.text.utf8.count <= TextPreparer.maximumByteCount {
            bytes.append(contentsOf: text.text.utf8)
        } else {
            bytes.append(contentsOf: text.text.utf8.prefix(TextPreparer.maximumByteCount + 4))
        }
        // Libraries behind a shaper take U+0000 for the end of a text, or end the program over it;
        // U+0001 has the same classes.
        let hasNull = bytes.contains(0)
        if hasNull { for index in bytes.indices where bytes[index] == 0 { bytes[index] = 1 } }
        analysis.analyze(bytes, hangul: context.style.hangul)
        if bytes.count > TextPreparer.maximumByteCount {
            cut(to: lastCluster(upTo: TextPreparer.maximumByteCount))
            analysis.analyze(bytes, hangul: context.style.hangul)
            isCut = true
        }
        segments.removeAll(keepingCapacity: true)
        paragraphs.removeAll(keepingCapacity: true)
        spans.set(text.spans, analysis: analysis, count: bytes.count)
        words.begin()
        let setting = WordComposer.Setting(context: context, shaper: shaper, cache: cache)
        var start = 0
        while true {
            let end = paragraphEnd(from: start)
            let whole = compose(start..<end, setting)
            guard whole else {
                let last = paragraphs[paragraphs.count - 1]
                cut(to: Int(last.end))
                isCut = true
                break
            }
            guard end < bytes.count else { break }
            start = end + terminatorLength(at: end)
        }
        return PreparedStorage(
            text: isCut || hasNull ? String(decoding: bytes, as: UTF8.self) : text.text,
            spans: text.spans,
            context: context, clusters: Array(words.clusters[...]), segments: Array(segments[...]),
            paragraphs: Array(paragraphs[...]), runs: words.finishedRuns, tall: words.tall,
            isCut: isCut, stamp: stamp(text.spans, context))
    }

    /// The last start of a grapheme cluster up to a place; where the text is one cluster, the last
    /// start of a code point.
    private func lastCluster(upTo limit: Int) -> Int {
        var place = limit
        while place > 0, !analysis.marks[place].contains(.grapheme) { place -= 1 }
        guard place == 0 else { return place }
        place = limit
        while place > 0, bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    private mutating func cut(to count: Int) {
        bytes.removeSubrange(count..<bytes.count)
    }

    // MARK: Paragraphs

    private func paragraphEnd(from start: Int) -> Int {
        guard analysis.hasTerminator else { return bytes.count }
        var place = start
        while place < bytes.count, !analysis.marks[place].contains(.terminator) { place += 1 }
        return place
    }

    private func terminatorLength(at place: Int) -> Int {
        var next = place
        let code = TextAnalysis.decode(bytes, &next)
        if code == 13, next < bytes.count, bytes[next] == 10 { next += 1 }
        return next - place
    }

    /// Shapes a paragraph and finds its segments.
    ///
    /// - Returns: false where the paragraph is wider than any may be and was cut.
    private mutating func compose(_ range: Range<Int>, _ setting: WordComposer.Setting) -> Bool {
        var base = setting.context.style.direction
        if analysis.hasRightToLeft || base == .rightToLeft {
            base = BaseDirection.find(in: bytes, range: range) ?? base
        }
        words.beginParagraph(range)
        if analysis.hasDictionary { askDictionary(range, setting.shaper) }
        let firstCluster = words.clusters.count
        let firstSegment = segments.count
        if analysis.hasRightToLeft || base == .rightToLeft {
            composeBidi(range, base: base, setting)
        } else {
            composeRuns(range, level: 0, setting)
        }
        let end = buildSegments(from: firstCluster, start: range.lowerBound)
        paragraphs.append(
            TextParagraph(
                start: UInt32(range.lowerBound), end: UInt32(end ?? range.upperBound),
                segmentEnd: UInt32(segments.count), level: base == .rightToLeft ? 1 : 0,
                isPlain: !segments[firstSegment...].contains { !$0.isPlain }))
        return end == nil
    }

    private mutating func composeBidi(
        _ range: Range<Int>, base: TextDirection, _ setting: WordComposer.Setting
    ) {
        guard !range.isEmpty else { return }
        let paragraph = words.paragraphBytes(bytes)
        var levels = setting.shaper.bidiLevels(of: paragraph, base: base)
        if levels.count != range.count {
            levels = Array(repeating: base == .rightToLeft ? 1 : 0, count: range.count)
        }
        var start = range.lowerBound
        while start < range.upperBound {
            let level = levels[start - range.lowerBound]
            var end = start + 1
            while end < range.upperBound,
                levels[end - range.lowerBound] == level
                    || !analysis.marks[end].contains(.grapheme)
            {
                end += 1
            }
            composeRuns(start..<end, level: level, setting)
            start = end
        }
    }

    /// Splits a range of one level where the font changes.
    private mutating func composeRuns(
        _ range: Range<Int>, level: UInt8, _ setting: WordComposer.Setting
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let (traits, end) = spans.traits(at: start)
            let run = start..<min(end, range.upperBound)
            words.compose(
                run, traits: traits, level: level, bytes: bytes, marks: analysis.marks,
                setting: setting)
            start = run.upperBound
        }
    }

    private mutating func askDictionary(_ range: Range<Int>, _ shaper: any TextShaper) {
        var place = range.lowerBound
        while place < range.upperBound {
            guard analysis.marks[place].contains(.dictionary) else {
                place += 1
                continue
            }
            let start = place
            // Bytes inside a code point have no mark.
            while place < range.upperBound,
                analysis.marks[place].contains(.dictionary) || bytes[place] & 0xC0 == 0x80
            {
                place += 1
            }
            let origin = range.lowerBound
            let found = shaper.dictionaryBreaks(
                in: words.paragraphBytes(bytes), range: (start - origin)..<(place - origin))
            for offset in found where offset > start - origin && offset < place - origin {
                let byte = origin + offset
                if analysis.marks[byte].contains(.grapheme) { analysis.allowLineBreak(at: byte) }
            }
        }
    }

    // MARK: Segments

    /// Adds up the clusters of a paragraph between the places where a line may end.
    ///
    /// - Returns: nil, or the byte at which the paragraph had to be cut.
    private mutating func buildSegments(from first: Int, start: Int) -> Int? {
        let clusters = words.clusters
        let marks = analysis.marks
        var byte = start
        var x: Int32 = 0
        var contentX: Int32 = 0
        var flags: UInt32 = 0
        var hangsUnsafe = false
        /// Whether the last cluster is a soft hyphen, with content right before it.
        var isSoft = false
        var hasSegment = false
        var hasHangingStart = false
        let firstSegment = segments.count
        let widest = TextPreparer.maximumWidth - PackedCluster.widest
        for number in first..<clusters.count {
            let cluster = clusters[number]
            // A letter inside a word: most clusters of most texts. What a very wide cluster at the
            // text's end goes on in has no byte.
            if cluster.isContent, byte < marks.count, !marks[byte].contains(.lineBreak),
                x <= widest
            {
                hasSegment = true
                x += cluster.advance
                contentX = x
                hangsUnsafe = false
                isSoft = false
                byte += cluster.length
                continue
            }
            if cluster.has(PackedCluster.boundary), hasSegment {
                // Soft hyphens that begin a paragraph are no line of their own.
                if marks[byte].contains(.lineBreak),
                    contentX > 0 || isSoft || !clusters[number - 1].has(PackedCluster.softHyphen)
                {
                    if hangsUnsafe || !cluster.has(PackedCluster.safe) {
                        flags |= TextSegment.unsafe
                    }
                    if isSoft, !spans.isLink(byte - 1) { flags |= TextSegment.hyphen }
                    if !cluster.isContent { hasHangingStart = true }
                    segments.append(
                        TextSegment(
                            end: number, endByte: byte, contentX: contentX, endX: x,
                            flags: flags))
                    flags = 0
                }
                if x > widest {
                    words.cut(to: number)
                    close(number, byte, contentX, x, flags)
                    if hasHangingStart { keepHanging(from: firstSegment) }
                    return byte
                }
            }
            hasSegment = true
            x = min(TextPreparer.maximumWidth, x + cluster.advance)
            if cluster.isContent {
                contentX = x
                hangsUnsafe = false
                isSoft = false
            } else {
                if contentX == x - cluster.advance, !cluster.has(PackedCluster.safe) {
                    hangsUnsafe = true
                }
                if cluster.has(PackedCluster.tab) { flags |= TextSegment.tab }
                if cluster.has(PackedCluster.hangs) {
                    isSoft = false
                } else if number > first, clusters[number - 1].isContent {
                    isSoft = true
                }
            }
            byte += cluster.length
        }
        if hasSegment { close(clusters.count, byte, contentX, x, flags) }
        if hasHangingStart { keepHanging(from: firstSegment) }
        return nil
    }

    /// Moves breaks before what hangs behind it, as between a space and a tab: it belongs to the
    /// line of what it follows.
    private mutating func keepHanging(from first: Int) {
        var kept = first
        for number in (first + 1)..<segments.count {
            let next = segments[number]
            var last = segments[kept]
            var (cluster, byte, x) = (Int(last.end), last.endByte, last.endX)
            var flags = last.flags
            while cluster < Int(next.end), !words.clusters[cluster].isContent {
                let packed = words.clusters[cluster]
                x = min(TextPreparer.maximumWidth, x + packed.advance)
                byte += packed.length
                if packed.has(PackedCluster.tab) { flags |= TextSegment.tab }
                cluster += 1
            }
            if cluster > Int(last.end) {
                if cluster < words.clusters.count, !words.clusters[cluster].has(PackedCluster.safe)
                {
                    flags |= TextSegment.unsafe
                }
                last = TextSegment(
                    end: cluster, endByte: byte, contentX: last.contentX, endX: x, flags: flags)
                segments[kept] = last
            }
            guard cluster < Int(next.end) else { continue }
            kept += 1
            segments[kept] = next
        }
        segments.removeSubrange((kept + 1)...)
    }

    private mutating func close(
        _ cluster: Int, _ byte: Int, _ contentX: Int32, _ x: Int32, _ flags: UInt32
    ) {
        if let last = segments.last, last.end == UInt32(cluster) { return }
        segments.append(
            TextSegment(end: cluster, endByte: byte, contentX: contentX, endX: x, flags: flags))
    }

    // MARK: Stamp

    private func stamp(_ spans: [TextSpan], _ context: StyleContext) -> UInt64 {
        var hash = context.stamp
        var place = 0
        while place < bytes.count {
            let end = min(place + 8, bytes.count)
            var word: UInt64 = 0
            while place < end {
                word = word << 8 | UInt64(bytes[place])
                place += 1
            }
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        guard !spans.isEmpty else { return hash }
        var hasher = Hasher()
        hasher.combine(hash)
        hasher.combine(spans)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
