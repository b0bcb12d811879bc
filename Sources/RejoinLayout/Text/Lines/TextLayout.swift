/// A text wrapped at a width: its lines, and what hangs on them.
///
/// Coordinates are device pixels in the text's frame, whose upper left corner is (0, 0) and whose
/// width is ``alignmentWidth``.
public struct TextLayout: Hashable, Sendable {
    /// The text.
    public let text: PreparedText
    /// The lines from top to bottom; never empty.
    public let lines: [TextLine]
    /// What the lines take: the widest line rounded up, and the sum of their heights.
    public let size: PixelSize
    /// Whether text was left out after the last line.
    public let isTruncated: Bool
    /// The width in which lines are aligned, to the edge where their paragraph begins to be read.
    /// At first the width of `size`; whoever gives the text a wider frame sets it.
    /// Values beyond 16,777,216 and below 0 count as these.
    public var alignmentWidth: Int32

    init(_ text: PreparedText, width: Int32, maxLines: Int?, shaper: (any TextShaper)?) {
        self.text = text
        var walker = LineWalker(text.storage, width: width, shaper: shaper)
        let limit = maxLines.flatMap { $0 > 0 ? $0 : nil } ?? Int.max
        var lines: [TextLine] = []
        lines.reserveCapacity(min(limit, walker.expectedLineCount))
        var widest: Int32 = 0
        var isTruncated = false
        while lines.count < limit - 1, let line = walker.next() {
            lines.append(line)
            widest = max(widest, line.width.rawValue)
        }
        if !walker.isAtEnd {
            // The last line that is allowed: whole, where nothing follows it.
            var whole = walker
            var line = whole.next()
            if whole.isAtEnd {
                walker = whole
            } else {
                line = walker.truncatedLine()
                isTruncated = true
            }
            if let line {
                lines.append(line)
                widest = max(widest, line.width.rawValue)
            }
        }
        self.lines = lines
        self.isTruncated = isTruncated
        size = PixelSize(width: Advance(rawValue: widest).roundedUp, height: walker.height)
        alignmentWidth = size.width
    }

    /// The width of the last line: a time may stand beside it.
    public var lastLineWidth: Advance { lines.last?.width ?? .zero }

    /// Where a line's content begins from the left: 0, or what is left over where its paragraph is
    /// written to the left.
    public func x(of line: TextLine) -> Int32 {
        switch line.direction {
        case .leftToRight: 0
        case .rightToLeft:
            max(0, min(max(0, alignmentWidth), 1 << 24) - line.width.roundedUp)
        }
    }

    /// The frame of a line's content.
    public func frame(of line: TextLine) -> PixelRect {
        PixelRect(
            x: x(of: line), y: line.top, width: line.width.roundedUp, height: line.height)
    }

    /// The lines that a span of y shows, for drawing in tiles.
    ///
    /// - Complexity: O(log lines).
    public func lines(inY range: Range<Int32>) -> Range<Int> {
        let first = firstLine { $0.top + $0.height > range.lowerBound }
        let end = firstLine { $0.top >= range.upperBound }
        return first..<max(first, end)
    }

    /// How far ink may reach out of the frame: the overflow that the style allows above and below,
    /// and a quarter of the em at the sides, for slanted letters and marks.
    public var inkInsets: PixelInsets {
        let style = text.style
        let side = (style.font.size.roundedUp + 3) / 4
        return PixelInsets(
            top: style.overflow, leading: side, bottom: style.overflow, trailing: side)
    }

    /// The first line for which a condition holds that holds for all after it.
    func firstLine(where holds: (TextLine) -> Bool) -> Int {
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if holds(lines[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
