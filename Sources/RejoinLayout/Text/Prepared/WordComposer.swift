/// Gathers the clusters of a text run by run: words that the cache knows are copied, the stretches
/// between them are shaped in one request each.
struct WordComposer {
    /// What is the same for a whole text.
    struct Setting {
        let context: StyleContext
        let shaper: any TextShaper
        let cache: WordCache
    }

    /// One run: bytes of one font and one level.
    private struct Run {
        let range: Range<Int>
        let traits: FontTraits
        let direction: TextDirection
        let style: Int
    }

    /// The number in the cache of the style that most texts have, as long as the cache keeps it.
    private struct PlainStyle {
        let context: StyleContext
        let number: Int
        let generation: Int
    }

    /// Spaces between two words.
    private struct Gap {
        var spaces: Range<Int> = 0..<0
        var style = 0
        var advance: Int32 = 0
    }

    /// The clusters so far.
    private(set) var clusters: [PackedCluster] = []
    /// What stands out of the line's box.
    private(set) var tall: [TallRun] = []
    private var runs: [TextRun] = []
    private var paragraph: Range<Int> = 0..<0
    /// The spaces that were measured last.
    private var gap = Gap()
    /// The paragraph's bytes as the shaper wants them, made when first needed.
    private var copy: [UInt8]?
    /// The style of the text's own font, left to right.
    private var plain: PlainStyle?

    init() {}

    mutating func begin() {
        clusters.removeAll(keepingCapacity: true)
        tall.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
    }

    mutating func beginParagraph(_ range: Range<Int>) {
        paragraph = range
        copy = nil
        gap = Gap()
    }

    /// Drops clusters from one on.
    mutating func cut(to count: Int) {
        clusters.removeSubrange(count..<clusters.count)
        runs.removeAll { Int($0.first) >= count }
        tall.removeAll { Int($0.first) >= count }
    }

    /// The runs; none where the whole text is one run of the style's font and level 0.
    var finishedRuns: [TextRun] {
        runs.allSatisfy { $0.level == 0 && $0.traits == [] } ? [] : Array(runs[...])
    }

    /// The bytes of the paragraph.
    mutating func paragraphBytes(_ bytes: [UInt8]) -> [UInt8] {
        if let copy { return copy }
        let made = paragraph == 0..<bytes.count ? bytes : Array(bytes[paragraph])
        copy = made
        return made
    }

    // MARK: Words

    /// Appends the clusters of a run.
    mutating func compose(
        _ range: Range<Int>, traits: FontTraits, level: UInt8, bytes: [UInt8],
        marks: [TextAnalysis.Marks], setting: Setting
    ) {
        if runs.last?.level != level || runs.last?.traits != traits {
            runs.append(
                TextRun(first: UInt32(clusters.count), level: level, traits: traits))
        }
        let direction: TextDirection = level % 2 == 0 ? .leftToRight : .rightToLeft
        let run = Run(
            range: range, traits: traits, direction: direction,
            style: style(traits, direction, setting))
        var hasFreeSpaces = setting.cache.hasFreeSpaces(run.style)
        /// What must be shaped and has not been yet: whole words, and the spaces between them.
        var missing: Range<Int>?
        var place = range.lowerBound
        while place < range.upperBound {
            let start = place
            let byte = bytes[place]
            if byte == 0x20, isBareSpace(place, marks) {
                place += 1
                if let waits = missing {
                    // A space that no word changes waits for the word behind it.
                    if !hasFreeSpaces { missing = waits.lowerBound..<place }
                } else if hasFreeSpaces {
                    appendSpace(at: start, in: run, bytes, marks, setting)
                } else {
                    missing = start..<place
                }
                continue
            }
            if byte == 0x09 {
                place += 1
                flush(&missing, to: start, in: run, bytes, marks, setting)
                hasFreeSpaces = setting.cache.hasFreeSpaces(run.style)
                PackedCluster.append(
                    advance: 0, length: 1,
                    flags: PackedCluster.safe | PackedCluster.tab | PackedCluster.hangs
                        | Self.boundary(marks[start]), to: &clusters)
                continue
            }
            var hash = WordCache.hashSeed
            repeat {
                hash = WordCache.mix(hash, bytes[place])
                place += 1
            } while place < range.upperBound && bytes[place] != 0x20 && bytes[place] != 0x09
            let word = start..<place
            if isWhole(word, bytes, marks) {
                if missing != nil, setting.cache.knows(bytes, word, hash, style: run.style) {
                    flush(&missing, to: start, in: run, bytes, marks, setting)
                    hasFreeSpaces = setting.cache.hasFreeSpaces(run.style)
                }
                let first = clusters.count
                if missing == nil,
                    let extent = setting.cache.append(
                        bytes, word, hash, style: run.style, to: &clusters)
                {
                    settle(first, extent, marks[start])
                    continue
                }
            }
            missing = (missing?.lowerBound ?? start)..<place
        }
        flush(&missing, to: range.upperBound, in: run, bytes, marks, setting)
    }

    /// The number of a run's style in the cache.
    private mutating func style(
        _ traits: FontTraits, _ direction: TextDirection, _ setting: Setting
    ) -> Int {
        let isPlain = traits == [] && direction == .leftToRight
        if isPlain, let plain, plain.context === setting.context,
            plain.generation == setting.cache.generation
        {
            return plain.number
        }
        let context = setting.context
        let number = setting.cache.number(
            of: WordStyle(
                font: context.style.font(traits), direction: direction,
                language: context.style.language, fontEpoch: context.fontEpoch,
                highest: context.highest, lowest: context.lowest))
        if isPlain {
            plain = PlainStyle(
                context: context, number: number, generation: setting.cache.generation)
        }
        return number
    }

    /// Whether a piece is all that stands between spaces, tabs and the ends of the paragraph: only
    /// of such pieces a shaper says that they are free of context.
    private func isWhole(
        _ word: Range<Int>, _ bytes: [UInt8], _ marks: [TextAnalysis.Marks]
    ) -> Bool {
        guard word.count <= WordCache.longestWord, bytes[word.lowerBound] != 0x20,
            marks[word.lowerBound].contains(.grapheme)
        else { return false }
        func ends(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        return (word.lowerBound == paragraph.lowerBound || ends(bytes[word.lowerBound - 1]))
            && (word.upperBound == paragraph.upperBound || ends(bytes[word.upperBound]))
    }

    /// Whether no mark stands on a space: with one it is a letter of the word behind it.
    private func isBareSpace(_ place: Int, _ marks: [TextAnalysis.Marks]) -> Bool {
        let next = place + 1
        return next >= paragraph.upperBound || marks[next].contains(.grapheme)
    }

    private static func boundary(_ marks: TextAnalysis.Marks) -> UInt32 {
        marks.contains(.grapheme) ? PackedCluster.boundary : 0
    }

    private mutating func appendSpace(
        at place: Int, in run: Run, _ bytes: [UInt8], _ marks: [TextAnalysis.Marks],
        _ setting: Setting
    ) {
        if !gap.spaces.contains(place) || gap.style != run.style {
            gap = measureGap(at: place, in: run, bytes, setting)
        }
        PackedCluster.append(
            advance: gap.advance, length: 1,
            flags: PackedCluster.safe | PackedCluster.hangs | Self.boundary(marks[place]),
            to: &clusters)
    }

    /// Measures the spaces around a place by what stands beside them in the paragraph, as far as it
    /// is of their run.
    private func measureGap(at place: Int, in run: Run, _ bytes: [UInt8], _ setting: Setting) -> Gap
    {
        var start = place
        while start > run.range.lowerBound, bytes[start - 1] == 0x20 { start -= 1 }
        var end = place + 1
        while end < run.range.upperBound, bytes[end] == 0x20 { end += 1 }
        var previous = GapTable.Key.none
        if start > run.range.lowerBound {
            var offset = start - 1
            while offset > run.range.lowerBound, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
            previous = TextAnalysis.decode(bytes, &offset)
        }
        var next = GapTable.Key.none
        if end < run.range.upperBound {
            var offset = end
            next = TextAnalysis.decode(bytes, &offset)
            if offset < paragraph.upperBound, bytes[offset] == 0xEF {
                next = SpaceScript.character(from: end, in: bytes[paragraph])?.value ?? next
            }
        }
        let isMissing = previous == GapTable.Key.none
        let isApart = isMissing && start > paragraph.lowerBound
        let tells = isMissing ? !isApart : SpaceScript.tells(previous)
        let key = GapTable.Key(after: previous, before: next, style: run.style)
        if tells, let known = setting.cache.gap(key) {
            return Gap(spaces: start..<end, style: run.style, advance: known)
        }
        let answer = setting.shaper.spaceAdvance(
            after: Unicode.Scalar(previous),
            inScriptOf: tells
                ? nil : SpaceScript.letter(before: start, in: bytes[paragraph], isApart: isApart),
            before: Unicode.Scalar(next),
            font: setting.context.style.font(run.traits),
            direction: run.direction, language: setting.context.style.language)
        let advance = min(max(0, answer.rawValue), PackedCluster.widest)
        if tells { setting.cache.setGap(advance, for: key) }
        return Gap(spaces: start..<end, style: run.style, advance: advance)
    }

    /// Mends what a word from the cache cannot know: whether it begins a grapheme cluster.
    private mutating func settle(
        _ first: Int, _ extent: WordExtent, _ marks: TextAnalysis.Marks
    ) {
        if !marks.contains(.grapheme) {
            clusters[first].rawValue &= ~PackedCluster.boundary
        }
        note(extent, first..<clusters.count)
    }

    /// Remembers that clusters stand out of the box.
    private mutating func note(_ extent: WordExtent, _ range: Range<Int>) {
        guard extent != WordExtent(), !range.isEmpty else { return }
        tall.append(
            TallRun(
                first: UInt32(range.lowerBound), end: UInt32(range.upperBound),
                above: extent.above, below: extent.below))
    }

    // MARK: Shaping

    /// Shapes what is missing, and adds the spaces that waited behind it.
    private mutating func flush(
        _ missing: inout Range<Int>?, to end: Int, in run: Run, _ bytes: [UInt8],
        _ marks: [TextAnalysis.Marks], _ setting: Setting
    ) {
        guard let stretch = missing else { return }
        missing = nil
        let first = clusters.count
        let answer = shape(stretch, run, bytes, setting)
        append(answer, stretch, bytes, marks)
        let extent = extent(of: answer.extent, setting.context)
        let isTall = extent != WordExtent()
        if answer.isContextFree || isTall {
            visitWords(
                stretch, from: first, run, bytes, marks, setting, extent,
                mayKeep: answer.isContextFree)
        }
        if stretch.upperBound < end {
            for place in stretch.upperBound..<end {
                appendSpace(at: place, in: run, bytes, marks, setting)
            }
        }
    }

    private mutating func shape(
        _ range: Range<Int>, _ run: Run, _ bytes: [UInt8], _ setting: Setting
    ) -> ShapedRun {
        let origin = paragraph.lowerBound
        return setting.shaper.shape(
            ShapingRequest(
                paragraph: paragraphBytes(bytes),
                range: (range.lowerBound - origin)..<(range.upperBound - origin),
                run: (run.range.lowerBound - origin)..<(run.range.upperBound - origin),
                font: setting.context.style.font(run.traits),
                direction: run.direction, language: setting.context.style.language))
    }

    /// Packs an answer. Starts that do not ascend or lie outside are left out: their advance goes
    /// to nobody, and no offset is lost.
    private mutating func append(
        _ answer: ShapedRun, _ range: Range<Int>, _ bytes: [UInt8], _ marks: [TextAnalysis.Marks]
    ) {
        let origin = paragraph.lowerBound
        var start = range.lowerBound
        var advance: Int32 = 0
        var isSafe = true
        var isFirst = true
        for cluster in answer.clusters {
            let place = origin + Int(cluster.start)
            guard !isFirst else {
                (advance, isSafe, isFirst) = (
                    cluster.advance.rawValue, cluster.isSafeToCut, false
                )
                continue
            }
            guard place > start, place < range.upperBound else { continue }
            append(start..<place, advance, isSafe, bytes, marks)
            (start, advance, isSafe) = (place, cluster.advance.rawValue, cluster.isSafeToCut)
        }
        append(start..<range.upperBound, advance, isSafe, bytes, marks)
    }

    @inline(__always)
    private mutating func append(
        _ range: Range<Int>, _ advance: Int32, _ isSafe: Bool, _ bytes: [UInt8],
        _ marks: [TextAnalysis.Marks]
    ) {
        let mark = marks[range.lowerBound]
        var flags = (isSafe ? PackedCluster.safe : 0) | Self.boundary(mark)
        if mark.contains(.hangs), isBlank(range, bytes, marks) { flags |= PackedCluster.hangs }
        if bytes[range.lowerBound] == 0xC2, range.count == 2, bytes[range.lowerBound + 1] == 0xAD {
            flags |= PackedCluster.softHyphen
        }
        PackedCluster.append(advance: advance, length: range.count, flags: flags, to: &clusters)
    }

    /// Whether a cluster is white space throughout, and no mark follows that stands on it.
    private func isBlank(
        _ range: Range<Int>, _ bytes: [UInt8], _ marks: [TextAnalysis.Marks]
    ) -> Bool {
        for place in range where bytes[place] & 0xC0 != 0x80 {
            guard marks[place].contains(.hangs) else { return false }
        }
        let end = range.upperBound
        return end == paragraph.upperBound || marks[end].contains(.grapheme)
    }

    private func extent(of metrics: FontMetrics, _ context: StyleContext) -> WordExtent {
        let style = context.style
        // No font is believed to stand out by more than four boxes.
        let most = style.lineBox &* 4
        var extent = WordExtent()
        if metrics.ascent.rawValue > context.highest {
            extent.above = min(most, max(0, metrics.ascent.roundedUp - style.baseline))
        }
        if metrics.descent.rawValue > context.lowest {
            extent.below = min(
                most, max(0, metrics.descent.roundedUp - (style.lineBox - style.baseline)))
        }
        return extent
    }

    /// Goes through the words of a stretch that was just shaped: finds which of them is tall, where
    /// one is, and keeps them for the next text, where they are free of context.
    private mutating func visitWords(
        _ stretch: Range<Int>, from first: Int, _ run: Run, _ bytes: [UInt8],
        _ marks: [TextAnalysis.Marks], _ setting: Setting, _ extent: WordExtent, mayKeep: Bool
    ) {
        var cluster = first
        var place = stretch.lowerBound
        while place < stretch.upperBound {
            let start = place
            let firstCluster = cluster
            let isSpace = bytes[place] == 0x20 && isBareSpace(place, marks)
            repeat {
                place += 1
            } while !isSpace && place < stretch.upperBound
                && bytes[place] != 0x20
            // The clusters of this piece; a cluster that reaches over its end spoils it.
            var reached = start
            while reached < place, cluster < clusters.count {
                reached += clusters[cluster].length
                cluster += 1
            }
            while cluster < clusters.count, clusters[cluster].length == 0 { cluster += 1 }
            guard reached == place else {
                note(extent, firstCluster..<clusters.count)
                return
            }
            let piece = start..<place
            if mayKeep {
                // Free of context means that nothing reaches over a space.
                clusters[firstCluster].rawValue |= PackedCluster.safe
            }
            if isSpace {
                if mayKeep, cluster == firstCluster + 1 {
                    setting.cache.setFreeSpaces(run.style)
                }
                continue
            }
            var extent = extent
            if extent != WordExtent() {
                if piece != stretch {
                    let metrics = shape(piece, run, bytes, setting).extent
                    extent = self.extent(of: metrics, setting.context)
                }
                note(extent, firstCluster..<cluster)
            }
            if mayKeep, isWhole(piece, bytes, marks) {
                keep(piece, firstCluster..<cluster, extent, run, bytes, setting)
            }
        }
    }

    private func keep(
        _ word: Range<Int>, _ range: Range<Int>, _ extent: WordExtent, _ run: Run,
        _ bytes: [UInt8], _ setting: Setting
    ) {
        var packed = clusters[range]
        packed[range.lowerBound].rawValue |= PackedCluster.safe | PackedCluster.boundary
        var hash = WordCache.hashSeed
        for byte in bytes[word] { hash = WordCache.mix(hash, byte) }
        setting.cache.insert(bytes, word, hash, style: run.style, packed, extent)
    }
}
