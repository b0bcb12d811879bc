internal import RejoinModel
internal import RejoinPipeline
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime

/// Knows what was promised, and compares it with what is: after each step what is cheap to look
/// at, at rest everything.
final class Oracle {
    private(set) var counts = SimulationCounts()
    private(set) var violations: [Violation] = []
    /// What was reported already: what is wrong stays wrong, and counts once.
    private var reported: Set<String> = []

    /// The most violations that are kept in words.
    private static let wordLimit = 20

    func report(
        _ kind: Violation.Kind, _ place: String, in world: World, expected: String, got: String,
        whoIsHurt: String, key: String
    ) {
        guard reported.insert("\(kind.rawValue) \(place) \(key)").inserted else { return }
        guard world.isPromised(kind) else {
            world.statistics.legacyLosses += 1
            return
        }
        switch kind {
        case .missing: counts.missing += 1
        case .duplicated: counts.duplicated += 1
        case .misordered: counts.misordered += 1
        case .readRegression: counts.readRegressions += 1
        case .lostSend: counts.lostSends += 1
        case .doubleSend: counts.doubleSends += 1
        case .unconverged: counts.unconverged += 1
        case .boundExceeded: counts.boundsExceeded += 1
        case .misjudged: counts.misjudged += 1
        }
        let violation = Violation(
            kind: kind, time: Trace.clock(world.now), place: place, expected: expected, got: got,
            whoIsHurt: whoIsHurt)
        world.note("ORACLE", "\(violation)")
        if violations.count < Self.wordLimit { violations.append(violation) }
    }

    func place(_ device: Device, _ room: DeviceRoom) -> String { "\(device.name) in \(room.id)" }

    // MARK: What is shown

    /// P2, P3, P4, P5 and P7 of one publication.
    func published(
        _ snapshot: RoomSnapshot, _ room: DeviceRoom, _ device: Device, in world: World
    ) {
        // Most publications change something else.
        if room.shownTimeline != snapshot.timeline {
            room.shownTimeline = snapshot.timeline
            if world.variant != .legacy, room.session.variant == .legacy {
                countDisorder(snapshot, world)
            } else {
                checkOrder(snapshot, room, device, world)
            }
        }
        checkUnsent(snapshot, room, device, world)
        checkEchoes(snapshot, room, device, world)
        checkMark(snapshot.read, room, device, world)
        if snapshot.timeline.items.count > TimelineWindow.maximumCount + Coverage.maximumIntervals {
            report(
                .boundExceeded, place(device, room), in: world,
                expected: "a window of at most \(TimelineWindow.maximumCount) messages",
                got: "\(snapshot.timeline.items.count) items",
                whoIsHurt: "phones that run out of memory", key: "window")
        }
    }

    private func checkOrder(
        _ snapshot: RoomSnapshot, _ room: DeviceRoom, _ device: Device, _ world: World
    ) {
        let held = device.stores[room.index].messages
        let items = snapshot.timeline.items
        let known = room.foundStored
        var next = 0
        var found: [MessageID] = []
        found.reserveCapacity(items.count)
        var last: MessageID?
        for index in items.indices {
            guard let id = items[index].messageID else { continue }
            if let last, id <= last {
                report(
                    id == last ? .duplicated : .misordered, place(device, room), in: world,
                    expected: "messages in the server's order, each once",
                    got: "\(id) after \(last)",
                    whoIsHurt: "people who read answers before questions", key: "\(id)")
            }
            last = id
            // Both ascend; what is out of order is merely looked up.
            while next < known.count, known[next] < id { next += 1 }
            if next < known.count && known[next] == id || held.keys.contains(id) {
                found.append(id)
            } else {
                report(
                    .boundExceeded, place(device, room), in: world,
                    expected: "only what is stored is shown", got: "\(id) is not stored",
                    whoIsHurt: "people to whom it is gone after a kill", key: "\(id)")
            }
        }
        room.foundStored = found
    }

    /// P6: what the legacy pipeline does to the order is no violation, only the cost of having it.
    private func countDisorder(_ snapshot: RoomSnapshot, _ world: World) {
        let ids = snapshot.timeline.messages.map(\.id)
        for (earlier, later) in zip(ids, ids.dropFirst()) where later <= earlier {
            world.statistics.legacyLosses += 1
        }
    }

    private func checkUnsent(
        _ snapshot: RoomSnapshot, _ room: DeviceRoom, _ device: Device, _ world: World
    ) {
        guard snapshot.unsent.count > 1 else { return }
        var waiting: [ClientMessageID] = []
        for unsent in snapshot.unsent {
            if waiting.contains(unsent.clientID) {
                report(
                    .duplicated, place(device, room), in: world,
                    expected: "an unsent message once", got: "\(unsent.clientID) twice",
                    whoIsHurt: "people who see their message twice", key: "\(unsent.clientID)")
            }
            waiting.append(unsent.clientID)
        }
    }

    /// From the moment in which `send` returns, a person sees their message: as unsent, or as sent.
    private func checkEchoes(
        _ snapshot: RoomSnapshot, _ room: DeviceRoom, _ device: Device, _ world: World
    ) {
        device.echoes[room.index].removeAll { index in
            let act = world.acts[index]
            if act.isWithdrawn { return true }
            if snapshot.unsent.contains(where: { $0.clientID == act.id }) { return false }
            if snapshot.timeline.holds(act.id) { return true }
            guard let message = world.server.rooms[room.index].message(sentAs: act.id) else {
                // What the server forgot may be forgotten here.
                if act.creations > 0, world.server.rooms[room.index].forgotten > 0 { return true }
                lost(index, room, device, world)
                return true
            }
            if device.stores[room.index].messages[message.id] != nil { return true }
            // P6: what the legacy pipeline let pass lies in a gap, or in the history above.
            if world.variant != .legacy,
                !device.stores[room.index].proof.coverage.contains(message.id)
            {
                world.statistics.legacyLosses += 1
                return true
            }
            lost(index, room, device, world)
            return true
        }
    }

    private func lost(_ act: Int, _ room: DeviceRoom, _ device: Device, _ world: World) {
        report(
            .lostSend, place(device, room), in: world,
            expected: "the accepted send #\(act) shown as unsent or as sent",
            got: "neither", whoIsHurt: "its author, who believes it lost and writes it again",
            key: "echo \(act)")
    }

    private func checkMark(
        _ mark: ReadMark, _ room: DeviceRoom, _ device: Device, _ world: World
    ) {
        defer { room.shownMark = mark }
        // Where the server never heard of an earlier "mark unread", a later one takes its version:
        // the position is what people see.
        if let shown = room.shownMark, mark.version < shown.version,
            mark.position == shown.position, room.ownUnread == shown.version
        {
            room.ownUnread = mark.version
        }
        guard let shown = room.shownMark, mark < shown,
            ReadMark(version: 0, position: mark.position)
                < ReadMark(version: 0, position: shown.position)
        else { return }
        // Two devices marked unread at once, and the other one was faster: its act counts.
        if room.ownUnread == shown.version, mark.version >= shown.version {
            room.ownUnread = nil
            return
        }
        report(
            .readRegression, place(device, room), in: world,
            expected: "a read mark of at least \(shown.story)", got: "\(mark.story)",
            whoIsHurt: "people who find read messages unread again", key: "\(mark.story)")
    }

    /// P4: people read further than the server is told by nobody but themselves. What they read
    /// was on their screen, or they said so; rows that nobody can see are passed with it.
    func marked(_ mark: ReadMark, _ room: Int, _ device: Device, in world: World) {
        let seen = world.seen[room][device.person]
        guard world.isRefactoredThroughout, let position = mark.position else { return }
        for entry in world.server.rooms[room].kept.reversed() {
            let message = entry.message
            if seen.map({ message.id <= $0 }) ?? false { return }
            guard message.id <= position, message.author != device.user, !message.isDeleted else {
                continue
            }
            return report(
                .readRegression, "\(device.name) in \(world.server.rooms[room].id)", in: world,
                expected: "only what \(device.user) saw marked as read",
                got: "\(message.id), which was on no screen of theirs",
                whoIsHurt: "people who never learn of it", key: "ahead \(message.id)")
        }
    }

    /// P4: a read mark that is stored survives the process.
    func resumed(_ room: DeviceRoom, _ device: Device, in world: World) {
        let stored = device.storedMarks[room.index]
        let mark = room.session.snapshot.read
        guard mark < stored else { return }
        report(
            .readRegression, place(device, room), in: world,
            expected: "the read mark \(stored.story) that was stored", got: mark.story,
            whoIsHurt: "people who find read messages unread after a restart",
            key: "resumed \(mark.story)")
    }

    // MARK: What is stored

    /// P1 of one commit: the newest part at each, everything now and then.
    func stored(_ commit: RoomCommit, _ room: DeviceRoom, _ device: Device, in world: World) {
        room.commits += 1
        guard case .timeline(let timeline) = commit.part else { return }
        if !timeline.removals.isEmpty { room.foundStored = [] }
        guard timeline.proof != nil else { return }
        room.proofs += 1
        if room.oldestCovered == nil {
            room.oldestCovered = timeline.proof?.coverage.intervals.first?.from
        }
        // Once that pipeline is deleted, the refactored one serves under its name.
        if room.session.variant == .legacy, world.registry.contains(.legacy) {
            report(
                .boundExceeded, place(device, room), in: world,
                expected: "a proof only from the refactored pipeline",
                got: "one from the legacy one",
                whoIsHurt: "people who never see what the legacy pipeline missed", key: "proof")
        }
        let isThorough = room.proofs % 16 == 0
        checkCoverage(room, device, world, newest: isThorough ? .max : 24)
    }

    func recovered(
        _ outcome: RecoveryOutcome, _ room: DeviceRoom, _ device: Device, in world: World
    ) {
        guard case .complete = outcome else { return }
        checkCoverage(room, device, world, newest: .max)
        checkSubscription(room, device, world)
    }

    /// A room that is up to date holds everything that the server had when it took the
    /// subscription: what came later comes live. Without a receipt nobody can know when that was.
    private func checkSubscription(_ room: DeviceRoom, _ device: Device, _ world: World) {
        guard world.options.capabilities.hasSubscribeReceipts, !room.isAssumed,
            world.endsRefactored, room.session.variant == .refactored, !room.isClosing,
            room.session.snapshot.recovery == .upToDate, let link = device.socket?.link
        else { return }
        guard let subscription = link.subscriptions.last(where: { $0.room == room.index }) else {
            return report(
                .missing, place(device, room), in: world,
                expected: "a room up to date only once the server has its subscription",
                got: "the server has none", whoIsHurt: "people who miss what is said meanwhile",
                key: "unsubscribed \(world.now)")
        }
        // Where the room is busy, the first page may begin above it: it is older history then. So
        // is what the legacy pipeline lost before the refactored one took over.
        let store = device.stores[room.index]
        let floor =
            world.isRefactoredThroughout
            ? room.oldestCovered : store.proof.coverage.intervals.last?.from
        guard let tip = subscription.tip, world.server.rooms[room.index].entry(tip) != nil,
            store.messages[tip] == nil, floor.map({ $0 < tip }) ?? true
        else { return }
        report(
            .missing, place(device, room), in: world,
            expected: "message \(tip) held, which was there when the subscription began",
            got: "the room is called up to date without it",
            whoIsHurt: "people who miss it until something else comes", key: "\(tip)")
    }

    /// Every covered range equals the server's log as of the last proven position.
    func checkCoverage(
        _ room: DeviceRoom, _ device: Device, _ world: World, newest count: Int
    ) {
        let log = world.server.rooms[room.index]
        let store = device.stores[room.index]
        let proof = store.proof
        let asOf = log.capabilities.hasRevisions ? proof.revision : nil
        // What became visible late and has changed since comes with its latest change.
        let isLateAllowed = asOf != nil && log.capabilities.commitOrder != .ordered
        let entries = log.entries
        let messages = store.messages
        // What the server forgot is covered only where it was held before.
        for index in entries.indices.suffix(count) {
            let id = entries[index].message.id
            guard proof.coverage.contains(id) else { continue }
            let latest = entries[index].revisions.last
            let created = isLateAllowed ? latest : entries[index].revisions.first
            if let asOf, let created, created > asOf { continue }
            guard let held = messages.index(forKey: id) else {
                report(
                    .missing, place(device, room), in: world,
                    expected: "message \(id) held, because it is called covered",
                    got: "it is not there", whoIsHurt: "people who never see it, and no gap either",
                    key: "\(id)")
                continue
            }
            guard let asOf, let latest, latest <= asOf, index >= log.forgotten,
                !proof.stale.contains(id)
            else { continue }
            let revision = messages.values[held].revision
            if revision.map({ $0 < latest }) ?? true {
                report(
                    .missing, place(device, room), in: world,
                    expected: "message \(id) at revision \(latest), as of \(asOf)",
                    got: "\(revision.map(\.description) ?? "none")",
                    whoIsHurt: "people who see a text that was edited or deleted",
                    key: "\(id) content")
            }
        }
    }

    /// What comes over a socket that carries is there soon, wherever a room is called up to date:
    /// each new message is held, and each change is shown.
    func looked(over link: ServerLink, _ device: Device, in world: World) {
        guard world.endsRefactored, !world.hasSilentLoss else { return }
        for subscription in link.subscriptions {
            let room = device.rooms[subscription.room]
            // The server may hear long after it that the room was closed and opened again.
            guard subscription.since >= room.openedAt, !room.isClosing,
                room.session.variant == .refactored, room.session.isSettled,
                room.session.snapshot.recovery == .upToDate
            else { continue }
            let log = world.server.rooms[room.index]
            let newest = device.stores[room.index].proof.coverage.intervals.last?.from
            let ripe = Instant.origin + (world.now - .origin - Simulation.liveLimit)
            let entries = log.entries
            for index in log.kept.indices.suffix(20)
            where subscription.since < entries[index].seenAt && entries[index].seenAt < ripe {
                let id = entries[index].message.id
                guard newest.map({ $0 < id }) ?? true,
                    !device.stores[room.index].messages.keys.contains(id)
                else { continue }
                report(
                    .missing, place(device, room), in: world,
                    expected: "message \(id) held soon, as the socket is sound",
                    got: "the room is called up to date without it",
                    whoIsHurt: "people who miss it until something else comes",
                    key: "\(id)")
            }
            checkChanges(since: subscription.since, until: ripe, room, device, world)
        }
    }

    private func checkChanges(
        since start: Instant, until ripe: Instant, _ room: DeviceRoom, _ device: Device,
        _ world: World
    ) {
        let log = world.server.rooms[room.index]
        // Nobody can tell an old change that comes late from a new one where there are no
        // revisions.
        let isTold =
            log.capabilities.hasRevisions
            || world.options.reorderings == 0 && world.options.redeliveries == 0
        guard isTold else { return }
        // Without revisions a change that was dropped is found again only where it is shown.
        let start = log.capabilities.hasRevisions ? start : max(start, room.droppedAt ?? start)
        let timeline = room.session.snapshot.timeline
        var comparison = Comparison(
            shown: timeline, revision: log.revision, commits: room.commits, since: start,
            until: ripe)
        // Where nothing is different, only what has become ripe since was not compared yet.
        let done = room.comparison.flatMap { $0.isOfSame(as: comparison) ? $0.until : nil }
        let entries = log.entries
        let messages = device.stores[room.index].messages
        var next = 0
        for index in timeline.items.indices {
            guard let id = timeline.items[index].messageID else { continue }
            // Both ascend, and are mostly the same.
            if next >= entries.count || entries[next].message.id != id {
                next = log.index(atOrAfter: id)
            }
            guard next < entries.count, entries[next].message.id == id else { continue }
            let place = next
            next += 1
            let changedAt = entries[place].changedAt
            guard place >= log.forgotten, start < changedAt, changedAt < ripe,
                done.map({ $0 <= changedAt }) ?? true, let held = messages[id],
                held != entries[place].message
            else { continue }
            comparison.isClean = false
            report(
                .missing, self.place(device, room), in: world,
                expected: "message \(id) as it was changed", got: "an older state",
                whoIsHurt: "people who see a text that was edited or deleted",
                key: "\(id) content")
        }
        room.comparison = comparison
    }

    /// What the changes of a room were compared on, so that the same is not compared again.
    struct Comparison {
        let shown: TimelineSnapshot
        let revision: Revision
        let commits: Int
        let since: Instant
        let until: Instant
        var isClean = true

        func isOfSame(as next: Comparison) -> Bool {
            isClean && since == next.since && commits == next.commits
                && revision == next.revision && shown == next.shown
        }
    }

    // MARK: What is sent

    /// The server makes a message of a send.
    func created(_ message: Message, _ room: Int, in world: World) {
        var places: [Int] = []
        if let key = message.clientID, let act = world.actsByID[key] { places.append(act) }
        if let act = message.act, !places.contains(act) {
            if world.acts[act].kind == .send {
                places.append(act)
            } else {
                // An edit of what had not left: it went with its message.
                world.acts[act].isPerformed = true
            }
        }
        for index in places {
            world.acts[index].creations += 1
            let act = world.acts[index]
            guard act.creations > 1 + act.consents else { continue }
            report(
                .doubleSend, "server in \(world.server.rooms[room].id)", in: world,
                expected: "one message of send #\(index)", got: "\(act.creations)",
                whoIsHurt: "everybody who reads it twice", key: "\(index) \(act.creations)")
        }
    }

    /// P5: what the person wanted longer ago than their consent holds does not leave any more.
    func departs(
        _ mutation: Mutation, _ room: DeviceRoom, _ device: Device, in world: World
    ) {
        guard case .send(let draft) = mutation, let index = world.actsByID[draft.clientID] else {
            return
        }
        let age = world.acts[index].wishedAt.duration(to: world.wall(of: device))
        guard age >= OutboxConfiguration().consentAge else { return }
        report(
            .boundExceeded, place(device, room), in: world,
            expected: "send #\(index) handed back to the person, who wanted it \(age) ago",
            got: "it leaves", whoIsHurt: "people whose words come a day late",
            key: "expired \(index)")
    }

    /// The server carries a change out, or finds it done.
    func performed(_ mutation: Mutation, _ room: Int, by device: Device, in world: World) {
        switch mutation {
        case .edit(_, let content):
            if let act = content.act, world.acts.indices.contains(act) {
                world.acts[act].isPerformed = true
            }
        case .react(let id, let emoji, let isPut):
            for index in world.acts.indices.reversed()
            where world.acts[index].room == room && world.acts[index].device == device.index
                && world.acts[index].reaction(of: world) == Reacting(id, emoji, isPut)
            {
                world.acts[index].isPerformed = true
            }
        case .send, .delete: break
        }
    }

    // MARK: Bounds

    /// The longest time over which attempts are counted.
    private static let window = Duration.seconds(10)
    /// Attempts to connect within ``window``. The waits of a failing server are random from 0.1 s
    /// up to 1, 2, 4 and more seconds, and three of them may be cut short.
    static let connectLimit = 14
    /// Failed requests of one room within ``window``.
    static let failureLimit = 24

    func connecting(_ device: Device, in world: World) {
        if let socket = device.socket, socket.isOpenForClient {
            report(
                .boundExceeded, device.name, in: world, expected: "at most one live connection",
                got: "socket \(socket.number) is open still",
                whoIsHurt: "a server that keeps two for each device", key: "\(socket.number)")
        }
        device.connects.removeAll { $0 + Self.window < world.now }
        device.connects.append(world.now)
        guard device.connects.count > Self.connectLimit else { return }
        report(
            .boundExceeded, device.name, in: world,
            expected: "at most \(Self.connectLimit) attempts to connect in 10 s",
            got: "\(device.connects.count)", whoIsHurt: "a server that tries to come back",
            key: "connects \(world.now.nanoseconds / 10_000_000_000)")
    }

    func failed(_ request: Request, _ room: DeviceRoom, _ device: Device, in world: World) {
        room.failures.removeAll { $0 + Self.window < world.now }
        room.failures.append(world.now)
        guard room.failures.count > Self.failureLimit else { return }
        report(
            .boundExceeded, place(device, room), in: world,
            expected: "at most \(Self.failureLimit) failed requests in 10 s",
            got: "\(room.failures.count)", whoIsHurt: "a server that is hammered while it fails",
            key: "failures \(world.now.nanoseconds / 10_000_000_000)")
    }

    func brokeProtocol(_ what: String, _ socket: Socket, in world: World) {
        report(
            .boundExceeded, world.devices[socket.device].name, in: world,
            expected: "frames as STOMP has them", got: what,
            whoIsHurt: "every room of the device, whose connection ends", key: what)
    }
}

extension TimelineSnapshot {
    /// Whether it shows the message that was sent under a key.
    fileprivate func holds(_ key: ClientMessageID) -> Bool {
        for case .message(let message) in items.reversed() where message.clientID == key {
            return true
        }
        return false
    }
}

extension Message {
    /// The act that its text names.
    var act: Int? { content.act }
}

extension [ContentBlock] {
    /// The act that the text names.
    var act: Int? {
        guard case .text(let text)? = first, text.utf8.first == UInt8(ascii: "#") else {
            return nil
        }
        return Int(text.dropFirst())
    }
}
