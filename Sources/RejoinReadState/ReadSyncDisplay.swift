public import RejoinModel

/// Where a room is to be opened.
public enum OpeningPosition: Hashable, Sendable {
    /// At the first unread message, which is held.
    case firstUnread(MessageID)
    /// At the first unread message, which is not held: load this part first.
    case unloaded(HistoryAnchor)
    /// At the newest message: nothing is unread, or the room was never read.
    case newest
}

extension ReadSync {
    /// Where the room is to be opened: the first unread message, else the newest.
    ///
    /// A room that was never read opens at its newest message, unless its beginning is held.
    ///
    /// - Complexity: O(rows).
    public var openingPosition: OpeningPosition {
        let position = mark.position
        let next = facts.rows.first { row in
            row.counts && position.map { $0 < row.id } ?? true
        }
        if let next, facts.isUnbroken(after: position, through: next.id),
            facts.holdsRows(after: position)
        {
            return .firstUnread(next.id)
        }
        guard let position, next != nil || unread.value > 0 else { return .newest }
        return .unloaded(.around(position))
    }

    /// How many messages are unread: counted here where everything after the position is held, else
    /// by the server's summary and what came after it.
    var currentUnread: UnreadCount {
        let position = mark.position
        let last = facts.rows.last?.id
        let held = facts.count(after: position)
        if facts.holdsRows(after: position),
            last.map({ facts.isUnbroken(after: position, through: $0) }) ?? false,
            facts.reachesTip, summaryIsHeld
        {
            return .exact(held)
        }
        guard let summary = record.summary, summary.mark.version == mark.version,
            let read = readSince(summary)
        else { return .atLeast(held) }
        let later = facts.count(after: max(summary.asOf, position))
        let isExact =
            summaryIsHeld && facts.reachesTip && facts.holdsRows(after: summary.asOf)
            && (last.map { facts.isUnbroken(after: summary.asOf, through: $0) } ?? false)
        let counted = summary.unread - read + later
        // What is held across a gap may have been deleted since, so the server's count stands.
        return isExact ? .exact(max(counted, 0)) : .atLeast(max(held, counted))
    }

    /// Whether everything that the server has counted is held, so that our own count cannot be
    /// behind it.
    private var summaryIsHeld: Bool {
        guard let asOf = record.summary?.asOf else { return true }
        return facts.last.map { asOf <= $0 } ?? false
    }

    /// How many of the messages that a summary counts have been read since; `nil` where that cannot
    /// be counted.
    private func readSince(_ summary: UnreadSummary) -> Int? {
        guard let position = mark.position else { return summary.mark.position == nil ? 0 : nil }
        if summary.mark.position == position { return 0 }
        guard summary.mark < mark, facts.holdsRows(after: summary.mark.position),
            facts.isUnbroken(after: summary.mark.position, through: position)
        else { return nil }
        let counted = facts.count(after: summary.mark.position, through: position)
        return counted
            - facts.count(after: max(summary.asOf, summary.mark.position), through: position)
    }

    private func max(_ left: MessageID?, _ right: MessageID?) -> MessageID? {
        guard let left, let right else { return left ?? right }
        return Swift.max(left, right)
    }

    private func max(_ left: Int, _ right: Int) -> Int { Swift.max(left, right) }
}
