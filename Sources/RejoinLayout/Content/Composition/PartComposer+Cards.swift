import RejoinModel

extension PartComposer {
    /// A sign, a title and something below it. Where the sign would leave them hardly any room, as
    /// in a narrow list, it is left out.
    func card(
        _ card: LayoutPart.Card, _ icon: LayoutPart.Icon, _ title: String, _ detail: String,
        _ width: Int32, _ block: Int
    ) -> PartLayout {
        let inset = px(measures.cardInset)
        let side = px(measures.icon)
        let hasSign = width - 3 * inset - side >= 2 * side
        let left = inset + (hasSign ? side + inset : 0)
        let room = width - left - inset
        let isNotice = card == .unsupported
        let upper = setter.lay(
            title, isNotice ? .notice : .title, width: room, maxLines: lines(isNotice ? 3 : 1))
        let lower =
            detail.isEmpty ? nil : setter.lay(detail, .detail, width: room, maxLines: lines(1))
        let texts = upper.size.height + (lower?.size.height ?? 0)
        let height = max(hasSign ? side : 0, texts)
        var part = holder(card, PixelSize(width: width, height: height + 2 * inset), block)
        part.speak(.button, detail.isEmpty ? title : "\(title), \(detail)")
        if hasSign {
            part.add(
                LayoutPart(
                    kind: .icon(icon),
                    frame: PixelRect(
                        x: inset, y: inset + (height - side) / 2, width: side, height: side),
                    parent: 0, corners: PixelCorners(side / 2), block: block))
        }
        let top = inset + (height - texts) / 2
        part.add(
            piece(
                upper, isNotice ? .notice : .title, x: left, y: top, parent: 0, block: block))
        if let lower {
            part.add(
                piece(
                    lower, .detail, x: left, y: top + upper.size.height, parent: 0, block: block))
        }
        return part
    }

    /// A sound: a sign that plays it, how far it has come, and its length.
    func sound(_ title: String, _ detail: String, _ width: Int32, _ block: Int) -> PartLayout {
        let inset = px(measures.cardInset)
        let side = px(measures.icon)
        let left = inset + side + inset
        let room = width - left - inset
        let lower = setter.lay(
            detail.isEmpty ? title : detail, .detail, width: room, maxLines: lines(1))
        let track = px(4)
        let gap = px(6)
        let texts = track + gap + lower.size.height
        let height = max(side, texts)
        var part = holder(.audio, PixelSize(width: width, height: height + 2 * inset), block)
        part.speak(.button, detail.isEmpty ? title : "\(title), \(detail)")
        part.add(
            LayoutPart(
                kind: .icon(.play),
                frame: PixelRect(
                    x: inset, y: inset + (height - side) / 2, width: side, height: side),
                parent: 0, corners: PixelCorners(side / 2), block: block))
        let top = inset + (height - texts) / 2
        part.add(
            LayoutPart(
                kind: .track,
                frame: PixelRect(x: left, y: top, width: max(0, room), height: track), parent: 0,
                corners: PixelCorners(track / 2), block: block))
        part.add(
            piece(lower, .detail, x: left, y: top + track + gap, parent: 0, block: block))
        return part
    }

    /// The preview of a page, in one of three classes of height: a title; with a summary; with a
    /// picture. So a preview whose words or picture come late does not move the list by a line.
    func link(_ link: LinkPreview, _ host: String, _ width: Int32, _ block: Int) -> PartLayout {
        let inset = px(measures.cardInset)
        let room = width - 2 * inset
        let radius = px(measures.cardRadius)
        let title = setter.lay(link.title ?? link.url, .title, width: room, maxLines: lines(1))
        let summary = link.summary.map { setter.lay($0, .detail, width: room, maxLines: lines(2)) }
        let address = setter.lay(host, .detail, width: room, maxLines: 1)
        let picture =
            link.image == nil
            ? 0 : min(max(width * 21 / 40, px(measures.pictureHeights.lowerBound)), width * 4)
        let summaryHeight = summary.map {
            max($0.size.height, 2 * setter.style(.detail).lineBox)
        }
        let texts = title.size.height + (summaryHeight ?? 0) + address.size.height
        var part = holder(
            .link, PixelSize(width: width, height: picture + texts + 2 * inset), block)
        part.speak(
            .button,
            [link.title ?? "", link.summary ?? "", host].filter { !$0.isEmpty }
                .joined(separator: ", "))
        if let image = link.image {
            part.add(
                LayoutPart(
                    kind: .image(image),
                    frame: PixelRect(x: 0, y: 0, width: width, height: picture), parent: 0,
                    corners: PixelCorners(
                        topLeft: radius, topRight: radius, bottomLeft: 0, bottomRight: 0),
                    block: block))
        }
        var y = picture + inset
        part.add(piece(title, .title, x: inset, y: y, parent: 0, block: block))
        y += title.size.height
        if let summary, let summaryHeight {
            part.add(piece(summary, .detail, x: inset, y: y, parent: 0, block: block))
            y += summaryHeight
        }
        part.add(piece(address, .detail, x: inset, y: y, parent: 0, block: block))
        return part
    }

    private func holder(_ card: LayoutPart.Card, _ size: PixelSize, _ block: Int) -> PartLayout {
        var part = PartLayout(fit: .flush, size: size)
        part.add(
            LayoutPart(
                kind: .card(card), frame: PixelRect(size: size),
                corners: PixelCorners(px(measures.cardRadius)), block: block))
        return part
    }
}
