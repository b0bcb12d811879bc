internal import RejoinModel

/// Judges a candidate against what the control shows.
///
/// Only what the candidate lacks, doubles or puts out of the server's order counts. What the
/// control lacks is the reason for the rollout, and the order in which it shows things is its own.
struct ShadowComparison {
    /// What the candidate found to be gone from the server, with proof.
    let removed: Set<MessageID>
    /// The oldest message that the server still keeps, as the candidate knows it.
    let horizon: MessageID?
    /// What the candidate calls proven.
    let coverage: Coverage
    /// IDs around the place that a report quotes at most.
    let reportedHistory: Int

    struct Result {
        let finding: ShadowReport.Finding
        let control: [MessageID]
        let candidate: [MessageID]
    }

    /// The first row that the candidate shows twice or out of order, at rest or not; `nil` where
    /// there is none.
    ///
    /// - Complexity: O(rows shown).
    func ownFault(of candidate: TimelineSnapshot, against control: TimelineSnapshot) -> Result? {
        let shown = candidate.messages.map(\.id)
        guard let (finding, place) = Self.fault(in: shown) else { return nil }
        return result(finding, at: place, shown, control.messages.map(\.id))
    }

    /// The first row of the control that the candidate, which is at rest, should show and does not;
    /// `nil` where there is none.
    ///
    /// - Complexity: O(rows shown · log intervals).
    func lack(of candidate: TimelineSnapshot, against control: TimelineSnapshot) -> Result? {
        let shown = candidate.messages.map(\.id)
        let theirs = control.messages.map(\.id)
        let held = Set(shown)
        let missing = theirs.first { id in
            !held.contains(id) && isExpected(id, in: candidate, shown)
        }
        return missing.map { result(.missing($0), at: $0, shown, theirs) }
    }

    private static func fault(in shown: [MessageID]) -> (ShadowReport.Finding, MessageID)? {
        for (earlier, later) in zip(shown, shown.dropFirst()) {
            if earlier == later { return (.duplicated(later), later) }
            if later < earlier { return (.misordered(earlier), earlier) }
        }
        return nil
    }

    /// Whether the candidate claims to hold this part of the history in its window.
    private func isExpected(
        _ id: MessageID, in candidate: TimelineSnapshot, _ shown: [MessageID]
    ) -> Bool {
        if removed.contains(id) { return false }
        if let horizon, id < horizon { return false }
        // The control may have asked later, and have been told of what is newer.
        guard let newest = coverage.newest, id <= newest else { return false }
        if candidate.hasOlder, let first = shown.first, id < first { return false }
        if candidate.hasNewer, let last = shown.last, last < id { return false }
        return !candidate.gaps.contains { gap in
            (gap.from.map { $0 < id } ?? true) && (gap.before.map { id < $0 } ?? true)
        }
    }

    private func result(
        _ finding: ShadowReport.Finding, at place: MessageID, _ shown: [MessageID],
        _ theirs: [MessageID]
    ) -> Result {
        Result(
            finding: finding, control: around(place, in: theirs),
            candidate: around(place, in: shown))
    }

    private func around(_ place: MessageID, in ids: [MessageID]) -> [MessageID] {
        let middle = ids.firstIndex { $0 >= place } ?? ids.count
        let from = max(0, min(middle - reportedHistory / 2, ids.count - reportedHistory))
        return Array(ids[from..<min(ids.count, from + reportedHistory)])
    }
}
