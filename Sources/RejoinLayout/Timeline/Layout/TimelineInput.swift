/// What happens to a list.
public enum TimelineInput: Sendable {
    /// The room is shown for the first time, or its window was replaced by another.
    case opened(TimelineGeometry, at: TimelineOpening)
    /// The screen, its bars or the keyboard changed.
    case viewport(TimelineViewport)
    /// The list was scrolled to an offset, by a finger or on its own.
    case scrolled(to: Int64, by: TimelineScroller)
    /// A scroll on its own has ended.
    case settled
    /// The person asked for a row, or for the end.
    case sought(TimelineTarget)
    /// This row is to stand at the upper edge while what follows it grows, such as a question whose
    /// answer is being written: until enough follows it, empty space does
    /// (``TimelineLayout/trailingSpace``). A list that is pinned scrolls there. `nil`: no row is.
    case raised(TimelineRowID?)
    /// Rows changed. Without a change set the place is found again by the rows' identities.
    /// `sendsOwn`: the person just sent a message, and its row is among what came.
    case swapped(TimelineGeometry, RowChangeSet?, sendsOwn: Bool)
    /// The same rows have other heights, all of them at once: another width, another type size.
    /// `inside` is where the edge now lies in the row of ``TimelineLayout/edge``, by its text;
    /// `nil`: at the same fraction of the row.
    case relaid(TimelineGeometry, inside: Int32?)
    /// Whether there is more to page in at either end.
    case pages(older: Bool, newer: Bool)
    /// A page that was asked for brought nothing or did not come.
    case pageEnded(TimelineEnd)
}

/// What a list is to do.
public enum TimelineEffect: Hashable, Sendable {
    /// Show the rows from this offset on, in the same commit as the change that led to it.
    case place(Int64)
    /// Scroll there, as the platform scrolls on its own.
    case scroll(to: Int64)
    /// Page in more rows at an end. Not asked again before the rows have been laid out or
    /// ``TimelineInput/pageEnded(_:)``.
    case page(TimelineEnd)
    /// The end of the room is not among the rows: open its newest window.
    case openNewest
}

/// An end of the rows.
public enum TimelineEnd: Hashable, Sendable {
    /// Where history goes on.
    case older
    /// Where newer messages are.
    case newer
}

/// Who scrolls.
public enum TimelineScroller: Hashable, Sendable {
    /// The person, deceleration included.
    case person
    /// The list on its own.
    case list
}

/// Where a list opens.
public enum TimelineOpening: Hashable, Sendable {
    /// At its end.
    case newest
    /// At the unread divider, else at its end.
    case firstUnread
    /// At a row, else at its end.
    case row(TimelineRowID, TimelineAlignment)
    /// Where it was, else at its end.
    case anchor(TimelineAnchor)
}

/// What a list goes to.
public enum TimelineTarget: Hashable, Sendable {
    /// The newest message.
    case newest
    /// A row.
    case row(TimelineRowID, TimelineAlignment)
}

/// Where in the visible part a row is shown.
public enum TimelineAlignment: Hashable, Sendable, CaseIterable {
    /// Its beginning at the upper edge.
    case top
    /// In the middle; at the upper edge where it does not fit.
    case center
    /// Its end at the lower edge.
    case bottom
}
