internal import RejoinKit
internal import RejoinModel
public import RejoinPipeline
internal import RejoinSync
internal import RejoinTime

/// What a run's refactored pipeline suffers from, so that the guard must find it and take the
/// pipeline back.
public enum Illness: String, Hashable, Sendable, CaseIterable {
    /// It loses, doubles or misorders messages that it shows; a shadow comparison must find it.
    case divergence
    /// It cannot read every second answer, so that recoveries fail.
    case recoveries
    /// Every second send fails while it serves.
    case sends
    /// The app crashes soon after each start with it.
    case crashes

    /// The pipeline that serves a run with this illness.
    public var pipeline: PipelineVariant { self == .divergence ? .shadow : .refactored }

    /// What the guard must find.
    var cause: GuardEvidence.Cause {
        switch self {
        case .divergence: .divergence
        case .recoveries: .unfilledGaps
        case .sends: .failedSends
        case .crashes: .shortRuns
        }
    }
}

extension PipelineRegistry {
    /// The pipelines of a run.
    static func of(_ options: SimulationOptions) -> PipelineRegistry {
        var registry = PipelineRegistry.withLegacy
        switch options.illness {
        case .divergence:
            let kind = IllPipeline.Fault.shown(Int(options.seed % 3))
            registry.register(.refactored) { IllPipeline(resuming: $0, configuration: $1, kind) }
        case .recoveries:
            registry.register(.refactored) {
                IllPipeline(resuming: $0, configuration: $1, .unreadableAnswers)
            }
        case .sends, .crashes, nil: break
        }
        registry.registerShadow(options.shadow)
        return registry
    }
}

/// The refactored pipeline with a fault of our own at its edge.
struct IllPipeline: RoomPipeline {
    enum Fault {
        /// Of the messages shown one is lost, doubled or out of order.
        case shown(Int)
        /// Every second answer cannot be read.
        case unreadableAnswers
    }

    private var pipeline: RefactoredPipeline
    private let fault: Fault
    private var answers = 0

    init(
        resuming checkpoint: PipelineCheckpoint, configuration: PipelineConfiguration,
        _ fault: Fault
    ) {
        pipeline = RefactoredPipeline(resuming: checkpoint, configuration: configuration)
        self.fault = fault
    }

    var isSettled: Bool { pipeline.isSettled }

    var isCatchingUp: Bool { pipeline.isCatchingUp }

    func checkpoint() -> PipelineCheckpoint { pipeline.checkpoint() }

    mutating func handle(_ input: PipelineInput, at now: Instant) -> [PipelineEffect] {
        guard case .unreadableAnswers = fault, case .answered(let id, .success) = input else {
            return pipeline.handle(input, at: now)
        }
        answers += 1
        guard answers.isMultiple(of: 2) else { return pipeline.handle(input, at: now) }
        let failure = BackendFailure(.malformedAnswer, "an answer that cannot be read")
        return pipeline.handle(.answered(id, .failure(failure)), at: now)
    }

    var snapshot: TimelineSnapshot {
        let shown = pipeline.snapshot
        guard case .shown(let kind) = fault else { return shown }
        var items = shown.items
        // Beside the newest one, which has others around it.
        let places = items.indices.filter {
            if case .message = items[$0] { true } else { false }
        }
        guard places.count > 3 else { return shown }
        let place = places[places.count - 2]
        switch kind {
        case 0: items.remove(at: place)
        case 1: items.insert(items[place], at: place)
        default: items.swapAt(place, places[places.count - 3])
        }
        return TimelineSnapshot(
            room: shown.room, version: shown.version, window: shown.window, items: items,
            members: shown.members, hasOlder: shown.hasOlder, hasNewer: shown.hasNewer,
            overlay: shown.overlay)
    }
}

// Where an illness lies beside the pipeline.

extension World {
    /// Whether a send fails by the run's illness.
    func failsByIllness(_ mutation: Mutation, _ room: DeviceRoom) -> Bool {
        guard options.illness == .sends, room.session.variant == .refactored,
            case .send = mutation
        else { return false }
        return guardRandom.chance(50)
    }

    /// The app crashes soon after its start where the refactored pipeline serves.
    func planCrash(of device: Device) {
        guard options.illness == .crashes else { return }
        plan(
            .crash(device: device.index, life: device.life),
            in: guardRandom.milliseconds(500...20_000))
    }

    func crash(_ device: Device) {
        guard isSafetyPhase,
            device.rooms.contains(where: { $0.session.variant == .refactored })
        else { return }
        kill(device)
    }
}
