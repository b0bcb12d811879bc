/// A place between two grapheme clusters.
public struct TextPosition: Hashable, Sendable {
    /// The offset in UTF-8.
    public var offset: Int
    /// Where a line wraps at the offset: whether the end of the upper line is meant, not the start
    /// of the lower one.
    public var isUpstream: Bool

    /// Creates a position.
    public init(offset: Int, isUpstream: Bool = false) {
        self.offset = offset
        self.isUpstream = isUpstream
    }
}

/// What is drawn in one go: bytes of one font and one direction that stand side by side.
public struct VisualRun: Hashable, Sendable {
    /// The bytes.
    public var range: Range<Int>
    /// Their font.
    public var font: FontRequest
    /// Their direction.
    public var direction: TextDirection
    /// The left edge in the text's frame.
    public var x: Advance
    /// How wide the run is.
    public var width: Advance
}

extension TextLayout {
    /// The number of the line on which a position stands.
    ///
    /// - Complexity: O(log lines).
    public func lineIndex(at position: TextPosition) -> Int {
        let after = firstLine { Int($0.start) > position.offset }
        let index = max(0, after - 1)
        let isWrap =
            position.isUpstream && index > 0 && Int(lines[index].start) == position.offset
            && Int(lines[index - 1].end) == position.offset
        return isWrap ? index - 1 : index
    }

    /// The caret at a position: a frame one pixel wide and as high as the line. Inside a ligature
    /// it stands at an equal part; inside a grapheme cluster at the cluster's start.
    ///
    /// - Complexity: linear in the line.
    public func caret(at position: TextPosition) -> PixelRect {
        let line = lines[lineIndex(at: position)]
        let offset = min(max(position.offset, Int(line.start)), Int(line.end))
        let x = Advance(rawValue: LineGeometry(self, line).caret(at: offset)).rounded
        return PixelRect(x: x, y: line.top, width: 1, height: line.height)
    }

    /// The position nearest to a point: the line at its height, the first or the last one where it
    /// lies outside, and there the nearest edge of a cluster. Where directions meet, one offset has
    /// two places: this answers what selecting needs, so the caret of the answer may stand at the
    /// other one.
    ///
    /// - Complexity: linear in the line.
    public func position(atX x: Int32, y: Int32) -> TextPosition {
        let index = min(firstLine { $0.top + $0.height > y }, lines.count - 1)
        let line = lines[index]
        let clamped = min(max(x, -1 << 24), 1 << 24)
        let offset = LineGeometry(self, line).offset(atX: clamped * 64 + 32)
        let isUpstream = offset == Int(line.end) && !line.endsParagraph
        return TextPosition(offset: offset, isUpstream: isUpstream)
    }

    /// The frames of a range, line by line and from left to right, each as high as its line: one
    /// for each stretch that is seen together. White space that hangs outside the frame is left
    /// out.
    ///
    /// - Complexity: linear in the lines that the range touches.
    public func rects(of range: Range<Int>) -> [PixelRect] {
        var rects: [PixelRect] = []
        guard !range.isEmpty else { return rects }
        var index = lineIndex(at: TextPosition(offset: range.lowerBound))
        while index < lines.count, Int(lines[index].start) < range.upperBound {
            let line = lines[index]
            for span in LineGeometry(self, line).spans(of: range) {
                let left = max(0, span.left >> 6)
                let right = min(alignmentWidth, (span.right + 63) >> 6)
                if left < right {
                    rects.append(
                        PixelRect(x: left, y: line.top, width: right - left, height: line.height))
                }
            }
            index += 1
        }
        return rects
    }

    /// What is drawn on a line, from left to right, without white space that hangs at its end. A
    /// hyphen or an ellipsis is drawn at ``endMark(of:)``.
    ///
    /// - Complexity: linear in the line.
    public func runs(of line: TextLine) -> [VisualRun] {
        let geometry = LineGeometry(self, line)
        let storage = text.storage
        var runs: [VisualRun] = []
        for piece in geometry.pieces {
            let end = min(piece.end, Int(line.contentEnd))
            var parts: [VisualRun] = []
            var first = piece.first
            while first < end {
                let run = storage.run(at: first)
                let last = min(end, run.end)
                let range = geometry.byte(first)..<geometry.byte(last)
                if let span = geometry.span(of: range, in: piece) {
                    parts.append(
                        VisualRun(
                            range: range, font: text.style.font(run.traits),
                            direction: piece.isRightToLeft ? .rightToLeft : .leftToRight,
                            x: Advance(rawValue: span.left),
                            width: Advance(rawValue: span.right - span.left)))
                }
                first = last
            }
            runs += piece.isRightToLeft ? parts.reversed() : parts
        }
        return runs
    }

    /// Where the hyphen or ellipsis of a line begins, from the left; nil where it has none.
    public func endMark(of line: TextLine) -> Advance? {
        guard line.showsHyphen || line.showsEllipsis else { return nil }
        let edge = LineGeometry(self, line).contentEdge
        let context = text.storage.context
        let width = line.showsHyphen ? context.hyphen : context.ellipsis
        return Advance(rawValue: line.direction == .leftToRight ? edge : edge - width)
    }
}
