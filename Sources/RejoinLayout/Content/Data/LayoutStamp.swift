public import RejoinModel

/// The identity of one row's layout: equal exactly where row, content and environment are the same
/// ones, compared in O(1) whatever the row shows.
public struct LayoutStamp: Hashable, Sendable {
    /// The row.
    public let row: TimelineRowID
    /// The version of what the row shows, the names and pictures' sizes that it needs included.
    public let content: SnapshotVersion
    /// The environment that it was laid out in.
    public let environment: SnapshotVersion

    /// Creates a stamp.
    public init(row: TimelineRowID, content: SnapshotVersion, environment: SnapshotVersion) {
        self.row = row
        self.content = content
        self.environment = environment
    }
}
