// Declarations of collection views that the Apple sources use.

extension IndexPath {
    /// https://developer.apple.com/documentation/foundation/indexpath/init(item:section:)
    public init(item: Int, section: Int) { unavailable() }
    /// https://developer.apple.com/documentation/foundation/indexpath/item
    public var item: Int { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes
@MainActor
open class UICollectionViewLayoutAttributes: NSObject, NSCopying {
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/init()
    public nonisolated override required init() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/init(forcellwith:)
    public convenience init(forCellWith indexPath: IndexPath) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/frame
    open var frame: CGRect {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/alpha
    open var alpha: CGFloat {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/zindex
    open var zIndex: Int {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutattributes/indexpath
    open var indexPath: IndexPath {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
    open nonisolated func copy(with zone: NSZone? = nil) -> Any { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext
@MainActor
open class UICollectionViewLayoutInvalidationContext: NSObject {
    public nonisolated override init() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidateeverything
    open var invalidateEverything: Bool { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidatedatasourcecounts
    open var invalidateDataSourceCounts: Bool { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/contentoffsetadjustment
    open var contentOffsetAdjustment: CGPoint {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayoutinvalidationcontext/invalidateitems(at:)
    open func invalidateItems(at indexPaths: [IndexPath]) { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionviewlayout
@MainActor
open class UICollectionViewLayout: NSObject {
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/init()
    public override init() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/init(coder:)
    public required init?(coder: NSCoder) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/collectionview
    open var collectionView: UICollectionView? { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesclass
    open class var layoutAttributesClass: AnyClass { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/collectionviewcontentsize
    open var collectionViewContentSize: CGSize { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforelements(in:)
    open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
        unavailable()
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/layoutattributesforitem(at:)
    open func layoutAttributesForItem(
        at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/shouldinvalidatelayout(forboundschange:)
    open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidationcontext(forboundschange:)
    open func invalidationContext(
        forBoundsChange newBounds: CGRect
    ) -> UICollectionViewLayoutInvalidationContext { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/invalidatelayout(with:)
    open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
        unavailable()
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/targetcontentoffset(forproposedcontentoffset:)
    open func targetContentOffset(
        forProposedContentOffset proposedContentOffset: CGPoint
    ) -> CGPoint { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/initiallayoutattributesforappearingitem(at:)
    open func initialLayoutAttributesForAppearingItem(
        at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/finallayoutattributesfordisappearingitem(at:)
    open func finalLayoutAttributesForDisappearingItem(
        at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionviewlayout/finalizecollectionviewupdates()
    open func finalizeCollectionViewUpdates() { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionviewdatasource
@MainActor
public protocol UICollectionViewDataSource: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uicollectionviewdatasource/collectionview(_:numberofitemsinsection:)
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
        -> Int
    /// https://developer.apple.com/documentation/uikit/uicollectionviewdatasource/collectionview(_:cellforitemat:)
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
        -> UICollectionViewCell
}

/// https://developer.apple.com/documentation/uikit/uicollectionview
@MainActor
open class UICollectionView: UIScrollView {
    /// https://developer.apple.com/documentation/uikit/uicollectionview/init(frame:collectionviewlayout:)
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        unavailable()
    }
    public required init?(coder: NSCoder) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/collectionviewlayout
    open var collectionViewLayout: UICollectionViewLayout {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/selfsizinginvalidation-swift.enum
    public enum SelfSizingInvalidation: Int, Sendable {
        case disabled
    }

    /// https://developer.apple.com/documentation/uikit/uicollectionview/selfsizinginvalidation-swift.property
    open var selfSizingInvalidation: SelfSizingInvalidation {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/datasource
    open weak var dataSource: (any UICollectionViewDataSource)? {
        get { unavailable() }
        set { unavailable() }
    }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/dequeueconfiguredreusablecell(using:for:item:)
    open func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell { unavailable() }

    /// https://developer.apple.com/documentation/uikit/uicollectionview/cellregistration
    @MainActor
    public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        /// https://developer.apple.com/documentation/uikit/uicollectionview/cellregistration/init(handler:)
        public init(handler: @escaping (Cell, IndexPath, Item) -> Void) { unavailable() }
    }

    /// https://developer.apple.com/documentation/uikit/uicollectionview/visiblecells
    open var visibleCells: [UICollectionViewCell] { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/reloaddata()
    open func reloadData() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/performbatchupdates(_:completion:)
    open func performBatchUpdates(
        _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
    ) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/deleteitems(at:)
    open func deleteItems(at indexPaths: [IndexPath]) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/insertitems(at:)
    open func insertItems(at indexPaths: [IndexPath]) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionview/moveitem(at:to:)
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionreusableview
@MainActor
open class UICollectionReusableView: UIView {
    /// https://developer.apple.com/documentation/uikit/uicollectionreusableview/apply(_:)
    open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionreusableview/prepareforreuse()
    open func prepareForReuse() { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uicollectionreusableview/preferredlayoutattributesfitting(_:)
    open func preferredLayoutAttributesFitting(
        _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uicollectionviewcell
@MainActor
open class UICollectionViewCell: UICollectionReusableView {
    /// https://developer.apple.com/documentation/uikit/uicollectionviewcell/contentview
    open var contentView: UIView { unavailable() }
}
