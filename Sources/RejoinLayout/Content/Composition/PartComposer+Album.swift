import RejoinModel

extension PartComposer {
    /// How many pictures stand in each row of an album.
    private static let rows: [[Int]] = [
        [], [1], [2], [1, 2], [2, 2], [2, 3], [3, 3], [2, 2, 3], [2, 3, 3], [3, 3, 3],
    ]

    /// Pictures in rows, each as wide as the album, with edges on whole pixels.
    func album(_ tiles: [AlbumTile], _ width: Int32, _ block: Int) -> PartLayout {
        let gap = px(measures.tileGap)
        var part = PartLayout(fit: .flush, size: PixelSize(width: width, height: 0))
        let rows =
            tiles.count < Self.rows.count
            ? Self.rows[tiles.count]
            : Array(repeating: 3, count: tiles.count / 3)
                + (tiles.count % 3 == 0 ? [] : [tiles.count % 3])
        var first = 0
        var y: Int32 = 0
        for (number, count) in rows.enumerated() {
            let row = tiles[first..<first + count]
            let ends = (isFirst: number == 0, isLast: number == rows.count - 1)
            let height = self.row(row, width, y: y, ends, &part)
            first += count
            y += height + (ends.isLast ? 0 : gap)
        }
        part.size.height = y
        return part
    }

    /// - Returns: the row's height.
    private func row(
        _ tiles: ArraySlice<AlbumTile>, _ width: Int32, y: Int32,
        _ ends: (isFirst: Bool, isLast: Bool), _ part: inout PartLayout
    ) -> Int32 {
        let isSingle = ends.isFirst && ends.isLast && tiles.count == 1
        let gap = px(measures.tileGap)
        let room = width - gap * Int32(tiles.count - 1)
        let ratios = tiles.map { tile in
            isSingle ? min(max(tile.ratio, 0.4), 4) : min(max(tile.ratio, 0.6), 1.9)
        }
        let sum = ratios.reduce(0, +)
        let bounds = measures.pictureHeights
        let most = isSingle ? bounds.upperBound : bounds.upperBound * 2 / 3
        let wanted = Int32((Double(room) / sum).rounded())
        let height = min(max(wanted, px(bounds.lowerBound)), px(most))
        var passed = 0.0
        var left: Int32 = 0
        for (index, (tile, ratio)) in zip(tiles, ratios).enumerated() {
            passed += ratio
            let right = Int32((Double(room) * passed / sum).rounded())
            let isFirst = index == 0
            let isLast = index == tiles.count - 1
            let outer = px(measures.cardRadius)
            let inner = px(3)
            add(
                tile,
                PixelRect(
                    x: left + gap * Int32(index), y: y, width: right - left, height: height),
                PixelCorners(
                    topLeft: ends.isFirst && isFirst ? outer : inner,
                    topRight: ends.isFirst && isLast ? outer : inner,
                    bottomLeft: ends.isLast && isFirst ? outer : inner,
                    bottomRight: ends.isLast && isLast ? outer : inner),
                to: &part)
            left = right
        }
        return height
    }

    private func add(
        _ tile: AlbumTile, _ frame: PixelRect, _ corners: PixelCorners, to part: inout PartLayout
    ) {
        let holder = part.add(
            LayoutPart(
                kind: tile.isVideo ? .video(tile.media) : .image(tile.media), frame: frame,
                corners: corners, block: tile.block))
        part.speak(tile.isVideo ? .button : .image, tile.spoken)
        if let more = tile.more {
            let scrim = part.add(
                LayoutPart(
                    kind: .scrim, frame: frame, parent: holder, corners: corners,
                    block: tile.block))
            let text = setter.lay(more, .badge, width: frame.width, maxLines: 1)
            if text.size.height <= frame.height {
                part.add(
                    piece(
                        text, .badge, x: frame.x + (frame.width - text.alignmentWidth) / 2,
                        y: frame.y + (frame.height - text.size.height) / 2, parent: scrim,
                        block: tile.block))
            }
            return
        }
        guard tile.isVideo else { return }
        let side = min(px(measures.icon), frame.width, frame.height)
        let icon = PixelRect(
            x: frame.x + (frame.width - side) / 2, y: frame.y + (frame.height - side) / 2,
            width: side, height: side)
        part.add(
            LayoutPart(
                kind: .icon(.play), frame: icon, parent: holder, corners: PixelCorners(side / 2),
                block: tile.block))
        guard let duration = tile.duration else { return }
        let inset = px(6)
        let rise = px(2)
        let text = setter.lay(duration, .badge, width: frame.width, maxLines: 1)
        let size = PixelSize(
            width: text.alignmentWidth + 2 * inset, height: text.size.height + 2 * rise)
        let badge = PixelRect(
            x: frame.x + inset, y: frame.maxY - inset - size.height, size: size)
        // On a small tile the sign that plays it matters more.
        guard frame.contains(badge), !badge.intersects(icon) else { return }
        let scrim = part.add(
            LayoutPart(
                kind: .scrim, frame: badge, parent: holder,
                corners: PixelCorners(size.height / 2), block: tile.block))
        part.add(
            piece(
                text, .badge, x: badge.x + inset, y: badge.y + rise, parent: scrim,
                block: tile.block))
    }
}
