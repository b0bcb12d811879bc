// Declarations of QuartzCore that the Apple sources use, for `make check-apple`, which compiles and
// never runs them.

@_exported import CoreGraphics

private func unavailable() -> Never { fatalError("declarations for type-checking only") }

/// https://developer.apple.com/documentation/quartzcore/calayer
open class CALayer: NSObject {
    /// https://developer.apple.com/documentation/quartzcore/calayer/init()
    public override init() { unavailable() }
    /// https://developer.apple.com/documentation/quartzcore/calayer/frame
    open var frame: CGRect {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/quartzcore/calayer/contents
    open var contents: Any? {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/quartzcore/calayer/contentsscale
    open var contentsScale: CGFloat {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/quartzcore/calayer/addsublayer(_:)
    open func addSublayer(_ layer: CALayer) { unavailable() }
    /// https://developer.apple.com/documentation/quartzcore/calayer/removefromsuperlayer()
    open func removeFromSuperlayer() { unavailable() }
}

/// https://developer.apple.com/documentation/quartzcore/catransaction
open class CATransaction: NSObject {
    /// https://developer.apple.com/documentation/quartzcore/catransaction/begin()
    open class func begin() { unavailable() }
    /// https://developer.apple.com/documentation/quartzcore/catransaction/commit()
    open class func commit() { unavailable() }
    /// https://developer.apple.com/documentation/quartzcore/catransaction/setdisableactions(_:)
    open class func setDisableActions(_ flag: Bool) { unavailable() }
}
