import RejoinContracts
import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import Synchronization
import Testing

private let refactored: PipelineFactory = { RefactoredPipeline(resuming: $0, configuration: $1) }

/// What shadow pipelines reported.
private final class Findings: Sendable {
    private let reports = Mutex<[ShadowReport]>([])

    var all: [ShadowReport] { reports.withLock(\.self) }
    var divergences: [ShadowReport] { all.filter(\.finding.isDivergence) }

    func note(_ report: ShadowReport) { reports.withLock { $0.append(report) } }
}

/// Listens to the reports of a shadow pipeline.
private struct Watched: RoomPipeline {
    var shadow: ShadowPipeline
    let findings: Findings

    var snapshot: TimelineSnapshot { shadow.snapshot }
    var isSettled: Bool { shadow.isSettled }

    func checkpoint() -> PipelineCheckpoint { shadow.checkpoint() }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        let effects = shadow.handle(input, at: now)
        for case .shadow(let report) in effects { findings.note(report) }
        return effects
    }
}

/// A candidate with a fault in what it shows.
private struct Faulty: RoomPipeline {
    enum Fault: CaseIterable {
        case loses, doubles, misorders
    }

    let fault: Fault
    var inner: any RoomPipeline

    var isSettled: Bool { inner.isSettled }

    func checkpoint() -> PipelineCheckpoint { inner.checkpoint() }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        inner.handle(input, at: now)
    }

    var snapshot: TimelineSnapshot {
        let shown = inner.snapshot
        var items = shown.items
        let places = items.indices.filter {
            if case .message = items[$0] { true } else { false }
        }
        guard places.count > 3 else { return shown }
        switch fault {
        case .loses: items.remove(at: places[places.count / 2])
        case .doubles: items.insert(items[places[1]], at: places[1])
        case .misorders: items.swapAt(places[1], places[2])
        }
        return TimelineSnapshot(
            room: shown.room, version: shown.version, window: shown.window, items: items,
            members: shown.members, hasOlder: shown.hasOlder, hasNewer: shown.hasNewer)
    }
}

/// Shows these messages, and calls itself complete whenever it is asked.
private struct Shower: RoomPipeline {
    let snapshot: TimelineSnapshot
    private let proof: TimelineProof

    init(_ ids: [UInt128], proven: UInt128? = nil) {
        snapshot = TimelineSnapshot(
            room: RoomID("r"), version: SnapshotVersion(), window: .newest(),
            items: ids.map {
                .message(
                    Message(
                        id: MessageID($0), author: UserID("u"), sentAt: WallTime(milliseconds: 0),
                        content: []))
            }, members: [:], hasOlder: false, hasNewer: false)
        proof = TimelineProof(
            coverage: Coverage(
                proven.map { [.init(from: nil, through: MessageID($0))] } ?? []))
    }

    var isSettled: Bool { true }

    func checkpoint() -> PipelineCheckpoint { PipelineCheckpoint() }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        guard case .trigger = input else { return [] }
        let commit = TimelineCommit(id: CommitID(1), upserts: [], removals: [], proof: proof)
        return [.commit(commit), .publish, .recovered(.complete(RecoveryEvidence()))]
    }
}

/// Asks for the newest page whenever it is triggered.
private struct Asker: RoomPipeline {
    private var last: UInt64 = 0

    var snapshot: TimelineSnapshot { TimelineSnapshot(room: RoomID("r")) }
    var isSettled: Bool { true }

    func checkpoint() -> PipelineCheckpoint { PipelineCheckpoint() }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        guard case .trigger = input else { return [] }
        last += 1
        return [.fetch(RequestID(last), .page(.newest, limit: 10))]
    }
}

@Suite("The shadow pipeline is what its control is, and finds what its candidate lacks (P6)")
struct ShadowContractTests {
    private static func shadow(
        control: @escaping PipelineFactory = refactored,
        candidate: @escaping PipelineFactory = refactored, findings: Findings = Findings(),
        policy: ShadowPolicy = ShadowPolicy()
    ) -> PipelineFactory {
        { checkpoint, configuration in
            Watched(
                shadow: ShadowPipeline(
                    resuming: checkpoint, configuration: configuration, policy: policy,
                    control: control, candidate: candidate),
                findings: findings)
        }
    }

    @Test(
        "Baseline", arguments: PipelineContract.baseline(shadow()))
    func baseline(_ check: ContractCheck) async throws {
        try await check.run()
    }

    @Test(
        "A healthy candidate changes nothing and is never accused, over simulated lives",
        arguments: 0..<4)
    func healthy(_ block: UInt64) throws {
        let findings = Findings()
        for seed in block * 3..<block * 3 + 3 {
            _ = try PipelineContract.life(
                PipelineScenario(seed: seed), Self.shadow(findings: findings))
        }
        #expect(findings.divergences == [])
    }

    @Test("A candidate that loses, doubles or misorders is found, and nobody sees it")
    func faulty() throws {
        for fault in Faulty.Fault.allCases {
            let findings = Findings()
            let candidate: PipelineFactory = {
                Faulty(fault: fault, inner: refactored($0, $1))
            }
            for seed in 0..<6 as Range<UInt64> {
                _ = try PipelineContract.life(
                    PipelineScenario(seed: seed),
                    Self.shadow(candidate: candidate, findings: findings))
            }
            #expect(!findings.divergences.isEmpty, "\(fault)")
            for report in findings.divergences {
                switch (fault, report.finding) {
                case (.loses, .missing), (.doubles, .duplicated), (.misorders, .misordered): break
                default: Issue.record("\(fault): \(report.finding)")
                }
                #expect(report.control.count <= 32 && report.candidate.count <= 32)
            }
        }
    }

    @Test("P7: a candidate that costs more than it may is dropped, once, and says why")
    func limits() throws {
        for reason in ["messages", "inputs", "reads"] {
            var policy = ShadowPolicy()
            switch reason {
            case "messages": policy.messageLimit = 3
            case "inputs": policy.inputLimit = 10
            default: policy.readLimit = 1
            }
            let findings = Findings()
            for seed in 0..<4 as Range<UInt64> {
                _ = try PipelineContract.life(
                    PipelineScenario(seed: seed),
                    Self.shadow(findings: findings, policy: policy))
            }
            #expect(findings.divergences == [])
            #expect(
                findings.all.contains {
                    if case .dropped(let met) = $0.finding { met.rawValue == reason } else { false }
                }, "\(reason): \(findings.all)")
        }
    }

    @Test(
        "What the control was told later is not missed; what lies within the candidate's proof is",
        arguments: [(shown: [1, 2], isAccused: false), (shown: [1, 3], isAccused: true)])
    func askedLater(_ shown: [UInt128], _ isAccused: Bool) {
        var shadow = ShadowPipeline(
            resuming: PipelineCheckpoint(),
            configuration: PipelineConfiguration(room: RoomID("r"), user: UserID("u"), seed: 1),
            control: { _, _ in Shower([1, 2, 3]) },
            candidate: { _, _ in Shower(shown, proven: shown.last) })
        let effects = shadow.handle(.trigger(.manual), at: .origin)
        let reports = effects.filter { if case .shadow = $0 { true } else { false } }
        #expect(reports.isEmpty != isAccused)
    }

    @Test("A candidate may read as often in a row as a burst allows, then it is told to wait")
    func burst() {
        var policy = ShadowPolicy()
        policy.readBurst = 3
        var shadow = ShadowPipeline(
            resuming: PipelineCheckpoint(),
            configuration: PipelineConfiguration(room: RoomID("r"), user: UserID("u"), seed: 1),
            policy: policy, control: { _, _ in Shower([]) }, candidate: { _, _ in Asker() })
        func reads(at now: Instant) -> Int {
            shadow.handle(.trigger(.manual), at: now).count {
                if case .fetch = $0 { true } else { false }
            }
        }
        #expect((0..<5).map { _ in reads(at: .origin) } == [1, 1, 1, 0, 0])
        #expect(reads(at: .origin + .milliseconds(1_499)) == 0)
        #expect(reads(at: .origin + .milliseconds(1_500)) == 1)
    }

    @Test("Sampling: a share of sessions runs the candidate")
    func sampling() {
        var policy = ShadowPolicy()
        policy.samplingPerMille = 250
        policy.inputLimit = 0
        var sampled = 0
        for seed in 0..<1_000 as Range<UInt64> {
            var pipeline = ShadowPipeline(
                resuming: PipelineCheckpoint(),
                configuration: PipelineConfiguration(
                    room: RoomID("r"), user: UserID("u"), seed: seed),
                policy: policy, control: refactored, candidate: refactored)
            // The first input is one too many, which tells that there is a candidate.
            let effects = pipeline.handle(.background, at: .origin)
            if effects.contains(where: { if case .shadow = $0 { true } else { false } }) {
                sampled += 1
            }
        }
        #expect((180...320).contains(sampled))
    }
}
