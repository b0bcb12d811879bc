#if canImport(UIKit)
public import RejoinLayout
public import UIKit

/// The one cell of a list, whatever its rows combine: each kind of content has its view made when a
/// row first needs it.
///
/// It takes its content from the layout's attributes and nowhere else, is never asked for its size,
/// and does not clip, because ink may reach out of a row.
open class ContentCell<Data: LayoutDatable & Equatable>: UICollectionViewCell {
    private var host: ContentHost<UIView, Data>?
    private var shown: Data?

    /// Says what the cell can show, in the order from back to front. The data source calls it each
    /// time it takes a cell; only the first time counts.
    public func use(_ kinds: () -> [any ChatMessageContentable<UIView, Data>]) {
        guard host == nil else { return }
        clipsToBounds = false
        contentView.clipsToBounds = false
        let host = ContentHost<UIView, Data>(
            container: contentView, platform: UIViewPlatform(), kinds: kinds())
        self.host = host
        // The attributes may have come when the cell was taken, before this.
        if let shown { host.apply(shown) }
    }

    /// Shows data. To be overridden by cells that show something beside their kinds of content.
    open func show(_ data: Data) { host?.apply(data) }

    open override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
        super.apply(layoutAttributes)
        guard let attributes = layoutAttributes as? TimelineLayoutAttributes<Data> else { return }
        let data = attributes.data
        guard data != shown else { return }
        shown = data
        show(data)
    }

    /// The size is known: the attributes come back as they are.
    public final override func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes { layoutAttributes }

    open override func prepareForReuse() {
        super.prepareForReuse()
        shown = nil
        host?.hide()
    }
}

extension ContentCell: VisibleRectFollowing {
    public func follow(visibleRect: CGRect) {
        for view in contentView.subviews where !view.isHidden {
            guard let follower = view as? any VisibleRectFollowing else { continue }
            follower.follow(visibleRect: convert(visibleRect, to: view))
        }
    }
}
#endif
