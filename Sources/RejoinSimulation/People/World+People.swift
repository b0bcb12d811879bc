internal import Foundation
internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTime

// What people do: with the devices, and without.

extension World {
    // MARK: Others

    func othersAct() {
        guard isSafetyPhase else { return }
        plan(.othersAct, in: othersRandom.around(options.othersMilliseconds))
        let room = othersRandom.int(0...(options.rooms - 1))
        switch othersRandom.int(0...19) {
        case 0..<12: write(in: room)
        case 12, 13:
            for _ in 0..<othersRandom.int(2...6) { write(in: room) }
        default: changeSomething(in: room)
        }
    }

    func write(in room: Int) {
        let author = UserID(othersRandom.pick(["ann", "bob"]))
        let drawn = server.rooms[room].draw(
            author: author, text: "\(author)", clientID: nil, step: othersRandom.int(1...9),
            at: now)
        if isSafetyPhase, othersRandom.chance(options.lateCommits) {
            server.rooms[room].reserve(drawn)
            return plan(
                .lateCommit(room: room, drawn.id, nil), in: othersRandom.milliseconds(1...1_900))
        }
        publish(drawn, room)
    }

    private func changeSomething(in room: Int) {
        let kept = server.rooms[room].kept
        let recent = othersRandom.chance(75) ? kept.suffix(12) : kept
        let others = recent.filter { !server.users.contains($0.message.author) }
        guard !others.isEmpty else { return }
        let message = others[othersRandom.int(0...(others.count - 1))].message
        let user = message.author
        let mutation: Mutation =
            switch othersRandom.int(0...5) {
            case 0, 1: .edit(message.id, [.text("\(user) \(statistics.steps)")])
            case 2: .delete(message.id)
            default:
                .react(
                    message.id, emoji: othersRandom.pick(["+", "!"]), othersRandom.chance(70))
            }
        guard
            let event = try? server.change(mutation, in: room, by: user, at: now).event
        else { return }
        note("server", "\(event.story) in \(event.room)")
        announce(event, room)
    }

    // MARK: A person with a device

    func act(_ device: Device) {
        guard isSafetyPhase else { return }
        let index = device.index
        plan(.act(device: index), in: peopleRandom[index].around(options.personMilliseconds))
        let roll = peopleRandom[index].int(0...99)
        guard device.power == .running, device.isForeground else { return }
        let room = device.rooms[device.screen]
        guard !room.isClosing else { return }
        switch roll {
        case 0..<30: send(from: device, room)
        case 30..<38: edit(on: device, room)
        case 38..<42: delete(on: device, room)
        case 42..<50: react(on: device, room)
        case 50..<66: look(at: room, on: device)
        case 66..<69:
            if let last = room.session.snapshot.timeline.messages.last {
                note(device, "\(room.id): marks all as read")
                saw(last.id, room, device)
                give(.room(room.index, .markRead(through: last.id)), to: device)
            }
        case 69..<72: markUnread(in: room, on: device)
        case 72..<82: page(in: room, on: device)
        case 82..<88: decide(in: room, on: device)
        case 88..<91: takeBack(in: room, on: device)
        case 91..<94: switchRooms(on: device)
        case 94..<98:
            suspend(device)
            let wait = peopleRandom[index].milliseconds(300...40_000)
            plan(.life(device: index, .foreground), in: wait)
            if peopleRandom[index].chance(40) {
                plan(.life(device: index, .push(room: room.index)), in: wait / 2)
            }
        default:
            note(device, "pulls to refresh \(room.id)")
            give(.room(room.index, .trigger(.manual)), to: device)
        }
    }

    private func submit(_ work: OutboxWork, _ kind: Act.Kind, _ room: DeviceRoom, _ device: Device)
    {
        let id = ClientMessageID(peopleRandom[device.index].uuid())
        submit(id, work, kind, room, device)
    }

    private func submit(
        _ id: ClientMessageID, _ work: OutboxWork, _ kind: Act.Kind, _ room: DeviceRoom,
        _ device: Device
    ) {
        actsByID[id] = acts.count
        note(device, "\(room.id): submits \(kind) #\(acts.count)\(story(of: work.target))")
        acts.append(
            Act(
                device: device.index, room: room.index, id: id, kind: kind, work: work,
                wishedAt: wall(of: device)))
        if kind == .send { statistics.sends += 1 }
        give(.room(room.index, .submit(id, work)), to: device)
    }

    private func story(of target: OutboxTarget?) -> String {
        switch target {
        case .sent(let id): " of \(id)"
        case .local(let key): actsByID[key].map { " of #\($0)" } ?? ""
        case nil: ""
        }
    }

    /// The text names the act, so that the oracle knows it again wherever it turns up.
    private var nextText: [ContentBlock] { [.text("#\(acts.count)")] }

    private func send(from device: Device, _ room: DeviceRoom) {
        submit(.send(nextText), .send, room, device)
    }

    /// A send by the dice of somebody else than the person.
    func send(from device: Device, _ room: DeviceRoom, by random: inout SplitMix64) {
        guard !room.isClosing else { return }
        submit(ClientMessageID(random.uuid()), .send(nextText), .send, room, device)
    }

    private func edit(on device: Device, _ room: DeviceRoom) {
        guard let target = ownTarget(in: room, on: device) else { return }
        submit(.edit(target, nextText), .edit, room, device)
    }

    private func delete(on device: Device, _ room: DeviceRoom) {
        guard let target = ownTarget(in: room, on: device) else { return }
        if case .local(let key) = target, let act = actsByID[key] { acts[act].isWithdrawn = true }
        submit(.delete(target), .delete, room, device)
    }

    private func react(on device: Device, _ room: DeviceRoom) {
        let messages = room.session.snapshot.timeline.messages.suffix(8).filter { !$0.isDeleted }
        guard !messages.isEmpty else { return }
        let index = device.index
        let message = messages[peopleRandom[index].int(0...(messages.count - 1))]
        let emoji = peopleRandom[index].pick(["+", "!"])
        let isThere = message.reactions.contains {
            $0.emoji == emoji && $0.users.contains(device.user)
        }
        submit(.react(.sent(message.id), emoji: emoji, !isThere), .reaction, room, device)
    }

    /// An own message to change: an unsent one now and then, else one of the last sent ones.
    private func ownTarget(in room: DeviceRoom, on device: Device) -> OutboxTarget? {
        let index = device.index
        let snapshot = room.session.snapshot
        if peopleRandom[index].chance(30), let unsent = snapshot.unsent.last {
            return .local(unsent.clientID)
        }
        let own = snapshot.timeline.messages.suffix(20).filter {
            $0.author == device.user && !$0.isDeleted
        }
        guard !own.isEmpty else { return nil }
        return .sent(own[peopleRandom[index].int(0...(own.count - 1))].id)
    }

    private func look(at room: DeviceRoom, on device: Device) {
        let count = peopleRandom[device.index].int(1...8)
        // The legacy pipeline may show them out of order.
        let ids = room.session.snapshot.timeline.messages.suffix(count).map(\.id)
        guard let token = room.session.visibilityToken, let first = ids.min(), let last = ids.max()
        else { return }
        note(device, "\(room.id): sees \(first) to \(last)")
        saw(last, room, device)
        give(.room(room.index, .visible(token, first...last)), to: device)
    }

    private func saw(_ id: MessageID, _ room: DeviceRoom, _ device: Device) {
        seen[room.index][device.person] = max(seen[room.index][device.person] ?? id, id)
    }

    private func markUnread(in room: DeviceRoom, on device: Device) {
        let snapshot = room.session.snapshot
        guard let position = snapshot.read.position else { return }
        let read = snapshot.timeline.messages.filter { $0.id <= position }.suffix(6)
        guard let message = read.first else { return }
        note(device, "\(room.id): marks \(message.id) and later as unread")
        room.ownUnread = snapshot.read.version + 1
        give(.room(room.index, .markUnread(from: message.id)), to: device)
    }

    private func page(in room: DeviceRoom, on device: Device) {
        let snapshot = room.session.snapshot
        let messages = snapshot.timeline.messages
        let roll = peopleRandom[device.index].int(0...9)
        let input: RoomInput?
        switch roll {
        case 0..<4: input = messages.first.map { .load(.before($0.id)) }
        case 4..<7: input = snapshot.timeline.gaps.last.map { .approach($0) }
        case 7: input = messages.last.map { .load(.after($0.id)) }
        case 8:
            let kept = server.rooms[room.index].kept
            input =
                kept.isEmpty
                ? nil
                : .load(
                    .around(
                        kept[
                            kept.startIndex
                                + peopleRandom[device.index].int(0...(kept.count - 1))
                        ].message.id))
        default: input = .load(.newest)
        }
        guard let input else { return }
        note(device, "\(room.id): \(input.story)")
        give(.room(room.index, input), to: device)
    }

    /// Failed and unconfirmed items wait for the person's word.
    private func decide(in room: DeviceRoom, on device: Device) {
        let items = room.session.outboxItems.filter { item in
            switch item.state {
            case .failed, .unconfirmed: !item.isCancelled
            case .waiting, .accepted, .outcomeUnknown: false
            }
        }
        guard let item = items.first else { return }
        let isRetried = peopleRandom[device.index].chance(60)
        let act = actsByID[item.id]
        if let act {
            if isRetried {
                acts[act].consents += 1
                acts[act].wishedAt = wall(of: device)
            } else {
                acts[act].isWithdrawn = true
                acts[act].isDiscarded = true
            }
        }
        note(device, "\(room.id): \(isRetried ? "retries" : "discards") #\(act ?? -1)")
        give(.room(room.index, isRetried ? .retry(item.id) : .discard(item.id)), to: device)
    }

    private func takeBack(in room: DeviceRoom, on device: Device) {
        guard let item = room.session.outboxItems.last(where: { !$0.isCancelled }),
            let act = actsByID[item.id]
        else { return }
        acts[act].isWithdrawn = true
        note(device, "\(room.id): takes #\(act) back")
        give(.room(room.index, .cancel(item.id)), to: device)
    }

    private func switchRooms(on device: Device) {
        guard device.rooms.count > 1 else { return }
        let life = device.life
        let old = device.screen
        device.screen = (old + 1) % device.rooms.count
        note(device, "looks at \(device.rooms[device.screen].id)")
        give(.room(old, .shown(false)), to: device)
        guard device.life == life else { return }
        give(.room(device.screen, .shown(true)), to: device)
    }
}
