import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("P5 under faults: a model server, lost answers, failing stores, kills, delayed requests")
struct OutboxWorldTests {
    @Test("Idempotent: once on the server, or shown as failed or unconfirmed", arguments: 0..<4)
    func idempotent(_ block: UInt64) {
        for seed in block * 20..<(block + 1) * 20 {
            var world = OutboxWorld(seed: seed, idempotent: true)
            world.run()
        }
    }

    @Test("Not idempotent: at most once by itself, and never silently lost", arguments: 0..<4)
    func notIdempotent(_ block: UInt64) {
        for seed in block * 20..<(block + 1) * 20 {
            var world = OutboxWorld(seed: 1_000_000 + seed, idempotent: false)
            world.run()
        }
    }

    @Test("A seed replays to the same effects")
    func replay() {
        var first = OutboxWorld(seed: 42, idempotent: true)
        var second = OutboxWorld(seed: 42, idempotent: true)
        first.run()
        second.run()
        #expect(first.trace == second.trace && !first.trace.isEmpty)
    }
}

/// One device, one server, and a network between them that does what the seed says.
private struct OutboxWorld {
    struct Request {
        /// `nil` once nobody waits for the answer any more.
        var attempt: Outbox.AttemptID?
        let mutation: Mutation
    }

    let seed: UInt64
    let isIdempotent: Bool
    var random: SeededGenerator
    var coreRandom: SeededGenerator
    var now = Instant.origin
    var wall = WallTime(milliseconds: 1_700_000_000_000)

    // The device.
    var outbox: Outbox
    var record = OutboxRecord()
    var commits: [OutboxCommit] = []
    var timers: [OutboxTimer: Instant] = [:]
    var isOpen = false
    var needsRecovery = false
    var trace: [OutboxEffect] = []

    // The server and what is on its way to it.
    var messages: [Message] = []
    var echoes: [Message] = []
    var network: [Request] = []

    // What the person did and was told.
    var nextKey: UInt8 = 0
    var accepted: [ClientMessageID] = []
    var cancelled: Set<ClientMessageID> = []
    var discarded: Set<ClientMessageID> = []
    var retried: Set<ClientMessageID> = []
    var wasStuck: Set<ClientMessageID> = []

    init(seed: UInt64, idempotent: Bool) {
        self.seed = seed
        isIdempotent = idempotent
        random = SeededGenerator(seed: seed)
        coreRandom = random.fork()
        outbox = Outbox(
            user: OutboxRig.user,
            capabilities: OutboxRig.capabilities(idempotent ? .seconds(86_400) : nil))
    }

    mutating func run() {
        for _ in 0..<250 { step() }
        settle()
        check()
    }

    // MARK: The safety phase

    mutating func step() {
        pass(.milliseconds(Int64.random(in: 0...800, using: &random)))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: act()
        case 14..<18: open()
        case 18..<21:
            isOpen = false
            give(.subscription(isOpen: false))
        case 21..<27: recover()
        case 27..<60: deliver(isFair: false)
        case 60..<75: store(isFair: false)
        case 75..<88: echo(isFair: false)
        case 88..<98: fireTimers()
        default: kill()
        }
    }

    mutating func act() {
        let known = outbox.items.filter { $0.work.isMessage }.map(\.id)
        let some = known.randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            guard nextKey < 200 else { return }
            nextKey += 1
            give(.submit(.key(nextKey), .send([.text("\(nextKey)")])))
            #expect(
                outbox.unsent.contains { $0.clientID == .key(nextKey) }, "seed \(seed): no echo")
        case 9..<12:
            guard let some else { return }
            nextKey += 1
            give(.submit(.key(nextKey), .edit(.local(some), [.text("edit \(nextKey)")])))
        case 12..<14:
            guard let message = messages.randomElement(using: &random) else { return }
            nextKey += 1
            give(.submit(.key(nextKey), .react(.sent(message.id), emoji: "👍", true)))
        case 14..<15:
            guard let some else { return }
            give(.cancel(some))
        case 15..<18:
            guard let some else { return }
            // Retrying what is unconfirmed may double it, and the person knows; this person only
            // does so where the backend has keys.
            let item = outbox.items.first { $0.id == some }
            if case .unconfirmed? = item?.state, !isIdempotent { return }
            retried.insert(some)
            give(.retry(some))
        default:
            guard let some, let item = outbox.items.first(where: { $0.id == some }) else { return }
            switch item.state {
            case .failed, .unconfirmed:
                discarded.insert(some)
                give(.discard(some))
            case .waiting, .accepted, .outcomeUnknown: return
            }
        }
    }

    mutating func open() {
        isOpen = true
        needsRecovery = true
        give(.subscription(isOpen: true))
    }

    /// A recovery that sees all that the server has.
    mutating func recover() {
        guard isOpen, needsRecovery else { return }
        needsRecovery = false
        for message in messages { give(.observed(message)) }
        give(.recovered(begunAt: now))
    }

    mutating func deliver(isFair: Bool) {
        guard let place = network.indices.randomElement(using: &random) else { return }
        let request = network.remove(at: place)
        func failure(_ code: BackendFailure.Code) -> Result<MutationAnswer, BackendFailure> {
            .failure(BackendFailure(code, "the network of a test"))
        }
        let fate = isFair ? 0 : Int.random(in: 0..<20, using: &random)
        switch fate {
        case 0..<8: answer(request, perform(request.mutation))
        case 8: answer(request, failure(.unreachable))
        case 9: answer(request, failure(.rateLimited))
        case 10: answer(request, failure(.rejected))
        case 11: answer(request, failure(.outcomeUnknown))
        case 12:
            if case .success = perform(request.mutation) { answer(request, .success(.accepted)) }
        case 13..<16:
            // It took effect, and the answer was lost.
            _ = perform(request.mutation)
            answer(request, failure(fate == 13 ? .serverError : .outcomeUnknown))
        default:
            // The client gives up, and a send is still on its way.
            answer(request, failure(.outcomeUnknown))
            if case .send = request.mutation {
                network.append(Request(attempt: nil, mutation: request.mutation))
            }
        }
    }

    mutating func answer(
        _ request: Request, _ result: Result<MutationAnswer, BackendFailure>
    ) {
        guard let attempt = request.attempt else { return }
        give(.performed(attempt, result))
    }

    mutating func store(isFair: Bool) {
        guard !commits.isEmpty else { return }
        let commit = commits.removeFirst()
        if !isFair, Int.random(in: 0..<8, using: &random) == 0 {
            give(.commitFailed(commit.id))
        } else {
            record.apply(commit)
            give(.committed(commit.id))
        }
    }

    mutating func echo(isFair: Bool) {
        guard !echoes.isEmpty else { return }
        let message = echoes.removeFirst()
        if isOpen, isFair || Int.random(in: 0..<3, using: &random) > 0 {
            give(.observed(message))
        }
    }

    mutating func fireTimers() {
        for timer in OutboxTimer.allCases {
            guard let due = timers[timer], due <= now else { continue }
            timers[timer] = nil
            give(.timer(timer))
        }
    }

    /// The process ends; what is on its way may still arrive.
    mutating func kill() {
        outbox = Outbox(
            user: OutboxRig.user,
            capabilities: OutboxRig.capabilities(isIdempotent ? .seconds(86_400) : nil),
            resuming: record)
        commits = []
        timers = [:]
        isOpen = false
        for place in network.indices { network[place].attempt = nil }
        network.removeAll { if case .send = $0.mutation { false } else { true } }
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        wall = wall.advanced(by: duration)
    }

    // MARK: The core

    mutating func give(_ input: OutboxInput) {
        let effects = outbox.handle(input, at: now, wall: wall, using: &coreRandom)
        trace += effects
        for item in outbox.items {
            switch item.state {
            case .failed, .unconfirmed: wasStuck.insert(item.id)
            case .waiting, .accepted, .outcomeUnknown: break
            }
        }
        for effect in effects {
            switch effect {
            case .commit(let commit): commits.append(commit)
            case .perform(let attempt, let mutation):
                if case .send(let draft) = mutation {
                    let item = record.items.first { $0.id == draft.clientID }
                    #expect(
                        item?.mayBeStored == true && item?.work == .send(draft.content),
                        "seed \(seed): a byte left before it was stored")
                }
                #expect(
                    !network.contains { $0.attempt != nil }, "seed \(seed): two on their way")
                network.append(Request(attempt: attempt, mutation: mutation))
            case .abandon(let attempt):
                for place in network.indices where network[place].attempt == attempt {
                    network[place].attempt = nil
                }
            case .accepted(let id): accepted.append(id)
            case .cancelled(let id): cancelled.insert(id)
            case .setTimer(let timer, let due): timers[timer] = due
            case .cancelTimer(let timer): timers[timer] = nil
            case .requestRecovery: needsRecovery = true
            case .refused, .settled, .learned, .publish: break
            }
        }
    }

    // MARK: The server

    mutating func perform(_ mutation: Mutation) -> Result<MutationAnswer, BackendFailure> {
        switch mutation {
        case .send(let draft):
            if isIdempotent, let known = messages.first(where: { $0.clientID == draft.clientID }) {
                return .success(.stored(known))
            }
            messages.append(
                Message(
                    id: MessageID(UInt128(messages.count + 1)), author: OutboxRig.user,
                    clientID: draft.clientID, sentAt: wall, content: draft.content))
            return changed(messages.count - 1)
        case .edit(let id, let content):
            guard let place = place(id), !messages[place].isDeleted else { return notFound }
            messages[place].content = content
            return changed(place)
        case .delete(let id):
            guard let place = place(id), !messages[place].isDeleted else { return notFound }
            messages[place].isDeleted = true
            messages[place].content = []
            return changed(place)
        case .react(let id, let emoji, let isPut):
            guard let place = place(id), !messages[place].isDeleted else { return notFound }
            messages[place].reactions =
                isPut ? [Reaction(emoji: emoji, users: [OutboxRig.user])] : []
            return changed(place)
        }
    }

    var notFound: Result<MutationAnswer, BackendFailure> {
        .failure(BackendFailure(.notFound, "no such message"))
    }

    func place(_ id: MessageID) -> Int? { messages.firstIndex { $0.id == id } }

    mutating func changed(_ place: Int) -> Result<MutationAnswer, BackendFailure> {
        echoes.append(messages[place])
        return .success(.stored(messages[place]))
    }

    // MARK: The liveness phase and the promise

    mutating func settle() {
        open()
        for _ in 0..<100 {
            pass(.seconds(5))
            while !commits.isEmpty { store(isFair: true) }
            while !network.isEmpty { deliver(isFair: true) }
            while !echoes.isEmpty { echo(isFair: true) }
            needsRecovery = true
            recover()
            fireTimers()
        }
    }

    func check() {
        for key in accepted where !discarded.contains(key) {
            let copies = messages.filter { $0.clientID == key }
            let item = outbox.items.first { $0.id == key }
            #expect(copies.count <= 1, "seed \(seed): \(key) is there \(copies.count) times")
            if cancelled.contains(key) {
                // A deletion that the server refuses is kept, and shown as failed.
                let isGone = copies.allSatisfy(\.isDeleted)
                #expect(isGone || item != nil, "seed \(seed): \(key) was cancelled and is there")
            }
            switch item?.state {
            case nil, .failed, .unconfirmed: break
            case .waiting, .accepted, .outcomeUnknown:
                // Only what waits for a message that waits for the person may still be here.
                #expect(
                    item?.work.isMessage == false, "seed \(seed): \(key) is stuck: \(item as Any)")
            }
        }
        let sent = messages.compactMap(\.clientID).filter {
            !wasStuck.contains($0) && !cancelled.contains($0)
        }
        #expect(sent == sent.sorted { $0.number < $1.number }, "seed \(seed)")
        // A send that was accepted, and neither taken back nor given up, is there or is shown.
        for key in accepted
        where !discarded.contains(key) && !cancelled.contains(key) && sends.contains(key) {
            #expect(
                messages.contains { $0.clientID == key } || outbox.items.contains { $0.id == key },
                "seed \(seed): \(key) is lost")
        }
    }

    /// The keys of messages, as against those of changes.
    var sends: Set<ClientMessageID> {
        var keys: Set<ClientMessageID> = []
        for effect in trace {
            guard case .commit(let commit) = effect else { continue }
            for item in commit.puts where item.work.isMessage { keys.insert(item.id) }
        }
        return keys
    }
}

extension OutboxWork {
    fileprivate var isMessage: Bool { if case .send = self { true } else { false } }
}
