public import RejoinFlags
internal import RejoinModel
public import RejoinPipeline
public import RejoinTime
internal import RejoinTransport
internal import Synchronization

/// The rollout of a pipeline by a flag: decides which pipeline serves whom, and guards the
/// decision.
///
/// The flag is a text flag, by default `message-pipeline`, whose variants are `legacy`,
/// `refactored` and `shadow`. Its rules are given the user as targeting key, and the attributes
/// `product`, `appVersion` and `room`. A flag that is missing, broken or `DISABLED` gives the
/// default named in code.
///
/// Give it to ``ChatServices/rollout`` of every client of the process; the clients feed its guard
/// and follow its flag. Its thresholds are read from the flag's metadata, see the article "Rolling
/// out the refactored pipeline".
public final class FlagRollout: PipelineSelector {
    /// The flags.
    public let registry: FlagRegistry
    /// The flag's key.
    public let flag: String

    /// Where it is noted who was given which variant; `nil`: nowhere.
    public let exposures: FlagExposures?

    private let codeDefault: PipelineVariant
    private let files: GuardFiles?
    private let time: any TimeSource
    private let state: Mutex<State>
    /// Something is to be written, timed or told.
    private let work = Signal(.onceEach)

    private struct State {
        var rolloutGuard: RolloutGuard
        var deadline: Instant?
        /// What is to be written; newer ones replace older ones.
        var marker: RunMarker?
        var rollback: RollbackRecord??
        var events: [RolloutEvent] = []
        /// How many clients run: the last one to end ends the run of the app.
        var clients = 0
    }

    /// Reads what earlier processes left, two small files, and decides from then on.
    ///
    /// - Parameters:
    ///   - registry: The flags. Whoever runs it first, the host or a client, runs it.
    ///   - flag: The flag's key.
    ///   - directory: Where rollbacks are remembered, such as a folder in Application Support;
    ///     `nil`: for the life of the process only.
    ///   - codeDefault: The pipeline where the flag has nothing to say.
    ///   - exposures: Where it is noted who was given which variant, for a host that counts them.
    ///   - time: The clock.
    public init(
        registry: FlagRegistry, flag: String = "message-pipeline", directory: String? = nil,
        codeDefault: PipelineVariant = .legacy, exposures: FlagExposures? = nil,
        time: any TimeSource = SystemTime()
    ) {
        self.registry = registry
        self.flag = flag
        self.codeDefault = codeDefault
        self.exposures = exposures
        self.time = time
        files = directory.map { GuardFiles(directory: $0, flag: flag) }
        let (policy, generation) = Self.terms(of: flag, in: registry.snapshot)
        var events: [RolloutEvent] = []
        var rollback: RollbackRecord?
        do {
            rollback = try files?.rollback()
        } catch {
            events.append(.storeFailed("the rollback that an earlier run left cannot be read"))
        }
        var state = State(
            rolloutGuard: RolloutGuard(
                policy: policy, generation: generation, rollback: rollback,
                marker: files?.marker()))
        state.events = events
        self.state = Mutex(state)
        // The flag may have been raised while the app did not run.
        learnFlag()
    }

    // MARK: - Deciding

    /// The choice as it would be now. Looking at it notes no exposure.
    public func selection(for context: SelectionContext) -> PipelineSelection {
        let evaluation = evaluation(for: Self.flagContext(context, at: time.wallNow))
        return overruled(choice(of: evaluation))
    }

    /// The choice that decides which pipeline serves a room from now on: as ``selection(for:)``,
    /// and noted in ``exposures``.
    ///
    /// A choice that the guard overrules is not noted, because nobody was given it; the event
    /// ``RolloutEvent/rolledBack(_:)`` tells of that.
    package func decision(for context: SelectionContext) -> PipelineSelection {
        let flagContext = Self.flagContext(context, at: time.wallNow)
        let evaluation = evaluation(for: flagContext)
        let choice = choice(of: evaluation)
        let selection = overruled(choice)
        if selection == choice { exposures?.note(evaluation, for: flagContext) }
        return selection
    }

    private static func flagContext(_ context: SelectionContext, at now: WallTime) -> FlagContext {
        FlagContext(
            targetingKey: context.user.rawValue,
            attributes: FlagObject([
                FlagObject.Member("product", .string(context.hostProduct)),
                FlagObject.Member("appVersion", .string(context.appVersion)),
                FlagObject.Member("room", .string(context.room.rawValue)),
            ]),
            timestamp: now.milliseconds / 1_000)
    }

    private func evaluation(for context: FlagContext) -> FlagEvaluation<FlagValue> {
        registry.snapshot.evaluate(
            flag, as: .string, default: .string(codeDefault.rawValue), for: context)
    }

    private func choice(of evaluation: FlagEvaluation<FlagValue>) -> PipelineSelection {
        var variant = codeDefault
        if case .string(let name) = evaluation.value { variant = PipelineVariant(name) }
        return PipelineSelection(variant, reason: evaluation.reason.rawValue)
    }

    private func overruled(_ selection: PipelineSelection) -> PipelineSelection {
        state.withLock { $0.rolloutGuard.overruling(selection) }
    }

    /// The rollback in force; `nil`: the flag decides.
    public var rollback: RollbackRecord? { state.withLock { $0.rolloutGuard.rollback } }

    // MARK: - Learning

    /// Tells the guard what happened to people.
    package func learn(_ input: RolloutGuard.Input) {
        let isWork = state.withLock { state in
            let effects = state.rolloutGuard.handle(input, at: time.now, wall: time.wallNow)
            for effect in effects {
                switch effect {
                case .storeMarker(let marker): state.marker = marker
                case .storeRollback(let record): state.rollback = .some(record)
                case .rolledBack(let record): state.events.append(.rolledBack(record))
                case .lifted(let record): state.events.append(.lifted(record))
                case .setTimer(let deadline): state.deadline = deadline
                }
            }
            return !effects.isEmpty
        }
        if isWork { work.raise() }
    }

    private func learnFlag() {
        let (policy, generation) = Self.terms(of: flag, in: registry.snapshot)
        learn(.flag(policy, generation: generation))
    }

    private static func terms(of flag: String, in snapshot: FlagSnapshot)
        -> (policy: GuardPolicy, generation: UInt64)
    {
        guard let metadata = snapshot.set[flag]?.metadata else { return (GuardPolicy(), 0) }
        var generation: UInt64 = 0
        if case .integer(let value)? = metadata["generation"] {
            generation = UInt64(clamping: value)
        }
        return (GuardPolicy(metadata: metadata), generation)
    }

    // MARK: - Running

    /// Follows the flag and does the guard's work until the task is cancelled.
    ///
    /// - Parameters:
    ///   - changed: Called where choices may have changed.
    ///   - tell: Called with what a host may want to know.
    package func run(
        changed: @escaping @Sendable () async -> Void,
        tell: @escaping @Sendable (RolloutEvent) -> Void
    ) async {
        state.withLock { $0.clients += 1 }
        // Listening begins before the file is read for the first time, and what the registry has
        // read before, because the host or another client runs it, counts too.
        let updates = registry.updates()
        learnFlag()
        await withDiscardingTaskGroup { group in
            group.addTask { [registry] in await registry.run() }
            group.addTask { [self] in
                for await update in updates {
                    guard update.changedKeys.contains(where: { $0.utf8.elementsEqual(flag.utf8) })
                    else { continue }
                    learnFlag()
                    await changed()
                }
            }
            group.addTask { [self] in
                while !Task.isCancelled {
                    if write(telling: tell) { await changed() }
                    await waitForWork()
                }
            }
        }
        let isLast = state.withLock { state in
            state.clients -= 1
            return state.clients == 0
        }
        if isLast { learn(.background) }
        _ = write(telling: tell)
    }

    /// Writes and tells what there is; whether choices have changed.
    private func write(telling tell: (RolloutEvent) -> Void) -> Bool {
        let (marker, rollback, events) = state.withLock { state in
            defer {
                state.marker = nil
                state.rollback = nil
                state.events = []
            }
            return (state.marker, state.rollback, state.events)
        }
        do {
            if let rollback { try files?.store(rollback) }
            if let marker { try files?.store(marker) }
        } catch {
            tell(.storeFailed("the guard's record cannot be written; is the directory writable?"))
        }
        for event in events { tell(event) }
        return events.contains { event in
            switch event {
            case .rolledBack, .lifted: true
            case .switched, .shadow, .storeFailed, .overflowed: false
            }
        }
    }

    private func waitForWork() async {
        let deadline = state.withLock(\.deadline)
        await withTaskGroup { group in
            group.addTask { [work] in await work.wait() }
            if let deadline {
                group.addTask { [self] in
                    do { try await time.sleep(until: deadline) } catch { return }
                    state.withLock { $0.deadline = nil }
                    learn(.timePassed)
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
