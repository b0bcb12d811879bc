import RejoinModel

/// Puts the parts of a row together: arithmetic only. Everything is placed as read from the left,
/// and mirrored at the end where the app is read from the right.
struct RowComposition {
    let plan: RowPlan
    let environment: LayoutEnvironment
    let measures: ContentMeasures

    /// The row's width; in a narrower list it is cut off.
    private let width: Int32
    /// The greatest width of a bubble.
    private let widestBubble: Int32
    /// The greatest width of this row's bubble.
    private let bubbleRoom: Int32
    private var parts: [LayoutPart] = []
    private var spoken: [AccessibilityElement] = []

    init(plan: RowPlan, environment: LayoutEnvironment, measures: ContentMeasures) {
        self.plan = plan
        self.environment = environment
        self.measures = measures
        func px(_ points: Int32) -> Int32 { environment.pixels(points) }
        width = max(min(environment.width, 1 << 24), px(measures.leastWidth))
        let room = width - 2 * px(measures.margin) - px(measures.avatar + measures.avatarGap)
        widestBubble = min(room * measures.bubbleShare / 100, px(measures.bubbleLimit))
        bubbleRoom =
            plan.inside.contains(where: \.isFlush)
            ? min(widestBubble, px(measures.cardLimit)) : widestBubble
    }

    private func px(_ points: Int32) -> Int32 { environment.pixels(points) }

    /// The width that a part may take.
    func room(for part: PartInput, isBelow: Bool) -> Int32 {
        switch plan.form {
        case .centered: width - 2 * px(measures.margin)
        case .divider: width - 2 * px(measures.margin)
        case .message where isBelow: widestBubble
        case .message:
            switch part {
            case .album, .card, .sound, .link, .quote: bubbleRoom - 2 * px(measures.flushInset)
            case .name, .body, .notice, .footer, .reactions, .failure, .pill, .divider, .avatar:
                bubbleRoom - 2 * px(measures.textInset)
            }
        }
    }

    /// The row, from its parts in the order of the plan.
    mutating func data(_ layouts: [PartLayout], stamp: LayoutStamp) -> LayoutData {
        parts.reserveCapacity(layouts.reduce(1) { $0 + $1.pieces.count })
        let height: Int32
        switch plan.form {
        case .message: height = message(layouts)
        case .centered, .divider: height = centered(layouts)
        }
        let isMirrored = environment.direction == .rightToLeft
        if isMirrored {
            for index in parts.indices {
                parts[index].frame = parts[index].frame.mirrored(in: width)
                parts[index].corners = parts[index].corners.mirrored
            }
        }
        return LayoutData(
            stamp: stamp, size: PixelSize(width: width, height: height), side: plan.side,
            direction: environment.direction, parts: parts, accessibility: elements())
    }

    private mutating func centered(_ layouts: [PartLayout]) -> Int32 {
        var y = px(measures.rowGap)
        for layout in layouts {
            add(layout, x: (width - layout.size.width) / 2, y: y, parent: nil)
            y += layout.size.height
        }
        return y + px(plan.form == .divider ? measures.joinedGap : 0)
    }

    private mutating func message(_ layouts: [PartLayout]) -> Int32 {
        let top = px(plan.group.isFirst ? measures.rowGap : measures.joinedGap)
        let inside = Array(layouts.prefix(plan.inside.count))
        let stack = BubbleStack(
            inside, inputs: plan.inside, room: bubbleRoom, environment: environment,
            measures: measures)
        let margin = px(measures.margin)
        let column = px(measures.avatar + measures.avatarGap)
        let isOwn = plan.side == .outgoing
        let left = isOwn ? width - margin - stack.size.width : margin + column
        let frame = PixelRect(x: left, y: top, size: stack.size)
        parts.append(LayoutPart(kind: .bubble, frame: frame, corners: corners(isOwn)))
        if !plan.summary.isEmpty {
            spoken.append(
                AccessibilityElement(role: .message, label: plan.summary, frame: frame, part: 0))
        }
        for placed in stack.placed {
            add(
                inside[placed.part], x: left + placed.x, y: top + placed.y, parent: 0,
                width: placed.width)
        }
        var bottom = frame.maxY
        if plan.avatar != nil, let avatar = layouts.last {
            let y = max(top, frame.maxY - avatar.size.height)
            add(avatar, x: margin, y: y, parent: nil)
            bottom = max(bottom, y + avatar.size.height)
        }
        var y = frame.maxY
        for layout in layouts.dropFirst(plan.inside.count).prefix(plan.below.count) {
            y += px(measures.chipGap)
            let x = isOwn ? width - margin - layout.size.width : left
            add(layout, x: x, y: y, parent: nil)
            y += layout.size.height
        }
        if !plan.below.isEmpty { y += px(measures.chipGap) }
        return max(bottom, y)
    }

    /// Where bubbles of a run meet, on the side where they stand, corners are less round.
    private func corners(_ isOwn: Bool) -> PixelCorners {
        let round = px(measures.bubbleRadius)
        let joined = px(measures.joinedRadius)
        let top = plan.group.isFirst ? round : joined
        let bottom = plan.group.isLast ? round : joined
        let corners = PixelCorners(
            topLeft: top, topRight: round, bottomLeft: bottom, bottomRight: round)
        return isOwn ? corners.mirrored : corners
    }

    /// Adds the pieces of a part; `width` is what the whole of it takes where that is more than it
    /// asked for.
    private mutating func add(
        _ layout: PartLayout, x: Int32, y: Int32, parent: Int?, width: Int32? = nil
    ) {
        let base = parts.count
        for piece in layout.pieces {
            var part = piece
            part.parent = piece.parent.map { base + $0 } ?? parent
            if let width, piece.parent == nil {
                part.frame.width = width
                part.text?.alignmentWidth = width
            }
            part.frame = part.frame.moved(x: x, y: y)
            parts.append(part)
        }
        for said in layout.spoken {
            spoken.append(
                AccessibilityElement(
                    role: said.role, label: said.label, frame: .zero, part: base + said.piece))
        }
    }

    /// What is read, with the frames that the parts have in the end, and links after their text.
    private func elements() -> [AccessibilityElement] {
        spoken.flatMap { element -> [AccessibilityElement] in
            var element = element
            let part = parts[element.part]
            element.frame = part.frame
            guard element.role == .text, let text = part.text else { return [element] }
            return [element] + links(in: text, of: part, element.part)
        }
    }

    private func links(
        in text: TextLayout, of part: LayoutPart, _ index: Int
    ) -> [AccessibilityElement] {
        text.text.spans.compactMap { span in
            switch span.kind {
            case .link, .mention: break
            case .code, .bold, .italic: return nil
            }
            let frame = text.rects(of: span.range).reduce(PixelRect.zero) { $0.union($1) }
            guard !frame.isEmpty else { return nil }
            return AccessibilityElement(
                role: .link(at: span.range.lowerBound),
                label: text.text.text.slice(span.range),
                frame: frame.moved(x: part.frame.x, y: part.frame.y), part: index)
        }
    }
}

extension String {
    /// The text of a range of UTF-8.
    fileprivate func slice(_ range: Range<Int>) -> String {
        let range = range.clamped(to: 0..<utf8.count)
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(
            decoding: utf8[start..<utf8.index(start, offsetBy: range.count)], as: UTF8.self)
    }
}
