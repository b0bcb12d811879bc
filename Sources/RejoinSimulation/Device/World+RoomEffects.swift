internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinReadState
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport
internal import RejoinWire

// What a device's rooms want done.

extension World {
    func execute(_ effect: RoomEffect, of room: DeviceRoom, in device: Device) {
        switch effect {
        case .fetch(let id, let request):
            room.movements += 1
            note(device, "\(room.id): fetches \(request.story)")
            let fetch = FetchScheduler.Fetch(room: room.id, id: id, request: request)
            run(device.fetches.add(fetch, onScreen: device.onScreen), of: device)
        case .cancelFetch(let id): device.fetches.cancel(id, in: room.id)
        case .perform(let attempt, let mutation):
            room.movements += 1
            note(device, "\(room.id): \(mutation.story), attempt \(attempt.rawValue)")
            oracle.departs(mutation, room, device, in: self)
            perform(attempt, mutation, room, device)
        case .report(let attempt, let mark, let unread):
            room.movements += 1
            room.reports += 1
            note(device, "\(room.id): reports read \(mark.story)\(unread ? " as unread" : "")")
            request(.report(attempt, mark, unread: unread), room.index, device)
        case .fetchSummary: request(.summary, room.index, device)
        case .abandon, .abandonReport:
            // The answer will carry a stale token, as in the client.
            break
        case .commit(let commit):
            room.movements += 1
            room.line.append(commit)
            if room.line.count == 1 { planCommit(room, device) }
        case .unsubscribe:
            room.isRefused = true
            planReadmission(to: room.index, device)
            give(.stomp(.unsubscribe(room.key)), to: device)
        case .publish(let snapshot): oracle.published(snapshot, room, device, in: self)
        case .setTimer(let timer, let deadline):
            room.timers[timer] = deadline
            plan(
                .roomTimer(
                    device: device.index, life: device.life, room: room.index, timer, deadline),
                at: deadline)
        case .cancelTimer(let timer): room.timers[timer] = nil
        case .accepted(let id): accepted(id, room, device)
        case .cancelled: break
        case .refused(let id, let refusal):
            note(device, "\(room.id): refused, \(refusal.code.rawValue)")
            if let act = actsByID[id], !acts[act].isAccepted { acts[act].isWithdrawn = true }
        case .recovered(let outcome):
            room.lastOutcome = outcome
            note(device, "\(room.id): recovery \(outcome.story)")
            statistics.recoveries += 1
            oracle.recovered(outcome, room, device, in: self)
            if room.session.variant == .refactored { learn(.recovered(outcome), on: device) }
        case .switched(let old, let selection):
            switched(room, device, from: old, to: selection)
        case .shadow(let report):
            note(device, "\(room.id): shadow, \(report.finding.story)")
            learn(.shadow(report), on: device)
        case .metric(let metric):
            if metric == .bufferOverflow { room.droppedAt = now }
            note(device, "\(room.id): \(metric)")
        }
    }

    // MARK: Requests

    func run(_ fetches: [FetchScheduler.Fetch], of device: Device) {
        for fetch in fetches {
            guard let room = device.rooms.first(where: { $0.id == fetch.room }) else { continue }
            request(.fetch(fetch.id, fetch.request), room.index, device)
        }
    }

    private func perform(
        _ attempt: Outbox.AttemptID, _ mutation: Mutation, _ room: DeviceRoom, _ device: Device
    ) {
        if failsByIllness(mutation, room) {
            let request = request(.perform(attempt, mutation), of: room.index, device)
            let failure = BackendFailure(.serverError, "the server does not understand it")
            return plan(.answer(request, .failure(failure)), in: oneWay())
        }
        guard options.sendsBySocket,
            let send = format.encode(RoomCommand(room: room.id, kind: mutation.command))
        else { return request(.perform(attempt, mutation), room.index, device) }
        device.lastRequest += 1
        let id = StompRequestID(device.lastRequest)
        device.sends.append((id, room.index, room.opening, attempt, mutation.isSend))
        give(
            .stomp(
                .send(
                    id,
                    StompSend(
                        send.destination, headers: ["content-type": send.contentType],
                        body: send.body, wantsReceipt: true))), to: device)
    }

    private func request(_ kind: Request.Kind, _ room: Int, _ device: Device) {
        send(request(kind, of: room, device))
    }

    private func request(_ kind: Request.Kind, of room: Int, _ device: Device) -> Request {
        Request(
            device: device.index, life: device.life, room: room,
            opening: device.rooms[room].opening, era: server.era, kind: kind, token: device.token)
    }

    /// An answer comes; expired credentials are renewed once.
    func take(_ outcome: Request.Outcome, of request: Request) {
        let device = devices[request.device]
        var outcome = outcome
        if device.isOffline, case .success = outcome {
            outcome = .failure(BackendFailure(.outcomeUnknown, "the network went away"))
        }
        if case .failure(let failure) = outcome, failure.code == .tokenExpired {
            guard request.isRenewed else {
                note(device, "renews the token")
                device.token = server.tokens[device.index]
                var again = request
                again.token = device.token
                again.era = server.era
                again.isRenewed = true
                return send(again)
            }
            outcome = .failure(
                BackendFailure(.tokenInvalid, "the renewed token is refused as expired too"))
        }
        let room = device.rooms[request.room]
        if case .fetch = request.kind {
            run(device.fetches.finish(onScreen: device.onScreen), of: device)
            guard device.life == request.life else { return }
        }
        // A room that was opened again meanwhile must not get it.
        guard room.opening == request.opening, !room.isEnded else { return }
        if case .failure = outcome { oracle.failed(request, room, device, in: self) }
        switch request.kind {
        case .fetch(let id, let what):
            var result = outcome.history
            result = device.mutant?.rewrite(result, to: what, in: room.id) ?? result
            note(device, "\(room.id): answer \(result.story)")
            give(.room(request.room, .answered(id, result)), to: device)
        case .summary:
            var summary: RoomSummary?
            if case .success(.summary(let fetched)) = outcome.history { summary = fetched }
            give(.room(request.room, .summarized(summary)), to: device)
        case .perform(let attempt, let mutation):
            if mutation.isSend { tellGuard(of: outcome.failure, room, device) }
            give(.room(request.room, .performed(attempt, outcome.mutation)), to: device)
        case .report(let attempt, _, _):
            room.reports -= 1
            give(.room(request.room, .reported(attempt, outcome.read)), to: device)
        }
    }

    /// A send ended.
    func tellGuard(of failure: BackendFailure?, _ room: DeviceRoom, _ device: Device) {
        guard room.session.variant == .refactored else { return }
        learn(.sent(failure), on: device)
    }

    // MARK: The store

    private func planCommit(_ room: DeviceRoom, _ device: Device) {
        let latency = options.storeLatency
        let wait = storeRandom.milliseconds(latency) + device.storeDelay
        plan(.stored(device: device.index, life: device.life, room: room.index), in: wait)
    }

    func store(_ device: Device, _ index: Int) {
        let room = device.rooms[index]
        guard !room.line.isEmpty else { return }
        let commit = room.line.removeFirst()
        if !room.line.isEmpty { planCommit(room, device) }
        let failing = (isSafetyPhase ? options.failingCommits : 0) + device.storeFailures
        if storeRandom.chance(failing) {
            note(device, "\(room.id): the store refuses a commit")
            // Of a closed room it is given up.
            return give(.room(index, .commitFailed(commit.token)), to: device)
        }
        var executed: RoomCommit? = commit
        if device.isMutated { executed = device.mutant?.rewrite(commit) }
        if let executed {
            device.stores[index].apply(executed.part)
            statistics.commits += 1
            oracle.stored(executed, room, device, in: self)
        }
        if case .read(let read) = commit.part { device.storedMarks[index] = read.record.mark }
        give(.room(index, .committed(commit.token)), to: device)
    }

    private func accepted(_ id: ClientMessageID, _ room: DeviceRoom, _ device: Device) {
        guard let act = actsByID[id], !acts[act].isAccepted else { return }
        acts[act].isAccepted = true
        if acts[act].kind == .send, !acts[act].isWithdrawn { device.echoes[room.index].append(act) }
    }
}

extension Mutation {
    /// Whether it makes a new message.
    fileprivate var isSend: Bool {
        switch self {
        case .send: true
        case .edit, .delete, .react: false
        }
    }
}

extension Request.Outcome {
    fileprivate var failure: BackendFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    fileprivate static var wrongKind: BackendFailure {
        BackendFailure(.malformedAnswer, "another kind of answer than was asked for")
    }

    fileprivate var history: Result<HistoryAnswer, BackendFailure> {
        flatMap { payload in
            if case .history(let answer) = payload {
                .success(answer)
            } else {
                .failure(Self.wrongKind)
            }
        }
    }

    fileprivate var mutation: Result<MutationAnswer, BackendFailure> {
        flatMap { payload in
            if case .mutation(let answer) = payload {
                .success(answer)
            } else {
                .failure(Self.wrongKind)
            }
        }
    }

    fileprivate var read: Result<ReadAnswer, BackendFailure> {
        flatMap { payload in
            if case .read(let answer) = payload {
                .success(answer)
            } else {
                .failure(Self.wrongKind)
            }
        }
    }
}
