/// A length along a line of text, in 26.6 fixed point: 1/64 of a device pixel.
///
/// Sums are exact and associative, so a line measured cluster by cluster is as wide as the same
/// line measured at once. An `Int32` holds lines of 33 million pixels; sums beyond it are clamped
/// by ``PreparedText``, which limits the text.
public struct Advance: Hashable, Comparable, Sendable {
    /// The count of 1/64 pixels.
    public var rawValue: Int32

    /// Wraps a count of 1/64 pixels.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Whole device pixels.
    public init(pixels: Int32) { rawValue = pixels &* 64 }

    /// No width.
    public static let zero = Advance(rawValue: 0)

    /// The least number of whole pixels that holds it.
    public var roundedUp: Int32 { (rawValue &+ 63) >> 6 }
    /// The nearest number of whole pixels.
    public var rounded: Int32 { (rawValue &+ 32) >> 6 }
    /// In pixels.
    public var pixels: Double { Double(rawValue) / 64 }

    public static func + (lhs: Advance, rhs: Advance) -> Advance {
        Advance(rawValue: lhs.rawValue + rhs.rawValue)
    }
    public static func - (lhs: Advance, rhs: Advance) -> Advance {
        Advance(rawValue: lhs.rawValue - rhs.rawValue)
    }
    public static func += (lhs: inout Advance, rhs: Advance) { lhs.rawValue += rhs.rawValue }
    public static func -= (lhs: inout Advance, rhs: Advance) { lhs.rawValue -= rhs.rawValue }
    public static func < (lhs: Advance, rhs: Advance) -> Bool { lhs.rawValue < rhs.rawValue }
}
