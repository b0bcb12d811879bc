// Declarations of UIKit's views and application that the Apple sources use, for `make check-apple`,
// which compiles and never runs them.

@_exported import QuartzCore

func unavailable() -> Never { fatalError("declarations for type-checking only") }

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor
open class UIResponder: NSObject {
    nonisolated override init() { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@MainActor
open class UIWindow: UIView {}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor
open class UIView: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiview/init(frame:)
    public init(frame: CGRect) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/init(coder:)
    public required init?(coder: NSCoder) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/frame
    open var frame: CGRect {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/bounds
    open var bounds: CGRect {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/layer
    open var layer: CALayer { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/window
    open var window: UIWindow? { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/subviews
    open var subviews: [UIView] { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/ishidden
    open var isHidden: Bool {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/clipstobounds
    open var clipsToBounds: Bool {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/isuserinteractionenabled
    open var isUserInteractionEnabled: Bool {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.property
    open var autoresizingMask: AutoresizingMask {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)
    open func addSubview(_ view: UIView) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/layoutsubviews()
    open func layoutSubviews() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/layoutifneeded()
    open func layoutIfNeeded() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/convert(_:to:)-3quzd
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiview/performwithoutanimation(_:)
    open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        unavailable()
    }
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement
    ///
    /// Declared by UIKit for all objects; here for views, where it is overridden and set.
    open var isAccessibilityElement: Bool {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityelements
    ///
    /// Declared by UIKit for all objects; here for views, where it is overridden and set.
    open var accessibilityElements: [Any]? {
        get { unavailable() }
        set { unavailable() }
    }

    /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexiblewidth
        public static var flexibleWidth: AutoresizingMask { unavailable() }
        /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexibleheight
        public static var flexibleHeight: AutoresizingMask { unavailable() }
    }
}

/// https://developer.apple.com/documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat
}

/// https://developer.apple.com/documentation/uikit/uiscrollview
@MainActor
open class UIScrollView: UIView {
    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentoffset
    open var contentOffset: CGPoint {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/setcontentoffset(_:animated:)
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/adjustedcontentinset
    open var adjustedContentInset: UIEdgeInsets { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/adjustedcontentinsetdidchange()
    open func adjustedContentInsetDidChange() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/istracking
    open var isTracking: Bool { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/isdragging
    open var isDragging: Bool { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiscrollview/isdecelerating
    open var isDecelerating: Bool { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits
public struct UIAccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/statictext
    public static var staticText: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/image
    public static var image: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/button
    public static var button: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/link
    public static var link: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/selected
    public static var selected: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/header
    public static var header: UIAccessibilityTraits { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/updatesfrequently
    public static var updatesFrequently: UIAccessibilityTraits { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uiaccessibilityelement
@MainActor
open class UIAccessibilityElement: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiaccessibilityelement/init(accessibilitycontainer:)
    public init(accessibilityContainer container: Any) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilityelement/accessibilitylabel
    open var accessibilityLabel: String? {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilityelement/accessibilitytraits
    open var accessibilityTraits: UIAccessibilityTraits {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uiaccessibilityelement/accessibilityframeincontainerspace
    open var accessibilityFrameInContainerSpace: CGRect {
        get { unavailable() }
        set { unavailable() }
    }
}
