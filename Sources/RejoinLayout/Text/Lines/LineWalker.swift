/// Goes through a prepared text line by line, greedily: each line takes as many segments as fit.
///
/// A segment is looked at once, its clusters only where a word is wider than the line.
struct LineWalker {
    /// A place where a line may end.
    struct Cut {
        /// The segment in which the next line begins.
        var segment: Int
        /// The cluster with which it begins.
        var cluster: Int
        /// The offset of that cluster.
        var byte: Int
        /// The pen there, from the start of the paragraph.
        var x: Int32
        /// How wide the line's content is, a hyphen included.
        var width: Int32
        /// Whether cutting there changes advances.
        var isUnsafe = false
        /// Whether the line shows a hyphen.
        var showsHyphen = false
        /// Whether it lies inside a segment.
        var isEmergency = false
    }

    let storage: PreparedStorage
    // Not held: a text's lines are often two or three, and each hold costs as much as a segment.
    var clusters: [PackedCluster] { storage.clusters }
    var segments: [TextSegment] { storage.segments }
    private let lineBox: Int32
    private let baseline: Int32
    /// The width in 26.6 pixels.
    let limit: Int32
    let shaper: (any TextShaper)?

    /// The paragraph of the next line.
    private(set) var paragraph = 0
    /// The segment, cluster, byte and pen at which the next line begins.
    private(set) var segment = 0
    private(set) var cluster = 0
    private(set) var byte = 0
    private(set) var x: Int32 = 0
    /// Whether the next line begins where the shaper must be asked.
    private(set) var beginsUnsafe = false
    /// The first tall run that may reach the next line.
    private var tall = 0
    private var top: Int64 = 0
    /// The paragraph as the shaper wants it, kept from line to line.
    private var paragraphBytes: (number: Int, bytes: [UInt8])?

    init(_ storage: PreparedStorage, width: Int32, shaper: (any TextShaper)?) {
        self.storage = storage
        lineBox = storage.context.lineBox
        baseline = storage.context.baseline
        limit = min(max(0, width), 1 << 24) * 64
        self.shaper = shaper
    }

    /// The sum of the heights so far.
    var height: Int32 { Int32(clamping: top) }
    /// A guess at how many lines there are, to take storage once.
    var expectedLineCount: Int {
        let last = segments.last?.endX ?? 0
        return storage.paragraphs.count + min(1024, Int(last / max(1, limit)))
    }
    /// Whether no line is left.
    var isAtEnd: Bool { paragraph >= storage.paragraphs.count }

    /// The next line; nil at the end.
    mutating func next() -> TextLine? {
        guard paragraph < storage.paragraphs.count else { return nil }
        let current = storage.paragraphs[paragraph]
        let end = Int(current.segmentEnd)
        guard segment < end else {
            let start = Int(current.start)
            let cut = Cut(segment: segment, cluster: cluster, byte: start, x: 0, width: 0)
            byte = start
            return line(to: cut, in: current, endsParagraph: true)
        }
        let isPlain = current.isPlain && !beginsUnsafe
        if isPlain, let cut = plainCut(end) {
            return line(to: cut, in: current, endsParagraph: cut.segment == end)
        }
        var cut = isPlain ? emergencyCut() : carefulCut(end)
        if shaper != nil, !current.isPlain || beginsUnsafe || cut.isEmergency {
            cut = refined(cut, end: end)
        }
        return line(to: cut, in: current, endsParagraph: cut.segment == end)
    }

    /// The last segment that fits, where arithmetic tells all.
    @inline(__always)
    private func plainCut(_ end: Int) -> Cut? {
        var next = segment
        while next < end, segments[next].contentX &- x <= limit { next += 1 }
        guard next > segment else { return nil }
        let last = segments[next - 1]
        return Cut(
            segment: next, cluster: Int(last.end), byte: last.endByte, x: last.endX,
            width: max(0, last.contentX &- x))
    }

    /// The same with tabs, hyphens and unsafe cuts.
    private func carefulCut(_ end: Int) -> Cut {
        var pen = LinePen(self)
        var best: Cut?
        var next = segment
        while next < end {
            let cut = pen.take(next, isLast: next + 1 == end, upTo: limit)
            guard cut.width - (cut.showsHyphen ? storage.context.hyphen : 0) <= limit else { break }
            // A soft hyphen breaks the line only where its hyphen fits.
            if cut.width <= limit { best = cut }
            next += 1
        }
        return best ?? emergencyCut()
    }

    /// The cut at the end of a segment of this line, whether it fits or not.
    func cut(after target: Int, end: Int) -> Cut {
        var pen = LinePen(self)
        var cut = pen.take(segment, isLast: segment + 1 == end)
        for next in (segment + 1)..<max(segment + 1, target + 1) {
            cut = pen.take(next, isLast: next + 1 == end)
        }
        return cut
    }

    /// The last cluster boundary that fits inside the first segment; at least one grapheme cluster
    /// is taken.
    private func emergencyCut() -> Cut {
        let whole = segments[segment]
        let end = Int(whole.end)
        var place = LinePen.Place(self)
        var found: Cut?
        while place.cluster < end {
            let current = clusters[place.cluster]
            if place.mayCut(before: current, at: cluster) {
                if found != nil, place.content > limit { break }
                // A line that ends with a soft hyphen and shows none is the last resort.
                if found == nil || !place.followsSoftHyphen {
                    found = place.cut(before: current, in: segment)
                }
                if place.content > limit { break }
            }
            place.take(current)
        }
        if let found { return found }
        // The segment is one cluster, with what hangs on it.
        return withoutHyphen(
            cut(after: segment, end: Int(storage.paragraphs[paragraph].segmentEnd)))
    }

    private func withoutHyphen(_ cut: Cut) -> Cut {
        var cut = cut
        if cut.showsHyphen { cut.width -= storage.context.hyphen }
        cut.showsHyphen = false
        return cut
    }

    // MARK: Cuts that the shaper must judge

    /// Asks the shaper where advances change at the ends of the line, and moves the cut back or on.
    ///
    /// It moves on by at most four places, back by ever greater steps, so a line costs a bounded
    /// number of questions.
    private mutating func refined(_ first: Cut, end: Int) -> Cut {
        var chosen = measured(first)
        if chosen.width > limit { return shortened(chosen, to: limit, end: end) }
        let slack = storage.context.style.font.size.rawValue &* 2
        for _ in 0..<4 {
            guard let later = later(than: chosen, end: end), needsShaper(later),
                later.width &- limit <= slack
            else { break }
            let answer = measured(later)
            guard answer.width <= limit else { break }
            chosen = answer
        }
        return chosen
    }

    private func needsShaper(_ cut: Cut) -> Bool { beginsUnsafe || cut.isUnsafe }

    /// Moves a cut back until its line fits: four times by one place, then by ever greater steps.
    private mutating func shortened(_ first: Cut, to room: Int32, end: Int) -> Cut {
        var chosen = first
        var step = 1
        var tries = 0
        while chosen.width > room, let earlier = earlier(than: chosen, by: step, end: end) {
            chosen = measured(earlier)
            tries += 1
            if tries >= 4 { step *= 2 }
        }
        return chosen.width > room ? withoutHyphen(chosen) : chosen
    }

    /// A cut that lies at least `step` clusters before another, or else the first there is.
    private func earlier(than cut: Cut, by step: Int, end: Int) -> Cut? {
        let target = cut.cluster - step
        if !cut.isEmergency, cut.segment - 2 >= segment {
            var candidate = cut.segment - 2
            while candidate > segment, Int(segments[candidate].end) > target { candidate -= 1 }
            return self.cut(after: candidate, end: end)
        }
        // Inside the line's first segment.
        var place = LinePen.Place(self)
        var found: Cut?
        while place.cluster < cut.cluster, found == nil || place.cluster <= target {
            let current = clusters[place.cluster]
            if place.mayCut(before: current, at: cluster),
                found == nil || !place.followsSoftHyphen
            {
                found = place.cut(before: current, in: segment)
            }
            place.take(current)
        }
        return found
    }

    private func later(than cut: Cut, end: Int) -> Cut? {
        guard cut.isEmergency else {
            return cut.segment < end ? self.cut(after: cut.segment, end: end) : nil
        }
        let whole = Int(segments[segment].end)
        var place = LinePen.Place(self)
        while place.cluster < whole {
            let current = clusters[place.cluster]
            if place.mayCut(before: current, at: cut.cluster), !place.followsSoftHyphen {
                return place.cut(before: current, in: segment)
            }
            place.take(current)
        }
        return self.cut(after: segment, end: end)
    }

    /// A cut with the width that the shaper gives its line.
    private mutating func measured(_ cut: Cut) -> Cut {
        guard needsShaper(cut), let shaper else { return cut }
        var cut = cut
        let hyphen = cut.showsHyphen ? storage.context.hyphen : 0
        cut.width =
            hyphen &+ isolatedWidth(to: cut.cluster, arithmetic: cut.width &- hyphen, shaper)
        return cut
    }

    /// The width of the content from the line's start, as a line of its own. The runs in the middle
    /// keep their advances.
    private mutating func isolatedWidth(
        to end: Int, arithmetic: Int32, _ shaper: any TextShaper
    ) -> Int32 {
        let contentEnd = self.contentEnd(from: cluster, to: end)
        guard contentEnd > cluster else { return 0 }
        let bytes = self.bytes()
        let origin = Int(storage.paragraphs[paragraph].start)
        var width = arithmetic
        var first = cluster
        var start = byte - origin
        while first < contentEnd {
            let run = storage.run(at: first)
            let last = min(contentEnd, run.end, nextTab(from: first, to: contentEnd))
            let length = storage.length(from: first, to: last)
            let isEdge = first == cluster || last == contentEnd
            if isEdge, length > 0, !clusters[first].has(PackedCluster.tab) {
                let style = storage.context.style
                // Behind a tab the run goes on.
                let isBehindTab = first > 0 && clusters[first - 1].has(PackedCluster.tab)
                let runStart = isBehindTab && start > 0 ? start - 1 : start
                let answer = shaper.shape(
                    ShapingRequest(
                        paragraph: bytes, range: start..<(start + length),
                        run: runStart..<(start + length), font: style.font(run.traits),
                        direction: run.level % 2 == 0 ? .leftToRight : .rightToLeft,
                        language: style.language, isIsolated: true))
                for cluster in answer.clusters {
                    width = clampedSum(width, cluster.advance.rawValue)
                }
                for cluster in first..<last { width &-= clusters[cluster].advance }
            }
            first = last
            start += length
        }
        return max(0, width)
    }

    private func nextTab(from first: Int, to end: Int) -> Int {
        if clusters[first].has(PackedCluster.tab) { return first + 1 }
        return clusters[first..<end].firstIndex { $0.has(PackedCluster.tab) } ?? end
    }

    private func clampedSum(_ sum: Int32, _ advance: Int32) -> Int32 {
        min(1 << 30, sum &+ min(max(0, advance), PackedCluster.widest))
    }

    private mutating func bytes() -> [UInt8] {
        if let kept = paragraphBytes, kept.number == paragraph { return kept.bytes }
        let current = storage.paragraphs[paragraph]
        let utf8 = storage.text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: Int(current.start))
        let end = utf8.index(start, offsetBy: Int(current.end - current.start))
        let bytes = Array(utf8[start..<end])
        paragraphBytes = (paragraph, bytes)
        return bytes
    }

    // MARK: The line itself

    private func contentEnd(from first: Int, to end: Int) -> Int {
        var place = end
        while place > first, !clusters[place - 1].isContent { place -= 1 }
        return place
    }

    private mutating func line(
        to cut: Cut, in current: TextParagraph, endsParagraph: Bool, ellipsis: Bool = false
    ) -> TextLine {
        var above: Int32 = 0
        var below: Int32 = 0
        if storage.hasTallRuns { growth(to: cut.cluster, &above, &below) }
        let height = Int32(clamping: Int64(lineBox) + Int64(above) + Int64(below))
        let needed = needsShaper(cut) && shaper != nil
        let flags =
            (cut.showsHyphen ? TextLine.hyphen : 0) | (ellipsis ? TextLine.ellipsis : 0)
            | (current.level > 0 ? TextLine.rightToLeft : 0)
            | (endsParagraph ? TextLine.endsParagraph : 0) | (needed ? TextLine.asked : 0)
        let line = TextLine(
            start: Int32(truncatingIfNeeded: byte), end: Int32(truncatingIfNeeded: cut.byte),
            firstCluster: Int32(truncatingIfNeeded: cluster),
            endCluster: Int32(truncatingIfNeeded: cut.cluster),
            contentEnd: Int32(
                truncatingIfNeeded: contentEnd(from: cluster, to: cut.cluster)),
            flags: flags, width: Advance(rawValue: cut.width),
            top: Int32(clamping: min(top, Int64(Int32.max - height))),
            height: height, baseline: baseline + above)
        top += Int64(height)
        segment = cut.segment
        cluster = cut.cluster
        byte = cut.byte
        x = cut.x
        beginsUnsafe = cut.isUnsafe
        if endsParagraph {
            paragraph += 1
            x = 0
            beginsUnsafe = false
            if paragraph < storage.paragraphs.count {
                byte = Int(storage.paragraphs[paragraph].start)
            }
        }
        return line
    }

    /// By how much the line from here to a cluster grows.
    private mutating func growth(to end: Int, _ above: inout Int32, _ below: inout Int32) {
        let runs = storage.tall
        while tall < runs.count, Int(runs[tall].end) <= cluster { tall += 1 }
        var run = tall
        while run < runs.count, Int(runs[run].first) < end {
            above = max(above, runs[run].above)
            below = max(below, runs[run].below)
            run += 1
        }
    }

    /// The next line as the last one of a text that goes on: as much as fits beside an ellipsis,
    /// cut at a cluster.
    mutating func truncatedLine() -> TextLine? {
        guard !isAtEnd else { return nil }
        let current = storage.paragraphs[paragraph]
        let end = Int(current.segmentEnd)
        let ellipsis = storage.context.ellipsis
        let room = max(0, limit - ellipsis)
        var chosen = Cut(segment: segment, cluster: cluster, byte: byte, x: x, width: 0)
        if segment < end {
            let last = Int(segments[end - 1].end)
            var place = LinePen.Place(self)
            while place.cluster <= last {
                let isEnd = place.cluster == last
                if isEnd || clusters[place.cluster].has(PackedCluster.boundary) {
                    guard place.content <= room else { break }
                    // White space before the ellipsis is left out.
                    chosen = place.contentCut(isEnd ? nil : clusters[place.cluster], segment)
                }
                guard !isEnd else { break }
                place.take(clusters[place.cluster])
            }
            chosen = fitted(chosen, room: room, end: end)
        }
        chosen.width &+= ellipsis
        return line(to: chosen, in: current, endsParagraph: true, ellipsis: true)
    }

    /// Moves a cut back until the shaper finds that its line leaves room for the ellipsis.
    private mutating func fitted(_ first: Cut, room: Int32, end: Int) -> Cut {
        let chosen = shortened(measured(first), to: room, end: end)
        guard chosen.width > room else { return chosen }
        return Cut(segment: segment, cluster: cluster, byte: byte, x: x, width: 0)
    }
}
