import RejoinModel
import RejoinPipeline
import RejoinReadState
import RejoinSimulation
import RejoinSync
import RejoinTime

/// A fault of our own and what is promised about it: the simulator catches it in one of its first
/// ``seeds`` seeds.
struct MutantCase: Sendable, CustomStringConvertible {
    let mutant: any Mutant
    /// What it breaks, in one sentence of the documentation's table.
    let breaks: String
    /// The promise (DESIGN section 1) that is not kept then.
    let promise: String
    let seeds: Int
    /// What a world must be like for the fault to matter.
    private let tune: @Sendable (inout SimulationOptions) -> Void

    init(
        _ mutant: any Mutant, _ breaks: String, _ promise: String, seeds: Int,
        tune: @escaping @Sendable (inout SimulationOptions) -> Void = { _ in }
    ) {
        self.mutant = mutant
        self.breaks = breaks
        self.promise = promise
        self.seeds = seeds
        self.tune = tune
    }

    var description: String { mutant.name }

    /// The table's row.
    var row: String { "| \(mutant.name) | \(breaks) | \(promise) | \(seeds) |" }

    /// A short run in which much goes wrong: it finds more in less time than the usual ones.
    func options(_ seed: UInt64) -> SimulationOptions {
        var options = SimulationOptions(seed: seed)
        options.safetySeconds = 240
        options.personMilliseconds = 8_000
        options.faultKinds = 30
        tune(&options)
        return options
    }
}

extension MutantCase {
    static let all = transport + recovery + store + sends + reads

    private static let transport = [
        MutantCase(
            HeartbeatNotRearmed(), "the first heart-beat of a connection is its last", "P8",
            seeds: 10),
        MutantCase(
            SilenceNotNoticed(), "a socket through which nothing comes any more counts as alive",
            "P1", seeds: 10),
        MutantCase(
            NotSubscribedAgain(), "only the first connection of a process is subscribed", "P1",
            seeds: 5),
        MutantCase(
            StaleEpochAccepted(), "what an old socket says counts for the new one", "P7",
            seeds: 10),
        MutantCase(
            NoBackoff(), "a failed attempt to connect is followed by the next at once", "P8",
            seeds: 5),
        MutantCase(
            ConnectTimerLost(), "nobody wakes the session when the wait between attempts is over",
            "P1", seeds: 10),
        MutantCase(
            SocketKeptOpen(), "a socket that is given up is not closed", "P7", seeds: 5),
        MutantCase(
            ExpiredTokenKept(), "credentials that the server calls expired are shown again", "P1",
            seeds: 20),
        MutantCase(
            HalfFrameForgotten(), "bytes after the last whole frame are dropped", "P1", seeds: 10),
        MutantCase(
            ForegroundNotHeard(), "the return to the foreground does not reach the session", "P1",
            seeds: 5),
        MutantCase(
            SubscriptionsMixedUp(), "every room is subscribed to the destination of the first",
            "P1", seeds: 10, tune: { $0.rooms = 2 }),
    ]

    private static let recovery = [
        MutantCase(
            FetchBeforeConfirmed(),
            "a SUBSCRIBE counts as confirmed when it leaves, and catching up begins too early",
            "P1", seeds: 10, tune: { $0.capabilities.hasSubscribeReceipts = true }),
        MutantCase(
            OverflowNotReported(), "a full buffer on the device drops events without a word", "P1",
            seeds: 20),
        MutantCase(
            UnreadableNotReported(), "an event that cannot be read is skipped without a word",
            "P1", seeds: 40),
        MutantCase(
            ChangesNotHeard(), "edits, deletions and reactions that come live are dropped", "P1",
            seeds: 10),
        MutantCase(
            PageLosesMessage(), "a page loses a message on its way, and proves its range still",
            "P1", seeds: 10),
        MutantCase(
            PageEndsEarly(), "after one page, what follows is not fetched", "P1", seeds: 20),
        MutantCase(
            HorizonIgnored(), "what the server has forgotten counts as seen", "P1", seeds: 30),
        MutantCase(
            FailedPageTakenForEmpty(), "a page that failed counts as one without messages", "P1",
            seeds: 20),
        MutantCase(
            FeedPageSkipped(), "a page of the change feed is passed over when more follow", "P1",
            seeds: 10, tune: { $0.capabilities.hasRevisions = true }),
        MutantCase(
            FeedEndsEarly(), "of the change feed only the first page is read", "P1",
            seeds: 20, tune: { $0.capabilities.hasRevisions = true }),
        MutantCase(
            GoneTakenForNothing(), "a change feed that was trimmed counts as one without changes",
            "P1", seeds: 20, tune: { $0.capabilities.hasRevisions = true }),
        MutantCase(
            FailuresAskedAgain(), "every failed fetch is asked again without waiting", "P8",
            seeds: 40),
        MutantCase(
            RoomTimerLost(name: "retry timer of recovery lost", timer: .pipeline(.retry)),
            "a catch-up that failed is never tried again", "P1", seeds: 10),
        MutantCase(
            RoomTimerLost(name: "confirm timer lost", timer: .pipeline(.confirmTail)),
            "the live tail is not proven after a quiet moment", "P1", seeds: 10),
        MutantCase(
            RoomTimerLost(name: "reorder timer lost", timer: .pipeline(.reorder)),
            "an event that came too early waits for its predecessor for ever", "P1", seeds: 10,
            tune: {
                $0.capabilities.hasRevisions = true
                $0.reorderings = 10
            }),
        MutantCase(
            StaleRequestAccepted(),
            "the answer to a request that was given up counts for the one that is out", "P1",
            seeds: 40, tune: { $0.latency = 200...2_000 }),
        MutantCase(
            RoomTimerLost(name: "settle timer lost", timer: .pipeline(.settle)),
            "what may become visible late is not read again", "P1", seeds: 10,
            tune: { $0.capabilities.commitOrder = .settles(within: .seconds(2)) }),
    ]

    private static let store = [
        MutantCase(
            CursorBeforeMessages(), "the cursor is stored one transaction before its messages",
            "P1", seeds: 5),
        MutantCase(
            OwnEchoCovers(), "an own message counts as proof of all before it", "P1", seeds: 30),
        MutantCase(
            LiveTailTrusted(), "what came live counts as proof of all before it", "P1", seeds: 20),
        MutantCase(
            GapForgotten(), "a gap counts as filled although nothing was fetched", "P1",
            seeds: 20),
        MutantCase(
            StoreOnlyInserts(), "a message that is stored is not replaced by its later states",
            "P1", seeds: 5),
        MutantCase(
            TombstonesNotStored(), "deletions do not reach the store", "P1", seeds: 5),
        MutantCase(
            RefusedCommitTaken(), "a transaction that the store refused counts as stored", "P1",
            seeds: 20),
        MutantCase(
            AcknowledgedBeforeStored(), "a transaction counts as stored before it is", "P5",
            seeds: 5),
        MutantCase(
            ResumedWithoutNewest(),
            "after a restart the newest message is gone and its proof is not", "P1", seeds: 20),
    ]

    private static let sends = [
        MutantCase(
            NewKeyOnRetry(), "a retry has another client ID than the first attempt", "P5",
            seeds: 10),
        MutantCase(
            UnknownTakenForUnsent(),
            "a send whose answer was lost is repeated although the backend tells no duplicates",
            "P5", seeds: 20, tune: { $0.capabilities.idempotentSendRetention = nil }),
        MutantCase(
            FailedSendHidden(), "a send whose attempt failed is given up in silence", "P5",
            seeds: 10),
        MutantCase(
            FailureTakenForStored(), "a failed attempt counts as one that the server took", "P5",
            seeds: 20),
        MutantCase(
            OutboxNotStored(), "`send` returns, and nothing was stored", "P5", seeds: 20),
        MutantCase(
            ForgottenOnLeaving(), "an item leaves the store when it leaves the device", "P5",
            seeds: 20),
        MutantCase(
            OutboxLostOnStart(), "after a restart the outbox is empty", "P5", seeds: 20),
        MutantCase(
            RoomTimerLost(name: "attempt timer of the outbox lost", timer: .outbox(.attempt)),
            "a send whose answer never comes is waited for for ever", "P5", seeds: 5),
        MutantCase(
            RoomTimerLost(name: "retry timer of the outbox lost", timer: .outbox(.retry)),
            "a send that failed is never tried again", "P5", seeds: 10),
    ]

    private static let reads = [
        MutantCase(
            FailedReportTakenForDone(), "a report of the read position that failed is forgotten",
            "P4", seeds: 10),
        MutantCase(
            RoomTimerLost(name: "read report timer lost", timer: .read(.report)),
            "what was read is never reported", "P4", seeds: 10),
        MutantCase(
            VersionNotSent(), "a mark is sent without the version that orders it", "P4",
            seeds: 10),
        MutantCase(
            UnreadSentAsAdvance(), "\"mark unread\" is sent as if it were reading on", "P4",
            seeds: 10),
        MutantCase(
            ReadOverwrittenOnStart(),
            "after a restart the server's older mark replaces an own one that waits", "P4",
            seeds: 20),
        MutantCase(
            ReadOverwrittenByServer(),
            "the store is given the server's mark without comparing the two", "P4", seeds: 20),
        MutantCase(
            RemoteReadsIgnored(), "what the person read elsewhere is not heard", "P4", seeds: 10,
            tune: { $0.people = [0, 0, 1] }),
        MutantCase(
            ArrivalsCountAsRead(), "what arrives counts as read, seen or not", "P4",
            seeds: 10),
    ]
}
