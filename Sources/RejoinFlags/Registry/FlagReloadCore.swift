public import RejoinTime

/// Decides what becomes of what was read: the pure core of ``FlagRegistry``.
///
/// A set that is good replaces the last one as a whole; nothing is merged, so that a flag that was
/// deleted is gone. Whatever cannot be used (no file, an empty one, half of one) leaves the last
/// good set in force and is told once.
public struct FlagReloadCore: Sendable {
    /// The most overrides that are kept; of more, those that end last.
    public static let maximumOverrides = 256

    /// The state that is in force.
    public private(set) var state: State
    /// The bytes that were read last, so that the same file is not parsed, or announced, twice.
    private var bytes: ContiguousArray<UInt8>?

    /// What is in force.
    public struct State: Sendable {
        /// Counts what was published, from 1.
        public var generation: UInt64
        /// The flags.
        public var set: FlagSet
        /// The overrides that have not ended.
        public var overrides: [FlagOverride]
        /// Why the flags may be older than the file; `nil` where they are the file's.
        public var problem: FlagFileError?
        /// When the flags were read from the file; `nil` for those that came with the program.
        public var loadedAt: WallTime?
    }

    /// Something that happened.
    public enum Input: Sendable {
        /// The file was read, or could not be.
        case read(Result<ContiguousArray<UInt8>, FlagFileError>)
        /// The testers' wishes as a whole; they replace the former ones.
        case overrides([FlagOverride])
        /// Time has passed.
        case tick
    }

    /// Something to do.
    public enum Effect: Sendable {
        /// Put a state in force, then tell whoever wants to know which flags have changed.
        case publish(State, FlagUpdate)
    }

    /// Starts with the flags that came with the program.
    ///
    /// - Parameter floor: The bytes of that file; `nil` for none, so that every flag gives its code
    ///   default until a file is read.
    /// - Complexity: O(length of the file).
    public init(floor: ContiguousArray<UInt8>?) {
        state = State(generation: 1, set: .empty, overrides: [], problem: nil)
        guard let floor else { return }
        do throws(FlagFileError) {
            state.set = try FlagSet(floor)
        } catch {
            state.problem = error
        }
    }

    /// When the next override ends.
    public var nextExpiry: WallTime? { state.overrides.map(\.expires).min() }

    /// Takes in what happened.
    ///
    /// - Complexity: O(length of the file) for a new one, O(1) otherwise but for the overrides.
    public mutating func handle(_ input: Input, at now: WallTime) -> [Effect] {
        switch input {
        case .read(.success(let read)): accept(read, now)
        case .read(.failure(let problem)): refuse(problem)
        case .overrides(let overrides): replace(overrides, now)
        case .tick: replace(state.overrides, now)
        }
    }

    private mutating func accept(_ read: ContiguousArray<UInt8>, _ now: WallTime) -> [Effect] {
        // The file that is in force, again; perhaps after it could not be read for a while.
        if read == bytes { return state.problem == nil ? [] : publish(state.set, nil, changed: []) }
        do throws(FlagFileError) {
            let set = try FlagSet(read)
            bytes = read
            state.loadedAt = now
            let changed = state.set.keysChanged(in: set)
            let risks = set.rampRisks(since: state.set)
            return publish(set, nil, changed: changed, risks: risks)
        } catch {
            return refuse(error)
        }
    }

    private mutating func refuse(_ problem: FlagFileError) -> [Effect] {
        guard state.problem != problem else { return [] }
        return publish(state.set, problem, changed: [])
    }

    private mutating func replace(_ overrides: [FlagOverride], _ now: WallTime) -> [Effect] {
        let live = overrides.filter { $0.expires > now }.sorted { $0.expires > $1.expires }
            .prefix(Self.maximumOverrides)
        let (old, new) = (state.overrides, Array(live))
        guard old != new else { return [] }
        state.overrides = new
        let changed =
            new.filter { !old.contains($0) }.map(\.flag)
            + old.filter { !new.contains($0) }.map(\.flag)
        return publish(state.set, state.problem, changed: FlagUpdate.distinct(changed))
    }

    private mutating func publish(
        _ set: FlagSet, _ problem: FlagFileError?, changed: [String], risks: [FlagDiagnostic] = []
    ) -> [Effect] {
        let from = state.generation
        state.generation += 1
        state.set = set
        state.problem = problem
        let update = FlagUpdate(
            from: from, generation: state.generation, changedKeys: changed, problem: problem,
            rampRisks: risks)
        return [.publish(state, update)]
    }
}

/// What a reload changed.
public struct FlagUpdate: Hashable, Sendable {
    /// The generation that the keys are compared with.
    public let from: UInt64
    /// The generation that is in force now.
    public let generation: UInt64
    /// The keys of the flags that are new, gone or different, or whose override came or went.
    public let changedKeys: [String]
    /// Why the flags may be older than the file; `nil` where they are the file's.
    public let problem: FlagFileError?

    /// What moves people who stand in a ramp already, such as a new seed; for the host's log.
    public let rampRisks: [FlagDiagnostic]

    /// Creates an update.
    public init(
        from: UInt64, generation: UInt64, changedKeys: [String], problem: FlagFileError?,
        rampRisks: [FlagDiagnostic] = []
    ) {
        self.from = from
        self.generation = generation
        self.changedKeys = changedKeys
        self.problem = problem
        self.rampRisks = rampRisks
    }

    /// The most ramp risks that updates keep while they are folded into one.
    static let maximumRisks = 64

    /// This update and the one after it as one, for whoever was slow.
    ///
    /// - Complexity: O(number of keys).
    public func followed(by next: FlagUpdate) -> FlagUpdate {
        FlagUpdate(
            from: from, generation: next.generation,
            changedKeys: Self.distinct(changedKeys + next.changedKeys), problem: next.problem,
            rampRisks: Array((rampRisks + next.rampRisks).prefix(Self.maximumRisks)))
    }

    static func distinct(_ keys: [String]) -> [String] {
        var seen: Set<ByteKey> = []
        return keys.filter { seen.insert(ByteKey($0)).inserted }
    }
}
