/// Adds up a line where its tabs, hyphens or clusters must be looked at one by one.
struct LinePen {
    private let walker: LineWalker
    /// The pen, counted from the start of the line.
    private var pen: Int32 = 0
    /// The pen after the last content.
    private var content: Int32 = 0
    /// The pen of the paragraph at the end of what was taken.
    private var x: Int32

    init(_ walker: LineWalker) {
        self.walker = walker
        x = walker.x
    }

    /// Takes the next segment. Where its content reaches beyond a limit the cut may tell no more
    /// than that, so that a line costs no more than what it shows of a long segment.
    mutating func take(_ number: Int, isLast: Bool, upTo limit: Int32 = .max) -> LineWalker.Cut {
        let segment = walker.segments[number]
        if segment.has(TextSegment.tab) {
            let first =
                number == walker.segment ? walker.cluster : Int(walker.segments[number - 1].end)
            for cluster in first..<Int(segment.end) {
                let cluster = walker.clusters[cluster]
                pen = Self.advanced(pen, by: cluster, tab: walker.storage.context.tabWidth)
                if cluster.isContent { content = pen }
                if content > limit { break }
            }
        } else {
            if segment.contentX > x { content = pen + (segment.contentX - x) }
            pen += segment.endX - x
        }
        x = segment.endX
        let shows = segment.has(TextSegment.hyphen) && !isLast
        return LineWalker.Cut(
            segment: number + 1, cluster: Int(segment.end), byte: segment.endByte,
            x: segment.endX,
            width: max(0, content) + (shows ? walker.storage.context.hyphen : 0),
            isUnsafe: segment.has(TextSegment.unsafe), showsHyphen: shows)
    }

    /// The pen after a cluster.
    static func advanced(_ pen: Int32, by cluster: PackedCluster, tab: Int32) -> Int32 {
        guard cluster.has(PackedCluster.tab) else { return min(1 << 30, pen + cluster.advance) }
        let stop = (Int64(pen) / Int64(tab) + 1) * Int64(tab)
        return Int32(min(1 << 30, stop))
    }

    /// A place inside a line, reached cluster by cluster.
    struct Place {
        private let tab: Int32
        private var pen: Int32 = 0
        private var byte: Int
        private var x: Int32
        /// The next cluster.
        private(set) var cluster: Int
        /// The pen after the last content.
        private(set) var content: Int32 = 0
        /// Whether the last cluster was a soft hyphen.
        private(set) var followsSoftHyphen = false
        /// The cluster after the last content, its offset and its pen in the paragraph.
        private(set) var contentEnd: Int
        private var contentByte: Int
        private var contentX: Int32

        init(_ walker: LineWalker) {
            tab = walker.storage.context.tabWidth
            byte = walker.byte
            x = walker.x
            cluster = walker.cluster
            contentEnd = cluster
            contentByte = byte
            contentX = x
        }

        /// Goes over a cluster.
        mutating func take(_ current: PackedCluster) {
            pen = LinePen.advanced(pen, by: current, tab: tab)
            x &+= current.advance
            byte += current.length
            cluster += 1
            followsSoftHyphen = current.has(PackedCluster.softHyphen)
            if current.isContent {
                content = pen
                contentEnd = cluster
                contentByte = byte
                contentX = x
            }
        }

        /// Whether an emergency may cut here, behind a line's first cluster: between grapheme
        /// clusters, and not before what hangs on the one in front.
        func mayCut(before next: PackedCluster, at first: Int) -> Bool {
            cluster > first && next.has(PackedCluster.boundary) && next.isContent
        }

        /// A cut here, before a cluster.
        func cut(before next: PackedCluster, in segment: Int) -> LineWalker.Cut {
            LineWalker.Cut(
                segment: segment, cluster: cluster, byte: byte, x: x, width: content,
                isUnsafe: !next.has(PackedCluster.safe), isEmergency: true)
        }

        /// A cut after the last content, with what follows it here.
        func contentCut(_ next: PackedCluster?, _ segment: Int) -> LineWalker.Cut {
            LineWalker.Cut(
                segment: segment, cluster: contentEnd, byte: contentByte, x: contentX,
                width: content, isUnsafe: next.map { !$0.has(PackedCluster.safe) } ?? false,
                isEmergency: true)
        }
    }
}
