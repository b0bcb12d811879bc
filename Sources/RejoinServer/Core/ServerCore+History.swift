#if os(Linux)
import RejoinModel

extension ServerCore {
    /// A page of history, with exactly the interval that it proves: bounds are the IDs of
    /// neighbouring messages where there are such, so that pages adjoin.
    func history(_ anchor: HistoryAnchor, _ wish: Int, in access: Access)
        throws(BackendFailure) -> HistoryPage
    {
        let limit = try pageLimit(wish)
        let room = access.room
        return try stored { () throws(SQLiteError) in
            let stretch =
                switch anchor {
                case .newest: try newest(limit, in: room)
                case .after(let bound): try following(bound, limit, in: room)
                case .before(let bound): try preceding(bound, limit, in: room)
                case .around(let middle): try surrounding(middle, limit, in: room)
                }
            return HistoryPage(
                messages: behaviour.revisions
                    ? Array(stretch.messages) : stretch.messages.map(shown),
                members: try authors(of: stretch.messages),
                from: stretch.from, through: stretch.through, hasBefore: stretch.hasBefore,
                hasAfter: stretch.hasAfter, tip: MessageID(stored: room.tip),
                horizon: MessageID(stored: room.horizon), revision: revision(of: room))
        }
    }

    /// A page of the change feed.
    ///
    /// - Throws: `gone` where the feed no longer, or not yet, knows the revision: then the
    ///   client cannot go on from it.
    func changes(after revision: Revision, _ wish: Int, in access: Access)
        throws(BackendFailure) -> ChangePage
    {
        guard behaviour.revisions else {
            throw BackendFailure(.notFound, "this server keeps no revisions")
        }
        let limit = try pageLimit(wish)
        let room = access.room
        guard let after = Int64(exactly: revision.rawValue),
            (room.trimmedRevision...room.revision).contains(after)
        else {
            throw BackendFailure(
                .gone,
                "the change feed holds revisions after \(room.trimmedRevision) up to "
                    + "\(room.revision); fetch the history instead")
        }
        return try stored { () throws(SQLiteError) in
            let found = try store.changes(after: after, limit: limit + 1, in: room)
            let messages = found.prefix(limit)
            let hasMore = found.count > limit
            let through =
                hasMore ? messages.last?.revision : Revision(UInt64(clamping: room.revision))
            return ChangePage(
                messages: Array(messages), members: try authors(of: messages),
                revision: through ?? revision, hasMore: hasMore,
                tip: MessageID(stored: room.tip))
        }
    }

    // MARK: The four kinds of page

    private struct Stretch {
        var messages: ArraySlice<Message>
        var from: MessageID?
        var through: MessageID?
        var hasBefore: Bool
        var hasAfter: Bool
    }

    private func newest(_ limit: Int, in room: RoomRecord) throws(SQLiteError) -> Stretch {
        let found = try store.messages(
            after: 0, before: .max, newest: true, limit: limit + 1, in: room)
        let hasBefore = found.count > limit
        let from = hasBefore ? found.first?.id : floor(of: room)
        return Stretch(
            messages: found.suffix(limit), from: from, through: tip(of: room, from: from),
            hasBefore: hasBefore, hasAfter: false)
    }

    private func following(_ bound: MessageID?, _ limit: Int, in room: RoomRecord)
        throws(SQLiteError) -> Stretch
    {
        let from = [bound, floor(of: room)].compactMap(\.self).max()
        let found = try store.messages(
            after: from?.bound ?? 0, before: .max, newest: false, limit: limit + 1, in: room)
        let hasAfter = found.count > limit
        let messages = found.prefix(limit)
        var hasBefore = false
        if let from { hasBefore = try store.hasMessages(through: from.bound, in: room) }
        return Stretch(
            messages: messages, from: from,
            through: hasAfter ? messages.last?.id : tip(of: room, from: from),
            hasBefore: hasBefore, hasAfter: hasAfter)
    }

    private func preceding(_ bound: MessageID, _ limit: Int, in room: RoomRecord)
        throws(SQLiteError) -> Stretch
    {
        let found = try store.messages(
            after: 0, before: bound.bound, newest: true, limit: limit + 1, in: room)
        let hasBefore = found.count > limit
        // Nothing lies between the page and its bound, so the page proves all of that too;
        // but nothing beyond the tip, where messages are still to come.
        let through = tip(of: room, from: nil).map { tip in
            min(tip, MessageID(bound.rawValue == 0 ? 0 : bound.rawValue - 1))
        }
        var from = hasBefore ? found.first?.id : floor(of: room)
        if let low = from, let through, through < low { from = through }
        return Stretch(
            messages: found.suffix(limit), from: from, through: through,
            hasBefore: hasBefore, hasAfter: bound.bound <= room.tip)
    }

    private func surrounding(_ middle: MessageID, _ limit: Int, in room: RoomRecord)
        throws(SQLiteError) -> Stretch
    {
        let middle = middle.bound
        let older = try store.messages(
            after: 0, before: middle, newest: true, limit: limit + 1, in: room)
        let newer = try store.messages(
            after: max(0, middle - 1), before: .max, newest: false, limit: limit + 1, in: room)
        // Half on each side; what one side cannot fill goes to the other.
        let fromOlder = min(older.count, max((limit - 1) / 2, limit - newer.count))
        let fromNewer = min(newer.count, limit - fromOlder)
        let messages = older.suffix(fromOlder) + newer.prefix(fromNewer)
        let hasBefore = fromOlder < older.count
        let hasAfter = fromNewer < newer.count
        let from = hasBefore ? older[older.count - fromOlder - 1].id : floor(of: room)
        return Stretch(
            messages: messages[...], from: from,
            through: hasAfter ? messages.last?.id : tip(of: room, from: from),
            hasBefore: hasBefore, hasAfter: hasAfter)
    }

    // MARK: Bounds

    /// The exclusive lower bound of what the server still keeps; `nil`: the beginning.
    private func floor(of room: RoomRecord) -> MessageID? {
        MessageID(stored: room.horizon - 1)
    }

    /// What a page proves that reaches the newest message.
    private func tip(of room: RoomRecord, from: MessageID?) -> MessageID? {
        [MessageID(stored: room.tip), from].compactMap(\.self).max()
    }

    private func pageLimit(_ wish: Int) throws(BackendFailure) -> Int {
        guard wish > 0 else {
            throw BackendFailure(.rejected, "the limit of a page must be at least 1")
        }
        return min(wish, limits.pageMessages)
    }

    /// The people who wrote messages, in the order of their first message.
    private func authors(of messages: ArraySlice<Message>) throws(SQLiteError) -> [Member] {
        var seen: Set<UserID> = []
        var members: [Member] = []
        for message in messages where seen.insert(message.author).inserted {
            if let member = try store.user(message.author) { members.append(member) }
        }
        return members
    }
}
#endif
