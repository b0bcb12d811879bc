internal import RejoinModel
internal import RejoinPipeline

// What must hold of a rollout and its guard.

extension World {
    /// Whether a promise is given in this run. Where the legacy pipeline serves for part of it by
    /// design, sends, read positions and the guard's verdicts are still promised (P6); what else it
    /// does is no violation, only the cost of having it.
    func isPromised(_ kind: Violation.Kind) -> Bool {
        guard variant == .shadow || options.illness != nil else { return true }
        switch kind {
        case .readRegression, .lostSend, .doubleSend, .misjudged: return true
        case .missing, .duplicated, .misordered, .unconverged, .boundExceeded: return false
        }
    }
}

extension Oracle {
    /// A guard takes the refactored pipeline back only for what really is wrong.
    func rolledBack(_ record: RollbackRecord, _ device: Device, in world: World) {
        let evidence = record.evidence
        if evidence.cause == world.options.illness?.cause { return }
        let isTrue =
            switch evidence.cause {
            case .divergence: false
            case .unfilledGaps: evidence.observed <= world.server.failedFetches[device.index]
            case .failedSends: evidence.observed <= world.server.failedSends[device.index]
            // Processes that are killed soon after their start, again and again, look like crashes.
            case .shortRuns:
                device.rollout.shortRuns >= world.options.guardPolicy.shortRunLimit
            }
        if isTrue { return }
        report(
            .misjudged, device.name, in: world,
            expected: "no rollback, as nothing is wrong with the pipeline",
            got: "\(evidence.cause.rawValue), \(evidence.observed) of \(evidence.of)",
            whoIsHurt: "people who lose messages on the legacy pipeline again",
            key: evidence.cause.rawValue)
    }

    /// What is ill was found, and serves nobody any more on the devices that found it. Not each of
    /// them does: a process that is killed forgets its windows.
    func checkRollback(in world: World) {
        guard let illness = world.options.illness else { return }
        let found = world.devices.filter { $0.rollout.rollback != nil }
        if found.isEmpty {
            report(
                .misjudged, "all devices", in: world,
                expected: "the refactored pipeline taken back for \(illness.cause.rawValue)",
                got: "no rollback on any disk",
                whoIsHurt: "people who are left with an ill pipeline", key: "not found")
        }
        for device in found where !world.server.revoked[device.index] {
            for room in device.rooms where room.session.variant == .refactored {
                report(
                    .misjudged, place(device, room), in: world,
                    expected: "the legacy pipeline, as the refactored one is taken back",
                    got: "the refactored one serves",
                    whoIsHurt: "people who are left with an ill pipeline", key: "serves")
            }
        }
    }
}
