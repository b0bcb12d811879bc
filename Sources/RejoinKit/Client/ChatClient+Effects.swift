package import Foundation
internal import RejoinModel
package import RejoinPipeline
internal import RejoinReadState
internal import RejoinStore
internal import RejoinSync
internal import RejoinTime
package import RejoinTransport
internal import RejoinWire

// Inputs into the rooms' cores, and their effects out of them.

extension ChatClient {
    /// Takes one input of a room and starts its effects in order. Not asynchronous: nothing comes
    /// between a decision and its effects.
    func receive(_ input: RoomInput, in room: OpenRoom) {
        let effects = room.session.handle(
            input, at: services.time.now, wall: services.time.wallNow)
        for effect in effects { start(effect, in: room) }
        noteSettlement()
    }

    /// As above, for a room that may not be open any more.
    func receive(_ input: RoomInput, in id: RoomID) {
        guard let room = rooms[id] else { return }
        receive(input, in: room)
    }

    /// An answer to a room: one that was opened again meanwhile must not get it.
    private func receive(_ input: RoomInput, in id: RoomID, opening: UInt64) {
        guard let room = rooms[id], room.opening == opening else { return }
        receive(input, in: room)
    }

    private func start(_ effect: RoomEffect, in room: OpenRoom) {
        guard !room.isEnded || effect.outlivesRoom else { return }
        let id = room.id
        let opening = room.opening
        switch effect {
        case .fetch(let request, let what):
            let fetch = FetchScheduler.Fetch(room: id, id: request, request: what)
            run(fetches.add(fetch, onScreen: onScreen))
        case .cancelFetch(let request): fetches.cancel(request, in: id)
        case .perform(let attempt, let mutation):
            work.add { await self.perform(attempt, mutation, id, opening) }
        case .report(let attempt, let mark, let unread):
            room.reports += 1
            work.add { await self.report(attempt, mark, unread: unread, id, opening) }
        case .fetchSummary: work.add { await self.summarize(id, opening) }
        case .abandon, .abandonReport:
            // The answer will carry a stale token; giving the request up would win nothing.
            break
        case .commit(let commit): store(commit, of: room)
        case .unsubscribe:
            room.isRefused = true
            guard let subscription = room.subscription else { return }
            work.add { [stomp] in await stomp.unsubscribe(subscription) }
        case .publish(let snapshot): room.hub.send(snapshot, isState: true)
        case .setTimer(let timer, let deadline):
            setTimer(.room(id, timer), to: deadline)
        case .cancelTimer(let timer): timers.cancel(.room(id, timer))
        case .accepted(let item): room.submissions.removeValue(forKey: item)?.resume(returning: nil)
        case .cancelled: break
        case .refused(let item, let refusal):
            let error = ChatError(.refused, refusal.description)
            room.submissions.removeValue(forKey: item)?.resume(returning: error)
        case .recovered(let outcome):
            counters.count(outcome)
            if room.session.variant == .refactored { services.rollout?.learn(.recovered(outcome)) }
            finishRecoveries(of: room, as: outcome)
        case .switched(let old, let selection):
            counters.pipelineSwitches += 1
            // A handover that begins no session is a rollback, which was a mere offer till now.
            _ = services.rollout?.decision(for: selectionContext(of: id))
            rolloutEvents.broadcast.send(.switched(id, from: old, to: selection))
        case .metric(let metric): counters.count(metric)
        case .shadow(let report):
            services.rollout?.learn(.shadow(report))
            rolloutEvents.broadcast.send(.shadow(report))
        }
    }

    // MARK: - History, mutations, reports

    private func run(_ started: [FetchScheduler.Fetch]) {
        for fetch in started {
            let opening = rooms[fetch.room]?.opening ?? 0
            work.add { await self.fetch(fetch, opening) }
        }
    }

    private func fetch(_ fetch: FetchScheduler.Fetch, _ opening: UInt64) async {
        let result = await outcome { () async throws(BackendFailure) in
            try await self.backend.answer(fetch.request, in: fetch.room)
        }
        run(fetches.finish(onScreen: onScreen))
        receive(.answered(fetch.id, result), in: fetch.room, opening: opening)
    }

    private func perform(
        _ attempt: Outbox.AttemptID, _ mutation: Mutation, _ id: RoomID, _ opening: UInt64
    ) async {
        let result = await outcome { () async throws(BackendFailure) in
            try await self.sender.perform(mutation, in: id)
        }
        if case .send = mutation { tellGuard(of: result, in: id) }
        receive(.performed(attempt, result), in: id, opening: opening)
    }

    private func tellGuard(of sent: Result<MutationAnswer, BackendFailure>, in id: RoomID) {
        guard rooms[id]?.session.variant == .refactored else { return }
        switch sent {
        case .success: services.rollout?.learn(.sent(nil))
        case .failure(let failure): services.rollout?.learn(.sent(failure))
        }
    }

    private func report(
        _ attempt: ReadSync.AttemptID, _ mark: ReadMark, unread: Bool, _ id: RoomID,
        _ opening: UInt64
    ) async {
        let result = await outcome { () async throws(BackendFailure) in
            try await self.backend.report(mark, unread: unread, in: id)
        }
        if let room = rooms[id], room.opening == opening { room.reports -= 1 }
        receive(.reported(attempt, result), in: id, opening: opening)
    }

    private func summarize(_ id: RoomID, _ opening: UInt64) async {
        let result = await outcome { () async throws(BackendFailure) in
            try await self.backend.answer(HistoryRequest.summary, in: id)
        }
        var summary: RoomSummary?
        if case .success(.summary(let fetched)) = result { summary = fetched }
        receive(.summarized(summary), in: id, opening: opening)
    }

    private func outcome<Value: Sendable>(
        _ request: () async throws(BackendFailure) -> Value
    ) async -> Result<Value, BackendFailure> {
        do throws(BackendFailure) {
            return .success(try await request())
        } catch {
            return .failure(error)
        }
    }

    // MARK: - The store

    private func store(_ commit: RoomCommit, of room: OpenRoom) {
        let id = room.id
        let isIdle = lines[id] == nil
        lines[id, default: CommitLine()].append(commit, of: room)
        if isIdle { work.add { await self.storeCommits(of: id) } }
    }

    /// Stores a room's commits one after the other, in the order in which its cores asked; also
    /// those of an opening that has ended meanwhile.
    private func storeCommits(of id: RoomID) async {
        while let (commit, room) = lines[id]?.popFirst() {
            do throws(RoomStoreError) {
                try await services.store.execute(commit)
                receive(.committed(commit.token), in: room)
            } catch {
                counters.failedCommits += 1
                receive(.commitFailed(commit.token), in: room)
            }
        }
        if let line = lines.removeValue(forKey: id) { leave(line) }
        noteSettlement()
    }

    // MARK: - Timers

    func setTimer(_ key: TimerKey, to deadline: Instant) {
        if let sleeper = timers.set(key, to: deadline) { sleep(until: sleeper) }
    }

    private func sleep(until deadline: Instant) {
        work.add { [services] in
            do { try await services.time.sleep(until: deadline) } catch { return }
            await self.wake(deadline)
        }
    }

    private func wake(_ sleeper: Instant) {
        let (due, next) = timers.wake(sleeper, at: services.time.now)
        if let next { sleep(until: next) }
        for key in due {
            switch key {
            case .room(let room, let timer): receive(.timer(timer), in: room)
            case .settling(let ticket): stopWaiting(ticket)
            }
        }
    }

    // MARK: - The socket

    /// Feeds a room from its subscription until that ends.
    func follow(
        _ subscription: StompSubscription, _ destination: String, _ id: RoomID, _ opening: UInt64
    ) async {
        for await event in subscription {
            guard let input = input(for: event, destination) else { continue }
            receive(input, in: id, opening: opening)
        }
    }

    private func input(for event: StompSubscription.Event, _ destination: String) -> RoomInput? {
        switch event {
        case .overflowed: .subscription(.overflowed)
        case .message(let message): input(for: message, destination)
        case .phase(let phase): RoomInput(phase)
        }
    }

    private func input(for message: StompMessage, _ destination: String) -> RoomInput {
        do throws(WireError) {
            return .event(try services.format.decodeEvent(message.body, at: destination))
        } catch {
            counters.unreadableEvents += 1
            return .unreadableEvent
        }
    }
}

extension RoomEffect {
    /// Whether it is carried out for a room that has ended: what was on its way to the store then
    /// gets there, and whoever waits for it learns so.
    fileprivate var outlivesRoom: Bool {
        switch self {
        case .commit, .accepted, .refused: true
        case .fetch, .cancelFetch, .perform, .abandon, .report, .abandonReport, .fetchSummary,
            .publish, .setTimer, .cancelTimer, .cancelled, .unsubscribe, .recovered, .switched,
            .metric, .shadow:
            false
        }
    }
}

extension RoomInput {
    /// What a subscription's phase means for its room; `nil`: nothing new.
    package init?(_ phase: StompSubscriptionPhase) {
        switch phase {
        case .waiting, .unsubscribed: return nil
        case .pending: self = .subscription(.pending)
        case .confirmed: self = .subscription(.confirmed)
        case .assumed: self = .subscription(.assumed)
        case .proven: self = .subscription(.proven)
        case .lost: self = .subscription(.lost)
        case .resting(let error, let until):
            self = .denied(BackendFailure(.unreachable, error.description), retryAt: until)
        case .denied(let error):
            self = .denied(BackendFailure(.forbidden, error.description), retryAt: nil)
        case .quarantined(let error), .refused(let error):
            self = .denied(BackendFailure(.rejected, error.description), retryAt: nil)
        }
    }
}

extension RandomNumberGenerator {
    /// A random UUID (RFC 9562 section 5.4) drawn from this generator, so that a seed fixes it.
    package mutating func uuid() -> UUID {
        var (high, low) = (next(), next())
        high = high & ~0xF000 | 0x4000
        low = low & ~(0b11 << 62) | (0b10 << 62)
        func byte(_ word: UInt64, _ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
