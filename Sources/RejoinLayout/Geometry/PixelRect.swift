/// A size in whole device pixels.
public struct PixelSize: Hashable, Sendable {
    /// How wide.
    public var width: Int32
    /// How high.
    public var height: Int32

    /// Creates a size.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    /// Nothing.
    public static let zero = PixelSize(width: 0, height: 0)
}

/// A frame in whole device pixels; y grows downwards.
///
/// Frames inside a row are relative to the row, so that an `Int32` holds them; the place of a row
/// in its list is a sum and an `Int64`.
public struct PixelRect: Hashable, Sendable {
    /// The left edge.
    public var x: Int32
    /// The upper edge.
    public var y: Int32
    /// How wide.
    public var width: Int32
    /// How high.
    public var height: Int32

    /// Creates a frame.
    public init(x: Int32, y: Int32, width: Int32, height: Int32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A frame of a size at a place.
    public init(x: Int32 = 0, y: Int32 = 0, size: PixelSize) {
        self.init(x: x, y: y, width: size.width, height: size.height)
    }

    /// Nothing.
    public static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

    /// The right edge, exclusive.
    public var maxX: Int32 { x + width }
    /// The lower edge, exclusive.
    public var maxY: Int32 { y + height }
    /// Its size.
    public var size: PixelSize { PixelSize(width: width, height: height) }
    /// Whether nothing is in it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Whether another frame lies within this one.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// Whether a point lies in it.
    public func contains(x px: Int32, y py: Int32) -> Bool {
        px >= x && px < maxX && py >= y && py < maxY
    }

    /// Whether two frames share a pixel.
    public func intersects(_ other: PixelRect) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }

    /// The frame moved.
    public func moved(x dx: Int32 = 0, y dy: Int32 = 0) -> PixelRect {
        PixelRect(x: x + dx, y: y + dy, width: width, height: height)
    }

    /// The least frame that holds both; an empty one counts for nothing.
    public func union(_ other: PixelRect) -> PixelRect {
        guard !isEmpty else { return other }
        guard !other.isEmpty else { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(maxX, other.maxX) - left,
            height: max(maxY, other.maxY) - top)
    }

    /// The frame as seen in a mirror across the middle of `width`: left-to-right geometry becomes
    /// right-to-left geometry.
    public func mirrored(in width: Int32) -> PixelRect {
        PixelRect(x: width - maxX, y: y, width: self.width, height: height)
    }
}

/// Distances inward from the edges of a frame, in whole device pixels. `leading` is where reading
/// begins.
public struct PixelInsets: Hashable, Sendable {
    /// From the upper edge.
    public var top: Int32
    /// From the edge where reading begins.
    public var leading: Int32
    /// From the lower edge.
    public var bottom: Int32
    /// From the edge where reading ends.
    public var trailing: Int32

    /// Creates insets.
    public init(top: Int32 = 0, leading: Int32 = 0, bottom: Int32 = 0, trailing: Int32 = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// None.
    public static let zero = PixelInsets()
}
