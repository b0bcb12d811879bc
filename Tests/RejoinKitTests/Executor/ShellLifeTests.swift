import RejoinContracts
import RejoinPipeline
import RejoinTime
import Synchronization
import Testing

/// The real shells, actors and all, in one thread, in orders that a seed chooses and in virtual
/// time (DESIGN section 11): what the simulator proves of the cores must hold of them too.
///
/// One life after the other: each keeps its thread until it is over.
@Suite("P1, P2, P3, P5, P8: the shells under a seeded executor", .serialized)
struct ShellLifeTests {
    @Test("After any trouble everything is there once, and the end is an end", arguments: 0..<4)
    func lives(part: UInt64) throws {
        for seed in (part * 12)..<(part * 12 + 12) {
            try live(seed) { life in
                await life.trouble()
                try await life.peace()
            }
        }
    }

    @Test("A client that is ended in the middle of everything leaves nobody waiting")
    func cancelled() throws {
        for seed in 1_000..<UInt64(1_030) {
            try live(seed) { life in
                let moment = Duration.milliseconds(seed % 30 * 2_000 + seed)
                await withDiscardingTaskGroup { group in
                    group.addTask { await life.trouble() }
                    try? await life.time.sleep(for: moment)
                    group.cancelAll()
                }
            }
        }
    }

    @Test("A client whose run() ends while calls wait answers them all")
    func ended() throws {
        for seed in 2_000..<UInt64(2_030) {
            let life = ShellLife(seed: seed, pipeline: .refactored)
            try run(life) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await life.run {
                            try? await life.time.sleep(for: .milliseconds(seed % 30 * 2_000 + seed))
                        }
                    }
                    // The calls outlive the client.
                    group.addTask { await life.trouble() }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("A seed gives the same life again")
    func replay() throws {
        for seed in 0..<UInt64(3) {
            let first = ShellLife(seed: seed, pipeline: .refactored)
            let second = ShellLife(seed: seed, pipeline: .refactored)
            for life in [first, second] { try run(life) { try await life.run(life.trouble) } }
            #expect(first.time.now == second.time.now)
            #expect(first.accepted.withLock { $0 } == second.accepted.withLock { $0 })
        }
    }

    private func live(
        _ seed: UInt64, _ body: @escaping @Sendable (ShellLife) async throws -> Void
    ) throws {
        let life = ShellLife(seed: seed, pipeline: .refactored)
        try run(life) { try await life.run { try await body(life) } }
    }

    private func run(
        _ life: ShellLife, _ body: @escaping @Sendable () async throws -> Void
    ) throws {
        do {
            try SeededExecutor(seed: life.seed).run(in: life.time, body)
        } catch {
            Issue.record("seed \(life.seed): \(error)")
            throw error
        }
    }
}
