import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("RoomRecovery: every state against every input")
struct RecoveryTransitionTests {
    @Test("The table of transitions is the committed one, and every state is in it")
    func table() throws {
        var lines: [String] = []
        var seen: Set<RecoveryState> = []
        for (kind, capabilities) in [
            ("revisions", BackendCapabilities()), ("plain", .plain), ("settling", .settling),
        ] {
            for (name, bench) in Self.states(capabilities) {
                seen.insert(bench.recovery.state)
                lines.append("# \(kind): \(name) (\(bench.recovery.state))")
                for (title, input) in Self.inputs(bench) {
                    var copy = bench
                    let effects = copy.give(input)
                    lines.append(
                        "\(title) -> \(copy.recovery.state)"
                            + effects.map { ", " + Self.describe($0) }.joined())
                }
                lines.append("")
            }
        }
        #expect(seen == Set(RecoveryState.allCases))
        let difference = try TextSnapshot.difference(
            of: lines.joined(separator: "\n"), from: "RoomRecovery.transitions.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    /// A sample of each state, and of the steps within a catch-up.
    private static func states(
        _ capabilities: BackendCapabilities
    ) -> [(String, RecoveryBench)] {
        let fresh = RecoveryBench(9, held: 4, capabilities: capabilities)
        var samples = [("resumed", fresh)]
        func add(_ name: String, _ base: RecoveryBench, _ steps: (inout RecoveryBench) -> Void) {
            var bench = base
            steps(&bench)
            samples.append((name, bench))
        }
        add("pending", fresh) { $0.give(.subscribing) }
        add("fetching", fresh) {
            $0.give(.subscribing)
            $0.give(.subscribed)
        }
        add("opening", RecoveryBench(30, capabilities: capabilities)) {
            $0.give(.subscribing)
            $0.give(.subscribed)
        }
        add("pushed without a subscription", fresh) { $0.give(.trigger) }
        add("backing off", fresh) {
            $0.give(.subscribing)
            $0.give(.subscribed)
            $0.answer(.failure(BackendFailure(.serverError, "unwell")))
        }
        add("told when to come back", fresh) {
            $0.give(.subscribing)
            $0.give(.subscribed)
            $0.answer(
                .failure(BackendFailure(.rateLimited, "429", retryAfter: .seconds(60))))
        }
        add("caught up, assumed", fresh) {
            $0.give(.subscribing)
            $0.give(.subscriptionAssumed)
            $0.answerAll()
            $0.fire(.settle)
            $0.answerAll()
        }
        add("live", fresh) {
            $0.goLive()
            $0.fire(.settle)
            $0.answerAll()
        }
        add("live, with a gap", RecoveryBench(60, held: 4, capabilities: capabilities)) {
            $0.goLive()
            $0.fire(.settle)
            $0.answerAll()
        }
        add("live, loading", RecoveryBench(60, held: 4, capabilities: capabilities)) {
            $0.goLive()
            $0.fire(.settle)
            $0.answerAll()
            $0.give(.load(.around($0.roomIDs[25])))
        }
        add("live, an own message unproven", fresh) {
            $0.goLive()
            $0.fire(.settle)
            $0.answerAll()
            $0.write(by: RecoveryBench.me, lost: true)
            $0.give(.settledSend($0.room.messages[$0.room.messages.count - 1]))
        }
        add("live, a revision missing", fresh) {
            $0.goLive()
            $0.fire(.settle)
            $0.answerAll()
            $0.write(lost: true)
            $0.write()
        }
        add("store stalled", fresh) {
            $0.goLive()
            $0.give(.storeStalled(true))
            $0.write()
        }
        add("refused", fresh) {
            $0.give(.subscribing)
            $0.give(.subscribed)
            $0.answer(.failure(BackendFailure(.forbidden, "403")))
        }
        add("left", fresh) { $0.give(.leave) }
        return samples
    }

    private static func inputs(_ bench: RecoveryBench) -> [(String, RecoveryInput)] {
        var room = bench.room
        let next = room.create(author: RecoveryBench.other, text: "next")
        let later = room.create(author: RecoveryBench.other, text: "later")
        var edited = bench.room
        let edit = edited.edit(bench.roomIDs[0], text: "edited")
        let own = room.messages[room.messages.count - 1]
        let gap = bench.gaps.first ?? Gap(from: nil, before: nil, reason: .notLoaded)
        let open = bench.open ?? (RequestID(999), .summary)
        let answer = (try? bench.room.answer(open.request)).map {
            Result<HistoryAnswer, BackendFailure>.success($0)
        }
        return [
            ("subscriptionLost", .subscriptionLost),
            ("subscribing", .subscribing),
            ("subscribed", .subscribed),
            ("subscriptionAssumed", .subscriptionAssumed),
            ("subscriptionProven", .subscriptionProven),
            ("eventsDropped", .eventsDropped),
            ("live next", .live(next)),
            ("live later", .live(later)),
            ("live changed", .live(edit ?? next)),
            (
                "live typing",
                .live(RoomEvent(room: RoomID("r"), kind: .typing(RecoveryBench.other)))
            ),
            ("answered", .answered(open.id, answer ?? .failure(BackendFailure(.gone, "")))),
            (
                "answered by an empty lie",
                .answered(
                    open.id,
                    .success(
                        .changes(
                            ChangePage(messages: [], revision: Revision(0), hasMore: true))))
            ),
            (
                "failed, transient",
                .answered(open.id, .failure(BackendFailure(.unreachable, "no route")))
            ),
            (
                "failed, forbidden",
                .answered(open.id, .failure(BackendFailure(.forbidden, "403")))
            ),
            ("failed, gone", .answered(open.id, .failure(BackendFailure(.gone, "410")))),
            (
                "answered, stale",
                .answered(RequestID(0), .failure(BackendFailure(.forbidden, "403")))
            ),
            ("settledSend", .settledSend(own)),
            ("timer retry", .timer(.retry)),
            ("timer confirmTail", .timer(.confirmTail)),
            ("timer reorder", .timer(.reorder)),
            ("timer settle", .timer(.settle)),
            ("trigger", .trigger),
            ("load newest", .load(.newest)),
            ("load around", .load(.around(bench.roomIDs[1]))),
            ("load before", .load(.before(bench.roomIDs[6]))),
            ("load after", .load(.after(nil))),
            ("approach", .approach(gap)),
            ("stalled", .storeStalled(true)),
            ("no longer stalled", .storeStalled(false)),
            ("leave", .leave),
        ]
    }

    private static func describe(_ effect: RecoveryEffect) -> String {
        switch effect {
        case .fetch(let id, let request): return "fetch \(id.rawValue) \(describe(request))"
        case .cancelFetch(let id): return "cancel \(id.rawValue)"
        case .store(let delta):
            return "store \(delta.upserts.count) messages"
                + (delta.removals.isEmpty ? "" : " without \(delta.removals.count)")
                + (delta.coverageChanged ? " and coverage" : "")
        case .setTimer(let timer, let deadline):
            return "\(timer) at \(deadline.nanoseconds / 1_000_000) ms"
        case .cancelTimer(let timer): return "no \(timer)"
        case .ended(.complete(let evidence)):
            return "complete through \(evidence.through?.description ?? "nothing")"
        case .ended(.partial(let gaps, _)): return "partial with \(gaps.count) gaps"
        case .ended(.failed(let failure, let retryAt)):
            return "failed \(failure.code.rawValue)" + (retryAt == nil ? "" : ", tried again")
        case .observed(let messages): return "observed \(messages.count)"
        case .metric(let metric): return "count \(metric)"
        }
    }

    private static func describe(_ request: HistoryRequest) -> String {
        switch request {
        case .page(.newest, _): "newest"
        case .page(.after(let id), _): "after \(id?.description ?? "the beginning")"
        case .page(.before(let id), _): "before \(id)"
        case .page(.around(let id), _): "around \(id)"
        case .changes(let revision, _): "changes after \(revision)"
        case .summary: "summary"
        }
    }
}
