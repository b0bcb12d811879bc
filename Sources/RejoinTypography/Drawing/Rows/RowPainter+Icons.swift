#if canImport(CPango)
internal import Foundation
import RejoinLayout

/// Signs, drawn in a square of side 1.
extension RowPainter {
    func draw(
        _ icon: LayoutPart.Icon, _ part: LayoutPart, _ frame: PixelRect, _ holder: LayoutPart?,
        _ ground: RowTheme.Ground, _ direction: TextDirection, _ canvas: Canvas
    ) {
        guard frame.intersects(canvas.frame) else { return }
        var color = ground.secondary
        switch icon {
        case .failed, .unconfirmed: color = theme.failure
        case .play, .file, .call, .missedCall, .unsupported, .queued, .sending, .sent, .gap,
            .loading, .typing:
            break
        }
        if holder?.kind == .bubble { color = ground.secondary }
        var inset = 0.08
        if part.corners != .zero {
            // A disc with the sign on it: on pictures dark, on cards in the accent's colour.
            let isOnPicture = holder.map(Self.isPicture) ?? false
            let disc = isOnPicture ? Color(0x000000, alpha: 0.5) : ground.accent
            canvas.fill(frame, color: disc, corners: part.corners)
            color = isOnPicture ? .white : ground.onAccent
            inset = 0.24
        }
        SignPen(
            canvas: canvas, frame: frame, inset: inset, isMirrored: direction == .rightToLeft,
            color: color
        ).draw(icon)
    }

    private static func isPicture(_ part: LayoutPart) -> Bool {
        switch part.kind {
        case .image, .video: true
        case .bubble, .avatar, .text, .card, .icon, .accent, .track, .scrim, .chip, .rule: false
        @unknown default: false
        }
    }
}

private struct SignPen {
    let canvas: Canvas
    let frame: PixelRect
    let inset: Double
    let isMirrored: Bool
    let color: Color

    private var side: Double { Double(min(frame.width, frame.height)) * (1 - 2 * inset) }
    private var width: Double { side * 0.1 }

    /// A point of the square. Signs that show a direction turn with the direction of reading.
    private func at(_ x: Double, _ y: Double, turns: Bool = false) -> (x: Double, y: Double) {
        let x = turns && isMirrored ? 1 - x : x
        return (
            Double(frame.x) + (Double(frame.width) - side) / 2 + side * x,
            Double(frame.y) + (Double(frame.height) - side) / 2 + side * y
        )
    }

    private func line(_ points: [(Double, Double)], turns: Bool = false) {
        canvas.stroke(
            points.map { at($0.0, $0.1, turns: turns) }, color: color, width: width)
    }

    private func circle(_ radius: Double, from start: Double = 0, to end: Double = 1) {
        canvas.stroke(
            circle: at(0.5, 0.5), radius: side * radius, from: start, to: end, color: color,
            width: width)
    }

    private func dot(_ x: Double, _ y: Double, _ radius: Double) {
        canvas.fill(circle: at(x, y), radius: side * radius, color: color)
    }

    func draw(_ icon: LayoutPart.Icon) {
        switch icon {
        case .play:
            canvas.fill([at(0.24, 0.08), at(0.92, 0.5), at(0.24, 0.92)], color: color)
        case .file:
            line([(0.6, 0.06), (0.2, 0.06), (0.2, 0.94), (0.8, 0.94), (0.8, 0.28), (0.6, 0.06)])
            line([(0.36, 0.5), (0.64, 0.5)])
            line([(0.36, 0.7), (0.64, 0.7)])
        case .call: handset()
        case .missedCall:
            handset()
            line([(0.58, 0.08), (0.92, 0.42)])
            line([(0.92, 0.08), (0.58, 0.42)])
        case .unsupported:
            canvas.stroke(
                circle: at(0.5, 0.3), radius: side * 0.22, from: 0.5, to: 1.125, color: color,
                width: width)
            line([(0.655, 0.455), (0.5, 0.6), (0.5, 0.68)])
            dot(0.5, 0.9, 0.075)
        case .queued:
            circle(0.42)
            line([(0.5, 0.26), (0.5, 0.5), (0.68, 0.6)])
        case .sending: circle(0.42, from: 0.05, to: 0.75)
        case .sent: line([(0.1, 0.55), (0.38, 0.82), (0.92, 0.22)])
        case .failed:
            circle(0.44)
            line([(0.5, 0.27), (0.5, 0.54)])
            dot(0.5, 0.72, 0.06)
        case .unconfirmed:
            circle(0.44)
            for x in [0.3, 0.5, 0.7] { dot(x, 0.5, 0.06) }
        case .gap:
            line([(0.22, 0.36), (0.5, 0.08), (0.78, 0.36)])
            line([(0.22, 0.64), (0.5, 0.92), (0.78, 0.64)])
        case .loading: circle(0.4, from: 0.1, to: 0.8)
        case .typing: for x in [0.2, 0.5, 0.8] { dot(x, 0.5, 0.1) }
        @unknown default: return
        }
    }

    private func handset() {
        let ear: [(Double, Double)] = [(0.14, 0.2), (0.3, 0.14), (0.4, 0.36), (0.3, 0.46)]
        let mouth: [(Double, Double)] = [(0.54, 0.7), (0.64, 0.6), (0.86, 0.7), (0.8, 0.86)]
        line(
            ear + [(0.4, 0.6)] + mouth
                + [(0.62, 0.88), (0.4, 0.76), (0.24, 0.6), (0.12, 0.38), (0.14, 0.2)])
    }
}
#endif
