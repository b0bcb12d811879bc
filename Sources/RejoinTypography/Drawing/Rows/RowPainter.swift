#if canImport(CPango)
internal import Foundation
public import RejoinLayout

/// Draws rows as they were laid out: it knows colours, and no sizes.
///
/// Pictures are shown as what stands for them until they are loaded; loading is the host's.
public struct RowPainter {
    /// The colours.
    public let theme: RowTheme
    private let shaper: PangoShaper

    /// Creates a painter.
    ///
    /// - Parameter shaper: one with the fonts that the rows were measured with, of this thread.
    public init(theme: RowTheme, shaper: PangoShaper) {
        self.theme = theme
        self.shaper = shaper
    }

    /// Draws a row; nothing of it reaches beyond its frame.
    ///
    /// - Parameter y: the row's upper edge in the coordinates of the canvas.
    /// - Complexity: linear in the parts and in the lines that the canvas shows.
    public func draw(_ data: LayoutData, y: Int32, on canvas: Canvas) {
        canvas.clipped(to: PixelRect(x: 0, y: y, size: data.size)) {
            draw(data.parts, of: data, y, canvas)
        }
    }

    private func draw(_ parts: [LayoutPart], of data: LayoutData, _ y: Int32, _ canvas: Canvas) {
        for part in parts {
            let frame = part.frame.moved(y: y)
            let holder = part.parent.map { parts[$0] }
            let ground = theme.ground(of: part, in: data)
            switch part.kind {
            case .bubble: canvas.fill(frame, color: ground.fill, corners: part.corners)
            case .avatar: avatar(part, frame, canvas)
            case .text: text(part, data, y, canvas)
            case .image, .video: picture(part, frame, canvas)
            case .card(let card):
                if card != .notice || data.side == .center {
                    canvas.fill(frame, color: ground.card, corners: part.corners)
                }
            case .icon(let icon):
                draw(icon, part, frame, holder, ground, data.direction, canvas)
            case .accent: accent(frame, holder, ground, y, canvas)
            case .track: track(frame, part.corners, ground, data.direction, canvas)
            case .scrim:
                canvas.fill(
                    frame, color: Color(0x000000, alpha: 0.5), corners: part.corners)
            case .chip(let isOwn):
                canvas.fill(
                    frame, color: isOwn ? theme.ownChip : theme.chip, corners: part.corners)
            case .rule: canvas.fill(frame, color: theme.rule)
            @unknown default: continue
            }
        }
    }

    private func text(_ part: LayoutPart, _ data: LayoutData, _ y: Int32, _ canvas: Canvas) {
        guard let text = part.text, let colors = theme.textColors(of: part, in: data) else {
            return
        }
        canvas.draw(text, x: part.frame.x, y: part.frame.y + y, shaper: shaper, colors: colors)
    }

    private func avatar(_ part: LayoutPart, _ frame: PixelRect, _ canvas: Canvas) {
        canvas.fill(
            frame, color: Color(seed: part.placeholderSeed, lightness: 0.5),
            corners: part.corners)
    }

    /// Hills under a sun, in a colour of the picture's own.
    private func picture(_ part: LayoutPart, _ frame: PixelRect, _ canvas: Canvas) {
        guard frame.intersects(canvas.frame) else { return }
        let seed = part.placeholderSeed
        let light = theme.pictureLightness
        canvas.clipped(to: frame, corners: part.corners) {
            canvas.fill(frame, color: Color(seed: seed, lightness: light))
            let (x, y) = (Double(frame.x), Double(frame.y))
            let (width, height) = (Double(frame.width), Double(frame.height))
            let side = min(width, height)
            canvas.fill(
                circle: (x + width * 0.72, y + height * 0.3), radius: side * 0.11,
                color: Color(seed: seed, lightness: light + 0.13))
            for (left, top, shade) in [(0.34, 0.42, 0.07), (0.8, 0.58, 0.12)] {
                let reach = max(width * 0.62, height * (1 - top) * 0.9)
                let peak = (x: x + width * left, y: y + height * top)
                canvas.fill(
                    [peak, (peak.x + reach, y + height), (peak.x - reach, y + height)],
                    color: Color(seed: seed, lightness: light - shade))
            }
        }
    }

    private func accent(
        _ frame: PixelRect, _ holder: LayoutPart?, _ ground: RowTheme.Ground, _ y: Int32,
        _ canvas: Canvas
    ) {
        guard let holder else { return }
        // The card's corners cut the bar off.
        canvas.clipped(to: holder.frame.moved(y: y), corners: holder.corners) {
            canvas.fill(frame, color: ground.accent)
        }
    }

    private func track(
        _ frame: PixelRect, _ corners: PixelCorners, _ ground: RowTheme.Ground,
        _ direction: TextDirection, _ canvas: Canvas
    ) {
        var faint = ground.secondary
        faint.alpha *= 0.35
        canvas.fill(frame, color: faint, corners: corners)
        // The knob of a sound that has not been played yet.
        let radius = Double(frame.height) * 1.25
        let x =
            direction == .leftToRight
            ? Double(frame.x) + radius : Double(frame.maxX) - radius
        canvas.fill(
            circle: (x, Double(frame.y) + Double(frame.height) / 2), radius: radius,
            color: ground.accent)
    }
}

extension Color {
    /// A soft colour that follows from a seed.
    init(seed: UInt64, lightness: Double) {
        let hue = Double((seed &* 0x9E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24)
        func channel(_ shift: Double) -> Double {
            min(1, max(0, lightness + 0.13 * cos(2 * .pi * (hue - shift))))
        }
        self.init(red: channel(0), green: channel(1.0 / 3), blue: channel(2.0 / 3))
    }
}
#endif
