internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport
internal import RejoinWire

// A process: what goes into its cores, and its life from start to kill.

extension World {
    // MARK: The edge of the cores

    /// Hands an input to a process and does what follows from it. Inputs that come while effects
    /// are executed wait their turn, as in an actor.
    func give(_ input: Device.Input, to device: Device) {
        guard device.power == .running else { return }
        guard !device.isDraining else { return device.inbox.append(input) }
        device.isDraining = true
        let life = device.life
        take(input, in: device)
        var next = 0
        while device.life == life, next < device.inbox.count {
            next += 1
            take(device.inbox[next - 1], in: device)
        }
        if !device.inbox.isEmpty { device.inbox.removeAll(keepingCapacity: true) }
        device.isDraining = false
        if device.life == life, device.isClosingRooms { endSettledRooms(of: device) }
        if device.life == life, device.isSuspending, device.isSettled { finishSuspension(device) }
    }

    private func take(_ input: Device.Input, in device: Device) {
        switch input {
        case .stomp(let input): handle(input, in: device)
        case .room(let room, let input):
            if !device.rooms[room].isEnded { handle(input, room, in: device) }
        }
    }

    /// The one place at which the transport's core is entered and left.
    private func handle(_ input: StompSession.Input, in device: Device) {
        guard device.isMutated else { return run(input, in: device) }
        for input in device.mutant?.rewrite(input, at: now) ?? [] { run(input, in: device) }
    }

    private func run(_ input: StompSession.Input, in device: Device) {
        let life = device.life
        var effects = device.stomp.handle(input, at: now, using: &device.random)
        if device.isMutated { effects = device.mutant?.rewrite(effects, at: now) ?? effects }
        for effect in effects {
            guard !isKilled(device) else { return }
            execute(effect, in: device)
            guard device.life == life else { return }
        }
        oracle.handled(device, in: self)
    }

    /// The one place at which a room's core is entered and left.
    private func handle(_ input: RoomInput, _ room: Int, in device: Device) {
        guard device.isMutated else { return run(input, room, in: device) }
        let id = device.rooms[room].id
        for input in device.mutant?.rewrite(input, in: id, at: now) ?? [] {
            run(input, room, in: device)
        }
    }

    private func run(_ input: RoomInput, _ index: Int, in device: Device) {
        let life = device.life
        let room = device.rooms[index]
        var effects = room.session.handle(
            input, at: now, wall: wall(of: device))
        if device.isMutated {
            effects = device.mutant?.rewrite(effects, in: room.id, at: now) ?? effects
        }
        for effect in effects {
            guard !isKilled(device) else { return }
            execute(effect, of: room, in: device)
            guard device.life == life else { return }
        }
        oracle.handled(room, device, in: self)
    }

    /// A kill strikes between any two effects.
    private func isKilled(_ device: Device) -> Bool {
        guard let left = device.killIn else { return false }
        guard left <= 0 else {
            device.killIn = left - 1
            return false
        }
        kill(device)
        return true
    }

    func wall(of device: Device) -> WallTime {
        WallTime(milliseconds: 1_800_000_000_000 + now.nanoseconds / 1_000_000)
            .advanced(by: device.wallOffset)
    }

    // MARK: Life

    func live(_ device: Device, _ step: LifeStep) {
        switch step {
        case .start: if device.power == .off { start(device) }
        case .foreground: enterForeground(device)
        case .background: suspend(device)
        case .wake: wake(device)
        case .freeze:
            guard device.power == .running, !device.isForeground, !device.isSuspending else {
                return
            }
            note(device, "is frozen in the background")
            device.power = .asleep
        case .push(let room):
            guard device.power != .off else { return }
            let wasAsleep = device.power == .asleep
            note(device, "push for \(server.rooms[room].id)")
            wake(device)
            give(.room(room, .trigger(.push)), to: device)
            if wasAsleep, !device.isForeground {
                plan(.life(device: device.index, .freeze), in: .seconds(25))
            }
        case .signIn:
            guard device.power == .running, case .stopped = device.status else { return }
            note(device, "signs in anew")
            give(.stomp(.start), to: device)
        }
    }

    /// The process starts from what the store holds, and the person sees the app.
    func start(_ device: Device) {
        note(device, "starts from the store")
        device.power = .running
        device.killIn = nil
        device.isForeground = true
        device.isSuspending = false
        device.status = .idle
        device.fetches = FetchScheduler(limit: 4)
        device.stomp = StompSession(configuration: stompConfiguration)
        device.screen = 0
        device.connects = []
        device.isClosingRooms = false
        startGuard(on: device)
        let ownUnread = device.rooms.map(\.ownUnread)
        device.rooms = device.stores.indices.map { open($0, on: device) }
        for room in device.rooms {
            if room.index < ownUnread.count { room.ownUnread = ownUnread[room.index] }
            oracle.resumed(room, device, in: self)
        }
        for room in device.echoes.indices { forgetStoredEchoes(room, on: device) }
        // The app may be killed again while it starts: each of these can be the last.
        let life = device.life
        give(.stomp(.enterForeground), to: device)
        give(.stomp(.start), to: device)
        for room in device.rooms {
            guard device.life == life else { return }
            enter(room, on: device)
        }
    }

    /// A room that was opened is entered, and subscribed to.
    func enter(_ room: DeviceRoom, on device: Device) {
        let life = device.life
        if device.isForeground {
            give(.room(room.index, .foreground(selection(on: device))), to: device)
            guard device.life == life else { return }
        }
        noteServedRun(on: device)
        if room.index != device.screen { give(.room(room.index, .shown(false)), to: device) }
        guard device.life == life else { return }
        let request = StompSubscriptionRequest(format.destination(of: room.id))
        give(.stomp(.subscribe(room.key, request)), to: device)
    }

    func open(_ index: Int, on device: Device) -> DeviceRoom {
        let id = server.rooms[index].id
        var checkpoint = device.stores[index].checkpoint
        checkpoint = device.mutant?.rewrite(checkpoint, of: id) ?? checkpoint
        let session = RoomSession(
            resuming: checkpoint, selection: selection(on: device), registry: registry,
            pipeline: PipelineConfiguration(
                room: id, user: device.user, capabilities: options.capabilities,
                recovery: options.policy, windowLimit: options.windowLimit,
                uncommittedLimit: 50, seed: device.random.next()))
        device.openings += 1
        let key = device.openings * device.stores.count + index + 1
        return DeviceRoom(
            index: index, id: id, opening: device.openings, at: now,
            key: StompSubscriptionKey(UInt64(key)), session: session)
    }

    private var stompConfiguration: StompConfiguration {
        StompConfiguration(endpoints: ["ws://chat.example/ws"])
    }

    func kill(_ device: Device) {
        note(device, "is killed")
        statistics.kills += 1
        endRun(of: device, isKilled: true)
        device.rollout.kill()
        device.life += 1
        device.power = .off
        device.killIn = nil
        device.deferred = []
        device.stompTimer = nil
        device.sends = []
        device.overflowing = 0
        device.garbled = 0
        if let socket = device.socket { letGo(of: socket) }
        device.socket = nil
        let wait = device.random.milliseconds(200...15_000)
        plan(.life(device: device.index, .start), in: wait)
    }

    func enterForeground(_ device: Device) {
        wake(device)
        guard device.power == .running else { return }
        note(device, "comes to the foreground")
        device.isForeground = true
        device.isSuspending = false
        let life = device.life
        give(.stomp(.enterForeground), to: device)
        give(.stomp(.start), to: device)
        for index in device.roomsByPriority where device.life == life {
            give(.room(index, .foreground(selection(on: device))), to: device)
        }
        guard device.life == life else { return }
        noteServedRun(on: device)
    }

    func suspend(_ device: Device) {
        guard device.power == .running, device.isForeground else { return }
        note(device, "goes to the background")
        device.isForeground = false
        endServedRun(on: device)
        let life = device.life
        for index in device.roomsByPriority where device.life == life {
            give(.room(index, .background), to: device)
        }
        guard device.life == life else { return }
        device.isSuspending = true
        plan(.suspensionOver(device: device.index, life: life), in: .seconds(5))
        if device.isSettled { finishSuspension(device) }
    }

    func finishSuspension(_ device: Device) {
        guard device.isSuspending else { return }
        device.isSuspending = false
        guard !device.isForeground else { return }
        give(.stomp(.enterBackground), to: device)
        give(.stomp(.stop), to: device)
        if options.sleepsInBackground {
            plan(.life(device: device.index, .freeze), in: .milliseconds(2_500))
        }
    }

    /// A frozen process goes on: what came meanwhile comes all at once.
    func wake(_ device: Device) {
        guard device.power == .asleep else { return }
        note(device, "wakes up")
        device.rollout.hasSlept = true
        device.power = .running
        let deferred = device.deferred
        device.deferred = []
        for happening in deferred { happen(happening) }
    }

    // MARK: Timers

    func stompTimer(_ device: Device, _ deadline: Instant) {
        guard device.stompTimer == deadline else { return }
        device.stompTimer = nil
        give(.stomp(.timePassed), to: device)
    }

    func roomTimer(_ device: Device, _ index: Int, _ timer: RoomTimer, _ deadline: Instant) {
        let room = device.rooms[index]
        guard room.timers[timer] == deadline else { return }
        room.timers[timer] = nil
        give(.room(index, .timer(timer)), to: device)
    }
}
