public import Foundation
public import RejoinLayout

/// The edge between the layout's whole device pixels and the points of the views: nothing else
/// multiplies or divides by the scale.
public struct PixelScale: Hashable, Sendable {
    /// Device pixels per point.
    public let factor: Int32

    /// Creates a scale; less than 1 means 1.
    public init(_ factor: Int32) { self.factor = max(1, factor) }

    /// A length in points.
    public func points(_ pixels: Int64) -> CGFloat { CGFloat(pixels) / CGFloat(factor) }

    /// A size in points.
    public func size(_ size: PixelSize) -> CGSize {
        CGSize(width: points(Int64(size.width)), height: points(Int64(size.height)))
    }

    /// A frame in points.
    public func rect(_ rect: PixelRect) -> CGRect {
        CGRect(
            x: points(Int64(rect.x)), y: points(Int64(rect.y)), width: points(Int64(rect.width)),
            height: points(Int64(rect.height)))
    }

    /// The nearest number of device pixels; what no list is as long as is cut to 2^53.
    public func pixels(_ points: CGFloat) -> Int64 {
        whole((Double(points) * Double(factor)).rounded())
    }

    /// The device pixels that a frame touches from top to bottom.
    public func stretch(of rect: CGRect) -> Range<Int64> {
        // What is meant to be a whole number of pixels and is not quite is taken for it.
        let slack = 1.0 / 64
        let top = whole((Double(rect.minY) * Double(factor) + slack).rounded(.down))
        let bottom = whole((Double(rect.maxY) * Double(factor) - slack).rounded(.up))
        return top..<max(top, bottom)
    }

    private func whole(_ value: Double) -> Int64 {
        let limit = Double(1 << 53)
        guard !value.isNaN else { return 0 }
        return Int64(min(max(value, -limit), limit))
    }
}
