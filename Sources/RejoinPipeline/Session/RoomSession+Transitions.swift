internal import RejoinModel
internal import RejoinReadState
internal import RejoinSync
internal import RejoinTime

extension RoomSession {
    /// One input for one of the cores. Cores answer each other by steps, taken in order, so that no
    /// core is entered while it decides.
    enum Step {
        case pipeline(PipelineInput)
        case outbox(OutboxInput)
        case read(ReadSyncInput)
    }

    /// What one input has led to so far.
    struct Turn {
        let now: Instant
        let wall: WallTime
        var steps: [Step] = []
        var effects: [RoomEffect] = []
        var isChanged = false

        mutating func commit(_ part: RoomCommit.Part, in room: RoomID) {
            effects.append(.commit(RoomCommit(room: room, part: part)))
        }
    }

    // MARK: - Inputs

    mutating func take(_ input: RoomInput, _ turn: inout Turn) {
        switch input {
        case .subscription(let phase): subscription(phase, &turn)
        case .denied(let failure, let retryAt): deny(failure, retryAt, &turn)
        case .event(let event): receive(event, &turn)
        case .unreadableEvent: subscription(.overflowed, &turn)
        case .answered(let id, let result): answered(id, result, &turn)
        case .summarized(let summary): summarized(summary, &turn)
        case .performed(let id, let result): turn.steps = [.outbox(.performed(id, result))]
        case .reported(let id, let result): turn.steps = [.read(.reported(id, result))]
        case .committed(let token): turn.steps = [Self.stored(token)]
        case .commitFailed(let token): turn.steps = [Self.notStored(token)]
        case .timer(let timer): turn.steps = [Self.fired(timer)]
        case .foreground(let selection): foreground(selection, &turn)
        case .background: background(&turn)
        case .trigger(let trigger): beginRecovery(trigger, &turn)
        case .selection(let selection): select(selection, &turn)
        case .submit(let id, let work): submit(id, work, &turn)
        case .retry(let id): turn.steps = [.outbox(.retry(id))]
        case .cancel(let id): turn.steps = [.outbox(.cancel(id))]
        case .discard(let id): turn.steps = [.outbox(.discard(id))]
        case .shown(let isShown): scene(isForeground: isForeground, isOnScreen: isShown, &turn)
        case .visible(let token, let range): turn.steps = [.read(.visible(token, range))]
        case .markRead(let id): turn.steps = [.read(.markRead(through: id))]
        case .markUnread(let id): turn.steps = [.read(.markUnread(from: id))]
        case .load(let anchor): turn.steps = [.pipeline(.load(anchor))]
        case .approach(let gap): turn.steps = [.pipeline(.approach(gap))]
        case .close: close(&turn)
        }
    }

    private mutating func subscription(_ phase: SubscriptionPhase, _ turn: inout Turn) {
        switch phase {
        case .lost, .pending, .overflowed:
            showCatchingUp(&turn)
            recoveryBegan = nil
        case .confirmed, .assumed, .proven:
            // Also while one runs: it asks once more, so that it holds for the subscription.
            recoveryBegan = turn.now
        }
        let isOpen: Bool? =
            switch phase {
            case .confirmed, .assumed, .proven: true
            case .lost, .pending: false
            case .overflowed: nil
            }
        turn.steps = [.pipeline(.subscription(phase))]
        if let isOpen {
            isSubscribed = isOpen
            turn.steps.append(.outbox(.subscription(isOpen: isOpen)))
        }
        if isOpen == true { turn.steps.append(.read(.reconnected)) }
        // What was dropped, or came before the subscription, may have told how far another device
        // has read; the answer under way may be older.
        if isOpen != false { fetchSummaryAnew(&turn) }
    }

    /// The server's unread count and read mark, as of now; asked for with each recovery, one
    /// request at a time.
    private mutating func fetchSummary(_ turn: inout Turn) {
        guard !isFetchingSummary, state == .open else { return }
        isFetchingSummary = true
        turn.effects.append(.fetchSummary)
    }

    /// Asks for a summary that is no older than now.
    private mutating func fetchSummaryAnew(_ turn: inout Turn) {
        isSummaryOutdated = isSummaryOutdated || isFetchingSummary
        fetchSummary(&turn)
    }

    private mutating func summarized(_ summary: RoomSummary?, _ turn: inout Turn) {
        isFetchingSummary = false
        let isOutdated = isSummaryOutdated
        isSummaryOutdated = false
        if let summary, !isOutdated {
            isSummaryRepeated = false
            turn.steps = [.read(.summary(summary))]
        } else if summary != nil, !isSummaryRepeated {
            isSummaryRepeated = true
            fetchSummary(&turn)
        } else if isSubscribed {
            // After a wait, so that a storm of changes does not become one of requests (P8).
            // Without a subscription, the next one asks.
            turn.steps = [.read(.summaryMissed)]
        }
    }

    private mutating func receive(_ event: RoomEvent, _ turn: inout Turn) {
        switch event.kind {
        case .read(let reader, let mark):
            if reader == user { turn.steps = [.read(.remote([mark]))] }
        case .rejected(let key, let failure):
            turn.steps = [.outbox(.rejected(key, failure))]
        case .created(let message, _), .changed(let message):
            turn.steps = [.pipeline(.live(event)), .outbox(.observed(message))]
            if message.isDeleted {
                recount([.deleted(message.id)], &turn)
            } else if case .created = event.kind {
                let row = ReadFacts.Row(message, for: user)
                if reads.facts.isLate(row, heard: newestHeard) {
                    recount([.late(message.id)], &turn)
                }
                newestHeard = max(newestHeard ?? message.id, message.id)
            }
        case .typing, .unknown:
            break
        @unknown default:
            break
        }
    }

    /// Whatever the server counts as unread and said before may be wrong now.
    private mutating func recount(_ recounts: [ReadRecount], _ turn: inout Turn) {
        guard !recounts.isEmpty else { return }
        isSummaryOutdated = isSummaryOutdated || isFetchingSummary
        turn.steps.append(.read(.recount(recounts)))
    }

    private mutating func answered(
        _ id: RequestID, _ result: Result<HistoryAnswer, BackendFailure>, _ turn: inout Turn
    ) {
        turn.steps = [.pipeline(.answered(id, result))]
        guard case .success(let answer) = result else { return }
        switch answer {
        case .summary(let summary): turn.steps.append(.read(.summary(summary)))
        case .changes(let page):
            recount(recounts(in: page.messages), &turn)
        case .page: break
        }
    }

    /// What the server may have counted before a feed's messages changed, also of messages that are
    /// not held here. On a backend that settles, what the feed brings after later messages may be
    /// missing in a count that is as of those.
    private func recounts(in messages: [Message]) -> [ReadRecount] {
        var newest = newestHeard
        return messages.compactMap { message in
            if message.isDeleted { return .deleted(message.id) }
            guard isSettling else { return nil }
            defer { newest = max(newest ?? message.id, message.id) }
            let row = ReadFacts.Row(message, for: user)
            return reads.facts.isLate(row, heard: newest) ? .late(message.id) : nil
        }
    }

    private mutating func foreground(_ selection: PipelineSelection, _ turn: inout Turn) {
        // Each return to the foreground starts a room session, so any choice takes effect here.
        changeOver(to: selection, &turn)
        scene(isForeground: true, isOnScreen: isOnScreen, &turn)
        beginRecovery(.foreground, &turn)
    }

    private mutating func background(_ turn: inout Turn) {
        turn.steps = [.pipeline(.background)]
        scene(isForeground: false, isOnScreen: isOnScreen, &turn)
    }

    /// A row is seen only where the room is on screen of an app in the foreground.
    private mutating func scene(isForeground: Bool, isOnScreen: Bool, _ turn: inout Turn) {
        self.isForeground = isForeground
        self.isOnScreen = isOnScreen
        turn.steps.append(.read(isForeground && isOnScreen ? .activated : .deactivated))
    }

    private mutating func beginRecovery(_ trigger: RecoveryTrigger, _ turn: inout Turn) {
        // Access that is gone comes back with the next opening, which subscribes again.
        guard !isAccessGone else { return }
        showCatchingUp(&turn)
        // Also while one runs: the trigger makes it ask once more.
        recoveryBegan = turn.now
        turn.steps.append(.pipeline(.trigger(trigger)))
        fetchSummary(&turn)
    }

    private mutating func select(_ selection: PipelineSelection, _ turn: inout Turn) {
        if selection.isRollback(from: pipelines.variant) {
            changeOver(to: selection, &turn)
        }
    }

    private mutating func changeOver(to selection: PipelineSelection, _ turn: inout Turn) {
        let old = pipelines.variant
        let effects = pipelines.switchOver(to: selection.variant, at: turn.now)
        if selection.variant != old {
            turn.effects.append(.switched(from: old, to: selection))
            showCatchingUp(&turn)
        }
        for effect in effects { carryOut(effect, &turn) }
    }

    private mutating func submit(
        _ id: ClientMessageID, _ work: OutboxWork, _ turn: inout Turn
    ) {
        if work.target == nil { localKeys.insert(id) }
        turn.steps = [.outbox(.submit(id, work))]
    }

    private mutating func close(_ turn: inout Turn) {
        state = .closed
        turn.isChanged = true
        turn.steps = [
            .pipeline(.leave), .read(.closed), .outbox(.subscription(isOpen: false)),
        ]
    }

    mutating func settleHeldMessages(_ turn: inout Turn) {
        guard !heldOwn.isEmpty else { return }
        turn.steps = heldOwn.map { .outbox(.observed($0)) } + turn.steps
        heldOwn = []
    }

    private mutating func deny(
        _ failure: BackendFailure, _ retryAt: Instant?, _ turn: inout Turn
    ) {
        // What REST has said already is the better reason.
        if state == .open { refuse(failure, retryAt: retryAt, &turn) }
        turn.effects.append(.recovered(.failed(failure, retryAt: retryAt)))
        unsubscribed(&turn)
    }

    private mutating func refuse(
        _ failure: BackendFailure, retryAt: Instant? = nil, _ turn: inout Turn
    ) {
        recovery = .failed(failure, retryAt: retryAt)
        turn.isChanged = true
        guard state == .open, failure.code == .forbidden || failure.code == .notFound else {
            return
        }
        state = failure.code == .forbidden ? .noAccess : .notFound
        turn.effects.append(.unsubscribe)
    }

    private var isAccessGone: Bool { state == .noAccess || state == .notFound }

    private mutating func unsubscribed(_ turn: inout Turn) {
        isSubscribed = false
        turn.steps += [.pipeline(.subscription(.lost)), .outbox(.subscription(isOpen: false))]
    }

    private mutating func showCatchingUp(_ turn: inout Turn) {
        guard recovery != .catchingUp, state == .open else { return }
        recovery = .catchingUp
        turn.isChanged = true
    }

    /// The pipeline may have begun to catch up by itself; a failure is shown until it works again.
    private mutating func noteCatchingUp(_ turn: inout Turn) {
        guard pipelines.isCatchingUp else { return }
        switch recovery {
        case .upToDate, .incomplete: showCatchingUp(&turn)
        case .catchingUp, .failed: break
        }
    }

    // MARK: - Steps

    mutating func perform(_ step: Step, _ turn: inout Turn) {
        switch step {
        case .pipeline(let input):
            for effect in pipelines.handle(input, at: turn.now) { carryOut(effect, &turn) }
            noteCatchingUp(&turn)
        case .outbox(let input):
            let overlay = outbox.overlay
            let effects = outbox.handle(input, at: turn.now, wall: turn.wall, using: &random)
            if let message = input.shownMessage ?? effects.learnedMessage {
                let pending = Set(outbox.overlay.lazy.map(\.id))
                landing.add(
                    overlay.filter { $0.target == message.id && !pending.contains($0.id) },
                    in: message, at: turn.now)
            }
            for effect in effects { carryOut(effect, &turn) }
        case .read(let input):
            let effects = reads.handle(input, at: turn.now, using: &random)
            for effect in effects { carryOut(effect, &turn) }
        }
    }

    private mutating func carryOut(_ effect: PipelineEffect, _ turn: inout Turn) {
        switch effect {
        case .fetch(let id, let request):
            recoveryBegan = recoveryBegan ?? turn.now
            turn.effects.append(.fetch(id, request))
        case .cancelFetch(let id): turn.effects.append(.cancelFetch(id))
        case .commit(let commit):
            turn.commit(.timeline(commit), in: room)
            recount(
                commit.upserts.compactMap { message in
                    if message.isDeleted { return .deleted(message.id) }
                    let row = ReadFacts.Row(message, for: user)
                    return reads.facts.isLateOutsideWindow(row) ? .late(message.id) : nil
                }, &turn)
        case .publish: shown(&turn)
        case .suggestRead(let id): turn.steps.append(.read(.markRead(through: id)))
        case .setTimer(let timer, let deadline):
            turn.effects.append(.setTimer(.pipeline(timer), deadline))
        case .cancelTimer(let timer): turn.effects.append(.cancelTimer(.pipeline(timer)))
        case .recovered(let outcome): recovered(outcome, &turn)
        case .observed(let messages):
            turn.steps += messages.map { .outbox(.observed($0)) }
        case .metric(let metric): turn.effects.append(.metric(metric))
        case .shadow(let report): turn.effects.append(.shadow(report))
        }
    }

    private mutating func shown(_ turn: inout Turn) {
        turn.isChanged = true
        landing.forgetUnversionedChanges()
        let facts = ReadFacts(
            pipelines.snapshot, for: user, coverage: pipelines.proof.coverage)
        turn.steps.append(.read(.timeline(facts)))
    }

    private mutating func recovered(_ outcome: RecoveryOutcome, _ turn: inout Turn) {
        let began = recoveryBegan ?? turn.now
        recoveryBegan = nil
        turn.isChanged = true
        switch outcome {
        case .complete, .partial:
            // What was under way when access ended does not bring it back.
            guard !isAccessGone else { break }
            if case .partial(let gaps, _) = outcome {
                recovery = .incomplete(gaps)
            } else {
                // Complete as of now; what happens without a subscription is not told, so the room
                // is up to date only once the catch-up after the subscription has ended too.
                recovery = isSubscribed ? .upToDate : .catchingUp
            }
            if pipelines.isSettled { landing.recovered(begunAt: began) }
            turn.steps.append(.outbox(.recovered(begunAt: began)))
        case .failed(let failure, let retryAt):
            refuse(failure, retryAt: retryAt, &turn)
            if isAccessGone { unsubscribed(&turn) }
        }
        turn.effects.append(.recovered(outcome))
    }

    private mutating func carryOut(_ effect: OutboxEffect, _ turn: inout Turn) {
        switch effect {
        case .accepted(let id): turn.effects.append(.accepted(id))
        case .cancelled(let id): turn.effects.append(.cancelled(id))
        case .refused(let id, let refusal): turn.effects.append(.refused(id, refusal))
        case .settled(let key, let id):
            turn.isChanged = true
            guard let echo = snapshot.unsent.first(where: { $0.clientID == key }) else { return }
            landing.add(echo, as: id, at: turn.now)
        case .learned(let message): turn.steps.append(.pipeline(.settledSend(message)))
        case .perform(let id, let mutation): turn.effects.append(.perform(id, mutation))
        case .abandon(let id): turn.effects.append(.abandon(id))
        case .requestRecovery: beginRecovery(.manual, &turn)
        case .commit(let commit): turn.commit(.outbox(commit), in: room)
        case .publish: turn.isChanged = true
        case .setTimer(let timer, let deadline):
            turn.effects.append(.setTimer(.outbox(timer), deadline))
        case .cancelTimer(let timer): turn.effects.append(.cancelTimer(.outbox(timer)))
        }
    }

    private mutating func carryOut(_ effect: ReadSyncEffect, _ turn: inout Turn) {
        switch effect {
        case .commit(let commit): turn.commit(.read(commit), in: room)
        case .report(let id, let mark, let unread):
            turn.effects.append(.report(id, mark, unread: unread))
        case .abandon(let id): turn.effects.append(.abandonReport(id))
        case .fetchSummary:
            // The one under way was asked for before the reason for this one.
            fetchSummaryAnew(&turn)
        case .publish:
            turn.isChanged = true
            let position = reads.mark.position
            guard position != shownPosition else { return }
            shownPosition = position
            turn.steps.append(.pipeline(.readPosition(position)))
        case .setTimer(let timer, let deadline):
            turn.effects.append(.setTimer(.read(timer), deadline))
        case .cancelTimer(let timer): turn.effects.append(.cancelTimer(.read(timer)))
        }
    }

    // MARK: - What is shown

    /// Puts the snapshot together anew, where anything in it may have changed.
    mutating func publishIfChanged(_ turn: inout Turn) {
        guard turn.isChanged else { return }
        landing.settle(by: pipelines.snapshot)
        let next = makeSnapshot()
        guard next != snapshot else { return }
        snapshot = next
        turn.effects.append(.publish(next))
    }

    mutating func makeSnapshot() -> RoomSnapshot {
        let changes = landing.overlay + outbox.overlay
        if changes != overlay {
            overlay = changes
            overlayNumber += 1
        }
        return RoomSnapshot(
            following: snapshot, timeline: withOverlay(pipelines.snapshot),
            unsent: landing.unsent + outbox.unsent, failedChanges: outbox.failedChanges,
            localKeys: localKeys.all,
            read: reads.mark, unread: reads.unread, recovery: recovery, state: state)
    }

    /// The person sees their own edits, deletions and reactions at once.
    private func withOverlay(_ shown: TimelineSnapshot) -> TimelineSnapshot {
        guard !overlay.isEmpty else { return shown }
        let changes = Dictionary(grouping: overlay, by: \.target)
        let items = shown.items.map { item -> TimelineSnapshot.Item in
            guard case .message(let message) = item, let pending = changes[message.id] else {
                return item
            }
            return .message(pending.reduce(message) { $1.applied(to: $0, by: user) })
        }
        return TimelineSnapshot(
            room: shown.room, version: shown.version, window: shown.window, items: items,
            members: shown.members, hasOlder: shown.hasOlder, hasNewer: shown.hasNewer,
            overlay: overlayNumber)
    }

    private static func stored(_ token: RoomCommit.Token) -> Step {
        switch token {
        case .timeline(let id): .pipeline(.committed(id))
        case .outbox(let id): .outbox(.committed(id))
        case .read(let id): .read(.committed(id))
        }
    }

    private static func notStored(_ token: RoomCommit.Token) -> Step {
        switch token {
        case .timeline(let id): .pipeline(.commitFailed(id))
        case .outbox(let id): .outbox(.commitFailed(id))
        case .read(let id): .read(.commitFailed(id))
        }
    }

    private static func fired(_ timer: RoomTimer) -> Step {
        switch timer {
        case .pipeline(let timer): .pipeline(.timer(timer))
        case .outbox(let timer): .outbox(.timer(timer))
        case .read(let timer): .read(.timer(timer))
        }
    }
}

extension OutboxInput {
    /// The message that shows the outbox what the server has.
    fileprivate var shownMessage: Message? {
        switch self {
        case .observed(let message): message
        case .submit, .retry, .cancel, .discard, .subscription, .capabilities, .performed,
            .rejected, .recovered, .committed, .commitFailed, .timer:
            nil
        }
    }
}

extension [OutboxEffect] {
    /// The message that an answer brought.
    fileprivate var learnedMessage: Message? {
        for case .learned(let message) in self { return message }
        return nil
    }
}
