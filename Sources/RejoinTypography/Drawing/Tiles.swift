public import RejoinLayout

extension PixelRect {
    /// The frame cut into tiles from top to bottom, each at most `height` pixels high, for a
    /// message that is taller than a picture may be.
    public func tiles(height: Int32) -> [PixelRect] {
        let step = max(1, height)
        return stride(from: y, to: maxY, by: Int(step)).map { top in
            PixelRect(x: x, y: top, width: width, height: min(step, maxY - top))
        }
    }
}
