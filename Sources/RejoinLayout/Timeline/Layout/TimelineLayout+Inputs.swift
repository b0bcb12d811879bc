extension TimelineLayout {
    /// Takes what happened, and says what to do.
    ///
    /// - Complexity: O(k) in what changed and O(chunk) otherwise; O(n) where rows are opened or
    ///   swapped without a change set.
    public mutating func handle(_ input: TimelineInput) -> [TimelineEffect] {
        switch input {
        case .opened(let geometry, let opening): open(geometry, at: opening)
        case .viewport(let viewport): change(to: viewport)
        case .scrolled(let offset, let scroller): scroll(to: offset, by: scroller)
        case .settled: settle()
        case .sought(let target): seek(target)
        case .raised(let row): raise(row)
        case .swapped(let geometry, let change, let sendsOwn):
            swap(to: geometry, change, sendsOwn: sendsOwn)
        case .relaid(let geometry, let inside): relay(to: geometry, inside: inside)
        case .pages(let older, let newer): setPages(older: older, newer: newer)
        case .pageEnded(let end): endPage(end)
        }
    }

    // MARK: Opening

    private mutating func open(
        _ geometry: TimelineGeometry, at opening: TimelineOpening
    ) -> [TimelineEffect] {
        self.geometry = geometry
        directory = RowDirectory(geometry.ids)
        seen = 0
        raised = nil
        (isPagingOlder, isPagingNewer) = (false, false)
        var place: Int64?
        switch opening {
        case .newest: break
        case .firstUnread:
            place = directory.place(of: .unreadDivider, in: geometry.ids).map {
                offset(of: $0, at: .top)
            }
        case .row(let id, let alignment):
            place = directory.place(of: id, in: geometry.ids).map { offset(of: $0, at: alignment) }
        case .anchor(let anchor): place = offset(of: anchor)
        }
        offset = clamped(place ?? maximumOffset)
        settleMode()
        return placed()
    }

    // MARK: Moving

    private mutating func change(to viewport: TimelineViewport) -> [TimelineEffect] {
        guard viewport != self.viewport else { return [] }
        return respace { $0.viewport = viewport }
    }

    private mutating func raise(_ row: TimelineRowID?) -> [TimelineEffect] {
        guard row != raised else { return [] }
        guard mode == .pinned else { return respace { $0.raised = row } }
        // The end has moved; the list goes there on its own.
        mode = .anchored
        return respace { $0.raised = row } + seek(.newest)
    }

    /// Changes the space around the rows: what lies at the edge stays there, or the end does.
    private mutating func respace(_ change: (inout Self) -> Void) -> [TimelineEffect] {
        let line = self.line
        let isInBounds = overscroll == 0
        change(&self)
        switch mode {
        case .pinned: offset = maximumOffset
        case .anchored, .targeted:
            let kept = offset(ofLine: line)
            offset = isInBounds ? clamped(kept) : kept
            if case .anchored = mode { settleMode() }
        }
        return placed() + scrollToTarget()
    }

    private mutating func scroll(to new: Int64, by scroller: TimelineScroller) -> [TimelineEffect] {
        if new != offset { scrollsTowards = new < offset ? .older : .newer }
        offset = new
        switch (mode, scroller) {
        case (.targeted, .list): break
        case (.targeted, .person), (.anchored, _), (.pinned, _): settleMode()
        }
        look()
        return pageEffects()
    }

    private mutating func settle() -> [TimelineEffect] {
        guard case .targeted(let target) = mode else { return [] }
        let reached = offset(of: target).map(clamped)
        let isThere = reached == nil || reached == offset
        if let reached { offset = reached }
        settleMode()
        return isThere ? pageEffects() : placed()
    }

    private mutating func seek(_ target: TimelineTarget) -> [TimelineEffect] {
        if target == .newest, hasNewer { return [.openNewest] }
        guard let place = offset(of: target).map(clamped) else { return [] }
        guard place != offset else {
            settleMode()
            return []
        }
        mode = .targeted(target)
        return [.scroll(to: place)]
    }

    // MARK: Rows

    private mutating func swap(
        to new: TimelineGeometry, _ change: RowChangeSet?, sendsOwn: Bool
    ) -> [TimelineEffect] {
        let over = overscroll
        let anchored: Int64?
        if let change {
            precondition(
                change.oldCount == geometry.count && change.newCount == new.count,
                "a change set of other rows")
            let hold = hold(through: change)
            seen = seenEnd(after: change)
            noteLaidOut(change)
            directory.apply(change, old: geometry.ids, new: new.ids)
            geometry = new
            anchored = hold.map { offset(of: $0) }
        } else {
            let anchor = anchor
            let last = seen > 0 ? geometry.ids[seen - 1] : nil
            geometry = new
            directory = RowDirectory(new.ids)
            seen = last.flatMap { directory.place(of: $0, in: geometry.ids) }.map { $0 + 1 } ?? 0
            (isPagingOlder, isPagingNewer) = (false, false)
            anchored = offset(of: anchor)
        }
        if sendsOwn, options.ownMessages == .jumpToNewest, !hasNewer, mode != .pinned {
            mode = .targeted(.newest)
        }
        switch mode {
        case .pinned where !hasNewer: offset = maximumOffset + max(over, 0)
        case .pinned, .anchored, .targeted:
            let place = anchored ?? offset
            offset = min(max(place, minimumOffset + min(over, 0)), maximumOffset + max(over, 0))
            if maximumOffset == minimumOffset, over == 0 { settleMode() }
        }
        return placed() + scrollToTarget()
    }

    private mutating func relay(
        to new: TimelineGeometry, inside: Int32?
    ) -> [TimelineEffect] {
        precondition(new.count == geometry.count, "other rows where only heights may differ")
        let edge = edge
        geometry = new
        switch mode {
        case .pinned: offset = maximumOffset
        case .anchored, .targeted:
            guard let edge else { break }
            let height = new.offsets.height(of: edge.row)
            let into = inside ?? edge.scaled(to: height)
            offset = clamped(
                offset(ofLine: new.offsets.offset(of: edge.row) + Int64(min(into, height))))
        }
        return placed() + scrollToTarget()
    }

    // MARK: Pages

    private mutating func setPages(older: Bool, newer: Bool) -> [TimelineEffect] {
        let wasEnd = !hasNewer
        (hasOlder, hasNewer) = (older, newer)
        if wasEnd, newer, mode == .pinned { mode = .anchored }
        if !wasEnd, !newer, mode == .anchored { settleMode() }
        return pageEffects()
    }

    private mutating func endPage(_ end: TimelineEnd) -> [TimelineEffect] {
        // Not asked for again here: only the next scroll or change does, so that a failing server
        // is not asked in a loop.
        switch end {
        case .older: isPagingOlder = false
        case .newer: isPagingNewer = false
        }
        return []
    }

    /// Asks for a page where the viewport is near an end of the rows.
    private mutating func pageEffects() -> [TimelineEffect] {
        let margin = screens(options.paging)
        var effects: [TimelineEffect] = []
        if hasOlder, !isPagingOlder, offset - minimumOffset < margin {
            isPagingOlder = true
            effects.append(.page(.older))
        }
        if hasNewer, !isPagingNewer, distanceToEnd < margin {
            isPagingNewer = true
            effects.append(.page(.newer))
        }
        return effects
    }

    /// Opens the latch of an end at which messages came in.
    private mutating func noteLaidOut(_ change: RowChangeSet) {
        guard isPagingOlder || isPagingNewer else { return }
        let offsets = geometry.offsets
        let first = (0..<offsets.count).first {
            offsets.kind(of: $0) == .message && change.placeKept(of: $0) != nil
        }
        let last = (0..<offsets.count).last {
            offsets.kind(of: $0) == .message && change.placeKept(of: $0) != nil
        }
        guard let first, let last, let newFirst = change.placeKept(of: first),
            let newLast = change.placeKept(of: last)
        else {
            (isPagingOlder, isPagingNewer) = (false, false)
            return
        }
        if newFirst > first { isPagingOlder = false }
        if change.newCount - newLast > change.oldCount - last { isPagingNewer = false }
    }

    // MARK: Modes

    /// Whether the list is near enough to the end of the room to be pinned to it.
    private var isNearEnd: Bool {
        !hasNewer && distanceToEnd <= Int64(options.bottomThreshold)
    }

    private mutating func settleMode() { mode = isNearEnd ? .pinned : .anchored }

    /// What follows from rows or a viewport that stand otherwise now.
    private mutating func placed() -> [TimelineEffect] {
        forgetVisibleRows()
        look()
        return [.place(offset)] + pageEffects()
    }

    private mutating func scrollToTarget() -> [TimelineEffect] {
        guard case .targeted(let target) = mode else { return [] }
        guard let place = offset(of: target).map(clamped) else {
            settleMode()
            return []
        }
        return [.scroll(to: place)]
    }

    /// Notes which messages are visible.
    private mutating func look() {
        let bottom = min(bottomLine, geometry.offsets.height)
        guard seen < geometry.count, let last = geometry.offsets.row(at: bottom - 1), last >= seen
        else { return }
        seen = max(seen, lastMessage(before: last + 1))
    }

    /// One past the last message before a place.
    private func lastMessage(before end: Int) -> Int {
        var end = end
        while end > 0, geometry.offsets.kind(of: end - 1) != .message { end -= 1 }
        return end
    }

    /// Where ``seen`` lies after a change: at the last message before it that stays in place.
    private func seenEnd(after change: RowChangeSet) -> Int {
        (0..<seen).reversed().lazy.filter { geometry.offsets.kind(of: $0) == .message }
            .compactMap(change.placeKept).first.map { $0 + 1 } ?? 0
    }
}
