import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("P5, DESIGN 5: a send is kept until the server is known to have it")
struct OutboxSendingTests {
    @Test("The echo is shown at once, before anything is stored (row 47)")
    func echo() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.send(.a)
        #expect(rig.outbox.unsent.map(\.clientID) == [.a])
        #expect(rig.outbox.unsent.map(\.state) == [.queued])
        #expect(rig.log.last == .publish)
    }

    @Test("A second tap with the same key is the same message (row 47)")
    func doubleTap() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.send(.a)
        rig.answer(.success(.stored(.own(1, .a))))
        #expect(rig.give(.submit(.a, .send([.text("again")]))) == [.accepted(.a)])
        #expect(rig.outbox.items.isEmpty && rig.attempts.isEmpty)
    }

    @Test("`send` is accepted when its commit is stored, and no byte leaves before")
    func persistedFirst() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.open()
        rig.send(.a)
        #expect(rig.attempts.isEmpty && !rig.log.contains(.accepted(.a)))
        #expect(rig.commits.count == 1)
        #expect(rig.commits.first?.puts.first?.mayBeStored == true)
        let effects = rig.storeAll()
        #expect(effects.first == .accepted(.a))
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("hello")]))
            ])
    }

    @Test("A commit that fails is tried again, and the send waits for it")
    func storeFailure() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.open()
        rig.send(.a)
        let lost = rig.commits.removeFirst()
        rig.give(.commitFailed(lost.id))
        #expect(rig.commits.isEmpty && rig.attempts.isEmpty)
        rig.pass(.seconds(60))
        rig.give(.timer(.store))
        #expect(rig.commits.map(\.puts) == [lost.puts])
        rig.storeAll()
        #expect(rig.log.contains(.accepted(.a)) && rig.attempts.count == 1)
    }

    @Test("First in, first out, one on its way (row 58)")
    func order() {
        var rig = OutboxRig()
        rig.open()
        for key in [ClientMessageID.a, .b, .c] { rig.send(key) }
        #expect(rig.attempts.count == 1)
        for (place, key) in [ClientMessageID.a, .b, .c].enumerated() {
            #expect(
                rig.attempts.map(\.mutation) == [
                    .send(MessageDraft(clientID: key, content: [.text("hello")]))
                ])
            rig.answer(.success(.stored(.own(UInt128(place + 1), key))))
        }
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("A stored answer settles, and its message goes to the pipeline before the item goes")
    func settles() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        let message = Message.own(9, .a)
        let effects = rig.answer(.success(.stored(message)))
        #expect(effects.starts(with: [.cancelTimer(.attempt), .learned(message)]))
        #expect(effects.contains(.settled(.a, MessageID(9))))
    }

    @Test("A receipt only makes it accepted; the event settles it")
    func receipt() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.send(.b)
        rig.answer(.success(.accepted))
        #expect(rig.outbox.unsent.map(\.state) == [.accepted, .sending])
        rig.give(.observed(.own(1, .a)))
        #expect(rig.outbox.unsent.map(\.clientID) == [.b])
    }

    @Test(
        "The echo by client ID wins over the request's own fate (rows 46, 50)",
        arguments: [
            BackendFailure.Code.outcomeUnknown, .serverError, .rejected, .forbidden,
        ])
    func echoWins(_ code: BackendFailure.Code) {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        let attempt = rig.attempts[0].id
        rig.give(.observed(.own(1, .a)))
        #expect(rig.outbox.items.isEmpty)
        #expect(rig.log.contains(.abandon(attempt)))
        #expect(rig.give(.performed(attempt, .failure(BackendFailure(code, "late")))).isEmpty)
    }

    @Test("The echo settles a failed item too (row 46)")
    func echoAfterFailure() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.rejected)
        rig.give(.observed(.own(1, .a)))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("Somebody else's message with our key settles nothing")
    func foreignKey() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.observed(.own(1, .a, by: UserID("somebody"))))
        #expect(rig.outbox.unsent.map(\.clientID) == [.a])
    }

    @Test("\"Already exists\" on the own key means sent (row 45)")
    func conflict() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.conflict)
        #expect(rig.outbox.unsent.map(\.state) == [.accepted])
        rig.give(.observed(.own(1, .a)))
        #expect(rig.outbox.items.isEmpty)
    }

    @Test("A refusal fails the item with its reason and releases its successors")
    func refusal() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.send(.b)
        rig.fail(.forbidden)
        #expect(
            rig.outbox.unsent.map(\.state) == [
                .failed(BackendFailure(.forbidden, "a test")), .sending,
            ])
        #expect(rig.record.items.map(\.state) == rig.outbox.items.map(\.state))
    }

    @Test("A refusal by an event fails what a receipt had accepted")
    func rejectedEvent() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.answer(.success(.accepted))
        let failure = BackendFailure(.rejected, "too rude")
        rig.give(.rejected(.a, failure))
        #expect(rig.outbox.unsent.map(\.state) == [.failed(failure)])
    }

    @Test("A refusal by an event ends the attempt under way")
    func rejectedInFlight() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.rejected(.a, BackendFailure(.rejected, "too rude")))
        #expect(rig.attempts.isEmpty)
        guard case .failed = rig.outbox.items[0].state else {
            Issue.record("\(rig.outbox.items)")
            return
        }
    }

    @Test("A retry rejoins at the tail with the same key (row 49)")
    func retry() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.rejected)
        rig.send(.b)
        rig.send(.c)
        rig.give(.retry(.a))
        #expect(rig.outbox.unsent.map(\.clientID) == [.b, .c, .a])
        rig.answer(.success(.stored(.own(1, .b))))
        rig.answer(.success(.stored(.own(2, .c))))
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("hello")]))
            ])
    }

    @Test("At the limit a send is refused, and what waits is kept (P7)")
    func limit() {
        var rig = OutboxRig(configuration: OutboxConfiguration(itemLimit: 2))
        rig.send(.a)
        rig.send(.b)
        let effects = rig.give(.submit(.c, .send([.text("one too many")])))
        guard case .refused(.c, let refusal)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(refusal.code == .full)
        #expect(rig.record.items.map(\.id) == [.a, .b])
    }

    @Test("Content beyond the limit is refused (P7)")
    func contentLimit() {
        var rig = OutboxRig(configuration: OutboxConfiguration(contentByteLimit: 100))
        let effects = rig.give(
            .submit(.a, .send([.text(String(repeating: "é", count: 50))])))
        guard case .refused(.a, let refusal)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(refusal.code == .tooLarge && !refusal.message.contains("é"))
    }
}

@Suite("DESIGN 5: when the outbox opens, and how it waits")
struct OutboxGateTests {
    @Test("It opens at the subscription's confirmation, for an idempotent backend")
    func opensAtSubscription() {
        var rig = OutboxRig()
        rig.send(.a)
        #expect(rig.attempts.isEmpty)
        rig.give(.subscription(isOpen: true))
        #expect(rig.attempts.count == 1)
    }

    @Test("It opens only after catch-up where the backend is not idempotent (row 42)")
    func opensAfterCatchUp() {
        var rig = OutboxRig(idempotent: false)
        rig.send(.a)
        rig.pass(.seconds(1))
        rig.give(.subscription(isOpen: true))
        rig.give(.recovered(begunAt: .origin))
        #expect(rig.attempts.isEmpty, "that recovery began before the subscription")
        rig.give(.recovered(begunAt: rig.now))
        #expect(rig.attempts.count == 1)
    }

    @Test("A gate that closes while the departure is stored keeps the item here")
    func gateCloses() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.open()
        rig.send(.a)
        rig.give(.subscription(isOpen: false))
        rig.storeAll()
        #expect(rig.attempts.isEmpty)
        #expect(rig.record.items.map(\.mayBeStored) == [false])
        rig.give(.cancel(.a))
        rig.storeAll()
        #expect(rig.record.items.isEmpty)
    }

    @Test("An item that grows too old while its departure is stored does not leave any more (P5)")
    func expiresWhileDeparting() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.open()
        rig.send(.a)
        rig.pass(.seconds(86_400))
        rig.storeAll()
        #expect(rig.attempts.isEmpty)
        guard case .failed(let failure)? = rig.record.items.first?.state else {
            Issue.record("it waits although nobody may send it")
            return
        }
        #expect(failure.code == .expired)
    }

    @Test(
        "A failure without effect is tried again after a drawn wait (P8)",
        arguments: [
            BackendFailure.Code.unreachable, .rateLimited, .tokenExpired,
        ])
    func backoff(_ code: BackendFailure.Code) {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.fail(code)
        #expect(rig.attempts.isEmpty)
        #expect(rig.record.items.map(\.mayBeStored) == [false])
        rig.give(.timer(.retry))
        #expect(rig.attempts.isEmpty, "a timer that fires early is harmless")
        rig.pass(.seconds(1))
        rig.give(.timer(.retry))
        #expect(rig.attempts.count == 1)
    }

    @Test("Retry-After is honoured, with jitter on top, and outlives a reconnect (row 86)")
    func retryAfter() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.rateLimited, retryAfter: .seconds(20))
        rig.pass(.seconds(20))
        rig.give(.subscription(isOpen: false))
        rig.open()
        rig.give(.timer(.retry))
        #expect(rig.attempts.isEmpty)
        rig.pass(.seconds(1))
        rig.give(.timer(.retry))
        #expect(rig.attempts.count == 1)
    }

    @Test("A server cannot impose a wait beyond the limit (P7)")
    func retryAfterLimit() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.rateLimited, retryAfter: .seconds(1_000_000_000))
        rig.pass(.seconds(3_602))
        rig.give(.timer(.retry))
        #expect(rig.attempts.count == 1)
    }

    @Test("A new subscription ends a wait that served an unreachable server")
    func reconnectEndsWait() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.unreachable)
        rig.give(.subscription(isOpen: false))
        rig.give(.subscription(isOpen: true))
        #expect(rig.attempts.count == 1)
    }

    @Test("An invalid token holds the queue until the session is restored; no item fails")
    func tokenInvalid() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.tokenInvalid)
        rig.pass(.seconds(3_600))
        rig.give(.timer(.retry))
        #expect(rig.attempts.isEmpty)
        #expect(rig.outbox.unsent.map(\.state) == [.queued])
        rig.give(.subscription(isOpen: true))
        #expect(rig.attempts.count == 1)
    }

    @Test("A server that fails over one item again and again does not block the others for ever")
    func serverFailureLimit() {
        var rig = OutboxRig(configuration: OutboxConfiguration(serverFailureLimit: 3))
        rig.open()
        rig.send(.a)
        rig.send(.b)
        for _ in 0..<3 {
            rig.fail(.serverError)
            rig.pass(.seconds(60))
            rig.give(.timer(.retry))
        }
        #expect(rig.outbox.unsent.map(\.state) == [.unconfirmed, .sending])
    }

    @Test("An attempt that is never answered counts as unknown at its deadline")
    func attemptTimeout() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.pass(.seconds(60))
        let effects = rig.give(.timer(.attempt))
        #expect(effects.contains(.requestRecovery))
        #expect(rig.outbox.items.map(\.state) == [.outcomeUnknown])
    }
}
