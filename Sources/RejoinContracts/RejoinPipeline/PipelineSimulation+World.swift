internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTime

// The server, the network and the people.

extension PipelineSimulation {
    // MARK: Requests

    mutating func serve(
        _ request: HistoryRequest
    ) -> Result<HistoryAnswer, BackendFailure> {
        if now < serverFailsUntil {
            return .failure(BackendFailure(.unreachable, "the server is down"))
        }
        if hasFaults, isChosen(scenario.failingRequests, &random) {
            return .failure(drawFailure())
        }
        if hasFaults, isChosen(3, &random) { return .success(lie(about: request)) }
        var useReplica = scenario.hasLaggingReplica && hasFaults && isChosen(30, &random)
        if case .changes = request {
            // The feed may lag, but does not go back in time.
            if replica.revision < feedServedAt { useReplica = false }
            feedServedAt = useReplica ? replica.revision : room.revision
        }
        let source = useReplica ? replica : room
        do throws(BackendFailure) {
            return .success(try source.answer(request))
        } catch {
            return .failure(error)
        }
    }

    private mutating func drawFailure() -> BackendFailure {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: BackendFailure(.unreachable, "no route")
        case 1: BackendFailure(.outcomeUnknown, "the answer was lost")
        case 2: BackendFailure(.rateLimited, "too many", retryAfter: .seconds(2))
        case 3: BackendFailure(.tokenExpired, "the token has expired")
        default: BackendFailure(.serverError, "the server is unwell")
        }
    }

    /// An answer that cannot be believed.
    private mutating func lie(about request: HistoryRequest) -> HistoryAnswer {
        let some = room.messages.prefix(2)
        switch request {
        case .page(.after(let bound), _):
            return .page(
                HistoryPage(
                    messages: [], from: bound, through: bound, hasBefore: true, hasAfter: true,
                    tip: room.messages.last?.id))
        case .page:
            return .page(
                HistoryPage(
                    messages: some.reversed(), from: some.last?.id, through: some.first?.id,
                    hasBefore: true, hasAfter: true, tip: nil))
        case .changes(let after, _):
            return .changes(ChangePage(messages: [], revision: after, hasMore: true))
        case .summary:
            return .changes(ChangePage(messages: [], revision: Revision(0), hasMore: false))
        }
    }

    // MARK: The connection

    /// The server stops sending at once; the device notices after a while.
    mutating func disconnect(noticedIn milliseconds: ClosedRange<Int>) {
        registered = nil
        connection += 1
        plan(.phase(.lost, connection: connection), in: milliseconds)
    }

    mutating func connect() {
        connection += 1
        registered = nil
        let wait = Int.random(in: 10...300, using: &random)
        agenda.add(.phase(.lost, connection: connection), at: now)
        agenda.add(.phase(.pending, connection: connection), at: now)
        agenda.add(.registered(connection: connection), at: now + .milliseconds(wait))
        if scenario.capabilities.hasSubscribeReceipts {
            agenda.add(
                .phase(.confirmed, connection: connection), at: now + .milliseconds(wait + 40))
        } else {
            // The deadline may pass before the server has registered us.
            let deadline = Int.random(in: 5...400, using: &random)
            agenda.add(
                .phase(.assumed, connection: connection), at: now + .milliseconds(deadline))
            agenda.add(
                .phase(.proven, connection: connection),
                at: now + .milliseconds(max(wait, deadline) + 500))
        }
    }

    mutating func broadcast(_ event: RoomEvent) {
        guard let registered else { return }
        let lies = hasFaults && isChosen(scenario.lyingEvents, &random)
        let kind = Int.random(in: 0..<3, using: &random)
        if lies, kind == 0 { return }
        let wait = Duration.milliseconds(Int.random(in: 1...80, using: &random))
        // A stream keeps its order, unless it lies.
        let time = lies && kind == 1 ? now + wait : max(lastEventAt, now + wait)
        agenda.add(.event(event, connection: registered), at: time)
        lastEventAt = max(lastEventAt, time)
        if lies, kind == 2 { agenda.add(.event(event, connection: registered), at: time) }
    }

    // MARK: People

    mutating func act() throws(ContractFailure) {
        if now < faultsEnd + .seconds(10) {
            plan(.activity, in: 1...(2 * scenario.activityMilliseconds))
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            write()
        case 9, 10:
            // An own message: the answer to its POST and its echo come in either order.
            let event = room.create(author: UserID("me"), text: "mine", clientID: nil)
            broadcast(event)
            if case .created(let message, _) = event.kind, isChosen(70, &random) {
                try give(.settledSend(message))
            }
        case 11, 12:
            if let id = recentMessage(), let event = room.edit(id, text: "edited \(now)") {
                broadcast(event)
            }
        case 13:
            if let id = recentMessage(), let event = room.delete(id) { broadcast(event) }
        case 14:
            let emoji = ["+", "-"][Int.random(in: 0...1, using: &random)]
            if let id = recentMessage(),
                let event = room.react(id, emoji: emoji, by: UserID("b"))
            {
                broadcast(event)
            }
        case 15:
            try give(.trigger([.foreground, .push, .networkRestored, .manual][life % 4]))
        case 16:
            try look()
        default:
            // A burst.
            for _ in 0..<Int.random(in: 1...6, using: &random) { write() }
        }
    }

    private mutating func write() {
        if case .settles = scenario.capabilities.commitOrder, isChosen(20, &random) {
            let id = room.reserve(author: UserID("a"), text: "late")
            return plan(.lateCommit(id), in: 1...1_900)
        }
        broadcast(room.create(author: UserID("a"), text: "at \(now)"))
    }

    private mutating func recentMessage() -> MessageID? {
        if isChosen(20, &random) { return room.messages.randomElement(using: &random)?.id }
        return room.messages.suffix(12).randomElement(using: &random)?.id
    }

    private mutating func look() throws(ContractFailure) {
        let snapshot = pipeline.snapshot
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            if let gap = snapshot.gaps.randomElement(using: &random) { try give(.approach(gap)) }
        case 1:
            if let id = room.changes.randomElement(using: &random)?.id {
                try give(.load(.around(id)))
            }
        case 2:
            if let id = snapshot.messages.first?.id { try give(.load(.before(id))) }
        case 3:
            if let id = snapshot.messages.last?.id { try give(.load(.after(id))) }
        default:
            try give(.load(.newest))
        }
    }

    // MARK: Faults

    mutating func fail() throws(ContractFailure) {
        guard hasFaults else { return }
        plan(.fault, in: 1...(2 * scenario.faultMilliseconds))
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5:
            disconnect(noticedIn: 0...800)
            plan(.reconnect(connection: connection), in: 900...15_000)
        case 5:
            // Two subscriptions in a row, without a word about the loss between them.
            connect()
        case 6:
            serverFailsUntil = now + .seconds(Int.random(in: 1...20, using: &random))
        case 7:
            if registered != nil {
                dropEvents()
                try give(.subscription(.overflowed))
            }
        case 8:
            if scenario.trims {
                room.trim(keeping: Int.random(in: 1...60, using: &random))
                if isChosen(50, &random) { room.trimFeed() }
            }
        case 9:
            replica = room
        default:
            if scenario.kills { try kill() }
        }
    }

    private mutating func dropEvents() {
        agenda.removeAll { happening in
            if case .event = happening { true } else { false }
        }
    }

    /// The process ends, and another one resumes from what is stored.
    private mutating func kill() throws(ContractFailure) {
        life += 1
        isCommitting = false
        timers.removeAll()
        if scenario.hasLossyIntervals, isChosen(50, &random) {
            // A pipeline without coverage served the room meanwhile, and lost messages.
            let newest = store.messages.keys.max()
            for message in room.messages where newest.map({ $0 < message.id }) ?? true {
                if isChosen(60, &random) { store.append(message) }
            }
        }
        pipeline = make(store.checkpoint(), Self.configuration(scenario, life: life))
        try oracle.snapshot(pipeline.snapshot, agreesWith: store, of: room)
        pendingOutcomes = 0
        lastOutcome = nil
        disconnect(noticedIn: 0...0)
        plan(.reconnect(connection: connection), in: 1...3_000)
    }
}
