internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinTime
internal import RejoinTransport
internal import RejoinWire

/// All of a run: devices with the real cores, and around them a simulated server, network, clock,
/// store and people, in one thread and virtual time.
///
/// It takes the shells' place: it turns happenings into inputs of the cores and executes their
/// effects in order, as `ChatClient` and `StompClient` do.
final class World {
    let options: SimulationOptions
    let variant: PipelineVariant
    /// The pipelines that there are.
    let registry: PipelineRegistry
    let format = ReferenceFormat()
    let randomness: Randomness

    var now = Instant.origin
    var queue = EventQueue<Happening>()
    /// Whether people and faults do their worst, or everything is left to come to rest.
    var isSafetyPhase = true
    /// Whether nothing more happens once something was found.
    var isStoppedEarly = false
    /// The step at which the flag changes next.
    var nextFlip = Int.max
    /// The generation in the flag's metadata.
    var flagGeneration: UInt64 = 1
    /// Whether a guard took the refactored pipeline back.
    var hasRolledBack = false
    /// Whether events were dropped without a word, so that only the next recovery finds out.
    var hasSilentLoss = false

    var server: SimulatedServer
    var devices: [Device] = []
    /// Sockets that the server holds, in the order in which they came.
    var liveSockets: [Socket] = []
    var sockets = 0
    var acts: [Act] = []
    var actsByID: [ClientMessageID: Int] = [:]
    /// The newest message that each person had on a screen or called read, by room.
    var seen: [[MessageID?]]
    /// Faults that are under way, by the number of their strike.
    var strikes: [Strike] = []

    var networkRandom: SplitMix64
    var serverRandom: SplitMix64
    var storeRandom: SplitMix64
    var othersRandom: SplitMix64
    var peopleRandom: [SplitMix64]
    var flipRandom: SplitMix64
    var guardRandom: SplitMix64
    var lateRandom: SplitMix64

    let oracle = Oracle()
    var trace: Trace
    var statistics = SimulationStatistics()

    init(
        _ options: SimulationOptions, variant: PipelineVariant, mutant: (any Mutant)?,
        isTraced: Bool
    ) {
        self.options = options
        self.variant = variant
        registry = PipelineRegistry.of(options)
        trace = Trace(isOn: isTraced)
        randomness = Randomness(seed: options.seed)
        networkRandom = randomness.stream("network")
        serverRandom = randomness.stream("server")
        storeRandom = randomness.stream("store")
        othersRandom = randomness.stream("others")
        flipRandom = randomness.stream("flips.\(options.flipSteps)")
        guardRandom = randomness.stream("guard")
        lateRandom = randomness.stream("late answers")
        peopleRandom = options.people.indices.map { [randomness] in
            randomness.stream("person.\($0)")
        }
        server = SimulatedServer(options)
        seen = server.marks.map { $0.map { _ in nil } }
        devices = options.people.enumerated().map { [randomness, server] index, person in
            let device = Device(
                index: index, person: person, user: server.users[person], rooms: options.rooms,
                random: randomness.stream("device.\(index)"))
            device.flag = variant
            device.mutant = mutant
            return device
        }
    }

    func plan(_ happening: Happening, in wait: Duration) {
        queue.add(happening, at: now + wait)
    }

    func plan(_ happening: Happening, at time: Instant) {
        queue.add(happening, at: max(now, time))
    }

    /// Lets everything happen that happens before an instant.
    func advance(to end: Instant, steps limit: Int? = nil) {
        while !isOver, let (time, happening) = queue.next(before: end) {
            now = time
            statistics.steps += 1
            happen(happening)
            if statistics.steps >= nextFlip { flip() }
            if let limit, statistics.steps >= limit { return }
        }
        now = end
    }

    private var isOver: Bool { isStoppedEarly && !oracle.counts.isClean }

    func note(_ device: Device, _ what: @autoclosure () -> String) {
        trace.note(now, device.name, what())
    }

    func note(_ who: String, _ what: @autoclosure () -> String) {
        trace.note(now, who, what())
    }

    func happen(_ happening: Happening) {
        if let number = happening.device {
            let device = devices[number.index]
            guard number.life == device.life else { return }
            switch device.power {
            case .off: return
            case .asleep:
                device.deferred.append(happening)
                return
            case .running: break
            }
        }
        switch happening {
        case .act(let index): act(devices[index])
        case .othersAct: othersAct()
        case .life(let index, let step): live(devices[index], step)
        case .strike(let index): strike(index)
        case .undo(let index): undo(index)
        case .stompTimer(let index, _, let deadline): stompTimer(devices[index], deadline)
        case .roomTimer(let index, _, let room, let timer, let deadline):
            roomTimer(devices[index], room, timer, deadline)
        case .stored(let index, _, let room): store(devices[index], room)
        case .credentials(let index, _, let epoch, let reason):
            credentials(devices[index], epoch, reason)
        case .closingOver(let index, _, let room, let opening):
            closingOver(devices[index], room, opening)
        case .reopening(let index, _, let room): reopen(room, on: devices[index])
        case .readmission(let index, _, let room): readmit(devices[index], to: room)
        case .suspensionOver(let index, _): finishSuspension(devices[index])
        case .selectionChanged(let index, _): selectionChanged(devices[index])
        case .guardWork(let index, _): doGuardWork(of: devices[index])
        case .guardTimer(let index, _, let deadline): guardTimer(devices[index], deadline)
        case .crash(let index, _): crash(devices[index])
        case .request(let request): serve(request)
        case .answer(let request, let outcome): take(outcome, of: request)
        case .upgrade(let socket): upgrade(socket)
        case .opened(let socket): opened(socket)
        case .ended(let socket, let error): ended(socket, error)
        case .toServer(let socket, let bytes): receive(bytes, from: socket)
        case .toClient(let socket, let bytes): deliver(bytes, to: socket)
        case .wrote(let socket):
            give(.stomp(.wrote(socket.epoch)), to: devices[socket.device])
        case .ponged(let socket):
            give(.stomp(.ponged(socket.epoch)), to: devices[socket.device])
        case .clientGone(let socket): dropLink(socket)
        case .linkTick(let socket): tick(socket)
        case .publish(let room, let event, let incarnation): publish(event, room, incarnation)
        case .lateCommit(let room, let id, let reply): commitLate(id, room, reply)
        }
    }
}

extension Happening {
    /// The process that it is for, where it is for one.
    fileprivate var device: (index: Int, life: Int)? {
        switch self {
        case .stompTimer(let device, let life, _), .roomTimer(let device, let life, _, _, _),
            .stored(let device, let life, _), .credentials(let device, let life, _, _),
            .closingOver(let device, let life, _, _), .reopening(let device, let life, _),
            .readmission(let device, let life, _),
            .suspensionOver(let device, let life), .selectionChanged(let device, let life),
            .guardWork(let device, let life), .guardTimer(let device, let life, _),
            .crash(let device, let life):
            (device, life)
        case .answer(let request, _): (request.device, request.life)
        case .opened(let socket), .ended(let socket, _), .toClient(let socket, _),
            .wrote(let socket), .ponged(let socket):
            (socket.device, socket.life)
        case .act, .othersAct, .life, .strike, .undo, .request, .upgrade, .toServer, .clientGone,
            .linkTick, .publish, .lateCommit:
            nil
        }
    }
}
