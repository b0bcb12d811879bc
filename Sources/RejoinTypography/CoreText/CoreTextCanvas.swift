#if canImport(CoreText)
public import CoreGraphics
internal import Foundation
public import RejoinLayout

/// A picture in device pixels, to draw text and shapes on; off the main thread, one thread at a
/// time.
///
/// Its coordinates may begin anywhere: a tile of a tall message is a canvas whose origin is the
/// tile's corner, and whatever is drawn is drawn as for the whole, with the rest cut off.
public final class Canvas {
    /// The part of the whole that the canvas shows.
    public let frame: PixelRect

    /// CoreGraphics' drawing context: a unit is a device pixel, y grows upwards from the lower edge
    /// of ``frame``.
    private let context: CGContext

    /// The largest edge of a picture, in pixels: what the graphics hardware holds as one texture.
    public static let maximumEdge: Int32 = 16_384

    /// Creates a transparent picture.
    ///
    /// - Throws: ``TypographyError`` where an edge is longer than ``maximumEdge`` or the memory
    ///   does not suffice: take tiles then.
    public convenience init(frame: PixelRect) throws(TypographyError) {
        let (width, height) = (max(frame.width, 1), max(frame.height, 1))
        guard width <= Self.maximumEdge, height <= Self.maximumEdge,
            let space = CGColorSpace(name: CGColorSpace.sRGB),
            let context = CGContext(
                data: nil, width: Int(width), height: Int(height), bitsPerComponent: 8,
                bytesPerRow: 0, space: space,
                bitmapInfo: CGImageAlphaInfo.premultipliedFirst.rawValue
                    | CGBitmapInfo.byteOrder32Little.rawValue)
        else {
            throw TypographyError(
                code: .pictureTooLarge,
                description: "A picture of \(width) x \(height) pixels cannot be made; "
                    + "draw it in tiles of at most \(Self.maximumEdge) pixels a side.")
        }
        self.init(context: context, frame: frame)
    }

    /// Draws into a context of the host's.
    ///
    /// - Parameters:
    ///   - context: a unit is a device pixel, y grows upwards, and (0, 0) is the lower left corner
    ///     of `frame`.
    ///   - frame: the part of the whole that the context shows.
    public init(context: CGContext, frame: PixelRect) {
        self.context = context
        self.frame = frame
    }

    /// What has been drawn; `nil` where the memory does not suffice.
    public func makeImage() -> CGImage? { context.makeImage() }

    /// Fills the whole canvas.
    public func fill(_ color: Color) { fill(frame, color: color) }

    /// Fills a rectangle with round corners.
    ///
    /// - Parameter radius: pixels; half of the shorter edge is the most.
    public func fill(_ rect: PixelRect, color: Color, radius: Int32 = 0) {
        guard !rect.isEmpty, rect.intersects(frame) else { return }
        set(color)
        let place = place(of: rect)
        let radius = min(radius, rect.width / 2, rect.height / 2)
        guard radius > 0 else { return context.fill(place) }
        context.addPath(
            CGPath(
                roundedRect: place, cornerWidth: CGFloat(radius), cornerHeight: CGFloat(radius),
                transform: nil))
        context.fillPath()
    }

    /// Draws with everything outside of a rectangle cut off.
    public func clipped(to rect: PixelRect, _ draw: () -> Void) {
        context.saveGState()
        defer { context.restoreGState() }
        context.clip(to: place(of: rect))
        draw()
    }

    /// A rectangle in the coordinates of the context.
    private func place(of rect: PixelRect) -> CGRect {
        CGRect(
            x: Double(rect.x - frame.x), y: Double(frame.maxY - rect.maxY),
            width: Double(rect.width), height: Double(rect.height))
    }

    func set(_ color: Color) {
        context.setFillColor(
            red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }

    /// Draws in points instead of pixels, as fonts are made.
    func inPoints(_ scale: Int32, _ draw: (CGContext) -> Void) {
        context.saveGState()
        defer { context.restoreGState() }
        context.scaleBy(x: CGFloat(scale), y: CGFloat(scale))
        draw(context)
    }
}
#endif
