internal import Foundation
import Synchronization

/// Runs real tasks and actors one job at a time in the calling thread, each time choosing the next
/// of all that are ready by a seed; time moves only when nobody is ready.
///
/// So shells are tried in orders that a machine would show once in a year, and a seed that finds
/// one shows it again. It reaches whatever starts from ``run(in:limit:_:)`` in a structured way:
/// child tasks, asynchronous functions, and actors without an executor of their own. An
/// unstructured task would escape to other threads, and is found by what it wakes here.
public final class SeededExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        var random: SeededGenerator
        var stage: ObjectIdentifier?
        var strangers = 0
    }

    private let state: Mutex<State>

    /// Creates an executor whose choices a seed fixes.
    public init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let here = ObjectIdentifier(Thread.current)
        state.withLock { state in
            if let stage = state.stage, stage != here { state.strangers += 1 }
            state.ready.append(job)
        }
    }

    /// Runs `body` and all that it starts to their ends.
    ///
    /// - Parameters:
    ///   - time: the clock that everything sleeps by.
    ///   - limit: the most jobs; more count as a loop.
    /// - Throws: what `body` throws, or ``ContractFailure`` where somebody waits for what never
    ///   comes, still sleeps after the end, runs in circles, or left the calling thread.
    public func run<Value: Sendable>(
        in time: VirtualTime, limit: Int = 1_000_000,
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        state.withLock { $0.stage = ObjectIdentifier(Thread.current) }
        defer { state.withLock { $0.stage = nil } }
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        // The root of everything here; it is over before this method returns, or has failed.
        let root = Task(executorPreference: self) {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        for _ in 0..<limit {
            if runOne() { continue }
            if let result = outcome.withLock({ $0 }) {
                try requireStillness(of: time)
                return try result.get()
            }
            guard let next = time.nextDeadline else {
                root.cancel()
                throw ContractFailure(
                    check: "executor.ends", expected: "an end",
                    got: "nobody is ready and nobody sleeps, at \(time.now)",
                    whoIsHurt: "whoever waits for ever")
            }
            time.advance(to: next)
        }
        throw ContractFailure(
            check: "executor.calm", expected: "an end within \(limit) jobs",
            got: "more of them, at \(time.now)", whoIsHurt: "whose battery is empty by noon")
    }

    /// Runs one of the ready jobs; `false` where there is none.
    private func runOne() -> Bool {
        let job: UnownedJob? = state.withLock { state in
            guard !state.ready.isEmpty else { return nil }
            let index = Int.random(in: state.ready.indices, using: &state.random)
            // Whatever is ready may run: their order is nobody's promise.
            state.ready.swapAt(index, state.ready.endIndex - 1)
            return state.ready.removeLast()
        }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    private func requireStillness(of time: VirtualTime) throws(ContractFailure) {
        try require(
            time.nextDeadline == nil, "executor.wakes-nobody", expected: "no sleeper after the end",
            got: "one until \(time.nextDeadline.map { "\($0)" } ?? "")",
            whoIsHurt: "who signed out, and is still at work")
        let strangers = state.withLock { $0.strangers }
        try require(
            strangers == 0, "executor.one-thread", expected: "all work in one thread",
            got: "\(strangers) wake-ups from others", whoIsHurt: "whoever replays this seed")
    }
}
