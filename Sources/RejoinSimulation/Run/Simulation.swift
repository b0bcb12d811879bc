internal import RejoinModel
public import RejoinPipeline
internal import RejoinStore
internal import RejoinTime

/// Runs the real cores against a simulated world, one seed at a time, in one thread and virtual
/// time: what a seed does once, it does every time, in every process and on every machine.
///
/// ```swift
/// let result = Simulation.run(seed: 7)
/// if !result.counts.isClean { print(result.violations) }
/// ```
///
/// A run has two phases. In the safety phase people chat while faults strike, and nothing may ever
/// be wrong. Then every fault ends, and within ``convergenceLimit`` everything must have come to
/// rest, alive and complete.
public enum Simulation {
    /// How long after the last fault everything must be at rest. The longest waits that may have
    /// begun just before are an attempt of the outbox (60 s), two backoffs of 30 s, and the
    /// `Retry-After` of the last refusal (30 s, and half of it again).
    public static let convergenceLimit = Duration.seconds(240)
    /// How long a new message may take to every device while nothing is wrong.
    public static let liveLimit = Duration.seconds(10)
    /// How long nothing happens at the end.
    public static let quietTime = Duration.seconds(20)

    /// Runs one seed.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline that serves all rooms, or ``PipelineVariant/flipped``.
    ///   - isTraced: Whether the story is told in ``SimulationResult/trace``.
    public static func run(
        seed: UInt64, pipeline: PipelineVariant = .refactored, isTraced: Bool = false
    ) -> SimulationResult {
        run(SimulationOptions(seed: seed), pipeline: pipeline, mutant: nil, isTraced: isTraced)
    }

    /// Runs options that may differ from what their seed drew, with a fault of our own in the
    /// cores' edges, up to the first violation if that is enough.
    package static func run(
        _ options: SimulationOptions, pipeline: PipelineVariant = .refactored,
        mutant: (any Mutant)? = nil, isTraced: Bool = false, isStoppedEarly: Bool = false
    ) -> SimulationResult {
        let world = World(options, variant: pipeline, mutant: mutant, isTraced: isTraced)
        world.isStoppedEarly = isStoppedEarly
        world.begin()
        world.advance(
            to: .origin + .seconds(options.safetySeconds), steps: options.stepLimit)
        world.heal()
        world.converge()
        world.proveLiveness()
        world.beQuiet()
        world.oracle.rest(in: world)
        world.fillGaps()
        return world.result
    }
}

extension World {
    /// Rooms with a past, devices that start, and all that will happen by itself.
    fileprivate func begin() {
        for room in server.rooms.indices {
            for _ in 0..<options.initialMessages {
                let drawn = server.rooms[room].draw(
                    author: UserID("ann"), text: "before", clientID: nil,
                    step: othersRandom.int(1...9), at: now)
                server.rooms[room].publish(drawn, at: now)
            }
        }
        for device in devices {
            let random = device.index
            plan(
                .life(device: device.index, .start),
                in: peopleRandom[random].milliseconds(0...3_000))
            plan(
                .act(device: device.index),
                in: .seconds(3) + peopleRandom[random].around(options.personMilliseconds))
        }
        plan(.othersAct, in: othersRandom.around(options.othersMilliseconds))
        planFaults()
        planFlips()
    }

    /// The last fault ends: everything works again, and people look at their devices.
    fileprivate func heal() {
        note("world", "every fault ends")
        isSafetyPhase = false
        undoAll()
        endFlips()
        server.failing = 0
        server.lateAnswers = 0
        server.lostAcknowledgements = server.lostAcknowledgements.map { _ in 0 }
        for socket in liveSockets { socket.breaksMidFrame = false }
        let needsReading = hasSilentLoss || options.reorderings > 0 || options.redeliveries > 0
        if needsReading, !options.capabilities.hasRevisions {
            // Without revisions nobody can tell that a change was dropped without a word, or came
            // after a later one. A new subscription reads the window again, and only what was read
            // again is compared.
            for socket in liveSockets { close(socket, Self.closed(1006)) }
        }
        for device in devices {
            device.killIn = nil
            device.overflowing = 0
            device.garbled = 0
            server.busyUntil[device.index] = now
            for room in device.rooms where room.isClosing {
                plan(
                    .reopening(device: device.index, life: device.life, room: room.index),
                    in: .zero)
            }
            // Where events were dropped without a word, people have to look before anybody knows
            // that there was anything to lose. A ramp waits for them too.
            let waits =
                hasSilentLoss || variant == .flipped || hasRolledBack
                || options.illness == .divergence
            if !device.isForeground || device.power == .asleep || waits {
                plan(
                    .life(device: device.index, .foreground),
                    in: peopleRandom[device.index].milliseconds(0...2_000))
            }
        }
        advance(to: now + .seconds(16))
        // What came to light by what had been wrong before.
        raiseFlagIfRolledBack()
        for device in devices
        where !device.isForeground || device.power != .running || hasRolledBack {
            plan(.life(device: device.index, .foreground), in: .zero)
        }
        // The chat goes on.
        for room in server.rooms.indices { write(in: room) }
    }

    private var unrest: [(device: Device, room: DeviceRoom, reason: String)] {
        var found: [(device: Device, room: DeviceRoom, reason: String)] = []
        for device in devices {
            for room in device.rooms where !isRefused(device, room.index) {
                guard let reason = oracle.unrest(room, device, in: self) else { continue }
                found.append((device, room, reason))
            }
        }
        return found
    }

    /// Waits until everything has come to rest.
    fileprivate func converge() {
        let deadline = now + Simulation.convergenceLimit
        repeat { advance(to: now + .seconds(2)) } while !unrest.isEmpty && now < deadline
        for (device, room, reason) in unrest {
            oracle.didNotConverge(reason, room, device, in: self)
        }
    }

    /// A new message reaches every device as long as nothing is wrong.
    fileprivate func proveLiveness() {
        for room in server.rooms.indices { write(in: room) }
        advance(to: now + Simulation.liveLimit)
        for device in devices where device.power == .running {
            for room in device.rooms where !isRefused(device, room.index) {
                guard let tip = server.rooms[room.index].tip,
                    device.stores[room.index].messages[tip] == nil
                else { continue }
                oracle.isNotLive(tip, room, device, in: self)
            }
        }
    }

    /// Nothing happens, so nothing is to be done.
    fileprivate func beQuiet() {
        // What was held back on its way is no quiet.
        advance(to: max(now, server.lastHeldAnswer) + Simulation.quietTime)
        for device in devices { for room in device.rooms { room.movements = 0 } }
        advance(to: now + Simulation.quietTime)
        for device in devices {
            for room in device.rooms
            where room.movements > 0 && !isRefused(device, room.index) {
                oracle.isRestless(room.movements, room, device, in: self)
            }
        }
    }

    /// Somebody scrolls up through all gaps; afterwards nothing is missing at all. One device in
    /// one run of four: it takes long.
    fileprivate func fillGaps() {
        guard endsRefactored, options.seed % 4 == 0,
            let device = devices.first(where: { !isRefused($0, 0) && $0.power == .running })
        else { return }
        let room = device.rooms[0]
        note(device, "scrolls up to the beginning of \(room.id)")
        give(.room(0, .load(.newest)), to: device)
        advance(to: now + .seconds(4))
        var steps = 0
        while steps < 400 {
            steps += 1
            let snapshot = room.session.snapshot.timeline
            if let gap = snapshot.gaps.last(where: { $0.state != .unrecoverable }) {
                give(.room(0, .approach(gap)), to: device)
            } else if snapshot.hasOlder, let first = snapshot.messages.first {
                give(.room(0, .load(.before(first.id))), to: device)
            } else {
                break
            }
            advance(to: now + .seconds(4))
        }
        for entry in server.rooms[0].kept
        where device.stores[0].messages[entry.message.id] == nil {
            oracle.cannotFill(entry.message.id, room, device, in: self)
        }
    }

    fileprivate var result: SimulationResult {
        var result = SimulationResult(options: options)
        result.virtualSeconds = Double(now.nanoseconds) / 1e9
        result.counts = oracle.counts
        result.violations = oracle.violations
        result.statistics = statistics
        result.isTrimmed = server.rooms.contains { $0.forgotten > 0 }
        result.isUnauthorised =
            server.revoked.contains(true) || server.forbidden.contains { $0.contains(true) }
        result.trace = trace.lines
        return result
    }
}
