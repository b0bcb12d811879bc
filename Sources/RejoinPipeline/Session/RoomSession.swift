public import RejoinModel
public import RejoinReadState
public import RejoinSync
public import RejoinTime

/// The core of one open room: the pipeline that serves it, and beside it the outbox and the read
/// position, which are the same for every pipeline, so that a switch never touches unsent messages
/// or read positions (promise P6).
///
/// The session takes inputs in order, lets the cores answer each other, and returns what is to be
/// done. It holds the room together; what each part decides, it decides itself.
public struct RoomSession: Sendable {
    /// Which pipeline serves the room.
    public var variant: PipelineVariant { pipelines.variant }
    /// What is to be shown now.
    public internal(set) var snapshot: RoomSnapshot

    /// The leave to report visible rows; `nil` while the room is not shown in an active scene.
    public var visibilityToken: VisibilityToken? { reads.visibilityToken }
    /// All unsent work, failed changes of sent messages included.
    ///
    /// - Complexity: O(items).
    public var outboxItems: [OutboxItem] { outbox.items }

    let room: RoomID
    let user: UserID
    var pipelines: PipelineSwitch
    var outbox: Outbox
    var reads: ReadSync
    var random: SplitMix64

    var isForeground = false
    /// A room is opened in order to be shown.
    var isOnScreen = true
    var isSubscribed = false
    var state = RoomState.open
    var recovery = RecoveryStatus.catchingUp
    /// When the recovery under way began, for the outbox: it proves nothing about what came later.
    var recoveryBegan: Instant?
    var isFetchingSummary = false
    /// What the summary under way was asked for has changed since: its answer is not to be taken.
    var isSummaryOutdated = false
    /// Whether a summary was asked for again at once, as the one before was outdated.
    var isSummaryRepeated = false
    /// Whether messages may become visible after later ones.
    let isSettling: Bool
    /// The newest message that the stream brought.
    var newestHeard: MessageID?
    /// The read position that the pipeline was last told.
    var shownPosition: MessageID?
    /// Own messages that were stored before the process ended: they settle sends that were on their
    /// way then. Given to the outbox with the first input.
    var heldOwn: [Message] = []
    /// Client IDs whose rows keep the identity that they had before they were sent.
    var localKeys = LocalKeys()
    /// Own work that is done and not shown by the pipeline yet.
    var landing = Landing()
    /// Own changes that are shown over the timeline, and their number for the snapshot.
    var overlay: [PendingChange] = []
    var overlayNumber: UInt64 = 0

    /// Opens a room from what the store has of it.
    ///
    /// - Complexity: O(messages held).
    public init(
        resuming checkpoint: RoomCheckpoint, selection: PipelineSelection,
        registry: PipelineRegistry, pipeline configuration: PipelineConfiguration,
        outbox outboxConfiguration: OutboxConfiguration = OutboxConfiguration(),
        reads readConfiguration: ReadSyncConfiguration = ReadSyncConfiguration()
    ) {
        room = configuration.room
        user = configuration.user
        if case .settles = configuration.capabilities.commitOrder {
            isSettling = true
        } else {
            isSettling = false
        }
        shownPosition = checkpoint.timeline.lastRead
        random = SplitMix64(seed: configuration.seed)
        pipelines = PipelineSwitch(
            selection.variant, resuming: checkpoint.timeline, registry: registry,
            configuration: configuration)
        outbox = Outbox(
            user: configuration.user, capabilities: configuration.capabilities,
            configuration: outboxConfiguration, resuming: checkpoint.outbox)
        reads = ReadSync(
            room: configuration.room, configuration: readConfiguration, resuming: checkpoint.read)
        if !checkpoint.outbox.items.isEmpty {
            heldOwn = checkpoint.timeline.messages.filter {
                $0.author == configuration.user && $0.clientID != nil
            }
        }
        snapshot = RoomSnapshot(timeline: TimelineSnapshot(room: configuration.room))
        snapshot = makeSnapshot()
    }

    /// Takes one input and returns what is to be done, in order.
    ///
    /// `wall` serves the age of unsent messages only.
    public mutating func handle(_ input: RoomInput, at now: Instant, wall: WallTime)
        -> [RoomEffect]
    {
        var turn = Turn(now: now, wall: wall)
        take(input, &turn)
        settleHeldMessages(&turn)
        var done = 0
        while done < turn.steps.count {
            perform(turn.steps[done], &turn)
            done += 1
        }
        publishIfChanged(&turn)
        return turn.effects
    }
}

extension RoomSession {
    /// Where the room is to be opened: the first unread message, else the newest.
    ///
    /// - Complexity: O(rows).
    public var openingPosition: OpeningPosition { reads.openingPosition }

    /// Whether nothing is on its way to the store and no read position waits for the server: the
    /// app may be suspended.
    public var isSettled: Bool { pipelines.isSettled && reads.isSettled }
}
