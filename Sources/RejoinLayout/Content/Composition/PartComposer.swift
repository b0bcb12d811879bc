import RejoinModel

/// Lays single parts out: arithmetic over the sizes of their texts.
struct PartComposer {
    let environment: LayoutEnvironment
    let measures: ContentMeasures
    let setter: TextSetter

    func px(_ points: Int32) -> Int32 { environment.pixels(points) }

    /// - Parameters:
    ///   - input: the part.
    ///   - width: the width that it may take, its insets in the bubble taken off.
    func compose(_ input: PartInput, width: Int32) -> PartLayout {
        switch input {
        case .name(let name): text(name, .name, width, maxLines: lines(1))
        case .body(let body, let block): text(body, .body, width, block: block, role: .text)
        case .notice(let notice, let block):
            text(notice, .notice, width, block: block, role: .text)
        case .album(let tiles, let block): album(tiles, width, block)
        case .card(let card, let icon, let title, let detail, let block):
            self.card(card, icon, title, detail, width, block)
        case .sound(let title, let detail, let block): sound(title, detail, width, block)
        case .link(let link, let host, let block): self.link(link, host, width, block)
        case .quote(let author, let excerpt, let spoken, let block):
            quote(author, excerpt, spoken, width, block)
        case .footer(let words, let icon, let spoken): footer(words, icon, spoken, width)
        case .reactions(let chips): reactions(chips, width)
        case .failure(let words, let icon): failure(words, icon, width)
        case .pill(let card, let words, let icon, let role): pill(card, words, icon, role, width)
        case .divider(let words): divider(words, width)
        case .avatar(let user, let url, let initial): avatar(user, url, initial)
        }
    }

    /// How many lines a short text may take: where the type is large, as many as keep its words.
    func lines(_ usual: Int) -> Int { environment.typeSize < 150 ? usual : usual * 3 }

    /// A text at a place.
    func piece(
        _ text: TextLayout, _ role: TextRole, x: Int32 = 0, y: Int32 = 0, parent: Int? = nil,
        block: Int? = nil
    ) -> LayoutPart {
        LayoutPart(
            kind: .text(role),
            frame: PixelRect(x: x, y: y, width: text.alignmentWidth, height: text.size.height),
            parent: parent, text: text, block: block)
    }

    private func text(
        _ words: String, _ role: TextRole, _ width: Int32, maxLines: Int? = nil, block: Int? = nil,
        role spoken: AccessibilityElement.Role? = nil
    ) -> PartLayout {
        let text = setter.lay(words, role, width: width, maxLines: maxLines)
        let piece = piece(text, role, block: block)
        var part = PartLayout(fit: .text, size: piece.frame.size)
        part.add(piece)
        if let spoken { part.speak(spoken, words) }
        return part
    }

    private func quote(
        _ author: String, _ excerpt: String, _ spoken: String, _ width: Int32, _ block: Int
    ) -> PartLayout {
        let inset = px(measures.cardInset) * 3 / 4
        let left = px(measures.accent) + inset
        let room = width - left - inset
        let title = setter.lay(author, .title, width: room, maxLines: lines(1))
        let text = setter.lay(excerpt, .quote, width: room, maxLines: 3)
        let rise = px(measures.textRise) * 3 / 4
        let size = PixelSize(
            width: min(width, left + max(title.alignmentWidth, text.alignmentWidth) + inset),
            height: title.size.height + text.size.height + 2 * rise)
        var part = PartLayout(fit: .stretched, size: size)
        part.add(
            LayoutPart(
                kind: .card(.quote), frame: PixelRect(size: size),
                corners: PixelCorners(px(measures.cardRadius)), block: block))
        part.speak(.button, spoken)
        part.add(
            LayoutPart(
                kind: .accent,
                frame: PixelRect(
                    x: 0, y: 0, width: px(measures.accent), height: size.height), parent: 0,
                block: block))
        part.add(piece(title, .title, x: left, y: rise, parent: 0, block: block))
        part.add(
            piece(text, .quote, x: left, y: rise + title.size.height, parent: 0, block: block))
        return part
    }

    private func footer(
        _ words: String, _ icon: LayoutPart.Icon?, _ spoken: String, _ width: Int32
    ) -> PartLayout {
        let box = setter.style(.caption).lineBox
        let gap = px(3)
        let iconRoom = icon == nil ? 0 : box + gap
        let text = setter.lay(
            words, .caption, width: width - iconRoom, maxLines: lines(1))
        let height = max(box, text.size.height)
        var part = PartLayout(
            fit: .text, size: PixelSize(width: text.alignmentWidth + iconRoom, height: height))
        part.add(piece(text, .caption))
        if !spoken.isEmpty { part.speak(.status, spoken) }
        if let icon {
            part.add(
                LayoutPart(
                    kind: .icon(icon),
                    frame: PixelRect(
                        x: text.alignmentWidth + gap, y: 0, width: box, height: box)))
        }
        return part
    }

    private func avatar(_ user: UserID, _ url: String?, _ initial: String) -> PartLayout {
        let side = px(measures.avatar)
        var part = PartLayout(fit: .flush, size: PixelSize(width: side, height: side))
        part.add(
            LayoutPart(
                kind: .avatar(user, url: url), frame: PixelRect(size: part.size),
                corners: PixelCorners(side / 2)))
        let text = setter.lay(initial, .initial, width: side, maxLines: 1)
        if text.size.height <= side {
            part.add(
                piece(
                    text, .initial, x: (side - text.alignmentWidth) / 2,
                    y: (side - text.size.height) / 2, parent: 0))
        }
        return part
    }

    private func failure(_ words: String, _ icon: LayoutPart.Icon, _ width: Int32) -> PartLayout {
        let box = setter.style(.failure).lineBox
        let left = box + px(4)
        let text = setter.lay(words, .failure, width: width - left)
        var part = PartLayout(
            fit: .text,
            size: PixelSize(
                width: left + text.alignmentWidth, height: max(box, text.size.height)))
        part.add(
            LayoutPart(
                kind: .icon(icon), frame: PixelRect(x: 0, y: 0, width: box, height: box)))
        part.add(piece(text, .failure, x: left))
        part.speak(.button, words)
        return part
    }

    private func pill(
        _ card: LayoutPart.Card, _ words: String, _ icon: LayoutPart.Icon?,
        _ role: AccessibilityElement.Role, _ width: Int32
    ) -> PartLayout {
        let textRole: TextRole = card == .date ? .header : .notice
        let box = setter.style(textRole).lineBox
        let inset = px(measures.textInset)
        let rise = px(4)
        let left = inset + (icon == nil ? 0 : box + px(6))
        // A gap that begins to load moves nothing: its words take one line, unless the type is
        // large.
        let text = setter.lay(
            words, textRole, width: width - left - inset, maxLines: card == .notice ? nil : lines(1)
        )
        let size = PixelSize(
            width: left + text.alignmentWidth + inset, height: text.size.height + 2 * rise)
        var part = PartLayout(fit: .text, size: size)
        part.add(
            LayoutPart(
                kind: .card(card), frame: PixelRect(size: size),
                corners: PixelCorners(min(size.height / 2, px(measures.cardRadius)))))
        part.speak(role, words)
        if let icon {
            part.add(
                LayoutPart(
                    kind: .icon(icon),
                    frame: PixelRect(
                        x: inset, y: rise + max(0, text.size.height - box) / 2, width: box,
                        height: box), parent: 0))
        }
        part.add(piece(text, textRole, x: left, y: rise, parent: 0))
        return part
    }

    private func divider(_ words: String, _ width: Int32) -> PartLayout {
        let gap = px(measures.footerGap)
        let text = setter.lay(words, .divider, width: width * 3 / 4, maxLines: lines(1))
        let left = (width - text.alignmentWidth) / 2
        let thickness = max(1, px(1) / 2)
        let middle = (text.size.height - thickness) / 2
        var part = PartLayout(
            fit: .text, size: PixelSize(width: width, height: text.size.height))
        let right = left + text.alignmentWidth + gap
        for (start, end) in [(0, left - gap), (right, width)] where end > start {
            part.add(
                LayoutPart(
                    kind: .rule,
                    frame: PixelRect(x: start, y: middle, width: end - start, height: thickness)))
        }
        part.add(piece(text, .divider, x: left))
        part.speak(.header, words)
        return part
    }

    private func reactions(_ chips: [ReactionChip], _ width: Int32) -> PartLayout {
        let inset = px(measures.chipInset)
        let rise = px(measures.chipRise)
        let gap = px(measures.chipGap)
        var part = PartLayout(fit: .text, size: .zero)
        var x: Int32 = 0
        var y: Int32 = 0
        var lineHeight: Int32 = 0
        for chip in chips {
            let text = setter.lay(chip.text, .chip, width: width - 2 * inset, maxLines: 1)
            let size = PixelSize(
                width: text.alignmentWidth + 2 * inset, height: text.size.height + 2 * rise)
            if x > 0, x + size.width > width {
                (x, y) = (0, y + lineHeight + gap)
                lineHeight = 0
            }
            let holder = part.add(
                LayoutPart(
                    kind: .chip(isOwn: chip.isOwn), frame: PixelRect(x: x, y: y, size: size),
                    corners: PixelCorners(size.height / 2)))
            part.speak(.toggle(isOn: chip.isOwn), chip.spoken)
            part.add(piece(text, .chip, x: x + inset, y: y + rise, parent: holder))
            part.size.width = max(part.size.width, x + size.width)
            lineHeight = max(lineHeight, size.height)
            x += size.width + gap
        }
        part.size.height = y + lineHeight
        return part
    }
}
