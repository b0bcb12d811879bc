import RejoinModel

/// All that a cell must know of a row, computed off the main thread: its size, the frame of every
/// part, the lines of its texts, and what assistive technology reads. A cell applies it and never
/// measures.
///
/// Coordinates are device pixels in the row's frame, already mirrored where the app is read from
/// the right. Colours are the drawing's affair.
public struct LayoutData: LayoutDatable {
    /// On which side a row stands.
    public enum Side: UInt8, Hashable, Sendable {
        /// Somebody else's message, where reading begins.
        case incoming
        /// An own message, where reading ends.
        case outgoing
        /// In the middle: a header, a gap, a notice.
        case center
    }

    private let storage: Storage

    private final class Storage: Sendable {
        let stamp: LayoutStamp
        let size: PixelSize
        let side: Side
        let direction: TextDirection
        let parts: [LayoutPart]
        let accessibility: [AccessibilityElement]
        let bodies: [Int]

        init(
            stamp: LayoutStamp, size: PixelSize, side: Side, direction: TextDirection,
            parts: [LayoutPart], accessibility: [AccessibilityElement]
        ) {
            self.stamp = stamp
            self.size = size
            self.side = side
            self.direction = direction
            self.parts = parts
            self.accessibility = accessibility
            bodies = parts.indices.filter { parts[$0].isBody }
        }
    }

    init(
        stamp: LayoutStamp, size: PixelSize, side: Side, direction: TextDirection,
        parts: [LayoutPart], accessibility: [AccessibilityElement]
    ) {
        storage = Storage(
            stamp: stamp, size: size, side: side, direction: direction, parts: parts,
            accessibility: accessibility)
    }

    /// A row of which nothing is known: no size, no parts.
    public static let `default` = LayoutData(
        stamp: LayoutStamp(
            row: .typing, content: SnapshotVersion(), environment: SnapshotVersion()),
        size: .zero, side: .center, direction: .leftToRight, parts: [], accessibility: [])

    /// Which layout this is.
    public var stamp: LayoutStamp { storage.stamp }
    public var size: PixelSize { storage.size }
    /// On which side the row stands.
    public var side: Side { storage.side }
    /// The direction in which the app is read.
    public var direction: TextDirection { storage.direction }
    /// The parts from back to front: each stands after the part that holds it.
    public var parts: [LayoutPart] { storage.parts }
    /// What assistive technology reads, in the order of reading.
    public var accessibility: [AccessibilityElement] { storage.accessibility }

    /// Whether some text was left out, so that the row could be opened to show more.
    ///
    /// - Complexity: O(parts).
    public var isTruncated: Bool { parts.contains { $0.text?.isTruncated ?? false } }

    /// How far the ink of texts may reach out of the row: a cell must not clip there.
    ///
    /// - Complexity: O(parts).
    public var inkInsets: PixelInsets {
        var insets = PixelInsets.zero
        for part in parts {
            guard let ink = part.text?.inkInsets else { continue }
            let frame = part.frame
            let side = max(ink.leading, ink.trailing)
            insets.top = max(insets.top, ink.top - frame.y)
            insets.bottom = max(insets.bottom, ink.bottom - (size.height - frame.maxY))
            insets.leading = max(insets.leading, side - frame.x)
            insets.trailing = max(insets.trailing, side - (size.width - frame.maxX))
        }
        return insets
    }

    /// The baselines of the first and the last line of the message's own text, from the row's upper
    /// edge; `nil` where it has none.
    public var baselines: (first: Int32, last: Int32)? {
        guard let first = storage.bodies.first, let last = storage.bodies.last,
            let upper = parts[first].baselines?.first, let lower = parts[last].baselines?.last
        else { return nil }
        return (upper, lower)
    }

    /// The links and mentions of all texts with their frames in the row, in the order of reading.
    ///
    /// - Complexity: linear in the lines that they touch.
    public var links: [LayoutLink] {
        parts.indices.flatMap { index in
            guard let text = parts[index].text else { return [LayoutLink]() }
            return text.text.spans.compactMap { span in
                switch span.kind {
                case .link, .mention:
                    LayoutLink(
                        part: index, span: span, rects: rects(of: span.range, inPart: index))
                case .code, .bold, .italic: nil
                }
            }
        }
    }

    /// The frames, in the row, of a range of a part's text: to show it as selected.
    ///
    /// - Complexity: linear in the lines that the range touches.
    public func rects(of range: Range<Int>, inPart index: Int) -> [PixelRect] {
        let part = parts[index]
        return (part.text?.rects(of: range) ?? []).map {
            $0.moved(x: part.frame.x, y: part.frame.y)
        }
    }

    /// The frontmost part at a point of the row.
    ///
    /// - Complexity: O(parts).
    public func part(atX x: Int32, y: Int32) -> Int? {
        parts.lastIndex { $0.frame.contains(x: x, y: y) }
    }
}

extension LayoutData: Hashable {
    public static func == (lhs: LayoutData, rhs: LayoutData) -> Bool {
        lhs.storage === rhs.storage || lhs.stamp == rhs.stamp
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(stamp) }
}

extension LayoutData: TextAnchorable {
    /// Texts of one message count on from one to the next, with one position between them.
    public func textPosition(at y: Int32) -> Int? {
        var start = 0
        for index in storage.bodies {
            let part = parts[index]
            guard let text = part.text else { continue }
            if y < part.frame.maxY {
                guard y >= part.frame.y else { return nil }
                let line = text.lines[text.line(atY: y - part.frame.y)]
                return start + line.range.lowerBound
            }
            start += text.text.text.utf8.count + 1
        }
        return nil
    }

    public func place(ofTextPosition position: Int) -> Int32? {
        var start = 0
        for index in storage.bodies {
            guard let text = parts[index].text else { continue }
            let count = text.text.text.utf8.count
            if position <= start + count {
                let line = text.lineIndex(at: TextPosition(offset: position - start))
                return parts[index].frame.y + text.lines[line].top
            }
            start += count + 1
        }
        return nil
    }
}

extension TextLayout {
    /// The line at a height; the first or the last one outside.
    fileprivate func line(atY y: Int32) -> Int {
        min(lines(inY: y..<y + 1).lowerBound, lines.count - 1)
    }
}

/// A link or a mention of a row.
public struct LayoutLink: Hashable, Sendable {
    /// The part in whose text it stands.
    public var part: Int
    /// What it is.
    public var span: TextSpan
    /// Where it stands in the row.
    public var rects: [PixelRect]
}
