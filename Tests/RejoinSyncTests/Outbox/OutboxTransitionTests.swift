import RejoinContracts
import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("Every state of the outbox against every input")
struct OutboxTransitionTests {
    /// A state, and the way into it.
    struct Situation: Sendable {
        let name: String
        var idempotent = true
        let enter: @Sendable (inout OutboxRig) -> Void
    }

    static let situations: [Situation] = [
        Situation(name: "empty, closed") { _ in },
        Situation(name: "empty, open") { $0.open() },
        Situation(name: "waiting, closed") { $0.send(.a) },
        Situation(name: "waiting, not caught up", idempotent: false) {
            $0.send(.a)
            $0.pass(.seconds(1))
            $0.give(.subscription(isOpen: true))
        },
        Situation(name: "departing") {
            $0.open()
            $0.storesAtOnce = false
            $0.send(.a)
        },
        Situation(name: "in flight") {
            $0.open()
            $0.send(.a)
        },
        Situation(name: "in flight, not idempotent", idempotent: false) {
            $0.open()
            $0.send(.a)
        },
        Situation(name: "in flight, cancelled") {
            $0.open()
            $0.send(.a)
            $0.give(.cancel(.a))
        },
        Situation(name: "backing off") {
            $0.open()
            $0.send(.a)
            $0.fail(.unreachable)
        },
        Situation(name: "backing off after a lost answer") {
            $0.open()
            $0.send(.a)
            $0.fail(.outcomeUnknown)
        },
        Situation(name: "accepted") {
            $0.open()
            $0.send(.a)
            $0.answer(.success(.accepted))
        },
        Situation(name: "outcome unknown", idempotent: false) {
            $0.open()
            $0.send(.a)
            $0.fail(.outcomeUnknown)
        },
        Situation(name: "outcome unknown, cancelled") {
            $0.open()
            $0.send(.a)
            $0.give(.cancel(.a))
            $0.fail(.outcomeUnknown)
        },
        Situation(name: "unconfirmed", idempotent: false) {
            $0.open()
            $0.send(.a)
            $0.fail(.outcomeUnknown)
            $0.give(.recovered(begunAt: $0.now))
        },
        Situation(name: "failed") {
            $0.open()
            $0.send(.a)
            $0.fail(.rejected)
        },
        Situation(name: "store failing") {
            $0.storesAtOnce = false
            $0.send(.a)
            let commit = $0.commits.removeFirst()
            $0.give(.commitFailed(commit.id))
        },
        Situation(name: "edit in flight, edited message unsent") {
            $0.open()
            $0.send(.a)
            $0.answer(.success(.accepted))
            $0.give(.submit(.c, .edit(.local(.a), [.text("later")])))
            $0.give(.submit(.b, .edit(.sent(MessageID(3)), [.text("new")])))
        },
    ]

    /// An input that means the same in each situation: tokens are those of the situation.
    struct Step: Sendable {
        let name: String
        let input: @Sendable (OutboxRig) -> OutboxInput

        init(_ name: String, _ input: @escaping @Sendable (OutboxRig) -> OutboxInput) {
            self.name = name
            self.input = input
        }
    }

    static let steps: [Step] = personSteps + serverSteps + failureSteps + storeSteps + timerSteps

    static let personSteps: [Step] = [
        Step("submit send") { _ in .submit(.key(1), .send([.text("next")])) },
        Step("submit same key") { _ in .submit(.a, .send([.text("again")])) },
        Step("submit edit of A") { _ in .submit(.key(1), .edit(.local(.a), [.text("better")])) },
        Step("submit delete of A") { _ in .submit(.key(1), .delete(.local(.a))) },
        Step("submit reaction to A") { _ in
            .submit(.key(1), .react(.local(.a), emoji: "👍", true))
        },
        Step("submit reaction to 3") { _ in
            .submit(.key(1), .react(.sent(MessageID(3)), emoji: "👍", true))
        },
        Step("retry") { _ in .retry(.a) },
        Step("cancel") { _ in .cancel(.a) },
        Step("discard") { _ in .discard(.a) },
    ]

    static let serverSteps: [Step] = [
        Step("subscription open") { _ in .subscription(isOpen: true) },
        Step("subscription lost") { _ in .subscription(isOpen: false) },
        Step("recovered") { .recovered(begunAt: $0.now) },
        Step("recovered, begun early") { _ in .recovered(begunAt: Instant(nanoseconds: -1)) },
        Step("observed A") { _ in .observed(.own(7, .a)) },
        Step("observed 3, edited") { _ in .observed(.own(3, nil, "new")) },
        Step("observed another") { _ in .observed(.own(8, .key(9))) },
        Step("rejected") { _ in .rejected(.a, BackendFailure(.rejected, "no")) },
        Step("rejected for now") { _ in .rejected(.a, BackendFailure(.rateLimited, "no")) },
        Step("capabilities: no keys") { _ in .capabilities(OutboxRig.capabilities(nil)) },
        Step("performed: stored") { .performed($0.attempt, .success(.stored(.own(7, .a)))) },
        Step("performed: accepted") { .performed($0.attempt, .success(.accepted)) },
        Step("performed: stale") { _ in
            .performed(Outbox.AttemptID(99), .failure(BackendFailure(.rejected, "no")))
        },
    ]

    static let failureSteps: [Step] = failures.map { code in
        Step("performed: \(code.rawValue)") {
            .performed($0.attempt, .failure(BackendFailure(code, "no")))
        }
    }

    static let storeSteps: [Step] = [
        Step("committed") { .committed($0.commits.first?.id ?? OutboxCommit.ID(99)) },
        Step("commit failed") { .commitFailed($0.commits.first?.id ?? OutboxCommit.ID(99)) },
    ]

    static let timerSteps: [Step] = OutboxTimer.allCases.map { timer in
        Step("timer \(timer)") { _ in .timer(timer) }
    }

    static let failures: [BackendFailure.Code] = [
        .unreachable, .outcomeUnknown, .serverError, .rateLimited, .tokenExpired, .tokenInvalid,
        .forbidden, .notFound, .conflict, .tooLarge, .rejected, .malformedAnswer, .cancelled,
    ]

    @Test("The transition table is the committed one; REJOIN_RECORD=1 writes it anew")
    func table() throws {
        var lines: [String] = []
        for situation in Self.situations {
            var entered = OutboxRig(idempotent: situation.idempotent)
            situation.enter(&entered)
            entered.storesAtOnce = false
            let before = describe(entered.outbox.items)
            lines.append("== \(situation.name): \(before)")
            var ignored: [String] = []
            for step in Self.steps {
                var rig = entered
                // Timers are due.
                rig.pass(.seconds(100))
                let effects = rig.give(step.input(rig))
                let items = describe(rig.outbox.items)
                if items == before, effects.isEmpty {
                    ignored.append(step.name)
                } else {
                    lines.append("\(step.name) -> \(items) | \(describe(effects))")
                }
            }
            lines.append("neither shown nor acted on: " + ignored.joined(separator: "; "))
            lines.append("")
        }
        let difference = try TextSnapshot.difference(
            of: lines.joined(separator: "\n"), from: "Outbox.transitions.txt", testFile: #filePath)
        #expect(difference == nil)
    }
}

extension OutboxRig {
    /// The attempt under way.
    var attempt: Outbox.AttemptID { attempts.first?.id ?? Outbox.AttemptID(99) }
}

// MARK: Short names

private func name(_ id: ClientMessageID) -> String {
    let number = id.number
    return number >= 0xA ? String(number, radix: 16).uppercased() : "#\(number)"
}

private func describe(_ items: [OutboxItem]) -> String {
    "[" + items.map(describe).joined(separator: ", ") + "]"
}

private func describe(_ item: OutboxItem) -> String {
    var words = [name(item.id), describe(item.work), describe(item.state)]
    if item.mayBeStored { words.append("maybe-stored") }
    if item.isCancelled { words.append("cancelled") }
    return words.joined(separator: " ")
}

private func describe(_ work: OutboxWork) -> String {
    switch work {
    case .send: "send"
    case .edit(let target, _): "edit(\(describe(target)))"
    case .delete(let target): "delete(\(describe(target)))"
    case .react(let target, _, let isPut): "\(isPut ? "react" : "unreact")(\(describe(target)))"
    }
}

private func describe(_ target: OutboxTarget) -> String {
    switch target {
    case .sent(let id): "\(id)"
    case .local(let id): name(id)
    }
}

private func describe(_ state: OutboxItem.State) -> String {
    switch state {
    case .waiting: "waiting"
    case .accepted: "accepted"
    case .outcomeUnknown: "outcome-unknown"
    case .unconfirmed(let failure): "unconfirmed(\(failure?.code.rawValue ?? "not found"))"
    case .failed(let failure): "failed(\(failure.code.rawValue))"
    }
}

private func describe(_ effects: [OutboxEffect]) -> String {
    effects.map(describe).joined(separator: ", ")
}

private func describe(_ effect: OutboxEffect) -> String {
    switch effect {
    case .accepted(let id): "accepted \(name(id))"
    case .cancelled(let id): "cancelled \(name(id))"
    case .refused(let id, let refusal): "refused \(name(id)) \(refusal.code.rawValue)"
    case .settled(let id, let message): "settled \(name(id)) as \(message)"
    case .learned(let message): "learned \(message.id)"
    case .perform(let attempt, let mutation):
        "perform \(attempt.rawValue) \(describe(mutation))"
    case .abandon(let attempt): "abandon \(attempt.rawValue)"
    case .requestRecovery: "request-recovery"
    case .commit(let commit):
        "commit \(commit.id.rawValue) put" + describe(commit.puts.map(\.id)) + " remove"
            + describe(commit.removals)
    case .publish: "publish"
    case .setTimer(let timer, let due): "set \(timer) \(due.nanoseconds / 1_000_000_000)s"
    case .cancelTimer(let timer): "cancel \(timer)"
    }
}

private func describe(_ ids: [ClientMessageID]) -> String {
    "[" + ids.map(name).joined(separator: " ") + "]"
}

private func describe(_ mutation: Mutation) -> String {
    switch mutation {
    case .send(let draft): "send \(name(draft.clientID))"
    case .edit(let id, _): "edit \(id)"
    case .delete(let id): "delete \(id)"
    case .react(let id, _, let isPut): "\(isPut ? "react" : "unreact") \(id)"
    }
}
