/// The part of the screen through which a list is seen, in device pixels.
public struct TimelineViewport: Hashable, Sendable {
    /// Its height, with what bars and the keyboard cover; below 0 it counts as 0.
    public var height: Int32 { didSet { height = max(0, height) } }
    /// What is covered at the top.
    public var topInset: Int32
    /// What is covered at the bottom: the composer, the keyboard.
    public var bottomInset: Int32

    /// Creates a viewport.
    public init(height: Int32, topInset: Int32 = 0, bottomInset: Int32 = 0) {
        self.height = max(0, height)
        self.topInset = topInset
        self.bottomInset = bottomInset
    }

    /// The height that nothing covers.
    public var visibleHeight: Int32 {
        Int32(clamping: max(0, Int64(height) - Int64(topInset) - Int64(bottomInset)))
    }
}

/// How a list behaves where apps differ.
public struct TimelineOptions: Hashable, Sendable {
    /// Up to which distance from its end a list counts as pinned to it, in device pixels.
    public var bottomThreshold: Int32
    /// Where rows stand that do not fill the viewport.
    public var shortContent: Edge
    /// Which edge of the visible part the rows keep their distance from when others change: with
    /// the upper one what grows pushes down, with the lower one it pushes up.
    public var anchorEdge: Edge
    /// What happens when the person sends a message while reading further up.
    public var ownMessages: OwnMessages
    /// How much is prepared ahead in the direction of scrolling, in hundredths of the viewport.
    public var leading: Int32
    /// How much is prepared behind.
    public var trailing: Int32
    /// How near the end of the held rows the next page is asked for, in hundredths of the viewport.
    public var paging: Int32
    /// How much more than the viewport ``TimelineLayout/visibleRows()`` answers on each side, so
    /// that scrolling inside it asks for nothing, in hundredths of the viewport.
    public var overdraw: Int32

    /// An edge of the visible part.
    public enum Edge: Hashable, Sendable {
        /// The upper edge.
        case top
        /// The lower edge.
        case bottom
    }

    /// What happens when the person sends a message while reading further up.
    public enum OwnMessages: Hashable, Sendable {
        /// The list goes to its end.
        case jumpToNewest
        /// The list stays.
        case stay
    }

    /// Creates options.
    public init(
        bottomThreshold: Int32 = 48, shortContent: Edge = .bottom, anchorEdge: Edge = .top,
        ownMessages: OwnMessages = .jumpToNewest, leading: Int32 = 100, trailing: Int32 = 50,
        paging: Int32 = 200, overdraw: Int32 = 50
    ) {
        self.bottomThreshold = bottomThreshold
        self.shortContent = shortContent
        self.anchorEdge = anchorEdge
        self.ownMessages = ownMessages
        self.leading = leading
        self.trailing = trailing
        self.paging = paging
        self.overdraw = overdraw
    }
}

/// A place in a list that outlives the list: rows by their identities, and how they stood. Restores
/// the place when the room is opened again, or where rows were replaced without a change set.
public struct TimelineAnchor: Hashable, Sendable {
    /// The row at the edge, and after it those to take where it is gone, in their order.
    public var rows: [Row]

    /// A row and where it stood.
    public struct Row: Hashable, Sendable {
        /// The row.
        public var id: TimelineRowID
        /// How far the edge lies below the row's beginning, in device pixels; negative where the
        /// row begins below the edge.
        public var inside: Int32

        /// Creates a row.
        public init(id: TimelineRowID, inside: Int32) {
            self.id = id
            self.inside = inside
        }
    }

    /// Creates an anchor.
    public init(rows: [Row]) { self.rows = rows }

    /// The most rows that an anchor names.
    public static let maximumCount = 32
}
