public import RejoinModel

/// What a read position is judged by: the rows that a room shows, and where messages may be
/// missing.
///
/// Made from a snapshot, it says nothing that the snapshot does not: what lies below the window
/// counts as unbroken only where coverage proves it.
public struct ReadFacts: Hashable, Sendable {
    /// One message, reduced to what reading needs.
    public struct Row: Hashable, Sendable {
        /// Its place.
        public let id: MessageID
        /// Whether it counts as unread: somebody else's message that was not deleted.
        public let counts: Bool
        /// Whether a person has nothing to look at there: tombstones, and messages of system
        /// notices alone or without content. They are passed with the rows that they adjoin.
        public let isInvisible: Bool

        /// Creates a row.
        public init(id: MessageID, counts: Bool, isInvisible: Bool) {
            self.id = id
            self.counts = counts
            self.isInvisible = isInvisible
        }

        /// Reduces a message, as seen by a person.
        ///
        /// - Complexity: O(content blocks).
        public init(_ message: Message, for user: UserID) {
            let hasContent = message.content.contains {
                if case .systemNotice = $0 { false } else { true }
            }
            self.init(
                id: message.id, counts: !message.isDeleted && message.author != user,
                isInvisible: message.isDeleted || !hasContent)
        }
    }

    /// The rows held in the window, ascending.
    public let rows: [Row]
    /// Where messages may be missing.
    public let gaps: [Gap]
    /// Whether older messages are held than the window shows.
    public let hasOlder: Bool
    /// Whether newer messages are held than the window shows.
    public let hasNewer: Bool
    /// What is proven, the part below the window included.
    public let coverage: Coverage

    /// Creates facts. `rows` must ascend.
    public init(
        rows: [Row] = [], gaps: [Gap] = [], hasOlder: Bool = false, hasNewer: Bool = false,
        coverage: Coverage = Coverage()
    ) {
        self.rows = rows
        self.gaps = gaps
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
        self.coverage = coverage
    }

    /// Reduces a snapshot, as seen by a person. `coverage` is what the pipeline last committed as
    /// proven; without it, a position below the window stays there until the host moves it.
    ///
    /// - Complexity: O(items).
    public init(_ snapshot: TimelineSnapshot, for user: UserID, coverage: Coverage = Coverage()) {
        self.init(
            rows: snapshot.messages.map { Row($0, for: user) }, gaps: snapshot.gaps,
            hasOlder: snapshot.hasOlder, hasNewer: snapshot.hasNewer, coverage: coverage)
    }

    /// The newest message known to exist.
    var last: MessageID? {
        switch (rows.last?.id, coverage.newest) {
        case (let row?, let covered?): max(row, covered)
        case (let row, let covered): row ?? covered
        }
    }

    /// Whether an unread message stands among rows that were held side by side before: it became
    /// visible after later ones.
    ///
    /// - Complexity: O(rows).
    func hasLateRow(since old: ReadFacts) -> Bool {
        guard let last = old.rows.last?.id, let first = old.rows.first?.id,
            let start = rows.first?.id
        else { return false }
        let shared = max(first, start)...max(first, start, last)
        let held = old.rows.lazy.filter { shared.contains($0.id) }
        let now = rows.lazy.filter { shared.contains($0.id) }
        // Nearly always the same rows go on, and new ones follow.
        guard held.count < now.count else { return false }
        let known = Set(held.map(\.id))
        return now.contains { row in
            row.counts && !known.contains(row.id)
                && !old.gaps.contains {
                    $0.canHoldMessage(after: row.id.predecessor, through: row.id)
                }
        }
    }

    /// Whether a row that comes to be held is late outside the window: an unread message where
    /// nothing was missing. A change to a message that is held there looks the same.
    ///
    /// - Complexity: O(log n) in the number of covered intervals.
    package func isLateOutsideWindow(_ row: Row) -> Bool {
        guard row.counts, let first = rows.first?.id, let last = rows.last?.id else { return false }
        return (row.id < first || row.id > last)
            && coverage.covers(Coverage.Interval(from: row.id.predecessor, through: row.id))
    }

    /// Whether a row that the stream brings as new is late: unread, not shown yet, and older than
    /// what is shown or `newest`, the newest that the stream brought before it.
    ///
    /// - Complexity: O(rows after it).
    package func isLate(_ row: Row, heard newest: MessageID?) -> Bool {
        guard row.counts,
            [rows.last?.id, newest].contains(where: { $0.map { row.id < $0 } ?? false })
        else { return false }
        return rows.last { $0.id <= row.id }?.id != row.id
    }

    /// Whether nothing newer can exist than the newest row.
    var reachesTip: Bool { !hasNewer && !gaps.contains { $0.before == nil } }

    /// Whether no message can be missing in `(after, through]`.
    ///
    /// - Complexity: O(gaps).
    func isUnbroken(after: MessageID?, through: MessageID) -> Bool {
        if let after, after >= through { return true }
        guard let first = rows.first?.id, let last = rows.last?.id, through <= last else {
            return false
        }
        if hasOlder, after.map({ $0 < first }) ?? true,
            !coverage.covers(Coverage.Interval(from: after, through: min(first, through)))
        {
            return false
        }
        return !gaps.contains { $0.canHoldMessage(after: after, through: through) }
    }

    /// Whether every held message after a position is in the window, so that counting rows counts
    /// messages.
    func holdsRows(after position: MessageID?) -> Bool {
        guard hasOlder, let first = rows.first?.id else { return true }
        guard let position else { return false }
        return position >= first
    }

    /// How many rows after a position count as unread.
    ///
    /// - Complexity: O(rows after it).
    func count(after position: MessageID?, through: MessageID? = nil) -> Int {
        var count = 0
        for row in rows.reversed() {
            if let position, row.id <= position { break }
            if let through, row.id > through { continue }
            if row.counts { count += 1 }
        }
        return count
    }

    /// The newest row in a range.
    ///
    /// - Complexity: O(rows after it).
    func newestRow(in range: ClosedRange<MessageID>) -> MessageID? {
        guard let row = rows.last(where: { $0.id <= range.upperBound }),
            row.id >= range.lowerBound
        else { return nil }
        return row.id
    }

    /// How far a position may go that has reached `id`: past the invisible rows that follow it
    /// without a gap. Where a pipeline proves anything, only as far as it does: in an unproven tail
    /// a message may still come before a tombstone, and nobody would have seen it.
    ///
    /// - Complexity: O(rows after it + invisible rows · gaps).
    func passingInvisibleRows(after id: MessageID) -> MessageID {
        let next = rows.lastIndex { $0.id <= id }.map { $0 + 1 } ?? 0
        var reached = id
        for row in rows[next...] {
            guard row.isInvisible, isUnbroken(after: reached, through: row.id),
                coverage.isEmpty
                    || coverage.covers(Coverage.Interval(from: reached, through: row.id))
            else { break }
            reached = row.id
        }
        return reached
    }
}

extension Gap {
    /// Whether a missing message can lie in `(after, through]`.
    fileprivate func canHoldMessage(after: MessageID?, through: MessageID) -> Bool {
        // The lowest ID that is both in the gap and after the position.
        let low: UInt128 =
            switch (from, after) {
            case (nil, nil): 0
            case (let bound?, nil), (nil, let bound?): bound.successor.rawValue
            case (let bound?, let other?): max(bound, other).successor.rawValue
            }
        guard low <= through.rawValue else { return false }
        return before.map { low < $0.rawValue } ?? true
    }
}
