internal import RejoinModel

/// One catch-up on its way: from its cause to its outcome.
struct RecoveryRun: Sendable {
    /// What is done next.
    enum Step: Hashable, Sendable {
        /// The change feed after the proven revision, until nothing follows.
        case feed
        /// Pages after the newest covered message, until nothing follows.
        case forward
        /// The newest page. What lies between it and what is held becomes a gap of this reason;
        /// `nil`: the room is opened for the first time, and older history is simply not loaded.
        case newest(Gap.Reason?)
        /// What is shown, and may be out of date, from this bound on.
        case refresh(after: MessageID?)
        /// What was read before it had settled, up to this ID.
        case settle(through: MessageID?)
    }

    var step: Step
    /// Pages that this step has taken.
    var pagesInStep = 0
    /// The oldest revision among the pages of a catch-up without the feed: what the timeline will
    /// be true as of.
    var candidate: Revision?
    /// Whether something asked for recovery after the request that is out was made.
    var again = false
    /// Whether that has led to another round before.
    var wasRepeated = false
    /// How often the stream was ahead of a finished catch-up.
    var behindStream = 0
    /// Whether the change feed was refused as gone once.
    var wasGone = false
    /// The gap that this run found the server to have trimmed.
    var trimmed: Gap?
    /// What the outcome will rest on.
    var evidence = RecoveryEvidence()

    /// - Parameter previous: the run that begins anew as this one; their outcome is one.
    init(step: Step, continuing previous: RecoveryRun?) {
        self.step = step
        guard let previous else { return }
        evidence = previous.evidence
        trimmed = previous.trimmed
    }

    /// Goes on with another step.
    mutating func go(to step: Step) {
        self.step = step
        pagesInStep = 0
    }
}

/// The request that is out. There is never more than one, so that a failing server is not asked
/// twice, and what arrives meanwhile is judged against one answer only.
struct Flight: Sendable {
    enum Purpose: Hashable, Sendable {
        /// The step of the catch-up.
        case catchUp
        /// What the person asked for.
        case load
        /// Proof for the provisional tail.
        case confirm
        /// A second look around a message that should not have been unknown.
        case suspect(MessageID)
        /// What is shown, and may be out of date, from this bound on.
        case refresh(after: MessageID?)
        /// What was read before it had settled.
        case settle
    }

    let id: RequestID
    let purpose: Purpose
    let request: HistoryRequest
    let stamp: RequestStamp
    /// The revision known when it was made; an older answer is refused.
    let floor: Revision?
    /// The bound of what had settled when it was made.
    let settled: MessageID?
    /// Whether nothing can have been missed since it was made.
    var isFresh = true
    /// Whether a change that it should have brought was given up meanwhile.
    var mustRepeat = false
}

/// A part of the history that the person asked for.
struct HistoryLoad: Sendable {
    let anchor: HistoryAnchor
    /// The gap that it fills, as it was when asked.
    var gap: Gap?
    /// Failures so far; after ``maximumAttempts`` the person must ask again.
    var attempts = 0

    static let maximumAttempts = 5
}
