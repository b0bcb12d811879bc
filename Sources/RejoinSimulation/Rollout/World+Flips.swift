internal import RejoinModel
public import RejoinPipeline
internal import RejoinStore
internal import RejoinTime

extension PipelineVariant {
    /// No pipeline of its own: the flag goes back and forth between the legacy and the refactored
    /// pipeline while people chat, faults strike and processes are killed. Every run ends on the
    /// refactored pipeline.
    public static let flipped = PipelineVariant("flipped")
}

// What a flag does to rooms: a rollback strikes at once, a ramp with the next room session.

extension World {
    /// Whether every room is served by the refactored pipeline once all has come to rest.
    var endsRefactored: Bool {
        options.illness == nil && (variant == .refactored || variant == .flipped)
    }

    /// Whether the refactored pipeline has served all along.
    var isRefactoredThroughout: Bool {
        options.illness == nil && variant == .refactored && !hasRolledBack
    }

    /// Draws where the flag stands first, and when it changes.
    func planFlips() {
        guard variant == .flipped else { return }
        for device in devices {
            device.flag = options.firstFlag ?? flipRandom.pick([.legacy, .refactored])
        }
        planNextFlip()
    }

    /// At which step the flag changes next. Some changes come close together, so that one strikes
    /// while the handover of another waits for the store.
    private func planNextFlip() {
        guard options.flipSteps.isEmpty else {
            nextFlip = options.flipSteps.first { $0 > statistics.steps } ?? .max
            return
        }
        let wait = flipRandom.pick([1...20, 20...300, 300...2_000])
        nextFlip = statistics.steps + flipRandom.int(wait)
    }

    /// The flag changes, on all devices or on one.
    func flip() {
        guard isSafetyPhase else {
            nextFlip = .max
            return
        }
        planNextFlip()
        statistics.flips += 1
        let isEverywhere = !options.flipSteps.isEmpty || flipRandom.chance(50)
        for device in isEverywhere ? devices : [device(&flipRandom)] {
            let isRamp = device.flag == .legacy
            device.flag = isRamp ? .refactored : .legacy
            note(device, "the flag says \(device.flag)")
            if flipRandom.chance(20) { device.killIn = flipRandom.int(0...12) }
            happen(.selectionChanged(device: device.index, life: device.life))
            // A ramp waits for the next room session, which often begins right now.
            guard isRamp, device.isForeground, flipRandom.chance(70) else { continue }
            suspend(device)
            enterForeground(device)
        }
    }

    /// The rollout is done.
    func endFlips() {
        raiseFlagIfRolledBack()
        nextFlip = .max
        // A comparison that has found nothing is followed by the ramp.
        let isRamp = variant == .flipped || options.illness == .divergence
        guard isRamp else { return }
        for device in devices { device.flag = .refactored }
    }

    /// Tells a device's rooms that the selector may have changed its mind.
    func selectionChanged(_ device: Device) {
        let life = device.life
        for index in device.roomsByPriority where device.life == life {
            give(.room(index, .selection(selection(on: device))), to: device)
        }
    }

    /// What the selector of a device says.
    func selection(on device: Device) -> PipelineSelection {
        device.rollout.core.overruling(
            PipelineSelection(device.flag, reason: "TARGETING_MATCH"))
    }

    /// A handover begins.
    func switched(
        _ room: DeviceRoom, _ device: Device, from old: PipelineVariant,
        to selection: PipelineSelection
    ) {
        note(device, "\(room.id): goes from \(old) to \(selection.variant)")
        statistics.handovers += 1
        guard old == .legacy else { return }
        let held = device.stores[room.index].messages
        guard let oldest = held.keys.min() else { return }
        for entry in server.rooms[room.index].kept.reversed() {
            if entry.message.id < oldest { break }
            if held[entry.message.id] == nil { statistics.legacyLosses += 1 }
        }
    }
}
