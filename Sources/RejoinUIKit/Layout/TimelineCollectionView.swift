#if canImport(UIKit)
public import UIKit

/// What is told which part of it can be seen, so that a tall text draws no more than that.
@MainActor
public protocol VisibleRectFollowing: AnyObject {
    /// This part is seen, in its own coordinates.
    func follow(visibleRect: CGRect)
}

/// What is told of changes of the covered parts.
@MainActor
protocol InsetsFollowing {
    func insetsChanged()
}

extension TimelineCollectionLayout: InsetsFollowing {}

/// A collection view that tells its layout and its cells what of them is covered or seen.
/// No cell may ask for another size: all sizes are known.
public final class TimelineCollectionView: UICollectionView {
    public override init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
        super.init(frame: frame, collectionViewLayout: layout)
        selfSizingInvalidation = .disabled
    }

    /// Its layout needs rows, so no archive holds one.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    public override func adjustedContentInsetDidChange() {
        super.adjustedContentInsetDidChange()
        (collectionViewLayout as? any InsetsFollowing)?.insetsChanged()
    }

    public override func layoutSubviews() {
        super.layoutSubviews()
        for cell in visibleCells {
            guard let follower = cell as? any VisibleRectFollowing else { continue }
            follower.follow(visibleRect: convert(bounds, to: cell))
        }
    }
}
#endif
