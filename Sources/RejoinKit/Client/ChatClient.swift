internal import Foundation
public import RejoinModel
internal import RejoinPipeline
internal import RejoinReadState
internal import RejoinStore
public import RejoinSync
internal import RejoinTime
public import RejoinTransport
internal import RejoinWire

/// The chat module as a host sees it: one client per signed-in person.
///
/// It is a shell. It turns sockets, clocks, stores and the host's calls into inputs of the rooms'
/// cores and executes their effects in order. All of its work happens in child tasks of ``run()``,
/// so that cancelling that one call ends everything.
///
/// ```swift
/// let client = ChatClient(configuration: configuration, services: services)
/// async let running: Void = client.run()
/// await client.enterForeground()
/// let room = try await client.room(RoomID("general"))
/// for await update in room.updates { show(update) }
/// ```
public actor ChatClient {
    /// The state of the connection, for any number of consumers; fit to be shown to a person.
    public nonisolated let connectionUpdates: StompStatusUpdates
    /// What happens to the rollout of pipelines, for any number of consumers.
    public nonisolated let rolloutEvents = RolloutEvents()
    /// The backend's REST half, for what is not a conversation: lists of rooms, capabilities.
    public nonisolated let backend: RESTBackend

    let configuration: ChatConfiguration
    let services: ChatServices
    let stomp: StompClient
    let sender: any MessageSender
    private var random: any RandomNumberGenerator & Sendable

    /// Effects under way per room are a handful; the limit leaves room for all of them.
    let work: TaskQueue
    private var isRunning = false
    private var hasEnded = false
    var timers = TimerTable<TimerKey>()
    var fetches: FetchScheduler

    var rooms: [RoomID: OpenRoom] = [:]
    /// What is on its way to the store, by room; a room without commits has no line.
    var lines: [RoomID: CommitLine] = [:]
    private var openings: UInt64 = 0
    var isForeground = false
    /// Whether the guard knows that the refactored pipeline serves in this foreground run.
    private var isServedRun = false
    /// Who waits until a room, or everything, is settled.
    private var settleWaiters: [SettleWaiter] = []
    /// Numbers those who wait.
    private var tickets: UInt64 = 0
    var counters = ChatMetrics()

    enum TimerKey: Hashable {
        case room(RoomID, RoomTimer)
        case settling(UInt64)
    }

    private struct SettleWaiter {
        let ticket: UInt64
        /// `nil`: all rooms.
        let room: OpenRoom?
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Creates a client that does nothing before ``run()``.
    public init(configuration: ChatConfiguration, services: ChatServices) {
        self.configuration = configuration
        self.services = services
        let desk = CredentialsDesk(services.credentials)
        stomp = StompClient(
            configuration: configuration.stomp, connector: services.connector,
            credentials: SocketCredentials(desk: desk), time: services.time,
            random: services.random)
        connectionUpdates = stomp.statusUpdates
        let rest = RESTBackend(
            format: services.format, exchange: services.exchange, desk: desk,
            timeout: configuration.requestTimeout,
            maximumBytes: configuration.maximumAnswerBytes)
        backend = rest
        switch configuration.sending {
        case .rest: sender = rest
        case .socket: sender = SocketSender(stomp: stomp, format: services.format, rest: rest)
        }
        random = services.random
        work = TaskQueue(limit: 64 * (configuration.openRoomLimit + 1))
        fetches = FetchScheduler(limit: configuration.parallelFetches)
    }

    // MARK: - Running

    /// Does all of the client's work until the task is cancelled; call it once. Then every room is
    /// closed and every sequence has ended. What was accepted stays in the store.
    ///
    /// The other calls may come earlier, because nobody can tell when a task begins: they wait for
    /// this one, so a client that is never run never sends.
    public func run() async {
        isRunning = true
        await withDiscardingTaskGroup { group in
            group.addTask { await self.stomp.run() }
            group.addTask { await self.work.run() }
            if let rollout = services.rollout {
                group.addTask { [rolloutEvents] in
                    await rollout.run {
                        await self.selectionChanged()
                    } tell: {
                        rolloutEvents.broadcast.send($0)
                    }
                }
            }
        }
        isRunning = false
        hasEnded = true
        let abandoned = lines.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        lines = [:]
        for room in rooms.values.sorted(by: { $0.opening < $1.opening }) { end(room) }
        for line in abandoned { leave(line) }
        for waiter in settleWaiters { waiter.continuation.resume() }
        settleWaiters = []
        rolloutEvents.broadcast.finish()
    }

    // MARK: - The app's life

    /// The app has come to the foreground, or a program without one starts: connects, and every
    /// open room catches up. Each call starts a room session, for which the pipeline is chosen
    /// anew.
    public func enterForeground() async {
        isForeground = true
        await alignSocket()
        guard isForeground else { return }
        for room in roomsByPriority { receive(.foreground(decision(for: room.id)), in: room) }
        noteServedRun()
    }

    /// Tells the guard once in a foreground run that the refactored pipeline serves in it.
    private func noteServedRun() {
        guard let rollout = services.rollout, isForeground, !isServedRun,
            rooms.values.contains(where: { $0.session.variant == .refactored })
        else { return }
        isServedRun = true
        rollout.learn(.foreground)
    }

    /// The app has left the foreground and may be suspended when this returns: read positions are
    /// sent, commits stored, and the socket is closed. Returns within
    /// ``ChatConfiguration/suspendTimeout`` and the socket's own time for a farewell in every case;
    /// what could not be sent is stored and sent later. A return to the foreground meanwhile keeps
    /// the socket.
    public func suspend() async {
        isForeground = false
        if isServedRun { services.rollout?.learn(.background) }
        isServedRun = false
        for room in roomsByPriority { receive(.background, in: room) }
        await settle()
        guard !isForeground else { return }
        await alignSocket()
    }

    /// Brings the socket to where the app is. The app may have moved on whenever this has waited:
    /// the last word counts, in whatever order the calls got through.
    private func alignSocket() async {
        var reached: Bool
        repeat {
            reached = isForeground
            if reached {
                await stomp.enterForeground()
                await stomp.connect()
            } else {
                await stomp.enterBackground()
                await stomp.disconnect()
            }
        } while reached != isForeground
    }

    /// The system's opinion of the network has changed.
    public func networkPathChanged(isSatisfied: Bool) async {
        await stomp.networkPathChanged(isSatisfied: isSatisfied)
        guard isSatisfied else { return }
        for room in roomsByPriority { receive(.trigger(.networkRestored), in: room) }
    }

    /// Connects again after a stop: the person signed in anew, or pressed "try again".
    public func reconnect() async {
        await stomp.connect()
    }

    /// A push notification named a room: catches up by REST, whether or not there is a socket, so
    /// that the message is there when the person opens the app.
    ///
    /// Returns within ``ChatConfiguration/pushTimeout``.
    public func handlePush(room id: RoomID) async -> RecoveryOutcome {
        let room: OpenRoom
        do throws(ChatError) {
            room = try await hold(id, forPush: true)
        } catch {
            return .failed(BackendFailure(.cancelled, error.description), retryAt: nil)
        }
        room.pushes += 1
        let opening = room.opening
        tickets += 1
        let ticket = tickets
        let outcome = await withTaskGroup(of: RecoveryOutcome?.self) { group in
            group.addTask { await self.recover(id, opening, by: .push, ticket) }
            group.addTask { [services, configuration] in
                let deadline = services.time.now.advanced(by: configuration.pushTimeout)
                try? await services.time.sleep(until: deadline)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if first == nil { self.giveUpWaiting(ticket, in: id) }
            return first
        }
        room.pushes -= 1
        if room.pushes == 0, room.isForPush, rooms[id]?.opening == opening { await close(id) }
        return outcome
            ?? .failed(
                BackendFailure(.cancelled, "catching up took longer than the push allows"),
                retryAt: nil)
    }

    /// The selector's choice may have changed: a rollback takes effect in every room at once, a
    /// ramp with the next room session.
    public func selectionChanged() {
        for room in roomsByPriority {
            // It decides nothing unless it is a rollback, which the session tells as a handover.
            let context = selectionContext(of: room.id)
            let selection =
                services.rollout?.selection(for: context)
                ?? services.selector.selection(for: context)
            receive(.selection(selection), in: room)
        }
    }

    // MARK: - Rooms

    /// Opens a room, or returns it where it is open.
    ///
    /// - Throws: ``ChatError``: `limit_reached`, `store_unavailable`, or `closed` once the client
    ///   has ended.
    public func room(_ id: RoomID) async throws(ChatError) -> ChatRoom {
        let room = try await hold(id, forPush: false)
        return ChatRoom(id: room.id, client: self, hub: room.hub)
    }

    /// Opens a room where it is not open. For a push it is not on screen, and closes again unless
    /// somebody asks for it meanwhile.
    private func hold(_ id: RoomID, forPush: Bool) async throws(ChatError) -> OpenRoom {
        while true {
            if let room = rooms[id], !room.isClosing {
                return claim(room, forPush: forPush)
            }
            // What an earlier opening has on its way belongs to the checkpoint.
            await allStored(of: id)
            if let room = rooms[id] {
                guard room.isClosing else {
                    return claim(room, forPush: forPush)
                }
                end(room)
            }
            let before = openings
            let checkpoint: RoomCheckpoint
            do {
                checkpoint = try await services.store.checkpoint(of: id) ?? RoomCheckpoint()
            } catch {
                throw ChatError(.storeUnavailable, error.description)
            }
            guard !hasEnded else { throw ChatError(.closed, "the client does not run any more") }
            // Another task may have opened the room meanwhile, and even closed it again.
            guard openings == before else { continue }
            guard rooms.count < configuration.openRoomLimit else {
                throw ChatError(
                    .limitReached,
                    "\(configuration.openRoomLimit) rooms are open; close one before opening "
                        + "another")
            }
            // What an opening starts waits for `run()`, in a queue that has its limit.
            guard isRunning || openings < UInt64(configuration.openRoomLimit) else {
                throw ChatError(
                    .limitReached,
                    "\(configuration.openRoomLimit) rooms were opened before run(); call it first")
            }
            return await open(id, from: checkpoint, forPush: forPush)
        }
    }

    private func claim(_ room: OpenRoom, forPush: Bool) -> OpenRoom {
        if !forPush, room.isForPush {
            room.isForPush = false
            setOnScreen(true, room.id)
        }
        return room
    }

    /// Summaries of all rooms of the person, as the server has them.
    ///
    /// - Throws: ``BackendFailure``.
    public func roomSummaries() async throws(BackendFailure) -> [RoomSummary] {
        guard case .rooms(let summaries) = try await backend.answer(.rooms) else { return [] }
        return summaries
    }

    /// What has happened since the client was created, in numbers.
    public var metrics: ChatMetrics { counters }

    private func open(_ id: RoomID, from checkpoint: RoomCheckpoint, forPush: Bool) async
        -> OpenRoom
    {
        openings += 1
        let session = RoomSession(
            resuming: checkpoint, selection: decision(for: id), registry: services.pipelines,
            pipeline: PipelineConfiguration(
                room: id, user: configuration.user, capabilities: configuration.capabilities,
                recovery: configuration.recovery, windowLimit: configuration.windowLimit,
                seed: random.next()),
            outbox: configuration.outbox, reads: configuration.reads)
        let room = OpenRoom(
            id: id, opening: openings, session: session)
        room.isForPush = forPush
        rooms[id] = room
        if forPush { setOnScreen(false, id) }
        if isForeground { receive(.foreground(decision(for: id)), in: room) }
        noteServedRun()
        let opening = openings
        let destination = services.format.destination(of: id)
        let subscription = await stomp.subscribe(
            destination, buffering: .bounded(configuration.eventBuffer))
        guard rooms[id]?.opening == opening, !room.isClosing, !room.isRefused else {
            await stomp.unsubscribe(subscription)
            return room
        }
        room.subscription = subscription
        work.add { await self.follow(subscription, destination, id, opening) }
        return room
    }

    func close(_ id: RoomID) async {
        guard let room = rooms[id], !room.isClosing else { return }
        room.isClosing = true
        let opening = room.opening
        receive(.close, in: room)
        if let subscription = room.subscription { await stomp.unsubscribe(subscription) }
        await settle(room)
        guard let room = rooms[id], room.opening == opening else { return }
        end(room)
    }

    private func end(_ room: OpenRoom) {
        rooms[room.id] = nil
        room.isEnded = true
        timers.cancelAll {
            guard case .room(room.id, _) = $0 else { return false }
            return true
        }
        fetches.cancelAll(in: room.id)
        room.hub.finish()
        // Commits on their way go on, and decide what becomes of the submissions in them.
        if lines[room.id] == nil { giveUpSubmissions(of: room) }
        let failure = BackendFailure(.cancelled, "the room was closed before it had caught up")
        finishRecoveries(of: room, as: .failed(failure, retryAt: nil))
        noteSettlement()
    }

    private func giveUpSubmissions(of room: OpenRoom) {
        let error = ChatError(.closed, "the room was closed before the store had the message")
        for id in room.submissions.keys.sorted(by: { $0.description < $1.description }) {
            room.submissions.removeValue(forKey: id)?.resume(returning: error)
        }
    }

    /// Waits until nothing of a room is on its way to the store.
    private func allStored(of id: RoomID) async {
        while lines[id] != nil {
            await withCheckedContinuation { lines[id]?.waiters.append($0) }
        }
    }

    /// A room's commits are all stored, or given up.
    func leave(_ line: CommitLine) {
        for room in line.ended { giveUpSubmissions(of: room) }
        for waiter in line.waiters { waiter.resume() }
    }

    func setOnScreen(_ isOnScreen: Bool, _ id: RoomID) {
        guard let room = rooms[id] else { return }
        room.isOnScreen = isOnScreen
        receive(.shown(isOnScreen), in: room)
    }

    /// Looks at a room's session; `nil` where the room is not open.
    func read<Value: Sendable>(_ id: RoomID, _ look: @Sendable (RoomSession) -> Value) -> Value? {
        rooms[id].map { look($0.session) }
    }

    private var roomsByPriority: [OpenRoom] {
        rooms.values.sorted {
            ($0.isOnScreen ? 0 : 1, $0.opening) < ($1.isOnScreen ? 0 : 1, $1.opening)
        }
    }

    var onScreen: Set<RoomID> {
        Set(rooms.values.lazy.filter(\.isOnScreen).map(\.id))
    }

    /// The choice for a room session that begins.
    private func decision(for room: RoomID) -> PipelineSelection {
        let context = selectionContext(of: room)
        return services.rollout?.decision(for: context)
            ?? services.selector.selection(for: context)
    }

    func selectionContext(of room: RoomID) -> SelectionContext {
        SelectionContext(
            user: configuration.user, room: room, hostProduct: configuration.hostProduct,
            appVersion: configuration.appVersion)
    }

    // MARK: - What people do

    /// Hands work to the outbox and waits until the store has it.
    func submit(_ work: OutboxWork, in id: RoomID) async throws(ChatError) -> ClientMessageID {
        let item = ClientMessageID(random.uuid())
        let error: ChatError? = await withCheckedContinuation { continuation in
            guard let room = rooms[id], !room.isClosing, !hasEnded else {
                continuation.resume(
                    returning: ChatError(.closed, "the room is closed; open it before sending"))
                return
            }
            room.submissions[item] = continuation
            receive(.submit(item, work), in: room)
        }
        if let error { throw error }
        return item
    }

    private func recover(
        _ id: RoomID, _ opening: UInt64, by trigger: RecoveryTrigger, _ ticket: UInt64
    ) async -> RecoveryOutcome? {
        // A task that is cancelled already has nobody left who would call its wait off.
        guard let room = rooms[id], room.opening == opening, !Task.isCancelled else { return nil }
        return await withCheckedContinuation { continuation in
            room.recoveries.append((ticket, continuation))
            receive(.trigger(trigger), in: room)
        }
    }

    private func giveUpWaiting(_ ticket: UInt64, in id: RoomID) {
        guard let room = rooms[id],
            let index = room.recoveries.firstIndex(where: { $0.ticket == ticket })
        else { return }
        let failure = BackendFailure(.cancelled, "catching up took too long")
        room.recoveries.remove(at: index).continuation
            .resume(returning: .failed(failure, retryAt: nil))
    }

    func finishRecoveries(of room: OpenRoom, as outcome: RecoveryOutcome) {
        let waiters = room.recoveries
        room.recoveries = []
        for waiter in waiters { waiter.continuation.resume(returning: outcome) }
    }

    // MARK: - Settling

    /// Waits until nothing of a room, or of all, would be lost by a suspension, for a bounded time.
    /// The time is kept by ``run()``, so that it holds in a caller's task that is cancelled too.
    private func settle(_ room: OpenRoom? = nil) async {
        guard isRunning, !isSettled(room) else { return }
        tickets += 1
        let ticket = tickets
        setTimer(
            .settling(ticket), to: services.time.now.advanced(by: configuration.suspendTimeout))
        await withCheckedContinuation {
            settleWaiters.append(SettleWaiter(ticket: ticket, room: room, continuation: $0))
        }
        timers.cancel(.settling(ticket))
    }

    private func isSettled(_ room: OpenRoom?) -> Bool {
        guard let room else { return lines.isEmpty && rooms.values.allSatisfy(\.isSettled) }
        return room.isEnded || lines[room.id] == nil && room.isSettled
    }

    func stopWaiting(_ ticket: UInt64) {
        guard let index = settleWaiters.firstIndex(where: { $0.ticket == ticket }) else { return }
        settleWaiters.remove(at: index).continuation.resume()
    }

    func noteSettlement() {
        guard !settleWaiters.isEmpty else { return }
        for waiter in settleWaiters where isSettled(waiter.room) { stopWaiting(waiter.ticket) }
    }
}
