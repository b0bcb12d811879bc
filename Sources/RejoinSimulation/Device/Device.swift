internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport

/// One device: the cores of one app process, and the store that outlives it.
final class Device {
    /// Whether the process runs.
    enum Power {
        /// There is no process.
        case off
        /// It runs.
        case running
        /// It is frozen: what comes waits for it, and its timers are late.
        case asleep
    }

    /// What comes in for one of the process's cores.
    enum Input {
        case stomp(StompSession.Input)
        case room(Int, RoomInput)
    }

    let index: Int
    let person: Int
    let user: UserID

    // What outlives the process
    var stores: [StoredRoom]
    /// Accepted sends that have not been seen as sent messages on this device, by room.
    var echoes: [[Int]]
    /// Raised by each kill: what belongs to an earlier process concerns nobody.
    var life = 0
    var power = Power.off
    /// The wall clock is so far off.
    var wallOffset = Duration.zero
    /// The device has no network.
    var isOffline = false
    /// The store takes so much longer, and refuses so many of 100 commits more.
    var storeDelay = Duration.zero
    var storeFailures = 0
    /// Raised to the server's when the credentials are renewed.
    var token = 1
    /// The credentials provider cannot be reached.
    var isSignInDown = false
    /// Whether a new token was got for the socket since it was last connected.
    var hasRenewedToken = false
    /// The pipeline that the flag names for this device's person.
    var flag = PipelineVariant.refactored
    var mutant: (any Mutant)? {
        didSet { isMutated = mutant != nil }
    }
    /// Asked at every step, which must not copy the mutant.
    private(set) var isMutated = false
    /// The guard of the rollout, and its files.
    var rollout = DeviceRollout()

    // The process
    var stomp: StompSession
    var rooms: [DeviceRoom] = []
    var fetches: FetchScheduler
    var random: SplitMix64
    var status = ConnectionStatus.idle
    var socket: Socket?
    var stompTimer: Instant?
    var sends:
        [(
            id: StompRequestID, room: Int, opening: Int, attempt: Outbox.AttemptID, isSend: Bool
        )] = []
    var lastRequest: UInt64 = 0
    /// Rooms opened so far: tells the openings of a room from each other.
    var openings = 0
    /// Whether a room is being closed.
    var isClosingRooms = false
    var isForeground = false
    /// It gets what it has on its way done before it is frozen.
    var isSuspending = false
    /// The room that the person looks at.
    var screen = 0

    /// How many of the next messages do not fit into the device's buffer.
    var overflowing = 0
    /// How many of the next messages cannot be read.
    var garbled = 0

    // How it is driven
    var inbox: [Input] = []
    var isDraining = false
    /// The process is killed before so many further effects are executed.
    var killIn: Int?
    /// What came while it was frozen.
    var deferred: [Happening] = []

    // For the oracle
    /// How many inputs its session has taken.
    var steps = 0
    /// The read mark that each room's store was told last.
    var storedMarks: [ReadMark]
    var connects: [Instant] = []

    init(index: Int, person: Int, user: UserID, rooms: Int, random: SplitMix64) {
        self.index = index
        self.person = person
        self.user = user
        self.random = random
        stores = (0..<rooms).map { _ in StoredRoom() }
        echoes = (0..<rooms).map { _ in [] }
        storedMarks = (0..<rooms).map { _ in .unread }
        stomp = StompSession(configuration: StompConfiguration(endpoints: []))
        fetches = FetchScheduler(limit: 1)
    }

    var name: String { "d\(index)/\(user)" }

    /// Whether nothing would be lost by a suspension now.
    var isSettled: Bool {
        rooms.allSatisfy(\.isSettled)
    }

    /// The room of a subscription; `nil`: that one has ended.
    func room(of key: StompSubscriptionKey) -> DeviceRoom? {
        let room = rooms[Int(key.number - 1) % rooms.count]
        return room.key == key ? room : nil
    }

    /// The rooms whose fetches go first.
    var onScreen: Set<RoomID> {
        Set(rooms.lazy.filter { $0.index == self.screen }.map(\.id))
    }

    /// The rooms in the order in which the client tells them things.
    var roomsByPriority: [Int] {
        [screen] + rooms.indices.filter { $0 != screen }
    }
}

/// What a device keeps of one open room.
final class DeviceRoom {
    let index: Int
    let id: RoomID
    /// Tells this opening from earlier ones of the same room: their answers are stale.
    let opening: Int
    /// When it was opened.
    let openedAt: Instant
    let key: StompSubscriptionKey
    /// The host has closed it; it ends once it has settled.
    var isClosing = false
    /// It is closed: nothing reaches it, and only its commits go on.
    var isEnded = false
    var session: RoomSession
    var timers = ArmedTimers()
    /// Commits on their way to the store, one at a time, in order.
    var line: [RoomCommit] = []
    var reports = 0
    var isRefused = false

    // For the oracle
    var shownMark: ReadMark?
    var shownTimeline: TimelineSnapshot?
    /// Which messages were found stored when they were shown last; none of them was removed since.
    var foundStored: [MessageID] = []
    /// How many commits were stored.
    var commits = 0
    /// Up to when all changes were found shown, and of what.
    var comparison: Oracle.Comparison?
    /// No receipt came for its subscription: whether the server has it is not known.
    var isAssumed = false
    /// The version of an own "mark unread" that another device may have been faster with.
    var ownUnread: UInt64?
    var lastOutcome: RecoveryOutcome?
    /// When requests failed lately.
    var failures: [Instant] = []
    /// When something of the stream was last dropped.
    var droppedAt: Instant?
    /// Where the history begins that was proven first.
    var oldestCovered: MessageID?
    /// How many inputs its cores have taken.
    var steps = 0
    /// How many proofs were stored.
    var proofs = 0
    /// Effects that show that something is still going on.
    var movements = 0

    /// Whether nothing of it would be lost by a suspension now.
    var isSettled: Bool { line.isEmpty && (isEnded || reports == 0 && session.isSettled) }

    init(
        index: Int, id: RoomID, opening: Int, at openedAt: Instant, key: StompSubscriptionKey,
        session: RoomSession
    ) {
        self.index = index
        self.id = id
        self.opening = opening
        self.openedAt = openedAt
        self.key = key
        self.session = session
    }
}
