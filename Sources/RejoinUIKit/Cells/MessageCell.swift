#if canImport(UIKit)
public import RejoinLayout
internal import UIKit

/// The cell of a list of the module's own layout data: assistive technology reads what the layout
/// has prepared, in its order.
public final class MessageCell: ContentCell<LayoutData> {
    /// Device pixels per point. The data source sets it.
    public var scale = PixelScale(1)

    private var row: LayoutData?
    private var elements: [UIAccessibilityElement]?

    public override func show(_ data: LayoutData) {
        super.show(data)
        row = data
        elements = nil
    }

    /// Made when assistive technology first asks for them.
    public override var accessibilityElements: [Any]? {
        get {
            if let elements { return elements }
            let made = row?.accessibility.map(element)
            elements = made
            return made
        }
        set { elements = newValue as? [UIAccessibilityElement] }
    }

    private func element(_ source: AccessibilityElement) -> UIAccessibilityElement {
        let element = UIAccessibilityElement(accessibilityContainer: self)
        element.accessibilityLabel = source.label
        element.accessibilityFrameInContainerSpace = scale.rect(source.frame)
        element.accessibilityTraits = UIAccessibilityTraits(source.role)
        return element
    }
}

extension UIAccessibilityTraits {
    /// How what has a role is announced.
    fileprivate init(_ role: AccessibilityElement.Role) {
        switch role {
        case .message, .text: self = .staticText
        case .image: self = .image
        case .button: self = .button
        case .link: self = .link
        case .toggle(let isOn): self = isOn ? [.button, .selected] : .button
        case .header: self = .header
        case .status: self = .updatesFrequently
        }
    }
}
#endif
