#if canImport(CPango)
internal import CPango
public import RejoinLayout

/// Shapes of rows and of the signs on them.
extension Canvas {
    /// Fills a rectangle whose corners are not equally round.
    public func fill(_ rect: PixelRect, color: Color, corners: PixelCorners) {
        guard !rect.isEmpty, rect.intersects(frame) else { return }
        set(color)
        addPath(rect, corners)
        cairo_fill(context)
    }

    /// Draws with everything outside of a rectangle with such corners cut off.
    public func clipped(to rect: PixelRect, corners: PixelCorners, _ draw: () -> Void) {
        cairo_save(context)
        defer { cairo_restore(context) }
        addPath(rect, corners)
        cairo_clip(context)
        draw()
    }

    /// Fills what a line through points encloses.
    func fill(_ points: [(x: Double, y: Double)], color: Color) {
        set(color)
        addPath(points)
        cairo_close_path(context)
        cairo_fill(context)
    }

    /// Draws a line through points, with round ends.
    func stroke(_ points: [(x: Double, y: Double)], color: Color, width: Double) {
        set(color)
        addPath(points)
        strokePath(width)
    }

    /// Draws a part of a circle, from one angle clockwise to another, in turns from the right.
    func stroke(
        circle center: (x: Double, y: Double), radius: Double, from start: Double = 0,
        to end: Double = 1, color: Color, width: Double
    ) {
        set(color)
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, radius, start * 2 * .pi, end * 2 * .pi)
        strokePath(width)
    }

    /// Fills a circle.
    func fill(circle center: (x: Double, y: Double), radius: Double, color: Color) {
        set(color)
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        cairo_fill(context)
    }

    private func strokePath(_ width: Double) {
        cairo_set_line_width(context, width)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(context)
    }

    private func addPath(_ points: [(x: Double, y: Double)]) {
        cairo_new_path(context)
        for point in points { cairo_line_to(context, point.x, point.y) }
    }

    private func addPath(_ rect: PixelRect, _ corners: PixelCorners) {
        let (left, top) = (Double(rect.x), Double(rect.y))
        let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
        let most = Double(min(rect.width, rect.height)) / 2
        cairo_new_path(context)
        func arc(_ radius: Int32, _ x: (Double) -> Double, _ y: (Double) -> Double, _ turn: Double)
        {
            let radius = min(Double(max(0, radius)), most)
            cairo_arc(context, x(radius), y(radius), radius, turn * .pi, (turn + 0.5) * .pi)
        }
        arc(corners.topRight, { right - $0 }, { top + $0 }, -0.5)
        arc(corners.bottomRight, { right - $0 }, { bottom - $0 }, 0)
        arc(corners.bottomLeft, { left + $0 }, { bottom - $0 }, 0.5)
        arc(corners.topLeft, { left + $0 }, { top + $0 }, 1)
        cairo_close_path(context)
    }
}
#endif
