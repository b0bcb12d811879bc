// Declarations of CoreGraphics that the Apple sources use, for `make check-apple`, which compiles
// and never runs them. Foundation has the geometry on Linux too, and CoreGraphics brings it along.

@_exported import Foundation

private func unavailable() -> Never { fatalError("declarations for type-checking only") }

/// https://developer.apple.com/documentation/coregraphics/cgaffinetransform
public struct CGAffineTransform: Sendable {
    /// https://developer.apple.com/documentation/coregraphics/cgaffinetransform/identity
    public static var identity: CGAffineTransform { unavailable() }
}

/// https://developer.apple.com/documentation/coregraphics/cgcolorspace
public final class CGColorSpace {
    /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/init(name:)
    public init?(name: CFString) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/srgb
    public static var sRGB: CFString { unavailable() }
}

/// https://developer.apple.com/documentation/coregraphics/cgimagealphainfo
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// https://developer.apple.com/documentation/coregraphics/cgimagealphainfo/premultipliedfirst
    case premultipliedFirst = 2
}

/// https://developer.apple.com/documentation/coregraphics/cgbitmapinfo
public struct CGBitmapInfo: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// https://developer.apple.com/documentation/coregraphics/cgbitmapinfo/byteorder32little
    public static var byteOrder32Little: CGBitmapInfo { unavailable() }
}

/// https://developer.apple.com/documentation/coregraphics/cgimage
public final class CGImage {
    private init() {}
    /// https://developer.apple.com/documentation/coregraphics/cgimage/width
    public var width: Int { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgimage/height
    public var height: Int { unavailable() }
}

/// https://developer.apple.com/documentation/coregraphics/cgpath
public final class CGPath {
    /// https://developer.apple.com/documentation/coregraphics/cgpath/init(roundedrect:cornerwidth:cornerheight:transform:)
    public init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) { unavailable() }
}

/// https://developer.apple.com/documentation/coregraphics/cgcontext
public final class CGContext {
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/init(data:width:height:bitspercomponent:bytesperrow:space:bitmapinfo:)
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
        bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
    ) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/makeimage()
    public func makeImage() -> CGImage? { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/savegstate()
    public func saveGState() { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/restoregstate()
    public func restoreGState() { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/clip(to:)
    public func clip(to rect: CGRect) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/scaleby(x:y:)
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/setfillcolor(red:green:blue:alpha:)
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        unavailable()
    }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/fill(_:)
    public func fill(_ rect: CGRect) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/addpath(_:)
    public func addPath(_ path: CGPath) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/fillpath(using:)
    public func fillPath(using rule: CGPathFillRule = .winding) { unavailable() }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/textmatrix
    public var textMatrix: CGAffineTransform {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/coregraphics/cgcontext/textposition
    public var textPosition: CGPoint {
        get { unavailable() }
        set { unavailable() }
    }
}

/// https://developer.apple.com/documentation/coregraphics/cgpathfillrule
public enum CGPathFillRule: Int, Sendable {
    /// https://developer.apple.com/documentation/coregraphics/cgpathfillrule/winding
    case winding
}
