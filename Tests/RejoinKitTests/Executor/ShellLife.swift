import RejoinContracts
import RejoinKit
import RejoinModel
import RejoinPipeline
import RejoinSync
import RejoinTime
import RejoinTransport
import RejoinWire
import Synchronization

/// One device's life in virtual time: the real shells against a backend in memory, with everything
/// that a person, a network and a phone do at once, drawn from a seed.
final class ShellLife: Sendable {
    static let rooms = [RoomID("lobby"), RoomID("cellar")]
    static let ann = UserID("ann")
    static let ben = UserID("ben")

    let seed: UInt64
    let time = VirtualTime(wallNow: WallTime(milliseconds: 1_700_000_000_000))
    let backend = ModelBackend()
    let network: ModelNetwork
    let sockets: ModelSockets
    let client: ChatClient
    /// What `send` has returned for, by room.
    let accepted = Mutex<[RoomID: [String]]>([:])

    init(seed: UInt64, pipeline: PipelineVariant) {
        self.seed = seed
        network = ModelNetwork(time: time, seed: seed ^ 1)
        let account = backend.account(Self.ann)
        sockets = ModelSockets(account, over: network)
        var configuration = ChatConfiguration(user: Self.ann, endpoints: ["ws://chat.example/ws"])
        configuration.capabilities = backend.capabilities
        configuration.sending = seed.isMultiple(of: 3) ? .socket : .rest
        client = ChatClient(
            configuration: configuration,
            services: ChatServices(
                format: ReferenceFormat(), exchange: ModelExchange(account, over: network),
                connector: sockets.connector, credentials: FixedCredentials(.bearer("ann")),
                selector: FixedPipelineSelector(pipeline), time: time,
                random: SeededGenerator(seed: seed ^ 2)))
    }

    /// Runs the client while `body` goes on, and then ends it.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        for room in Self.rooms {
            await backend.createRoom(room, users: [Self.ann, Self.ben])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [sockets] in await sockets.run() }
            group.addTask { [client] in await client.run() }
            try await body()
            group.cancelAll()
        }
    }

    // MARK: Trouble

    /// Everything at once.
    func trouble() async {
        await withDiscardingTaskGroup { group in
            var random = SeededGenerator(seed: seed)
            for room in Self.rooms {
                group.addTask { [random = random.fork()] in await self.write(in: room, random) }
                group.addTask { [random = random.fork()] in await self.answer(in: room, random) }
            }
            group.addTask { [random = random.fork()] in await self.breakThings(random) }
            group.addTask { [random = random.fork()] in await self.moveAbout(random) }
            group.addTask { [random = random.fork()] in await self.push(random) }
        }
    }

    private func pause(_ random: inout SeededGenerator, upTo seconds: Int = 20) async {
        let wait = Int.random(in: 0...(seconds * 1_000), using: &random)
        try? await time.sleep(for: .milliseconds(wait))
    }

    /// Opens the room, writes, reads, and closes it again, some of it in tasks that are cancelled.
    private func write(in id: RoomID, _ generator: SeededGenerator) async {
        var random = generator
        for number in 1...8 {
            guard let room = try? await client.room(id) else { return }
            let text = "ann \(number) in \(id.rawValue)"
            if await isAccepted(text, by: room, isCancelled: number == 5) {
                accepted.withLock { $0[id, default: []].append(text) }
            }
            await pause(&random)
            if let last = await room.snapshot?.timeline.messages.last?.id {
                await room.markRead(through: last)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { await room.close() }
        }
    }

    private func isAccepted(_ text: String, by room: ChatRoom, isCancelled: Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    try await room.send(text)
                    return true
                } catch {
                    return false
                }
            }
            if isCancelled { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func answer(in id: RoomID, _ generator: SeededGenerator) async {
        var random = generator
        for number in 1...8 {
            await pause(&random)
            await post("ben \(number)", in: id)
        }
    }

    private func breakThings(_ generator: SeededGenerator) async {
        var random = generator
        for _ in 1...6 {
            await pause(&random, upTo: 30)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: network.drop()
            case 1: network.goSilent()
            case 2:
                network.setDown(true)
                await pause(&random)
                network.setDown(false)
                await client.networkPathChanged(isSatisfied: true)
            default:
                await client.networkPathChanged(isSatisfied: false)
                await client.reconnect()
            }
        }
    }

    private func moveAbout(_ generator: SeededGenerator) async {
        var random = generator
        await client.enterForeground()
        for _ in 1...6 {
            await pause(&random, upTo: 30)
            if Bool.random(using: &random) {
                // Two calls that cross.
                async let leaving: Void = client.suspend()
                async let coming: Void = client.enterForeground()
                _ = await (leaving, coming)
            } else {
                await client.suspend()
                await pause(&random)
                await client.enterForeground()
            }
        }
    }

    private func push(_ generator: SeededGenerator) async {
        var random = generator
        for _ in 1...4 {
            await pause(&random, upTo: 40)
            guard let room = Self.rooms.randomElement(using: &random) else { return }
            _ = await client.handlePush(room: room)
        }
    }

    // MARK: Peace

    /// Ben writes, by a way that never fails.
    func post(_ text: String, in id: RoomID) async {
        let number = UInt64(text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        var values = WireValues(seed: number ^ UInt64(id.rawValue.utf8.count))
        let draft = MessageDraft(clientID: values.clientID(), content: [.text(text)])
        _ = try? await backend.perform(.send(id, draft), as: Self.ben)
    }

    /// After the last trouble everything is shown, once and in order, and everything accepted is
    /// stored.
    func peace() async throws {
        network.heal()
        await client.networkPathChanged(isSatisfied: true)
        await client.enterForeground()
        await client.reconnect()
        for id in Self.rooms {
            let room = try await client.room(id)
            await post("the end", in: id)
            try await settle(room)
            let stored = try await messages(in: id)
            let shown = await room.snapshot
            try require(
                shown?.timeline.messages.map(\.id) == stored.map(\.id), "shells.complete",
                expected: "\(stored.map(\.id)) in \(id)", got: "\(shown?.timeline.items ?? [])",
                whoIsHurt: "ann")
            let texts = stored.filter { $0.author == Self.ann }.compactMap(\.text)
            let sent = accepted.withLock { $0[id] ?? [] }
            try require(
                texts.sorted(), equals: sent.sorted(), "shells.sent-once", whoIsHurt: "ben")
        }
        try require(
            network.overlaps, equals: 0, "shells.one-socket",
            whoIsHurt: "a server that sees one person twice")
    }

    /// Waits until a room is up to date, shows Ben's last word and has nothing unsent.
    private func settle(_ room: ChatRoom) async throws {
        let isSettled = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await update in room.updates where update.snapshot.recovery == .upToDate {
                    let timeline = update.snapshot.timeline
                    // Like history that was never scrolled to, what was missed before the first
                    // own message may be a gap: it is visible, and fills when asked.
                    for gap in timeline.gaps where gap.state == .known { await room.fill(gap) }
                    let hasEnd = timeline.messages.contains { $0.text == "the end" }
                    guard hasEnd, timeline.gaps.isEmpty, update.snapshot.unsent.isEmpty
                    else { continue }
                    return true
                }
                return false
            }
            group.addTask {
                try? await self.time.sleep(for: .seconds(900))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard !isSettled else { return }
        let snapshot = await room.snapshot
        throw ContractFailure(
            check: "shells.converges", expected: "\(room.id) up to date within 15 minutes",
            got: snapshot.map { "\($0.recovery), \($0.unsent.count) unsent, \($0.timeline.gaps)" }
                ?? "closed",
            whoIsHurt: "ann, who still waits")
    }

    private func messages(in id: RoomID) async throws -> [Message] {
        guard
            case .history(let page) = try await backend.perform(
                .history(id, .newest, limit: 200), as: Self.ann)
        else { return [] }
        return page.messages
    }
}
