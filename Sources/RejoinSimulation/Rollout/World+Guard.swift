internal import RejoinModel
internal import RejoinPipeline
internal import RejoinTime

// The guard of a rollout, fed and obeyed as `ChatClient` and `FlagRollout` do.

extension World {
    /// What the flag's metadata says of the guard.
    private var flagTerms: RolloutGuard.Input {
        .flag(options.guardPolicy, generation: flagGeneration)
    }

    /// A process starts: its guard begins with what an earlier one left on disk.
    func startGuard(on device: Device) {
        device.rollout.core = RolloutGuard(
            policy: options.guardPolicy, generation: flagGeneration,
            rollback: device.rollout.rollback, marker: device.rollout.marker)
        // The flag may have been raised while the app did not run.
        learn(flagTerms, on: device)
    }

    /// Tells a device's guard what happened to people.
    func learn(_ input: RolloutGuard.Input, on device: Device) {
        let effects = device.rollout.core.handle(input, at: now, wall: wall(of: device))
        guard !effects.isEmpty else { return }
        let isPlanned = device.rollout.work != nil
        var work = device.rollout.work ?? DeviceRollout.Work()
        for effect in effects {
            switch effect {
            case .storeMarker(let marker): work.marker = marker
            case .storeRollback(let record): work.rollback = .some(record)
            case .rolledBack(let record):
                work.isChoiceChanged = true
                rolledBack(record, on: device)
            case .lifted:
                work.isChoiceChanged = true
                note(device, "the rollback is lifted, as the flag was raised")
            case .setTimer(let deadline): setGuardTimer(deadline, on: device)
            }
        }
        device.rollout.work = work
        guard !isPlanned else { return }
        let wait = guardRandom.milliseconds(0...20)
        plan(.guardWork(device: device.index, life: device.life), in: wait)
    }

    private func setGuardTimer(_ deadline: Instant?, on device: Device) {
        device.rollout.deadline = deadline
        guard let deadline else { return }
        plan(.guardTimer(device: device.index, life: device.life, deadline), at: deadline)
    }

    /// The guard's files are written, and rooms hear of what has changed.
    func doGuardWork(of device: Device) {
        guard let work = device.rollout.work else { return }
        device.rollout.work = nil
        if let rollback = work.rollback { device.rollout.rollback = rollback }
        if let marker = work.marker {
            device.rollout.marker = marker
            if marker.isEnded { endRun(of: device, isKilled: false) }
        }
        if work.isChoiceChanged { selectionChanged(device) }
    }

    func guardTimer(_ device: Device, _ deadline: Instant) {
        guard device.rollout.deadline == deadline else { return }
        device.rollout.deadline = nil
        learn(.timePassed, on: device)
    }

    /// Tells the guard once in a foreground run that the refactored pipeline serves in it.
    func noteServedRun(on device: Device) {
        guard device.power == .running, device.isForeground, !device.rollout.isServedRun,
            device.rooms.contains(where: { $0.session.variant == .refactored })
        else { return }
        endRun(of: device, isKilled: false)
        device.rollout.isServedRun = true
        device.rollout.runBegan = now
        device.rollout.hasSlept = false
        learn(.foreground, on: device)
        planCrash(of: device)
    }

    /// The foreground run ended in good order.
    func endServedRun(on device: Device) {
        guard device.rollout.isServedRun else { return }
        learn(.background, on: device)
        device.rollout.isServedRun = false
    }

    /// A run has ended, as far as the next start will know.
    func endRun(of device: Device, isKilled: Bool) {
        device.rollout.endRun(
            at: now, isKilled: isKilled, shortRun: options.guardPolicy.shortRun)
    }

    private func rolledBack(_ record: RollbackRecord, on device: Device) {
        let evidence = record.evidence
        note(
            device,
            "the guard takes the refactored pipeline back: \(evidence.cause.rawValue), "
                + "\(evidence.observed) of \(evidence.of), limit \(evidence.limit)")
        statistics.rollbacks += 1
        hasRolledBack = true
        oracle.rolledBack(record, device, in: self)
    }

    /// Somebody has found out why, and raises the flag's generation: it counts again.
    func raiseFlagIfRolledBack() {
        guard endsRefactored,
            devices.contains(where: {
                $0.rollout.core.rollback != nil || $0.rollout.rollback != nil
            })
        else { return }
        flagGeneration += 1
        for device in devices where device.power != .off {
            learn(flagTerms, on: device)
        }
    }
}
