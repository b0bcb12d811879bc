import Foundation
import RejoinFlags
import RejoinKit
import RejoinModel
import RejoinPipeline
import RejoinTime
import Testing

/// A flags file with one pipeline flag, for tests.
private func flags(
    _ defaultVariant: String = "refactored", state: String = "ENABLED", metadata: String = "{}",
    targeting: String = "{}"
) -> ContiguousArray<UInt8> {
    ContiguousArray(
        """
        {"flags":{"message-pipeline":{"state":"\(state)",
        "variants":{"legacy":"legacy","refactored":"refactored","shadow":"shadow"},
        "defaultVariant":"\(defaultVariant)","targeting":\(targeting),"metadata":\(metadata)}}}
        """.utf8)
}

@Suite("FlagRollout: a flag decides which pipeline serves (section 7)")
struct FlagRolloutTests {
    private let directory = FileManager.default.temporaryDirectory
        .appending(path: "rejoin-rollout-\(UUID().uuidString)").path

    private func context(
        _ user: String = "ann", room: String = "den", product: String = "team",
        version: String = "7.1.0"
    ) -> SelectionContext {
        SelectionContext(
            user: UserID(user), room: RoomID(room), hostProduct: product, appVersion: version)
    }

    private func rollout(_ floor: ContiguousArray<UInt8>?) -> FlagRollout {
        FlagRollout(registry: FlagRegistry(floor: floor), directory: directory)
    }

    @Test("the flag's variant serves, and its reason is told")
    func variants() {
        for name in ["legacy", "refactored", "shadow"] {
            let selection = rollout(flags(name)).selection(for: context())
            #expect(selection.variant == PipelineVariant(name))
            #expect(selection.reason == "STATIC")
        }
    }

    @Test("without a flag, with a broken one and with the kill switch the code's default serves")
    func codeDefault() {
        #expect(rollout(nil).selection(for: context()).variant == .legacy)
        #expect(rollout(flags("nonsense")).selection(for: context()).variant == .legacy)
        let killed = rollout(flags(state: "DISABLED")).selection(for: context())
        #expect(killed.variant == .legacy)
        #expect(killed.reason == "DISABLED")
    }

    @Test(
        "rules see the user, the product, the version and the room",
        arguments: [
            #"{"==":[{"var":"targetingKey"},"ann"]}"#, #"{"==":[{"var":"product"},"team"]}"#,
            #"{"sem_ver":[{"var":"appVersion"},">=","7.0.0"]}"#,
            #"{"==":[{"var":"room"},"den"]}"#,
        ])
    func attributes(_ rule: String) {
        let subject = rollout(
            flags("legacy", targeting: #"{"if":[\#(rule),"refactored","legacy"]}"#))
        #expect(subject.selection(for: context()).variant == .refactored)
        let other = context("ben", room: "hall", product: "kiosk", version: "6.9.0")
        #expect(subject.selection(for: other).variant == .legacy)
    }

    // MARK: Exposures

    private func exposed(_ file: ContiguousArray<UInt8>?) -> FlagRollout {
        FlagRollout(registry: FlagRegistry(floor: file), exposures: FlagExposures())
    }

    /// Everything that was noted, without repetitions.
    private func told(_ subject: FlagRollout) async throws -> [FlagExposure] {
        let exposures = try #require(subject.exposures)
        exposures.finish()
        var told: [FlagExposure] = []
        for await batch in exposures { told += batch }
        return told
    }

    @Test("each person is noted once with each variant that served them, and looking notes nothing")
    func exposures() async throws {
        let subject = exposed(
            flags("legacy", targeting: #"{"if":[{"==":[{"var":"room"},"den"]},"refactored"]}"#))
        _ = subject.selection(for: context("cid"))
        for user in ["ann", "ann", "ben"] {
            let context = context(user)
            #expect(subject.decision(for: context) == subject.selection(for: context))
        }
        _ = subject.decision(for: context("ann", room: "hall"))
        #expect(
            try await told(subject) == [
                FlagExposure(
                    flag: "message-pipeline", variant: "refactored", reason: .targetingMatch,
                    targetingKey: "ann"),
                FlagExposure(
                    flag: "message-pipeline", variant: "refactored", reason: .targetingMatch,
                    targetingKey: "ben"),
                FlagExposure(
                    flag: "message-pipeline", variant: "legacy", reason: .default,
                    targetingKey: "ann"),
            ])
    }

    @Test("the code's default is noted without a variant")
    func exposureOfCodeDefault() async throws {
        let subject = exposed(nil)
        #expect(subject.decision(for: context()).variant == .legacy)
        #expect(
            try await told(subject) == [
                FlagExposure(
                    flag: "message-pipeline", variant: nil, reason: .error, targetingKey: "ann")
            ])
    }

    @Test("what the guard overrules was given to nobody, and is not noted")
    func exposureOverruled() async throws {
        let subject = exposed(flags())
        subject.learn(divergence)
        #expect(subject.decision(for: context()).variant == .legacy)
        #expect(try await told(subject).isEmpty)
    }

    @Test("where nobody takes them, so many wait and no more")
    func exposuresAreBounded() {
        let subject = exposed(flags())
        for user in 0...FlagExposures.maximumPending {
            _ = subject.decision(for: context("\(user)"))
        }
        #expect(subject.exposures?.dropped == 1)
    }

    // MARK: The guard

    private let divergence = RolloutGuard.Input.shadow(
        ShadowReport(room: RoomID("den"), finding: .missing(MessageID(3)), agreements: 0))

    /// Runs a rollout until `isTrue`; returns what it told.
    private func running(
        _ subject: FlagRollout, until isTrue: @escaping @Sendable () -> Bool
    ) async {
        await withTaskGroup { group in
            group.addTask { await subject.run(changed: {}, tell: { _ in }) }
            while !isTrue() { await Task.yield() }
            group.cancelAll()
        }
    }

    @Test("a rollback serves legacy at once, and the next start knows it")
    func rollbackSurvives() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = flags(metadata: #"{"generation":3}"#)
        let subject = rollout(file)
        subject.learn(divergence)
        let selection = subject.selection(for: context())
        #expect(selection.variant == .legacy)
        #expect(selection.reason == "ROLLED_BACK divergence")
        await running(subject) { [directory] in
            FileManager.default.fileExists(atPath: directory + "/rejoin-rollback.json")
        }
        let next = rollout(file)
        #expect(next.rollback?.generation == 3)
        #expect(next.rollback?.evidence.cause == .divergence)
        #expect(next.selection(for: context()).variant == .legacy)
        let same = rollout(flags(metadata: #"{"generation":3,"owner":"chat"}"#))
        #expect(same.selection(for: context()).variant == .legacy)
        let higher = rollout(flags(metadata: #"{"generation":4}"#))
        #expect(higher.selection(for: context()).variant == .refactored)
        await running(higher) { [directory] in
            !FileManager.default.fileExists(atPath: directory + "/rejoin-rollback.json")
        }
        #expect(rollout(file).rollback == nil)
    }

    @Test(
        "a generation that was raised before the client ran lifts the rollback",
        .timeLimit(.minutes(1)))
    func raisedBeforeRun() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let path = directory + "/chat.flagd.json"
        let registry = FlagRegistry(
            floor: flags(metadata: #"{"generation":3}"#), path: path)
        let subject = FlagRollout(registry: registry, directory: directory)
        subject.learn(divergence)
        try Data(flags(metadata: #"{"generation":4}"#)).write(to: URL(filePath: path))
        await withTaskGroup { group in
            // The host runs the registry itself, and earlier.
            group.addTask { await registry.run() }
            while registry.snapshot.generation == 1 { await Task.yield() }
            await running(subject) { subject.rollback == nil }
            group.cancelAll()
        }
        #expect(subject.selection(for: context()).variant == .refactored)
    }

    @Test("short runs are counted by the marker on disk, and good endings are no short runs")
    func shortRuns() async {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = flags(metadata: #"{"guardShortRuns":2}"#)
        func run(endsWell: Bool) async -> FlagRollout {
            let subject = rollout(file)
            let marker = directory + "/rejoin-run.json"
            subject.learn(.foreground)
            if endsWell {
                await running(subject) { FileManager.default.fileExists(atPath: marker) }
            } else {
                // A process that ends without a word has written its beginning and no more.
                let old = try? Data(contentsOf: URL(filePath: marker))
                await withTaskGroup { group in
                    group.addTask { await subject.run(changed: {}, tell: { _ in }) }
                    var begun: Data?
                    repeat {
                        await Task.yield()
                        begun = try? Data(contentsOf: URL(filePath: marker))
                    } while begun == nil || begun == old
                    group.cancelAll()
                    await group.waitForAll()
                    try? begun?.write(to: URL(filePath: marker))
                }
            }
            return subject
        }
        _ = await run(endsWell: true)
        _ = await run(endsWell: true)
        _ = await run(endsWell: false)
        #expect(await run(endsWell: false).rollback == nil)
        let last = rollout(file)
        last.learn(.foreground)
        #expect(last.rollback?.evidence.cause == .shortRuns)
    }

    @Test("files that are garbage or speak of another flag count for nothing, and nothing breaks")
    func garbage() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let texts = [
            "", "{", "[]", "null", #"{"flag":"message-pipeline"}"#,
            #"{"flag":"other","generation":9,"atMilliseconds":1,"cause":"divergence","#
                + #""observed":1,"of":1,"limit":1}"#,
            String(repeating: "[", count: 10_000), #"{"flag":"message-pipeline","generation":-1}"#,
        ]
        for text in texts {
            for name in ["rejoin-rollback.json", "rejoin-run.json"] {
                try Data(text.utf8).write(to: URL(filePath: directory + "/" + name))
            }
            let subject = rollout(flags())
            #expect(subject.rollback == nil)
            #expect(subject.selection(for: context()).variant == .refactored)
        }
    }

    @Test("thresholds that are no sensible numbers keep their defaults")
    func policy() {
        let set = try? FlagSet(
            flags(
                metadata: """
                    {"guardWindowSeconds":60,"guardMinimumSample":0,"guardIllWindows":"2",
                    "guardFailedSendPerMille":5.5,"guardShortRuns":7}
                    """))
        let policy = GuardPolicy(metadata: set?["message-pipeline"]?.metadata ?? [:])
        var expected = GuardPolicy()
        expected.window = .seconds(60)
        expected.shortRunLimit = 7
        #expect(policy == expected)
    }
}
