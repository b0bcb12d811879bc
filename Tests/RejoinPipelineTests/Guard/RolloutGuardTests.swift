import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import Testing

@Suite("RolloutGuard: takes the refactored pipeline back where people fare ill (P6)")
struct RolloutGuardTests {
    /// A guard whose disk survives restarts.
    private struct Bench {
        var subject: RolloutGuard
        var now = Instant.origin
        var marker: RunMarker?
        var stored: RollbackRecord?
        var rolledBack: [RollbackRecord] = []
        var lifted = 0
        var timer: Instant?
        let policy: GuardPolicy
        var generation: UInt64

        init(generation: UInt64 = 1, _ change: (inout GuardPolicy) -> Void = { _ in }) {
            var policy = GuardPolicy()
            change(&policy)
            self.policy = policy
            self.generation = generation
            subject = RolloutGuard(policy: policy, generation: generation)
        }

        mutating func give(_ input: RolloutGuard.Input) {
            for effect in subject.handle(input, at: now, wall: WallTime(milliseconds: 7)) {
                switch effect {
                case .storeMarker(let marker): self.marker = marker
                case .storeRollback(let record): stored = record
                case .rolledBack(let record): rolledBack.append(record)
                case .lifted: lifted += 1
                case .setTimer(let deadline): timer = deadline
                }
            }
        }

        mutating func pass(_ duration: Duration) {
            let target = now + duration
            if let due = timer, due <= target {
                now = due
                timer = nil
                give(.timePassed)
            }
            now = target
        }

        /// The process ends without a word, and the next one starts.
        mutating func restart(generation: UInt64? = nil) {
            self.generation = generation ?? self.generation
            timer = nil
            subject = RolloutGuard(
                policy: policy, generation: self.generation, rollback: stored, marker: marker)
            // A new process' clock has an origin of its own.
            now = .origin
            give(.flag(policy, generation: self.generation))
        }

        mutating func recover(ill: Int, of all: Int) {
            for number in 0..<all {
                give(.recovered(number < ill ? Self.illRecovery : .complete(RecoveryEvidence())))
            }
        }

        static let illRecovery = RecoveryOutcome.partial(
            [Gap(from: nil, before: nil, reason: .unproven)], RecoveryEvidence())
    }

    @Test("Two ill windows in a row take it back; one does not, and a well one between forgives")
    func windows() {
        var bench = Bench()
        bench.recover(ill: 5, of: 20)
        #expect(bench.rolledBack.isEmpty)
        bench.pass(.seconds(300))
        bench.recover(ill: 0, of: 20)
        bench.pass(.seconds(300))
        bench.recover(ill: 5, of: 20)
        #expect(bench.rolledBack.isEmpty)
        bench.pass(.seconds(1))
        bench.recover(ill: 5, of: 20)
        #expect(bench.rolledBack.map(\.evidence.cause) == [.unfilledGaps])
        #expect(bench.rolledBack.first?.evidence.of == 20)
        #expect(bench.stored == bench.rolledBack.first)
    }

    @Test("A tail without a subscription is no hole; a gap between messages is")
    func disconnectedTail() {
        var bench = Bench()
        func recovery(before: MessageID?) -> RolloutGuard.Input {
            let gap = Gap(from: MessageID(3), before: before, reason: .disconnected)
            return .recovered(.partial([gap], RecoveryEvidence()))
        }
        for _ in 0..<60 { bench.give(recovery(before: nil)) }
        #expect(bench.rolledBack.isEmpty)
        for _ in 0..<60 { bench.give(recovery(before: MessageID(9))) }
        #expect(bench.rolledBack.map(\.evidence.cause) == [.unfilledGaps])
    }

    @Test("Hysteresis: a window between half of the limit and the limit leaves the row as it is")
    func hysteresis() {
        var bench = Bench()
        bench.recover(ill: 4, of: 20)
        // 75 of 1,000: neither ill nor well.
        bench.pass(.seconds(300))
        for _ in 0..<2 {
            for _ in 0..<37 { bench.give(.recovered(.complete(RecoveryEvidence()))) }
            for _ in 0..<3 { bench.give(.recovered(Bench.illRecovery)) }
            bench.pass(.seconds(300))
        }
        #expect(bench.rolledBack.isEmpty)
        bench.recover(ill: 4, of: 20)
        #expect(bench.rolledBack.count == 1)
    }

    @Test("A sample that is too small says nothing, however ill")
    func minimumSample() {
        var bench = Bench()
        for _ in 0..<50 {
            bench.recover(ill: 19, of: 19)
            bench.pass(.seconds(300))
        }
        #expect(bench.rolledBack.isEmpty)
    }

    @Test("What the network, the budget or the person did counts for nothing")
    func innocent() {
        var bench = Bench { $0.illWindows = 1 }
        let budget = Gap(from: nil, before: MessageID(9), reason: .budgetExceeded)
        for _ in 0..<200 {
            bench.give(.recovered(.partial([budget], RecoveryEvidence())))
            bench.give(.recovered(.failed(BackendFailure(.unreachable, ""), retryAt: nil)))
            bench.give(.recovered(.failed(BackendFailure(.forbidden, ""), retryAt: nil)))
            bench.give(.sent(BackendFailure(.tooLarge, "")))
            bench.give(.sent(BackendFailure(.unreachable, "")))
            bench.give(.sent(BackendFailure(.outcomeUnknown, "")))
            bench.give(
                .shadow(
                    ShadowReport(room: RoomID("r"), finding: .dropped(.reads), agreements: 0)))
        }
        #expect(bench.rolledBack.isEmpty)
    }

    @Test("Sends that fail on the server's side take it back")
    func sends() {
        var bench = Bench { $0.illWindows = 1 }
        for _ in 0..<18 { bench.give(.sent(nil)) }
        for _ in 0..<2 { bench.give(.sent(BackendFailure(.serverError, ""))) }
        #expect(bench.rolledBack.map(\.evidence.cause) == [.failedSends])
    }

    @Test("One divergence takes it back at once")
    func divergence() {
        var bench = Bench()
        let finding = ShadowReport.Finding.missing(MessageID(3))
        bench.give(.shadow(ShadowReport(room: RoomID("r"), finding: finding, agreements: 4)))
        #expect(bench.rolledBack.map(\.evidence.cause) == [.divergence])
    }

    @Test("Three runs that end within a minute take it back, counted across starts")
    func shortRuns() {
        var bench = Bench()
        for run in 1...4 {
            bench.give(.foreground)
            #expect(bench.rolledBack.isEmpty == (run < 4), "run \(run)")
            bench.pass(.seconds(20))
            if run < 4 { bench.restart() }
        }
        #expect(bench.rolledBack.first?.evidence.cause == .shortRuns)
        #expect(bench.rolledBack.first?.evidence.observed == 3)
    }

    @Test("A long run ends the row of short ones; a short look that ends well does not count")
    func otherRuns() {
        var bench = Bench()
        for _ in 1...10 {
            bench.give(.foreground)
            bench.pass(.seconds(5))
            bench.give(.background)
            bench.restart()
        }
        for _ in 1...10 {
            bench.give(.foreground)
            bench.pass(.seconds(20))
            bench.restart()
            bench.give(.foreground)
            bench.pass(.seconds(61))
            bench.restart()
        }
        #expect(bench.rolledBack.isEmpty)
    }

    @Test("A rollback survives starts and reloads, and only a higher generation lifts it")
    func generations() {
        var bench = Bench(generation: 4)
        bench.give(
            .shadow(
                ShadowReport(
                    room: RoomID("r"), finding: .misordered(MessageID(3)), agreements: 0)))
        #expect(bench.subject.rollback?.generation == 4)
        bench.restart()
        bench.restart(generation: 3)
        bench.give(.flag(GuardPolicy(), generation: 4))
        #expect(bench.subject.rollback?.generation == 4)
        #expect(bench.lifted == 0)
        bench.restart(generation: 5)
        #expect(bench.subject.rollback == nil)
        #expect(bench.stored == nil)
        #expect(bench.lifted == 1)
    }
}
