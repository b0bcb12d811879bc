/// One kind of content that a cell can show: text, an album, a quote, reactions.
///
/// Its view is created, added and constrained when a cell first needs it, and only updated
/// afterwards. So a kind of content costs nothing in cells that never show it, and a message may
/// combine kinds as it likes without a cell type for each combination.
@MainActor
public protocol ChatMessageContentable<View, Data> {
    /// The platform's view type, such as `UIView`.
    associatedtype View: AnyObject
    /// What a row's layout data holds; see ``LayoutDatable``.
    associatedtype Data
    /// What this kind shows of it.
    associatedtype Content: Equatable

    /// What a row has of this kind; `nil`: nothing, and the view is not needed.
    func content(of data: Data) -> Content?

    /// Creates the view. Called once for each cell that needs it.
    func makeView() -> View

    /// Puts the view under constraints, or lets it lie where ``update(_:with:)`` places it. Called
    /// once, after the view was added to the container.
    func constrain(_ view: View, in container: View)

    /// Shows content. Called before the view is first seen, and where the content differs from what
    /// it shows; never measures.
    func update(_ view: View, with content: Content)
}

/// What a ``ContentHost`` must be able to do with views of a platform.
@MainActor
public protocol ContentPlatform<View> {
    /// The platform's view type.
    associatedtype View: AnyObject

    /// Adds a view to a container, above those added before.
    func add(_ view: View, to container: View)

    /// Hides a view, or shows it again. A hidden view keeps its place and costs no drawing.
    func setHidden(_ isHidden: Bool, _ view: View)
}
