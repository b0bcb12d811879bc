/// A text that has been shaped once and can be wrapped at any width by arithmetic.
///
/// It is a value: a reference to storage that never changes, free to send anywhere. Per message it
/// holds 4 bytes for each cluster and 16 for each place where a line may end.
///
/// Policies:
/// - CR, LF, CRLF, VT, FF, NEL, LS and PS end a line and a paragraph, each with its own direction.
/// - A terminator at the end adds an empty line, as TextKit (extra line fragment) and Pango do: who
///   typed it sees where the caret stands. The empty text is one empty line for the same reason.
/// - White space at the end of a line (tab, U+200B, and space separators but U+00A0) hangs: it
///   never wraps, not even behind a cluster that is wider than the line, and does not count for
///   the line's width. So no line is without content, but for empty paragraphs and for white
///   space that begins a paragraph: where the first word does not fit beside it, it has a line to
///   itself (as with Pango), for UAX #14 breaks there, and no word is cut that has such a break
///   before it.
/// - A word that is wider than the line begins a line of its own and is cut between grapheme
///   clusters.
/// - A soft hyphen shows a hyphen only where it ends a line, and that hyphen counts: where it does
///   not fit, the line ends at an earlier break, or where there is none, at a cluster before it.
///   Where no letter stands before it or white space follows, it shows none. In a link it shows
///   none either, and links break where UAX #14 breaks them.
/// - A tab reaches to the next multiple of ``TextStyle/tabWidth``.
public struct PreparedText: Sendable {
    let storage: PreparedStorage

    /// The text, cut to what was prepared.
    public var text: String { storage.text }
    /// Its special parts.
    public var spans: [TextSpan] { storage.spans }
    /// How it is set.
    public var style: TextStyle { storage.context.style }
    /// The fonts that it was shaped with: see ``TextShaper/fontEpoch``.
    public var fontEpoch: UInt64 { storage.context.fontEpoch }
    /// The direction of its first paragraph, for whoever aligns the message as a whole.
    public var direction: TextDirection {
        storage.paragraphs.first?.level == 1 ? .rightToLeft : .leftToRight
    }
    /// Whether the text was longer than ``TextPreparer/maximumByteCount`` or a paragraph wider than
    /// 16,777,216 pixels, and the rest was left out.
    public var isCut: Bool { storage.isCut }
    /// A number that is the same for the same text, parts, style and fonts in this process, and
    /// hardly ever for others.
    public var stamp: UInt64 { storage.stamp }
    /// How many bytes it takes, without the text itself, which it shares with the message.
    public var byteCount: Int { storage.byteCount }

    /// Wraps the text.
    ///
    /// - Parameters:
    ///   - width: device pixels; one cluster that is wider still gets a line.
    ///   - maxLines: the greatest number of lines; where the text has more, the last one is cut
    ///     at a cluster and ends in an ellipsis, which counts for its width. Nil and numbers below
    ///     1 mean no limit.
    ///   - shaper: is asked for the width of a line that is cut where letters join or kern. Without
    ///     one, such a line counts with the advances inside the paragraph.
    /// - Complexity: linear in the number of places where a line may end, and in the clusters of
    ///   words that are wider than the line.
    public func layout(
        width: Int32, maxLines: Int? = nil, shaper: (any TextShaper)? = nil
    ) -> TextLayout {
        TextLayout(self, width: width, maxLines: maxLines, shaper: shaper)
    }
}

extension PreparedText: Hashable {
    /// Texts with different stamps differ at once; equal stamps are checked against the content, so
    /// a collision is no mistake.
    public static func == (lhs: PreparedText, rhs: PreparedText) -> Bool {
        let (left, right) = (lhs.storage, rhs.storage)
        if left === right { return true }
        return left.stamp == right.stamp && left.text == right.text && left.spans == right.spans
            && left.context.fontEpoch == right.context.fontEpoch
            && left.context.style == right.context.style
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.stamp) }
}

/// What ``PreparedText`` refers to.
final class PreparedStorage: Sendable {
    let text: String
    let spans: [TextSpan]
    let context: StyleContext
    let clusters: [PackedCluster]
    let segments: [TextSegment]
    let paragraphs: [TextParagraph]
    /// Empty where all clusters have the style's font and level 0.
    let runs: [TextRun]
    /// Empty where no run stands out of the box.
    let tall: [TallRun]
    /// Whether there is one.
    let hasTallRuns: Bool
    let isCut: Bool
    let stamp: UInt64

    init(
        text: String, spans: [TextSpan], context: StyleContext, clusters: [PackedCluster],
        segments: [TextSegment], paragraphs: [TextParagraph], runs: [TextRun], tall: [TallRun],
        isCut: Bool, stamp: UInt64
    ) {
        self.text = text
        self.spans = spans
        self.context = context
        self.clusters = clusters
        self.segments = segments
        self.paragraphs = paragraphs
        self.runs = runs
        self.tall = tall
        hasTallRuns = !tall.isEmpty
        self.isCut = isCut
        self.stamp = stamp
    }

    var byteCount: Int {
        let header = 32
        func size<Element>(_ array: [Element]) -> Int {
            array.isEmpty ? 0 : header + array.count * MemoryLayout<Element>.stride
        }
        return 104 + size(clusters) + size(segments) + size(paragraphs) + size(runs) + size(tall)
    }

    /// The first segment of a paragraph.
    func firstSegment(of paragraph: Int) -> Int {
        paragraph == 0 ? 0 : Int(paragraphs[paragraph - 1].segmentEnd)
    }

    /// The bytes from one cluster to another.
    func length(from first: Int, to end: Int) -> Int {
        var length = 0
        for cluster in first..<max(first, end) { length += clusters[cluster].length }
        return length
    }
}

extension PreparedStorage {
    /// The run that holds a cluster, and where it ends.
    func run(at cluster: Int) -> (traits: FontTraits, level: UInt8, end: Int) {
        guard !runs.isEmpty else { return ([], 0, clusters.count) }
        var low = 0
        var high = runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(runs[middle].first) <= cluster { low = middle } else { high = middle }
        }
        let end = low + 1 < runs.count ? Int(runs[low + 1].first) : clusters.count
        return (runs[low].traits, runs[low].level, end)
    }
}
