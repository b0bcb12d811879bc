import RejoinContracts
import RejoinModel
import RejoinReadState
import RejoinTime
import Testing

@Suite("P4 under faults: several devices, a model server, lost answers, failing stores, kills")
struct ReadWorldTests {
    @Test("Without mark-unread: all end at the furthest read that was stored", arguments: 0..<4)
    func advances(_ block: UInt64) {
        for seed in block * 15..<(block + 1) * 15 {
            var world = ReadWorld(seed: seed, marksUnread: false)
            world.run()
        }
    }

    @Test(
        "With mark-unread: all agree with the server, and nothing goes back by itself",
        arguments: 0..<4)
    func unreads(_ block: UInt64) {
        for seed in block * 15..<(block + 1) * 15 {
            var world = ReadWorld(seed: 1_000_000 + seed, marksUnread: true)
            world.run()
        }
    }

    @Test("A seed replays to the same effects")
    func replay() {
        var first = ReadWorld(seed: 42, marksUnread: true)
        var second = ReadWorld(seed: 42, marksUnread: true)
        first.run()
        second.run()
        #expect(first.trace == second.trace && !first.trace.isEmpty)
    }
}

/// Three devices of one person, one server, and a network that does what the seed says.
private struct ReadWorld {
    struct Device {
        var sync = ReadSync(room: ReadRig.room)
        var record = ReadRecord()
        var commits: [ReadCommit] = []
        var timers: [ReadSyncTimer: Instant] = [:]
        var asksForSummary = false
        /// How many messages this device shows.
        var held: UInt128 = 0
        /// Marks of other devices that are on their way to this one.
        var events: [ReadMark] = []
    }

    struct Request {
        let device: Int
        /// `nil` once nobody waits for the answer any more.
        var attempt: ReadSync.AttemptID?
        let mark: ReadMark
        let unread: Bool
    }

    let seed: UInt64
    let marksUnread: Bool
    var random: SeededGenerator
    var coreRandom: SeededGenerator
    var now = Instant.origin
    var devices = [Device](repeating: Device(), count: 3)
    var network: [Request] = []
    var last: UInt128 = 0
    var server = ReadMark.unread
    var furthest: UInt128 = 0
    var trace: [ReadSyncEffect] = []

    init(seed: UInt64, marksUnread: Bool) {
        self.seed = seed
        self.marksUnread = marksUnread
        random = SeededGenerator(seed: seed)
        coreRandom = random.fork()
    }

    mutating func run() {
        for _ in 0..<250 { step() }
        settle()
        for (number, device) in devices.enumerated() {
            #expect(device.sync.mark == server, "seed \(seed): device \(number) disagrees")
            #expect(device.record.pendingUnread == nil, "seed \(seed): device \(number)")
        }
        if !marksUnread {
            #expect(server.position.map(\.rawValue) ?? 0 >= furthest, "seed \(seed): lost read")
        }
    }

    mutating func step() {
        now = now + .milliseconds(Int64.random(in: 0...800, using: &random))
        let device = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: last += UInt128.random(in: 1...3, using: &random)
        case 15..<35: show(device)
        case 35..<42: act(device)
        case 42..<58: deliver(isFair: false)
        case 58..<72: store(device, isFair: false)
        case 72..<82: hear(device, isFair: false)
        case 82..<92: fireTimers(device)
        case 92..<96: summarize(device)
        case 96..<98: give(.reconnected, to: device)
        default: kill(device)
        }
    }

    mutating func show(_ device: Int) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: give(.activated, to: device)
        case 1:
            devices[device].held = last
            if last > 0 { give(.timeline(.held(1...last)), to: device) }
        case 2:
            guard let token = devices[device].sync.visibilityToken, devices[device].held > 0
            else { return }
            let top = UInt128.random(in: 1...devices[device].held, using: &random)
            let bottom = min(devices[device].held, top + 5)
            give(.visible(token, MessageID(top)...MessageID(bottom)), to: device)
        default: give(.deactivated, to: device)
        }
    }

    mutating func act(_ device: Int) {
        guard devices[device].held > 0 else { return }
        let id = MessageID(UInt128.random(in: 1...devices[device].held, using: &random))
        if marksUnread, Bool.random(using: &random) {
            give(.markUnread(from: id), to: device)
        } else {
            give(.markRead(through: id), to: device)
        }
    }

    mutating func deliver(isFair: Bool) {
        guard let place = network.indices.randomElement(using: &random) else { return }
        let request = network.remove(at: place)
        let fate = isFair ? 0 : Int.random(in: 0..<12, using: &random)
        let result: Result<ReadAnswer, BackendFailure>
        switch fate {
        case 0..<6: result = perform(request)
        case 6: result = .failure(BackendFailure(.unreachable, "the network of a test"))
        case 7: result = .failure(BackendFailure(.rateLimited, "the network of a test"))
        case 8..<10:
            _ = perform(request)
            result = .failure(BackendFailure(.outcomeUnknown, "the network of a test"))
        default:
            // The device gives up, and the report is still on its way.
            result = .failure(BackendFailure(.outcomeUnknown, "the network of a test"))
            var late = request
            late.attempt = nil
            network.append(late)
        }
        if let attempt = request.attempt {
            give(.reported(attempt, result), to: request.device)
        }
    }

    mutating func store(_ device: Int, isFair: Bool) {
        guard !devices[device].commits.isEmpty else { return }
        let commit = devices[device].commits.removeFirst()
        if !isFair, Int.random(in: 0..<8, using: &random) == 0 {
            give(.commitFailed(commit.id), to: device)
        } else {
            devices[device].record = commit.record
            furthest = max(furthest, commit.record.mark.position?.rawValue ?? 0)
            give(.committed(commit.id), to: device)
        }
    }

    /// Events come late, in any order, several at once, or never.
    mutating func hear(_ device: Int, isFair: Bool) {
        guard !devices[device].events.isEmpty else { return }
        let events = devices[device].events.shuffled(using: &random)
        devices[device].events = []
        if isFair || Int.random(in: 0..<3, using: &random) > 0 {
            give(.remote(events + events.prefix(1)), to: device)
        }
    }

    mutating func fireTimers(_ device: Int) {
        for timer in ReadSyncTimer.allCases {
            guard let due = devices[device].timers[timer], due <= now else { continue }
            devices[device].timers[timer] = nil
            give(.timer(timer), to: device)
        }
    }

    mutating func summarize(_ device: Int) {
        devices[device].asksForSummary = false
        let position = server.position?.rawValue ?? 0
        give(
            .summary(
                RoomSummary(
                    room: ReadRig.room, name: "", read: server,
                    unread: Int(last > position ? last - position : 0),
                    unreadAsOf: last > 0 ? MessageID(last) : nil)), to: device)
    }

    mutating func kill(_ device: Int) {
        let record = devices[device].record
        let held = devices[device].held
        devices[device] = Device(
            sync: ReadSync(room: ReadRig.room, resuming: record), record: record)
        for place in network.indices where network[place].device == device {
            network[place].attempt = nil
        }
        devices[device].held = held
        if held > 0 { give(.timeline(.held(1...held)), to: device) }
    }

    mutating func give(_ input: ReadSyncInput, to device: Int) {
        let before = devices[device].sync.mark
        let effects = devices[device].sync.handle(input, at: now, using: &coreRandom)
        trace += effects
        checkDirection(from: before, to: devices[device].sync.mark, input)
        for effect in effects {
            switch effect {
            case .commit(let commit): devices[device].commits.append(commit)
            case .report(let attempt, let mark, let unread):
                network.append(
                    Request(device: device, attempt: attempt, mark: mark, unread: unread))
            case .abandon(let attempt):
                for place in network.indices where network[place].attempt == attempt {
                    network[place].attempt = nil
                }
            case .fetchSummary: devices[device].asksForSummary = true
            case .setTimer(let timer, let due): devices[device].timers[timer] = due
            case .cancelTimer(let timer): devices[device].timers[timer] = nil
            case .publish: break
            }
        }
    }

    /// A position goes back only by an explicit act: this one's, or another's that a higher version
    /// or the server's refusal tells of.
    func checkDirection(from before: ReadMark, to after: ReadMark, _ input: ReadSyncInput) {
        guard after < before else { return }
        #expect(marksUnread, "seed \(seed): went back from \(before) to \(after)")
        switch input {
        case .remote, .summary, .reported: break
        default: Issue.record("seed \(seed): \(input) moved \(before) back to \(after)")
        }
    }

    // MARK: The server

    mutating func perform(_ request: Request) -> Result<ReadAnswer, BackendFailure> {
        let before = server
        if request.unread {
            guard request.mark.version == server.version + 1 else {
                return .failure(BackendFailure(.conflict, "another device was first"))
            }
            server = request.mark
        } else if request.mark.version == server.version {
            server = max(server, request.mark)
        }
        #expect(before <= server)
        if before != server {
            for device in devices.indices { devices[device].events.append(server) }
        }
        let position = server.position?.rawValue ?? 0
        return .success(
            ReadAnswer(
                mark: server, unread: Int(last > position ? last - position : 0),
                unreadAsOf: last > 0 ? MessageID(last) : nil))
    }

    // MARK: The liveness phase

    mutating func settle() {
        for _ in 0..<60 {
            now = now + .seconds(31)
            for device in devices.indices {
                while !devices[device].commits.isEmpty { store(device, isFair: true) }
                fireTimers(device)
                summarize(device)
                hear(device, isFair: true)
                give(.reconnected, to: device)
            }
            while !network.isEmpty { deliver(isFair: true) }
        }
    }
}
