/// The name of a pipeline, as the flags file spells it.
public struct PipelineVariant: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Wraps a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// The first design: what the rollout comes from.
    public static let legacy = PipelineVariant("legacy")
    /// The design with proof: what the rollout goes to.
    public static let refactored = PipelineVariant("refactored")
    /// The first design serves, and the refactored one runs beside it and is compared.
    public static let shadow = PipelineVariant("shadow")
}

/// The pipelines that a host has, by name.
///
/// Deleting the legacy pipeline means deleting its target and the line that registers it here.
public struct PipelineRegistry: Sendable {
    /// Makes a pipeline that starts from a checkpoint, in catching-up.
    public typealias Factory =
        @Sendable (PipelineCheckpoint, PipelineConfiguration) -> any RoomPipeline

    private var factories: [PipelineVariant: Factory] = [:]

    /// Creates a registry that holds the refactored pipeline alone.
    public init() {
        register(.refactored) { RefactoredPipeline(resuming: $0, configuration: $1) }
    }

    /// Adds a pipeline, or replaces the one of that name.
    public mutating func register(_ variant: PipelineVariant, _ factory: @escaping Factory) {
        factories[variant] = factory
    }

    /// Adds the shadow pipeline, made of two pipelines that are registered by now.
    public mutating func registerShadow(
        _ policy: ShadowPolicy = ShadowPolicy(), control: PipelineVariant = .legacy,
        candidate: PipelineVariant = .refactored
    ) {
        let pair = self
        register(.shadow) { checkpoint, configuration in
            ShadowPipeline(
                resuming: checkpoint, configuration: configuration, policy: policy,
                control: { pair.make(control, resuming: $0, configuration: $1) },
                candidate: { pair.make(candidate, resuming: $0, configuration: $1) })
        }
    }

    /// Whether a pipeline of that name is there.
    public func contains(_ variant: PipelineVariant) -> Bool {
        factories[variant] != nil
    }

    /// Makes the pipeline of that name; the refactored one where none has it, because a room with
    /// the wrong pipeline is better than a room without.
    func make(
        _ variant: PipelineVariant, resuming checkpoint: PipelineCheckpoint,
        configuration: PipelineConfiguration
    ) -> any RoomPipeline {
        guard let factory = factories[variant] else {
            return RefactoredPipeline(resuming: checkpoint, configuration: configuration)
        }
        return factory(checkpoint, configuration)
    }
}
