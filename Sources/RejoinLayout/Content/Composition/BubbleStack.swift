/// Where the parts of a bubble stand: from top to bottom, the time on the last line of the text
/// where it fits.
struct BubbleStack {
    /// A part's place in the bubble.
    struct Placed {
        var part: Int
        var x: Int32
        var y: Int32
        /// The width that it is given; nil: its own.
        var width: Int32?
    }

    private(set) var placed: [Placed] = []
    private(set) var size = PixelSize.zero

    private let parts: [PartLayout]
    private let environment: LayoutEnvironment
    private let measures: ContentMeasures

    /// - Parameter room: the greatest width of the bubble.
    init(
        _ parts: [PartLayout], inputs: [PartInput], room: Int32, environment: LayoutEnvironment,
        measures: ContentMeasures
    ) {
        self.parts = parts
        self.environment = environment
        self.measures = measures
        var blocks = Array(parts.indices)
        var footer: Int?
        if case .footer = inputs.last { footer = blocks.popLast() }
        let line = footer.flatMap { inlineFooter($0, blocks, room) }

        var width = min(room, 2 * px(measures.bubbleRadius))
        for part in parts { width = max(width, part.size.width + 2 * inset(part.fit)) }
        if let line { width = max(width, line.width + 2 * px(measures.textInset)) }
        if inputs.contains(where: \.isFlush) { width = room }
        width = min(width, room)

        var y: Int32 = 0
        for index in blocks {
            y += gap(above: index, inputs)
            place(index, y: y, bubble: width)
            y += parts[index].size.height
        }
        if let footer {
            let part = parts[footer]
            let x = width - px(measures.textInset) - part.size.width
            if let line, let last = placed.last {
                placed.append(Placed(part: footer, x: x, y: last.y + line.top, width: nil))
            } else {
                y += blocks.isEmpty ? px(measures.textRise) : px(3)
                placed.append(Placed(part: footer, x: x, y: y, width: nil))
                y += part.size.height
            }
        }
        let closing = footer != nil || parts.last?.fit == .text
        size = PixelSize(
            width: width, height: y + px(closing ? measures.textRise : measures.flushInset))
    }

    private func px(_ points: Int32) -> Int32 { environment.pixels(points) }

    private func inset(_ fit: PartLayout.Fit) -> Int32 {
        switch fit {
        case .text: px(measures.textInset)
        case .stretched, .flush: px(measures.flushInset)
        }
    }

    private func gap(above index: Int, _ inputs: [PartInput]) -> Int32 {
        guard index > 0 else {
            return px(parts[0].fit == .text ? measures.textRise : measures.flushInset)
        }
        if case .name = inputs[index - 1] { return px(measures.joinedGap) }
        return px(measures.blockGap)
    }

    private mutating func place(_ index: Int, y: Int32, bubble width: Int32) {
        let part = parts[index]
        let inset = inset(part.fit)
        // A text is aligned within the bubble, and what is quoted reaches across it.
        let isWidened = part.fit == .stretched || part.closingText != nil
        placed.append(
            Placed(part: index, x: inset, y: y, width: isWidened ? width - 2 * inset : nil))
    }

    /// Where the footer stands beside the last line: its upper edge in the text's frame, and the
    /// width that line and footer take; nil where it has no room there.
    ///
    /// A last line that is written against the app's direction ends where the footer would stand.
    private func inlineFooter(
        _ footer: Int, _ blocks: [Int], _ room: Int32
    ) -> (top: Int32, width: Int32)? {
        guard let index = blocks.last, let text = parts[index].closingText,
            let line = text.lines.last, line.direction == environment.direction,
            let words = parts[footer].pieces.first?.text?.lines.first
        else { return nil }
        let width =
            line.width.roundedUp + px(measures.footerGap) + parts[footer].size.width
        let top = line.top + line.baseline - words.baseline
        guard width <= room - 2 * px(measures.textInset), top >= line.top,
            top + parts[footer].size.height <= line.top + line.height
        else { return nil }
        return (top, width)
    }
}
