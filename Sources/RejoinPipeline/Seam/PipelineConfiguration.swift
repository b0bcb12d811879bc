public import RejoinModel
public import RejoinSync

/// What a pipeline needs to know of its room, its person and its backend.
public struct PipelineConfiguration: Hashable, Sendable {
    /// The room.
    public var room: RoomID
    /// The person who uses this device; their own messages settle sends.
    public var user: UserID
    /// What the backend keeps.
    public var capabilities: BackendCapabilities
    /// Sizes, waits and limits of recovery. ``RecoveryPolicy/pageSize`` serves both pipelines.
    public var recovery: RecoveryPolicy
    /// Messages that a snapshot shows at most.
    public var windowLimit: Int
    /// Changed messages that may wait for the store. At the limit nothing more is fetched or taken
    /// from the stream until a commit succeeds; what was not taken is recovered then.
    public var uncommittedLimit: Int
    /// Fixes the jitter of this pipeline's waits. A pipeline has no source of randomness of its
    /// own, so that a run replays; give each room session a fresh draw.
    public var seed: UInt64

    /// Creates a configuration.
    public init(
        room: RoomID, user: UserID, capabilities: BackendCapabilities = BackendCapabilities(),
        recovery: RecoveryPolicy = RecoveryPolicy(), windowLimit: Int = 400,
        uncommittedLimit: Int = 2_000, seed: UInt64
    ) {
        self.room = room
        self.user = user
        self.capabilities = capabilities
        self.recovery = recovery
        self.windowLimit = windowLimit
        self.uncommittedLimit = uncommittedLimit
        self.seed = seed
    }

    /// Messages to ask for in one page: the policy's size, cut to what the server gives.
    public var pageSize: Int { min(recovery.pageSize, capabilities.maximumPageSize) }
}
