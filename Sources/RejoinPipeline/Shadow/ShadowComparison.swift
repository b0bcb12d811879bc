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
    let proof: TimelineProof
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
        let missing = control.messages.first { message in
            !held.contains(message.id) && isKnown(message)
                && isExpected(message.id, in: candidate, shown)
        }
        return missing.map { result(.missing($0.id), at: $0.id, shown, theirs) }
    }

    private static func fault(in shown: [MessageID]) -> (ShadowReport.Finding, MessageID)? {
        for (earlier, later) in zip(shown, shown.dropFirst()) {
            if earlier == later { return (.duplicated(later), later) }
            if later < earlier { return (.misordered(earlier), earlier) }
        }
        return nil
    }

    /// Whether the candidate's proof speaks of a message at all: the control may have asked later,
    /// and been told of what is newer or became visible since.
    private func isKnown(_ message: Message) -> Bool {
        guard let newest = proof.coverage.newest, message.id <= newest else { return false }
        guard let asOf = proof.revision, let revision = message.revision else { return true }
        return revision <= asOf
    }

    /// Whether the candidate claims to hold this part of the history in its window.
    private func isExpected(
        _ id: MessageID, in candidate: TimelineSnapshot, _ shown: [MessageID]
    ) -> Bool {
        if removed.contains(id) { return false }
        if let horizon, id < horizon { return false }
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
