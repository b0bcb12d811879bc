package import RejoinLayout

/// Which tiles of a tall text are worth their memory: those that are seen, and some around them.
package struct TileWindow: Hashable {
    /// The height of a tile in device pixels.
    package static let tileHeight: Int32 = 512
    /// How many tiles are drawn ahead on each side.
    package static let margin = 2
    /// How many more are kept on each side once drawn, so that a small movement back draws nothing.
    package static let slack = 2

    /// The part of the row that has text.
    package let area: PixelRect

    package init(area: PixelRect) { self.area = area }

    /// How many tiles there are.
    package var count: Int { area.isEmpty ? 0 : (Int(area.height) + Self.step - 1) / Self.step }

    private static let step = Int(tileHeight)

    /// The frame of a tile.
    package func frame(of tile: Int) -> PixelRect {
        let top = area.y + Int32(tile) * Self.tileHeight
        return PixelRect(
            x: area.x, y: top, width: area.width, height: min(Self.tileHeight, area.maxY - top))
    }

    /// The tiles to draw while a stretch of the row is seen; none where it lies far away.
    package func wanted(_ seen: Range<Int64>) -> Range<Int> { tiles(seen, beyond: Self.margin) }

    /// The tiles to keep.
    package func kept(_ seen: Range<Int64>) -> Range<Int> {
        tiles(seen, beyond: Self.margin + Self.slack)
    }

    private func tiles(_ seen: Range<Int64>, beyond: Int) -> Range<Int> {
        guard !seen.isEmpty else { return 0..<0 }
        let step = Int64(Self.step)
        let top = seen.lowerBound - Int64(area.y) - Int64(beyond) * step
        let bottom = seen.upperBound - Int64(area.y) + Int64(beyond) * step
        let first = min(max(0, top / step), Int64(count))
        let end = min(max(first, (bottom + step - 1) / step), Int64(count))
        return Int(first)..<Int(end)
    }
}
