internal import RejoinModel
internal import RejoinPipeline
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport

// What must hold once everything has come to rest.

extension Oracle {
    /// Why a room has not come to rest; `nil`: it has.
    func unrest(_ room: DeviceRoom, _ device: Device, in world: World) -> String? {
        guard device.power == .running, device.isForeground else { return "the app does not run" }
        guard !room.isClosing else { return "it is closed" }
        guard !room.isRefused else { return "its subscription was put out of action" }
        guard case .connected = device.status else {
            return "the connection is \(device.status.story)"
        }
        guard room.line.isEmpty, room.reports == 0, room.session.isSettled else {
            return "commits or reports are under way"
        }
        let items = room.session.outboxItems
        for item in items where !item.waitsForPerson(among: items) {
            switch item.state {
            case .waiting, .accepted, .outcomeUnknown:
                return "the outbox holds \(item.story(in: world))"
            case .failed, .unconfirmed: break
            }
        }
        let snapshot = room.session.snapshot
        switch snapshot.recovery {
        case .catchingUp: return "it is catching up"
        case .failed(let failure, _): return "recovery failed: \(failure.code.rawValue)"
        case .upToDate, .incomplete: break
        }
        let proof = device.stores[room.index].proof
        if world.endsRefactored, room.session.variant != .refactored {
            return "the \(room.session.variant) pipeline serves it"
        }
        if world.endsRefactored, let tip = world.server.rooms[room.index].tip,
            !proof.coverage.contains(tip)
        {
            return "the newest message \(tip) is not proven"
        }
        let mark = world.server.marks[room.index][device.person]
        guard snapshot.read == mark else {
            return "it shows \(snapshot.read.story) as read, the server has \(mark.story)"
        }
        return nil
    }

    func didNotConverge(
        _ reason: String, _ room: DeviceRoom, _ device: Device, in world: World
    ) {
        report(
            .unconverged, place(device, room), in: world,
            expected: "rest within \(Simulation.convergenceLimit) after the last fault",
            got: reason, whoIsHurt: "people who wait although everything works again",
            key: "rest")
    }

    func isNotLive(_ id: MessageID, _ room: DeviceRoom, _ device: Device, in world: World) {
        report(
            .unconverged, place(device, room), in: world,
            expected: "a new message held within \(Simulation.liveLimit), while nothing is wrong",
            got: "\(id) is not there", whoIsHurt: "people who talk past each other",
            key: "live \(id)")
    }

    func isRestless(_ movements: Int, _ room: DeviceRoom, _ device: Device, in world: World) {
        report(
            .boundExceeded, place(device, room), in: world,
            expected: "no request and no commit while nothing happens",
            got: "\(movements) in \(Simulation.quietTime)",
            whoIsHurt: "batteries, and a server that all devices ask at once", key: "restless")
    }

    func cannotFill(_ id: MessageID, _ room: DeviceRoom, _ device: Device, in world: World) {
        report(
            .unconverged, place(device, room), in: world,
            expected: "every message held once somebody has scrolled through all gaps",
            got: "\(id) is not there", whoIsHurt: "people who look for what was said",
            key: "fill \(id)")
    }

    /// Everything, at rest.
    func rest(in world: World) {
        for device in world.devices {
            for room in device.rooms where !world.isRefused(device, room.index) {
                checkCoverage(room, device, world, newest: .max)
                checkHoldings(room, device, world)
                checkWindow(room, device, world)
                checkRead(room, device, world)
                checkUnsent(room, device, world)
            }
        }
        checkActs(world)
        checkRollback(in: world)
    }

    private func checkHoldings(_ room: DeviceRoom, _ device: Device, _ world: World) {
        let log = world.server.rooms[room.index]
        let store = device.stores[room.index]
        let snapshot = room.session.snapshot.timeline
        let coverage = store.proof.coverage
        let oldest = store.messages.keys.min()
        let isShown = Set(snapshot.messages.lazy.map(\.id))
        for entry in log.kept {
            let id = entry.message.id
            guard let held = store.messages[id] else {
                let isInGap =
                    coverage.isEmpty
                    ? snapshot.gaps.contains { $0.holds(id) } : !coverage.contains(id)
                // Older history can be loaded, and a pipeline without gaps cannot show that it is
                // not there yet.
                let isOlder = coverage.isEmpty && oldest.map { id < $0 } ?? false
                if !isInGap, !isOlder {
                    report(
                        .missing, place(device, room), in: world, expected: "message \(id) held",
                        got: "it is not there, and no gap tells",
                        whoIsHurt: "people who never see it", key: "\(id)")
                }
                continue
            }
            // Without revisions only what is shown is kept up to date; and what stands in a gap is
            // read again with the gap.
            let isCompared =
                log.capabilities.hasRevisions
                ? coverage.contains(id) && !store.proof.stale.contains(id) || coverage.isEmpty
                : isShown.contains(id)
                    && (coverage.contains(id) || coverage.isEmpty)
            if isCompared, held != entry.message {
                report(
                    .missing, place(device, room), in: world,
                    expected: "message \(id) as the server has it", got: "an older state",
                    whoIsHurt: "people who see a text that was edited or deleted",
                    key: "\(id) content")
            }
        }
        for id in store.messages.keys.sorted() where coverage.contains(id) {
            let place = log.index(atOrAfter: id)
            let isThere = place < log.entries.count && log.entries[place].message.id == id
            guard !isThere else { continue }
            report(
                .duplicated, self.place(device, room), in: world,
                expected: "only messages of the server", got: "\(id), which never was",
                whoIsHurt: "people who see what nobody wrote", key: "\(id) phantom")
        }
    }

    /// Where two messages stand side by side, nothing is missing between them that no gap shows;
    /// and no row and no key is there twice.
    private func checkWindow(_ room: DeviceRoom, _ device: Device, _ world: World) {
        let log = world.server.rooms[room.index]
        let snapshot = room.session.snapshot
        var previous: MessageID?
        for item in snapshot.timeline.items {
            guard case .message(let message) = item else {
                previous = nil
                continue
            }
            defer { previous = message.id }
            guard let left = previous, left < message.id else { continue }
            var index = log.index(atOrAfter: left.successor)
            while index < log.entries.count, log.entries[index].message.id < message.id {
                let id = log.entries[index].message.id
                let isShown = snapshot.timeline.gaps.contains { $0.holds(id) }
                if index >= log.forgotten, !isShown, world.endsRefactored {
                    report(
                        .missing, place(device, room), in: world,
                        expected: "a gap between \(left) and \(message.id), where \(id) is missing",
                        got: "the two stand side by side",
                        whoIsHurt: "people who take the conversation for complete", key: "\(id)")
                }
                index += 1
            }
        }
        var rows: Set<RowID> = []
        for row in snapshot.rows where !rows.insert(row.id).inserted {
            report(
                .duplicated, place(device, room), in: world, expected: "each row once",
                got: "\(row.id) twice", whoIsHurt: "lists that crash or show it twice",
                key: "\(row.id)")
        }
    }

    /// P2: what is held as sent does not wait in the outbox as well, nor for the person.
    private func checkUnsent(_ room: DeviceRoom, _ device: Device, _ world: World) {
        for item in room.session.outboxItems {
            guard let act = world.actsByID[item.id], !world.acts[act].isWithdrawn,
                let sent = world.server.rooms[room.index].message(sentAs: item.id),
                device.stores[room.index].messages[sent.id] != nil
            else { continue }
            report(
                .duplicated, place(device, room), in: world,
                expected: "send #\(act) once, as message \(sent.id)",
                got: "it waits in the outbox too", whoIsHurt: "its author, who sends it again",
                key: "\(act) unsent")
        }
    }

    /// P4: the count is a recount, or says that it is a lower bound.
    private func checkRead(_ room: DeviceRoom, _ device: Device, _ world: World) {
        let snapshot = room.session.snapshot
        let mark = world.server.marks[room.index][device.person]
        if snapshot.read < mark {
            report(
                .readRegression, place(device, room), in: world,
                expected: "the mark \(mark.story) of the person's other devices",
                got: snapshot.read.story, whoIsHurt: "people who read everything twice",
                key: "rest")
        } else if mark < snapshot.read {
            report(
                .readRegression, place(device, room), in: world,
                expected: "the read mark \(snapshot.read.story) on the server",
                got: mark.story, whoIsHurt: "people whose other devices show it as unread",
                key: "rest")
        }
        // What the server forgot it does not count any more, and a device may hold it still.
        let log = world.server.rooms[room.index]
        if let horizon = log.horizon, snapshot.read.position.map({ $0 < horizon }) ?? true {
            return
        }
        let unread = world.server.rooms[room.index].unread(
            for: device.user, after: snapshot.read.position)
        let isRight =
            snapshot.unread.isExact
            ? snapshot.unread.value == unread : snapshot.unread.value <= unread
        guard !isRight, world.endsRefactored else { return }
        report(
            .readRegression, place(device, room), in: world,
            expected: "\(unread) unread after \(snapshot.read.story)",
            got: "\(snapshot.unread.isExact ? "exactly" : "at least") \(snapshot.unread.value)",
            whoIsHurt: "people whose badge lies", key: "unread")
    }

    /// P5: every accepted send is on the server, or shown as failed or unconfirmed; every accepted
    /// edit, deletion and reaction too, or another one has replaced it.
    private func checkActs(_ world: World) {
        for (index, act) in world.acts.enumerated() where act.isAccepted && !act.isWithdrawn {
            let device = world.devices[act.device]
            guard act.room < device.rooms.count, !world.isRefused(device, act.room) else {
                continue
            }
            let room = device.rooms[act.room]
            if room.session.outboxItems.contains(where: { $0.id == act.id }) { continue }
            guard !isDone(index, act, room, world) else { continue }
            report(
                .lostSend, place(device, room), in: world,
                expected: "the accepted \(act.kind) #\(index) on the server, or shown as failed",
                got: "neither", whoIsHurt: "its author, who was told that it will be done",
                key: "\(index)")
        }
    }

    /// Whether nothing is left to do of an act that the outbox does not hold any more: it is done,
    /// another one of the same person has taken its place, or its message is gone.
    private func isDone(_ index: Int, _ act: Act, _ room: DeviceRoom, _ world: World) -> Bool {
        if act.isPerformed { return true }
        let log = world.server.rooms[act.room]
        switch act.work {
        case .send: return act.creations > 0
        case .delete, .edit:
            guard let message = world.message(changedBy: act) else { return true }
            if message.isDeleted { return true }
            if case .delete(.local(let key)) = act.work {
                // The send that was taken back waits for its deletion under its own key.
                guard let send = world.actsByID[key].map({ world.acts[$0] }) else { return true }
                // The watch for it ends with the consent to it. A pipeline that reads everything
                // again has found it before that.
                let consent = send.wishedAt.duration(to: world.wall(of: world.devices[act.device]))
                return send.isDiscarded || room.session.outboxItems.contains { $0.id == key }
                    || !world.isRefactoredThroughout && consent >= OutboxConfiguration().consentAge
            }
            // Whoever gives a message up gives up what was to be done to it.
            if case .local(let key)? = act.work.target, let target = world.actsByID[key],
                world.acts[target].isWithdrawn
            {
                return true
            }
            // A later change of this device may have taken its place in the queue, even one that
            // was taken back since: of a deletion only another deletion.
            return world.acts[(index + 1)...].contains {
                let replaces = $0.kind == .delete || $0.kind == .edit && act.kind == .edit
                return replaces && $0.device == act.device && $0.room == act.room
                    && world.message(changedBy: $0)?.id == message.id
            }
        case .react:
            guard let wanted = act.reaction(of: world), let entry = log.entry(wanted.id),
                !entry.message.isDeleted
            else { return true }
            let user = world.devices[act.device].user
            let isThere = entry.message.reactions.contains {
                $0.emoji == wanted.emoji && $0.users.contains(user)
            }
            // A deletion takes the place of what was to be done to its message, for good: whoever
            // takes it back wants the message, and sees it without the reaction.
            let isGivenUp = world.acts[(index + 1)...].contains {
                guard case .delete = $0.work else { return false }
                return $0.device == act.device && $0.room == act.room
                    && world.message(changedBy: $0)?.id == wanted.id
            }
            // Another act of the person, here or elsewhere, may have done it, or undone it since.
            return isGivenUp || isThere == wanted.isPut
                || world.acts.indices.contains {
                    let other = world.acts[$0]
                    guard $0 != index, other.room == act.room,
                        let reaction = other.reaction(of: world)
                    else { return false }
                    return world.devices[other.device].user == user && reaction.id == wanted.id
                        && reaction.emoji == wanted.emoji
                }
        }
    }
}

extension OutboxItem {
    /// Whether it is a change of a message about which the person has to decide first.
    fileprivate func waitsForPerson(among items: [OutboxItem]) -> Bool {
        guard case .local(let key) = work.target,
            let target = items.first(where: { $0.id == key })
        else { return false }
        switch target.state {
        case .failed, .unconfirmed: return true
        case .waiting, .accepted, .outcomeUnknown: return false
        }
    }
}

extension Gap {
    /// Whether an ID lies in it.
    func holds(_ id: MessageID) -> Bool {
        (from.map { $0 < id } ?? true) && (before.map { id < $0 } ?? true)
    }
}
