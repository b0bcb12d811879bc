/// The content views of one cell: each created when first needed, kept, hidden when unused, updated
/// where what it shows has changed.
@MainActor
public final class ContentHost<View: AnyObject, Data> {
    private weak var container: View?
    private let platform: any ContentPlatform<View>
    private let slots: [any ContentSlot<View, Data>]

    /// Creates the host of a cell. No view is created yet.
    ///
    /// - Parameters:
    ///   - container: the view that the content stands in. The host holds it weakly, because it may
    ///     itself own the host.
    ///   - platform: what can be done with views.
    ///   - kinds: what the cell can show, in the order from back to front in which views that are
    ///     needed at once are added.
    public init(
        container: View, platform: any ContentPlatform<View>,
        kinds: [any ChatMessageContentable<View, Data>]
    ) {
        self.container = container
        self.platform = platform
        slots = kinds.map { Self.slot($0) }
    }

    /// How many views exist.
    public var viewCount: Int { slots.count { $0.hasView } }

    /// Shows a row's data.
    ///
    /// - Complexity: O(kinds), and the cost of the views that must be created or updated.
    public func apply(_ data: Data) {
        guard let container else { return }
        for slot in slots { slot.apply(data, in: container, platform) }
    }

    /// Hides all content, as when the cell goes back to be used for another row. Views and what
    /// they show stay, so that the same content next time costs nothing.
    public func hide() {
        for slot in slots { slot.hide(platform) }
    }

    private static func slot<Kind: ChatMessageContentable<View, Data>>(
        _ kind: Kind
    ) -> any ContentSlot<View, Data> { KindSlot(kind) }
}

/// The place of one kind of content in a cell.
@MainActor
private protocol ContentSlot<View, Data> {
    associatedtype View: AnyObject
    associatedtype Data

    var hasView: Bool { get }
    func apply(_ data: Data, in container: View, _ platform: any ContentPlatform<View>)
    func hide(_ platform: any ContentPlatform<View>)
}

@MainActor
private final class KindSlot<Kind: ChatMessageContentable>: ContentSlot {
    typealias View = Kind.View
    typealias Data = Kind.Data

    private let kind: Kind
    private var view: View?
    private var shown: Kind.Content?
    private var isHidden = false

    init(_ kind: Kind) { self.kind = kind }

    var hasView: Bool { view != nil }

    func apply(_ data: Data, in container: View, _ platform: any ContentPlatform<View>) {
        guard let content = kind.content(of: data) else { return hide(platform) }
        let view = self.view ?? make(in: container, platform)
        if shown != content {
            kind.update(view, with: content)
            shown = content
        }
        if isHidden {
            platform.setHidden(false, view)
            isHidden = false
        }
    }

    func hide(_ platform: any ContentPlatform<View>) {
        guard let view, !isHidden else { return }
        platform.setHidden(true, view)
        isHidden = true
    }

    private func make(in container: View, _ platform: any ContentPlatform<View>) -> View {
        let new = kind.makeView()
        platform.add(new, to: container)
        kind.constrain(new, in: container)
        view = new
        return new
    }
}
