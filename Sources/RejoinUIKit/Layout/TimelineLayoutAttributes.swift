#if canImport(UIKit)
public import RejoinLayout
internal import Synchronization
public import UIKit

/// The attributes of a row: where it stands, and what is known of it. They carry the data to the
/// cell, which applies it and measures nothing.
///
/// Equal where the data are equal, which ``LayoutData`` tells in O(1): the collection view applies
/// only what is not.
public final class TimelineLayoutAttributes<Data: LayoutDatable & Equatable>:
    UICollectionViewLayoutAttributes
{
    // UIKit copies and compares attributes by methods of `NSObject`, which belong to no actor.
    private nonisolated let carried = Mutex(Data.default)

    /// What is known of the row.
    public nonisolated var data: Data {
        get { carried.withLock { $0 } }
        set { carried.withLock { $0 = newValue } }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        if let copy = copy as? TimelineLayoutAttributes<Data> { copy.data = data }
        return copy
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TimelineLayoutAttributes<Data> else { return false }
        return super.isEqual(object) && data == other.data
    }
}
#endif
