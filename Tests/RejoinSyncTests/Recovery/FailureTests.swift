import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("Failures of a catch-up (promise P8)")
struct FailureTests {
    private func subscribed(
        _ count: Int = 9, held: Int = 3, capabilities: BackendCapabilities = BackendCapabilities()
    ) -> RecoveryBench {
        var bench = RecoveryBench(count, held: held, capabilities: capabilities)
        bench.give(.subscribing)
        bench.give(.subscribed)
        return bench
    }

    @Test(
        "A transient failure ends in an outcome that names the next attempt; nothing held is lost (artemis-ios#491, row 1)"
    )
    func transient() {
        var bench = subscribed()
        let held = bench.heldIDs
        bench.answer(.failure(BackendFailure(.serverError, "unwell")))
        #expect(bench.recovery.state == .waiting)
        #expect(bench.heldIDs == held)
        #expect(
            bench.outcomes.last
                == .failed(BackendFailure(.serverError, "unwell"), retryAt: bench.timers[.retry]))
        #expect(bench.gaps.last?.state == .failed)
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
        #expect(bench.outcomes.last?.isComplete == true)
    }

    @Test("Waits grow, with jitter, and start anew after a success")
    func backoff() {
        var bench = subscribed()
        var waits: [Duration] = []
        for _ in 0..<12 {
            bench.answer(.failure(BackendFailure(.unreachable, "no route")))
            waits.append(bench.now.duration(to: bench.timers[.retry] ?? bench.now))
            bench.fire(.retry)
        }
        #expect(waits.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(30) })
        #expect(Set(waits).count == waits.count)
        #expect(waits[6...].contains { $0 > .seconds(5) })
        bench.answerAll()
        bench.give(.trigger)
        bench.answer(.failure(BackendFailure(.unreachable, "no route")))
        #expect(bench.now.duration(to: bench.timers[.retry] ?? bench.now) <= .seconds(1))
    }

    @Test("Retry-After is honoured, and no trigger shortens it")
    func retryAfter() throws {
        var bench = subscribed()
        bench.answer(.failure(BackendFailure(.rateLimited, "429", retryAfter: .seconds(20))))
        let deadline = try #require(bench.timers[.retry])
        #expect(bench.now.duration(to: deadline) >= .seconds(20))
        for _ in 0..<5 { bench.give(.trigger) }
        bench.give(.subscriptionLost)
        bench.give(.subscribing)
        bench.give(.subscribed)
        #expect(bench.open == nil)
        #expect(bench.timers[.retry] == deadline)
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("A trigger shortens our own wait, but a flapping network makes no loop of it")
    func flapping() {
        var bench = subscribed()
        for _ in 0..<8 {
            bench.answer(.failure(BackendFailure(.unreachable, "no route")))
            bench.fire(.retry)
        }
        bench.answer(.failure(BackendFailure(.unreachable, "no route")))
        let before = bench.requests.count
        for _ in 0..<100 {
            bench.now = bench.now + .milliseconds(100)
            bench.give(.trigger)
            if let due = bench.timers[.retry], due <= bench.now { bench.fire(.retry) }
            bench.answer(.failure(BackendFailure(.unreachable, "no route")))
        }
        // Ten seconds, two seconds apart.
        #expect(bench.requests.count - before >= 4)
        #expect(bench.requests.count - before <= 6)
    }

    @Test(
        "No access ends it without another attempt; help begins it anew",
        arguments: [BackendFailure.Code.forbidden, .notFound, .tokenInvalid])
    func terminal(_ code: BackendFailure.Code) {
        var bench = subscribed()
        bench.answer(.failure(BackendFailure(code, "no")))
        #expect(bench.recovery.state == .failed)
        #expect(bench.outcomes == [.failed(BackendFailure(code, "no"), retryAt: nil)])
        #expect(bench.timers.isEmpty)
        #expect(bench.heldIDs.count == 3)
        bench.write()
        #expect(bench.open == nil)
        bench.give(.trigger)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test(
        "A server that promises more and brings nothing is asked with growing waits",
        arguments: BackendKind.allCases)
    func emptyPages(_ kind: BackendKind) {
        var bench = subscribed(capabilities: kind.capabilities)
        for _ in 0..<50 {
            switch bench.open?.request {
            case .page(.after(let bound), _):
                bench.answer(
                    .success(
                        .page(
                            HistoryPage(
                                messages: [], from: bound, through: bound, hasBefore: true,
                                hasAfter: true, tip: nil, revision: bench.room.revision))))
            case .changes(let after, _):
                bench.answer(
                    .success(.changes(ChangePage(messages: [], revision: after, hasMore: true))))
            default:
                break
            }
            #expect(bench.open == nil, "no request follows at once")
            bench.fire(.retry)
        }
        #expect(bench.now > .origin + .seconds(60))
        #expect(bench.outcomes.last?.failure?.code == .malformedAnswer)
    }

    @Test("A malformed answer is a failure with its place; nothing of it is taken")
    func malformed() throws {
        var bench = subscribed(capabilities: .plain)
        let held = bench.recovery.timeline.messages()
        let messages = Array(bench.room.messages.suffix(3))
        bench.answer(
            .success(
                .page(
                    HistoryPage(
                        messages: messages.reversed(), from: held.last?.id,
                        through: messages.last?.id, hasBefore: true, hasAfter: false,
                        tip: messages.last?.id))))
        let failure = try #require(bench.outcomes.last?.failure)
        #expect(failure.code == .malformedAnswer)
        #expect(failure.message.contains("\(messages[1].id)"))
        #expect(bench.recovery.timeline.messages() == held)
        #expect(bench.recovery.state == .waiting)
    }

    @Test("An answer of another kind, or from a server that lags, is not believed")
    func wrongAnswers() throws {
        var bench = subscribed()
        bench.answer(
            .success(.summary(RoomSummary(room: RoomID("r"), name: "R"))))
        #expect(bench.outcomes.last?.failure?.code == .malformedAnswer)
        bench.fire(.retry)
        bench.answer(
            .success(.changes(ChangePage(messages: [], revision: Revision(1), hasMore: false))))
        #expect(bench.outcomes.last?.failure?.code == .serverError)
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("A feed that ends below what the stream has shown is asked once more, then with waits")
    func feedBehindStream() {
        var bench = subscribed(3, held: 3)
        let lagging = bench.room
        bench.write(lost: true)
        bench.write()
        for _ in 0..<2 {
            if let request = bench.open?.request, let answer = try? lagging.answer(request) {
                bench.answer(.success(answer))
            }
        }
        #expect(bench.open == nil)
        #expect(bench.recovery.state == .waiting)
        #expect(bench.outcomes.last?.failure?.code == .serverError)
        #expect(bench.heldIDs.contains(bench.roomIDs[4]), "what came live is shown meanwhile")
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("A server that was restored from a backup is believed after a few attempts")
    func restored() {
        var bench = RecoveryBench(4, held: 4)
        let backup = bench.room
        for _ in 0..<5 { bench.write(lost: true) }
        bench.goLive()
        bench.give(.subscriptionLost)
        bench.room = backup
        bench.give(.subscribing)
        bench.give(.subscribed)
        var attempts = 0
        while bench.recovery.state != .live, attempts < 40 {
            bench.answer()
            if bench.open == nil { bench.fire(.retry) }
            attempts += 1
        }
        #expect(attempts > 6, "a replica that lags has time to catch up")
        #expect(bench.recovery.provenRevision == backup.revision)
        #expect(bench.outcomes.last?.isComplete == true)
    }

    @Test(
        "While the server fails, what the stream brings is shown behind a gap",
        arguments: BackendKind.allCases)
    func showsWhileWaiting(_ kind: BackendKind) {
        var bench = subscribed(capabilities: kind.capabilities)
        bench.answer(.failure(BackendFailure(.serverError, "unwell")))
        let id = bench.write()
        #expect(bench.recovery.timeline.contains(id))
        #expect(bench.gaps.last?.from == bench.roomIDs[2])
        bench.fire(.retry)
        bench.answerAll()
        #expect(bench.isComplete)
    }

    @Test("A load that fails leaves the room as it is, and gives up after a few attempts")
    func failingLoad() throws {
        var bench = RecoveryBench(60, windowLimit: 5)
        bench.goLive()
        let gap = try #require(bench.gaps.first)
        bench.give(.approach(gap))
        #expect(bench.gaps.first?.state == .filling)
        for _ in 0..<10 {
            bench.answer(.failure(BackendFailure(.serverError, "unwell")))
            #expect(bench.recovery.state == .live)
            bench.fire(.retry)
        }
        #expect(bench.gaps.first?.state == .failed)
        #expect(bench.requests.count == 1 + 5)
        bench.give(.approach(gap))
        bench.answerAll()
        #expect(bench.gaps.first?.before != gap.before)
    }

    @Test("Leaving gives up what runs, and tells whoever waits")
    func leaving() {
        var bench = subscribed()
        bench.give(.leave)
        #expect(bench.recovery.state == .closed)
        #expect(bench.outcomes.last?.failure?.code == .cancelled)
        #expect(bench.cancelled.count == 1)
        #expect(bench.give(.subscribed).isEmpty)
    }
}
