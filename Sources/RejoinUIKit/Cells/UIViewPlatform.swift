#if canImport(UIKit)
public import RejoinLayout
public import UIKit

/// What a ``ContentHost`` does with views.
public struct UIViewPlatform: ContentPlatform {
    /// Creates the platform.
    public init() {}

    public func add(_ view: UIView, to container: UIView) { container.addSubview(view) }

    public func setHidden(_ isHidden: Bool, _ view: UIView) { view.isHidden = isHidden }
}
#endif
