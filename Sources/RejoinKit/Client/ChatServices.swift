internal import RejoinLegacyPipeline
public import RejoinPipeline
public import RejoinStore
public import RejoinTime
public import RejoinTransport
public import RejoinWire

/// The adapters that a ``ChatClient`` stands on, one for each seam.
public struct ChatServices: Sendable {
    /// How things look on the wire.
    public var format: any WireFormat
    /// REST.
    public var exchange: any HTTPExchange
    /// WebSockets.
    public var connector: any WebSocketConnector
    /// The host's sign-in.
    public var credentials: any ChatCredentialsProvider
    /// Where rooms are stored.
    public var store: any RoomStore
    /// Which pipeline serves a room, where ``rollout`` does not say.
    public var selector: any PipelineSelector
    /// The rollout of the pipelines by a flag; `nil`: ``selector`` decides, and nothing is guarded.
    public var rollout: FlagRollout?
    /// The pipelines that there are.
    public var pipelines: PipelineRegistry
    /// The clock.
    public var time: any TimeSource
    /// Randomness for waits and for the IDs of what a person sends.
    public var random: any RandomNumberGenerator & Sendable

    /// Puts adapters together. What is left out has a default: an in-memory store, the refactored
    /// pipeline for every room, the machine's clock and randomness.
    public init(
        format: any WireFormat, exchange: any HTTPExchange, connector: any WebSocketConnector,
        credentials: any ChatCredentialsProvider, store: any RoomStore = InMemoryRoomStore(),
        selector: any PipelineSelector = FixedPipelineSelector(.refactored),
        rollout: FlagRollout? = nil,
        pipelines: PipelineRegistry = .withLegacy, time: any TimeSource = SystemTime(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.format = format
        self.exchange = exchange
        self.connector = connector
        self.credentials = credentials
        self.store = store
        self.selector = selector
        self.rollout = rollout
        self.pipelines = pipelines
        self.time = time
        self.random = random
    }
}

extension PipelineRegistry {
    /// Both pipelines, and the shadow of the two, for as long as the rollout lasts.
    public static var withLegacy: PipelineRegistry {
        var registry = PipelineRegistry()
        registry.register(.legacy) { LegacyPipeline(resuming: $0, configuration: $1) }
        registry.registerShadow()
        return registry
    }
}
