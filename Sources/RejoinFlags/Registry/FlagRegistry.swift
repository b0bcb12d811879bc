import Foundation
import RejoinJSON
public import RejoinTime
public import Synchronization

/// The flags of a program, kept up to date with a file.
///
/// It starts with the file that came with the program (the floor), and from then on follows the
/// file that the host names: whenever that one can be used, it replaces all flags, and it is for
/// the host to remove one that a newer floor has overtaken. A missing, empty, broken or locked file
/// changes nothing. Reading happens only inside ``run()``; checks read no file and, through a held
/// ``FlagSnapshot`` or a ``FlagReader``, take no lock.
///
/// The rule for rollouts: a new operation takes the newest snapshot, a running one keeps its own,
/// and a kill switch counts at the next message, wherever the caller asks again.
public final class FlagRegistry: Sendable {
    /// The flags that the code knows.
    public let catalogue: FlagCatalogue
    private let file: (path: String, directory: String)?
    private let pollInterval: Duration
    private let time: any TimeSource
    /// Held while a file is parsed, so that two reloads cannot overtake each other.
    private let core: Mutex<FlagReloadCore>
    /// Held for moments only.
    private let state: Mutex<State>
    @usableFromInline let published: Atomic<UInt64>

    private struct State {
        var snapshot: FlagSnapshot
        var subscribers: [UInt64: FlagSubscriber] = [:]
        var nextSubscriber: UInt64 = 0
        var isRunning = false
        var isStopped = false
        /// Wakes the run loop.
        var wake: AsyncStream<Void>.Continuation?
    }

    /// Creates a registry; flags can be checked at once.
    ///
    /// - Parameters:
    ///   - catalogue: The flags that the code knows.
    ///   - floor: The bytes of the file that came with the program; `nil` for none.
    ///   - path: The file to follow; `nil` for none. It need not exist yet, nor its directory.
    ///   - pollInterval: How often the file is looked at where no notice of a change comes
    ///     (network disks, a Kubernetes `subPath`, which never changes at all); clamped to 10 ms
    ///     up to an hour. A look costs one `stat` as long as nothing changes.
    public init(
        catalogue: FlagCatalogue = .empty, floor: ContiguousArray<UInt8>? = nil,
        path: String? = nil, pollInterval: Duration = .seconds(2),
        time: any TimeSource = SystemTime()
    ) {
        self.catalogue = catalogue
        self.time = time
        self.pollInterval = min(max(pollInterval, .milliseconds(10)), .seconds(3_600))
        file = path.map { ($0, URL(filePath: $0).deletingLastPathComponent().path) }
        let core = FlagReloadCore(floor: floor)
        let snapshot = FlagSnapshot(core.state, catalogue: catalogue)
        self.core = Mutex(core)
        state = Mutex(State(snapshot: snapshot))
        published = Atomic(snapshot.generation)
    }

    /// The newest snapshot. Takes a lock for a moment; see ``reader()``.
    public var snapshot: FlagSnapshot { state.withLock { $0.snapshot } }

    /// A way to the newest snapshot without a lock.
    public func reader() -> FlagReader { FlagReader(self) }

    /// The generation of ``snapshot``, without a lock.
    @inlinable var generation: UInt64 { published.load(ordering: .acquiring) }

    /// What changes from now on, for one consumer: nothing is lost, and a slow one gets several
    /// updates as one. It ends with ``stop()``.
    public func updates() -> FlagUpdates {
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriber = FlagSubscriber(signal)
        let id = state.withLock { state -> UInt64? in
            guard !state.isStopped else { return nil }
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = subscriber
            return state.nextSubscriber
        }
        guard let id else {
            signal.finish()
            return FlagUpdates(signals: signals, subscriber: subscriber)
        }
        signal.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: id) }
        }
        return FlagUpdates(signals: signals, subscriber: subscriber)
    }

    /// Puts the testers' wishes in force, all of them: the former ones end.
    public func setOverrides(_ overrides: [FlagOverride]) {
        handle(.overrides(overrides))
        wake()
    }

    /// Has the file looked at now, for instance after the host has written it; `run()` does it.
    public func refresh() { wake() }

    private func wake() {
        state.withLock { $0.wake }?.yield()
    }

    // MARK: Running

    /// Follows the file until ``stop()`` or until the task is cancelled. Returns at once where it
    /// runs already or was stopped.
    ///
    /// After it has returned, nothing is left of it: no descriptor, thread or task.
    public func run() async {
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let mayRun = state.withLock { state in
            guard !state.isRunning, !state.isStopped else { return false }
            state.isRunning = true
            state.wake = wake
            return true
        }
        guard mayRun else { return }
        let watcher = file.map { DirectoryWatcher(directory: $0.directory) { wake.yield() } }
        var reader = file.map {
            FlagFileReader(path: $0.path, maximumBytes: FlagSet.limits.maximumBytes)
        }
        wake.yield()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.poll(wake) }
            for await _ in wakes {
                watcher?.arm()
                let seconds = time.wallNow.milliseconds / 1_000
                if let read = reader?.read(at: seconds) { handle(.read(read)) }
                handle(.tick)
            }
            group.cancelAll()
        }
        await watcher?.cancel()
        state.withLock { state in
            state.isRunning = false
            state.wake = nil
        }
    }

    /// Ends ``run()`` and all ``updates()``; the flags stay as they are. Any number of times, from
    /// anywhere, before, during or after a run.
    public func stop() {
        let (wake, subscribers) = state.withLock { state in
            state.isStopped = true
            defer { state.subscribers = [:] }
            return (state.wake, Array(state.subscribers.values))
        }
        // Outside the lock: ending a stream calls back.
        wake?.finish()
        for subscriber in subscribers { subscriber.finish() }
    }

    /// Wakes the loop in time for the next look and the next end of an override.
    private func poll(_ wake: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            var wait = pollInterval
            if let expiry = core.withLock({ $0.nextExpiry }) {
                wait = min(wait, max(time.wallNow.duration(to: expiry), .milliseconds(1)))
            }
            do { try await time.sleep(for: wait) } catch { return }
            wake.yield()
        }
    }

    /// Runs the core and does what it says.
    private func handle(_ input: FlagReloadCore.Input) {
        let now = time.wallNow
        core.withLock { core in
            for effect in core.handle(input, at: now) {
                switch effect {
                case .publish(let new, let update):
                    publish(FlagSnapshot(new, catalogue: catalogue), update)
                }
            }
        }
    }

    private func publish(_ snapshot: FlagSnapshot, _ update: FlagUpdate) {
        let subscribers = state.withLock { state in
            state.snapshot = snapshot
            published.store(snapshot.generation, ordering: .releasing)
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.take(update) }
    }
}
