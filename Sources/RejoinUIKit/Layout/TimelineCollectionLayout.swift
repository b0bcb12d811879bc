#if canImport(UIKit)
public import RejoinLayout
internal import RejoinModel
public import UIKit

/// Fetches what a list asks for. Called while the list is laid out: it must not change the list
/// before it returns.
@MainActor
public protocol TimelinePaging: AnyObject {
    /// Page in more rows at an end.
    func page(_ end: TimelineEnd)
    /// Open the newest window of the room.
    func openNewest()
}

/// Lays a chat out in a collection view: a shell around ``TimelineLayout``, which decides, and a
/// ``TimelineFrame``, which knows every size. Nothing is estimated, and no cell is asked.
///
/// The data source is a plain one: it counts ``frame`` and dequeues a ``ContentCell`` for each row,
/// and all else that a cell shows comes to it by its attributes. Rows change through
/// ``swap(to:by:sendsOwn:animated:)`` alone. Use it with a ``TimelineCollectionView``.
public final class TimelineCollectionLayout<Data: LayoutDatable & Equatable>:
    UICollectionViewLayout
{
    /// The rows.
    public private(set) var frame: TimelineFrame<Data>
    /// Where they stand, and how the list is seen.
    public private(set) var timeline: TimelineLayout
    /// The scale of the screen.
    public let scale: PixelScale
    /// Fetches more rows.
    public weak var paging: (any TimelinePaging)?

    private var window = RowWindow<TimelineLayoutAttributes<Data>>()
    /// The change that is being shown, and the rows before it.
    private var transition: (change: TimelineTransition, leaving: TimelineFrame<Data>)?
    /// Whether the offset is being set here, so that its notices tell nothing new.
    private var isPlacing = false
    /// The header that stands at the upper edge, as last answered.
    private var shownHeader: TimelineLayoutAttributes<Data>?

    /// Creates a layout without rows.
    public init(scale: PixelScale, options: TimelineOptions = TimelineOptions()) {
        self.scale = scale
        frame = TimelineFrame(RowList(), version: SnapshotVersion()) { _ in .default }
        timeline = TimelineLayout(viewport: TimelineViewport(height: 0), options: options)
        super.init()
    }

    /// A layout needs its rows, so no archive holds one.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    // MARK: What the host says

    /// Shows a room for the first time, or another window of it.
    public func open(_ new: TimelineFrame<Data>, at opening: TimelineOpening) {
        frame = new
        transition = nil
        noteViewport()
        let effects = timeline.handle(.opened(new.geometry, at: opening))
        reload()
        perform(effects)
    }

    /// Shows other rows.
    ///
    /// - Parameters:
    ///   - new: the rows.
    ///   - change: what leads to them; `nil` where that is not known.
    ///   - sendsOwn: whether the person just sent a message, and its row is among what came.
    ///   - animated: whether rows fade and move.
    public func swap(
        to new: TimelineFrame<Data>, by change: RowChangeSet?, sendsOwn: Bool = false,
        animated: Bool = true
    ) {
        guard let change, let view = collectionView, view.window != nil else {
            frame = new
            let effects = timeline.handle(.swapped(new.geometry, change, sendsOwn: sendsOwn))
            reload()
            return perform(effects)
        }
        var effects: [TimelineEffect] = []
        let update = {
            view.performBatchUpdates {
                // Here and not before: the collection view first lays the old rows out.
                let before = self.timeline.placement
                effects = self.timeline.handle(
                    .swapped(new.geometry, change, sendsOwn: sendsOwn))
                let transition = TimelineTransition(
                    before: before, after: self.timeline.placement, change: change)
                self.transition = (transition, self.frame)
                self.frame = new
                self.invalidate(adjustment: transition.adjustment)
                view.deleteItems(at: change.deletions.map(Self.path))
                view.insertItems(at: change.insertions.map(Self.path))
                for move in change.moves {
                    view.moveItem(at: Self.path(move.from), to: Self.path(move.to))
                }
                // What a row shows comes by its attributes, so nothing is reloaded.
            }
        }
        if animated { update() } else { UIView.performWithoutAnimation(update) }
        // The offset went with the update.
        perform(effects.filter { if case .place = $0 { false } else { true } })
    }

    /// Shows the same rows in another width, type size or language.
    ///
    /// - Parameter inside: where the edge now lies in the row of ``TimelineLayout/edge``; see
    ///   ``TimelineInput/relaid(_:inside:)``.
    public func relay(to new: TimelineFrame<Data>, inside: Int32? = nil) {
        let old = timeline.offset
        frame = new
        let effects = timeline.handle(.relaid(new.geometry, inside: inside))
        invalidate(adjustment: timeline.offset - old)
        perform(effects.filter { if case .place = $0 { false } else { true } })
    }

    /// Scrolls to a row or to the end.
    public func seek(_ target: TimelineTarget) { perform(timeline.handle(.sought(target))) }

    /// A scroll on its own has ended; the host calls it from its scroll view's delegate.
    public func settle() { perform(timeline.handle(.settled)) }

    /// There is more to page in, or there is not.
    public func setPages(older: Bool, newer: Bool) {
        perform(timeline.handle(.pages(older: older, newer: newer)))
    }

    /// A page that was asked for did not come.
    public func endPage(_ end: TimelineEnd) { perform(timeline.handle(.pageEnded(end))) }

    /// The bars or the keyboard cover more or less than before.
    func insetsChanged() { perform(noteViewport()) }

    // MARK: What the collection view asks

    public override class var layoutAttributesClass: AnyClass {
        TimelineLayoutAttributes<Data>.self
    }

    public override var collectionViewContentSize: CGSize {
        CGSize(
            width: collectionView?.bounds.width ?? 0, height: scale.points(timeline.contentHeight))
    }

    public override func layoutAttributesForElements(
        in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
        let rows = timeline.rows(in: scale.stretch(of: rect))
        var found = window.elements(for: rows, make: makeAttributes)
        shownHeader = headerAttributes()
        if let header = shownHeader {
            let row = header.indexPath.item
            if rows.contains(row) {
                found[row - rows.lowerBound] = header
            } else {
                found.append(header)
            }
        }
        return found
    }

    public override func layoutAttributesForItem(
        at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
        let row = indexPath.item
        guard frame.rows.indices.contains(row) else { return nil }
        if let header = headerAttributes(), header.indexPath.item == row { return header }
        return window.element(for: row) ?? makeAttributes(row)
    }

    public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
        guard !isPlacing, transition == nil else { return false }
        note(newBounds)
        return timeline.offset != scale.pixels(newBounds.minY) || headerMoved
    }

    public override func invalidationContext(
        forBoundsChange newBounds: CGRect
    ) -> UICollectionViewLayoutInvalidationContext {
        let context = super.invalidationContext(forBoundsChange: newBounds)
        let distance = timeline.offset - scale.pixels(newBounds.minY)
        context.contentOffsetAdjustment = CGPoint(x: 0, y: scale.points(distance))
        let header = timeline.stickyHeader.map { Self.path($0.row) }
        let paths = [header, shownHeader?.indexPath].compactMap(\.self)
        if !paths.isEmpty { context.invalidateItems(at: paths) }
        return context
    }

    public override func invalidateLayout(
        with context: UICollectionViewLayoutInvalidationContext
    ) {
        if context.invalidateEverything || context.invalidateDataSourceCounts {
            window.removeAll()
        }
        super.invalidateLayout(with: context)
    }

    public override func targetContentOffset(
        forProposedContentOffset proposedContentOffset: CGPoint
    ) -> CGPoint {
        guard transition != nil || isPlacing else { return proposedContentOffset }
        return CGPoint(x: proposedContentOffset.x, y: scale.points(timeline.offset))
    }

    // MARK: Changes

    public override func initialLayoutAttributesForAppearingItem(
        at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
        guard let transition, frame.rows.indices.contains(itemIndexPath.item) else {
            return layoutAttributesForItem(at: itemIndexPath)
        }
        let row = itemIndexPath.item
        let attributes = makeAttributes(row)
        if let from = transition.change.initialExtent(ofStaying: row) {
            attributes.frame = rect(from, width: attributes.data.size.width)
        } else {
            attributes.frame = rect(
                transition.change.initialExtent(ofAppearing: row),
                width: attributes.data.size.width)
            attributes.alpha = 0
        }
        return attributes
    }

    public override func finalLayoutAttributesForDisappearingItem(
        at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
        let old = itemIndexPath.item
        guard let (transition, leaving) = transition, leaving.rows.indices.contains(old) else {
            return layoutAttributesForItem(at: itemIndexPath)
        }
        let moved = transition.change.moves.first { $0.from == old }?.to
        if let new = transition.change.placeKept(of: old) ?? moved {
            // It goes where it will stand.
            return layoutAttributesForItem(at: Self.path(new))
        }
        let attributes = TimelineLayoutAttributes<Data>(forCellWith: itemIndexPath)
        attributes.data = leaving.rows[old].data
        attributes.frame = rect(
            transition.finalExtent(ofDisappearing: old), width: attributes.data.size.width)
        attributes.alpha = 0
        return attributes
    }

    public override func finalizeCollectionViewUpdates() {
        super.finalizeCollectionViewUpdates()
        transition = nil
    }
}

extension TimelineCollectionLayout {
    private static func path(_ row: Int) -> IndexPath { IndexPath(item: row, section: 0) }

    private func rect(_ extent: Range<Int64>, width: Int32) -> CGRect {
        CGRect(
            x: 0, y: scale.points(extent.lowerBound), width: scale.points(Int64(width)),
            height: scale.points(extent.upperBound - extent.lowerBound))
    }

    private func makeAttributes(_ row: Int) -> TimelineLayoutAttributes<Data> {
        let data = frame.rows[row].data
        let attributes = TimelineLayoutAttributes<Data>(forCellWith: Self.path(row))
        attributes.frame = rect(timeline.extent(of: row), width: data.size.width)
        attributes.data = data
        return attributes
    }

    /// The header that stands at the upper edge instead of its place.
    private func headerAttributes() -> TimelineLayoutAttributes<Data>? {
        guard let header = timeline.stickyHeader else { return nil }
        let attributes = makeAttributes(header.row)
        attributes.frame.origin.y = scale.points(header.top)
        attributes.zIndex = 1
        return attributes
    }

    private var headerMoved: Bool {
        let header = timeline.stickyHeader
        return header?.row != shownHeader?.indexPath.item
            || header.map { scale.points($0.top) } != shownHeader?.frame.minY
    }

    /// Tells the timeline what the scroll view shows now.
    private func note(_ bounds: CGRect) {
        if viewport(bounds) != timeline.viewport {
            // The offset follows by the invalidation context.
            perform(
                timeline.handle(.viewport(viewport(bounds)))
                    .filter { if case .place = $0 { false } else { true } })
        } else {
            let view = collectionView
            let isPerson =
                view?.isTracking == true || view?.isDragging == true || view?.isDecelerating == true
            perform(
                timeline.handle(
                    .scrolled(to: scale.pixels(bounds.minY), by: isPerson ? .person : .list)))
        }
    }

    @discardableResult
    private func noteViewport() -> [TimelineEffect] {
        guard let view = collectionView else { return [] }
        return timeline.handle(.viewport(viewport(view.bounds)))
    }

    private func viewport(_ bounds: CGRect) -> TimelineViewport {
        func pixels(_ points: CGFloat) -> Int32 { Int32(clamping: scale.pixels(points)) }
        let insets = collectionView?.adjustedContentInset
        return TimelineViewport(
            height: pixels(bounds.height), topInset: pixels(insets?.top ?? 0),
            bottomInset: pixels(insets?.bottom ?? 0))
    }

    /// Has everything laid out anew, with the offset moved in the same commit.
    private func invalidate(adjustment: Int64) {
        window.removeAll()
        let context = UICollectionViewLayoutInvalidationContext()
        context.contentOffsetAdjustment = CGPoint(x: 0, y: scale.points(adjustment))
        invalidateLayout(with: context)
    }

    private func reload() {
        window.removeAll()
        shownHeader = nil
        isPlacing = true
        defer { isPlacing = false }
        collectionView?.reloadData()
        collectionView?.layoutIfNeeded()
    }

    private func perform(_ effects: [TimelineEffect]) {
        for effect in effects {
            switch effect {
            case .place(let offset): place(offset)
            case .scroll(let offset):
                collectionView?.setContentOffset(
                    CGPoint(x: 0, y: scale.points(offset)), animated: true)
            case .page(let end): paging?.page(end)
            case .openNewest: paging?.openNewest()
            }
        }
    }

    private func place(_ offset: Int64) {
        isPlacing = true
        defer { isPlacing = false }
        collectionView?.contentOffset = CGPoint(x: 0, y: scale.points(offset))
    }
}

extension TimelineCollectionLayout where Data: TextAnchorable {
    /// Shows the same rows in another width, type size or language, with the text that lay at the
    /// edge still there.
    public func relayByText(to new: TimelineFrame<Data>) {
        relay(to: new, inside: timeline.edge.flatMap { new.inside($0, of: frame) })
    }
}
#endif
