public import RejoinModel
internal import RejoinTime

/// The recovery of one room: decides what to fetch so that the timeline is complete, and what may
/// be called complete.
///
/// Realtime and recovery are two jobs. The stream brings what happens now and proves little; pages
/// of history and consecutive revisions prove everything. Every (re)subscription is a possible
/// loss. So: subscribe first, keep what the stream brings, fetch what lies after the cursor until
/// nothing follows, then join the two.
///
/// The cursor is ``proof``: coverage and revision, one value, which moves only together with the
/// messages it speaks of. Nothing moves it past a failure, and no clock moves it.
///
/// The invariant behind it, with revisions: every message of the server that lies in
/// `coverage − stale` or above the coverage is held in its latest state, or its latest change has a
/// revision above `revision`. Therefore the change feed after `revision`, read to its end, makes
/// the timeline true and proves its tail.
///
/// Limits, from ``RecoveryPolicy``: one request out at a time; a bounded buffer for the stream, a
/// bounded list of changes that wait for a fetch, a bounded list of loads.
public struct RoomRecovery: Sendable {
    /// What the subscription can be relied on for.
    enum Link: Hashable, Sendable { case lost, pending, confirmed, assumed, proven }

    /// What ended all attempts.
    enum Halt: Hashable, Sendable {
        case refused(BackendFailure)
        case left
    }

    let policy: RecoveryPolicy
    let pageSize: Int
    let user: UserID
    let capabilities: BackendCapabilities
    let windowLimit: Int

    /// The messages, with what is proven about them.
    public internal(set) var timeline: Timeline
    /// The part of the timeline that is shown.
    public internal(set) var window: TimelineWindow

    /// The revision of the invariant; `nil` without revisions, or while it is not known.
    var revision: Revision?
    /// The newest revision that an answer or the stream has shown. A page that is older comes from
    /// a server that lags, and would take back what is known.
    var newestRevision: Revision?
    /// Pages in a row that were older than that, while our own revision is not known.
    var answersBehind = 0
    /// Where edits may have been missed.
    var stale: Coverage
    /// `nil` where nothing needs to settle.
    var settling: Settling?
    /// Where unproven history begins that was stored by a pipeline without coverage.
    var unprovenFloor: MessageID?

    var link = Link.lost
    var run: RecoveryRun?
    var halt: Halt?
    /// Whether an outcome waits for an assumed subscription to be proven.
    var owesOutcome = false

    var flight: Flight?
    var loads: [HistoryLoad] = []
    /// Live events ahead of the proven revision.
    var ahead = EventBuffer()
    /// Changes of messages that the request that is out may bring.
    var waitingChanges: [Message] = []

    /// No request before this instant.
    var gate: Instant?
    /// Whether the server itself stated the gate: then no trigger shortens it.
    var gateIsServers = false
    var backoff: Backoff
    var random: SplitMix64
    var lastAttempt: Instant?

    /// Unconfirmed messages since the last confirmation.
    var unconfirmed = 0
    var isConfirmDue = false
    /// Confirmations in a row that left the tail as it was.
    var idleConfirms = 0
    var suspect: MessageID?

    var isStalled = false
    var missedWhileStalled = false

    /// The timers that are set.
    var timers: Set<RecoveryTimer> = []
    var requests: UInt64 = 0
    var effects: [RecoveryEffect] = []

    /// How often a tail that the server does not know is asked for again, at growing intervals.
    package static let maximumIdleConfirms = 5

    /// After how many older pages in a row the server is taken to have gone back.
    static let maximumAnswersBehind = 6

    /// Takes a room up from what was stored.
    ///
    /// - Complexity: O(messages held).
    /// - Parameters:
    ///   - timeline: what is held, with its coverage.
    ///   - revision: the revision as of which it is true.
    ///   - stale: where edits may have been missed before.
    ///   - user: the person who uses this device.
    ///   - capabilities: what the backend keeps.
    ///   - policy: sizes, waits and limits.
    ///   - windowLimit: how many messages are shown at most; a window's own maximum cuts it.
    ///   - seed: fixes the jitter of waits.
    public init(
        timeline: Timeline, revision: Revision? = nil, stale: Coverage = Coverage(),
        user: UserID, capabilities: BackendCapabilities, policy: RecoveryPolicy = RecoveryPolicy(),
        windowLimit: Int = 400, seed: UInt64
    ) {
        self.timeline = timeline
        self.user = user
        self.capabilities = capabilities
        self.policy = policy
        self.windowLimit = min(max(windowLimit, 1), TimelineWindow.maximumCount)
        pageSize = max(1, min(policy.pageSize, capabilities.maximumPageSize))
        window = .newest(self.windowLimit)
        backoff = policy.backoff
        random = SplitMix64(seed: seed)
        if capabilities.hasRevisions {
            self.revision = revision
            let shown = timeline.messages().lazy.compactMap(\.revision).max()
            newestRevision = [revision, shown].compactMap { $0 }.max()
            self.stale = stale
        } else {
            // Nothing says what was edited since this was stored.
            self.stale = timeline.coverage
            if case .settles(let time) = capabilities.commitOrder {
                settling = Settling(time: time, bound: timeline.newestCovered)
            }
        }
        if timeline.coverage.isEmpty, self.revision == nil {
            unprovenFloor = timeline.first?.id
        }
    }

    /// Where the recovery stands.
    public var state: RecoveryState {
        switch halt {
        case .left: return .closed
        case .refused: return .failed
        case nil: break
        }
        if run != nil { return gate == nil ? .catchingUp : .waiting }
        switch link {
        case .lost: return .idle
        case .pending: return .subscribing
        case .assumed: return .assumed
        case .confirmed, .proven: return .live
        }
    }

    /// Whether a catch-up is under way, whose end will be told.
    package var isCatchingUp: Bool { halt == nil && run != nil }

    /// The revision as of which everything covered is true; `nil` without revisions.
    public var provenRevision: Revision? { revision }

    /// Where every message is held, and none can appear any more without being told: the coverage
    /// to store.
    public var provenCoverage: Coverage {
        if needsFeed, revision == nil { return Coverage() }
        return settling?.settled(timeline.coverage) ?? timeline.coverage
    }

    /// The part of ``provenCoverage`` in which edits may have been missed. Empty without
    /// revisions, where all of it may be out of date as soon as the process ends.
    public var staleCoverage: Coverage {
        capabilities.hasRevisions ? stale : Coverage()
    }
}

// MARK: - For whoever checks a run

extension RoomRecovery {
    /// Whether the core waits by a timer; if not, none is set.
    package func isWaiting(for timer: RecoveryTimer) -> Bool { timers.contains(timer) }

    /// Whether everything that is kept is within its limit.
    package var isWithinLimits: Bool {
        ahead.entries.count <= max(policy.bufferLimit, policy.reorderLimit)
            && waitingChanges.count <= policy.waitingChangeLimit
            && loads.count <= max(2, policy.loadLimit)
    }
}
