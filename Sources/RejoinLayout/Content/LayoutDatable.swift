/// What a list must know of a row before it has a view: computed off the main thread, carried by
/// the layout's attributes, applied by the cell without measuring again.
///
/// Each screen declares its own, so that the parts of one screen do not burden the others.
public protocol LayoutDatable: Sendable {
    /// The data of a row whose own is not there: what attributes carry before they are set.
    static var `default`: Self { get }
    /// The row's size in whole device pixels.
    var size: PixelSize { get }
}
