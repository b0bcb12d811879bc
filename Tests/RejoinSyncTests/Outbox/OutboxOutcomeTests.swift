import RejoinModel
import RejoinSync
import RejoinTime
import Testing

@Suite("P5: an unknown outcome never doubles a message")
struct OutboxOutcomeTests {
    @Test("It is repeated with the same key where the backend keeps keys (rows 42, 49)")
    func idempotent() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        let first = rig.attempts[0].mutation
        rig.fail(.outcomeUnknown)
        rig.pass(.seconds(2))
        rig.give(.timer(.retry))
        #expect(rig.attempts.map(\.mutation) == [first])
    }

    @Test("It is not repeated where the backend does not: recovery looks for it (row 42)")
    func notIdempotent() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.send(.b)
        rig.pass(.seconds(1))
        let effects = rig.fail(.outcomeUnknown)
        #expect(effects.contains(.requestRecovery))
        rig.pass(.seconds(3_600))
        rig.give(.timer(.retry))
        #expect(rig.attempts.isEmpty, "its successor waits, so that the order holds")

        rig.give(.observed(.own(1, .a)))
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .b, content: [.text("hello")]))
            ])
    }

    @Test("What recovery does not find is unconfirmed, and the person decides")
    func unconfirmed() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.pass(.seconds(1))
        rig.fail(.outcomeUnknown)
        let early = rig.give(.recovered(begunAt: .origin))
        #expect(rig.outbox.items.map(\.state) == [.outcomeUnknown])
        #expect(early.contains(.requestRecovery), "that one began too early; another is needed")
        rig.give(.recovered(begunAt: rig.now))
        #expect(rig.outbox.unsent.map(\.state) == [.unconfirmed])
        #expect(rig.attempts.isEmpty)
        rig.give(.retry(.a))
        #expect(rig.attempts.count == 1)
    }

    @Test("An unconfirmed message that turns up late is settled")
    func lateEcho() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.fail(.outcomeUnknown)
        rig.give(.recovered(begunAt: rig.now))
        rig.give(.observed(.own(1, .a)))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("A key older than the server keeps it is not repeated (row 42)")
    func keyRetention() {
        var rig = OutboxRig(retention: .seconds(100))
        rig.open()
        rig.send(.a)
        rig.fail(.outcomeUnknown)
        rig.give(.subscription(isOpen: false))
        rig.pass(.seconds(90))
        rig.give(.subscription(isOpen: true))
        #expect(rig.attempts.isEmpty)
        #expect(rig.outbox.items.map(\.state) == [.outcomeUnknown])
    }

    @Test("An accepted message that is never seen is looked for, then unconfirmed")
    func acceptedButNeverSeen() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.answer(.success(.accepted))
        #expect(!rig.log.contains(.requestRecovery))
        rig.pass(.seconds(10))
        #expect(rig.give(.timer(.echo)).contains(.requestRecovery))
        rig.give(.recovered(begunAt: rig.now))
        #expect(rig.outbox.unsent.map(\.state) == [.unconfirmed])
    }

    @Test("A refused repetition says nothing about the attempt before it")
    func refusedRepetition() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.fail(.outcomeUnknown)
        rig.pass(.seconds(2))
        rig.give(.timer(.retry))
        rig.fail(.forbidden)
        #expect(
            rig.outbox.items.map(\.state) == [
                .unconfirmed(BackendFailure(.forbidden, "a test"))
            ])
    }

    @Test("An answer with another message than ours is not believed")
    func wrongAnswer() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.answer(.success(.stored(.own(1, .b))))
        #expect(rig.outbox.items.map(\.state) == [.outcomeUnknown])
    }

    @Test("A late answer with the message settles it, although its attempt was given up")
    func lateAnswer() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        let attempt = rig.attempts[0].id
        rig.pass(.seconds(60))
        rig.give(.timer(.attempt))
        let effects = rig.give(.performed(attempt, .success(.stored(.own(1, .a)))))
        #expect(effects.first == .learned(.own(1, .a)))
        #expect(rig.outbox.items.isEmpty)
    }

    @Test(
        "Without revisions an answer that the event has overtaken tells nothing: others may have changed the message since"
    )
    func overtakenAnswer() {
        var rig = OutboxRig()
        rig.open()
        rig.give(.submit(.b, .react(.sent(MessageID(1)), emoji: "+", true)))
        let attempt = rig.attempts[0].id
        var message = Message.own(1, .a)
        message.reactions = [Reaction(emoji: "+", users: [OutboxRig.user])]
        let ours = message
        message.reactions.append(Reaction(emoji: "!", users: [UserID("ann")]))
        rig.give(.observed(ours))
        rig.give(.observed(message))
        #expect(rig.outbox.items.isEmpty)
        #expect(rig.give(.performed(attempt, .success(.stored(ours)))).isEmpty)
        // A revision says which is newer, so that the pipeline can judge.
        var numbered = ours
        numbered.revision = Revision(9)
        #expect(
            rig.give(.performed(attempt, .success(.stored(numbered)))) == [.learned(numbered)])
    }

    // MARK: Kills

    @Test("In flight at a kill: repeated by key, with an idempotent backend")
    func killIdempotent() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.kill()
        rig.open()
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("hello")]))
            ])
    }

    @Test("In flight at a kill: looked for, without one")
    func killNotIdempotent() {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.send(.a)
        rig.kill(idempotent: false)
        rig.give(.subscription(isOpen: true))
        #expect(rig.attempts.isEmpty)
        rig.give(.recovered(begunAt: rig.now))
        #expect(rig.attempts.isEmpty)
        #expect(rig.outbox.unsent.map(\.state) == [.unconfirmed])
    }

    @Test("Not yet left at a kill: sent, whatever the backend", arguments: [true, false])
    func killBeforeDeparture(_ idempotent: Bool) {
        var rig = OutboxRig(idempotent: idempotent)
        rig.send(.a)
        rig.kill(idempotent: idempotent)
        rig.open()
        #expect(rig.attempts.count == 1)
    }

    @Test("An old item asks for consent instead of going out (row 43)")
    func expiry() {
        var rig = OutboxRig()
        rig.send(.a)
        rig.pass(.seconds(86_400))
        rig.kill()
        rig.open()
        #expect(rig.attempts.isEmpty)
        guard case .failed(let failure) = rig.outbox.items[0].state else {
            Issue.record("\(rig.outbox.items)")
            return
        }
        #expect(failure.code == .expired)
        rig.give(.retry(.a))
        #expect(rig.attempts.count == 1)
    }

    @Test("A clock that was set back expires nothing")
    func clockSetBack() {
        var rig = OutboxRig()
        rig.send(.a)
        rig.wall = WallTime(milliseconds: 0)
        rig.open()
        #expect(rig.attempts.count == 1)
    }
}

@Suite("DESIGN 5: cancelling and discarding")
struct OutboxCancelTests {
    @Test("What has not left is gone")
    func notLeft() {
        var rig = OutboxRig()
        rig.send(.a)
        let effects = rig.give(.cancel(.a))
        #expect(effects.contains(.cancelled(.a)))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("Before its first commit: the caller of `send` is told")
    func beforeCommit() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.send(.a)
        let effects = rig.give(.cancel(.a))
        guard case .refused(.a, let refusal)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(refusal.code == .cancelled)
        rig.storeAll()
        #expect(rig.record.items.isEmpty && rig.log.contains(.cancelled(.a)))
        #expect(!rig.log.contains(.accepted(.a)))
    }

    @Test("What may have left is deleted once it shows up")
    func deleteAfterSettle() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.cancel(.a))
        #expect(rig.outbox.unsent.isEmpty)
        rig.answer(.success(.stored(.own(5, .a))))
        #expect(rig.attempts.map(\.mutation) == [.delete(MessageID(5))])
        rig.answer(.success(.stored(.own(5, .a, isDeleted: true))))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("A cancelled send whose outcome is unknown is not repeated, not even by key")
    func noRepetition() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.cancel(.a))
        rig.fail(.outcomeUnknown)
        rig.pass(.seconds(60))
        rig.give(.timer(.retry))
        #expect(rig.attempts.isEmpty)
        rig.give(.recovered(begunAt: rig.now))
        rig.send(.b)
        #expect(rig.attempts.count == 1, "its successors go on")
        rig.give(.observed(.own(5, .a)))
        rig.answer(.success(.stored(.own(6, .b))))
        #expect(rig.attempts.map(\.mutation) == [.delete(MessageID(5))])
    }

    @Test("It survives a kill")
    func cancelSurvivesKill() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.cancel(.a))
        rig.kill()
        rig.open()
        #expect(rig.attempts.isEmpty && rig.outbox.unsent.isEmpty)
        rig.give(.observed(.own(5, .a)))
        #expect(rig.attempts.map(\.mutation) == [.delete(MessageID(5))])
    }

    @Test("A failed attempt without effect ends a cancelled send")
    func failedWithoutEffect() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.cancel(.a))
        rig.fail(.unreachable)
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("The watch over a cancelled send ends with the person's consent")
    func watchEnds() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.cancel(.a))
        rig.fail(.outcomeUnknown)
        rig.give(.recovered(begunAt: rig.now))
        #expect(rig.record.items.count == 1)
        rig.pass(.seconds(86_400))
        rig.open()
        #expect(rig.record.items.isEmpty)
    }

    @Test("Failed and unconfirmed items can be discarded, others not")
    func discard() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        let effects = rig.give(.discard(.a))
        guard case .refused(.a, let refusal)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(refusal.code == .stillPending)
        rig.fail(.rejected)
        rig.give(.discard(.a))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test(
        "Commands about what is not there are refused",
        arguments: [
            OutboxInput.cancel(.a), .retry(.a), .discard(.a),
        ])
    func unknown(_ input: OutboxInput) {
        var rig = OutboxRig()
        guard case .refused(.a, let refusal)? = rig.give(input).first else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .unknownItem)
    }
}

@Suite("DESIGN 5: edits, deletions and reactions stand in the queue")
struct OutboxChangeTests {
    let target = OutboxTarget.sent(MessageID(3))

    @Test("They are durable, in order with sends, and shown at once")
    func queued() {
        var rig = OutboxRig()
        rig.send(.a)
        rig.give(.submit(.b, .edit(target, [.text("new")])))
        #expect(rig.outbox.overlay.map(\.id) == [.b])
        rig.kill()
        rig.open()
        rig.answer(.success(.stored(.own(4, .a))))
        #expect(rig.attempts.map(\.mutation) == [.edit(MessageID(3), [.text("new")])])
        rig.answer(.success(.stored(.own(3, nil, "new"))))
        #expect(rig.outbox.overlay.isEmpty && rig.record.items.isEmpty)
    }

    @Test("An edit of a message that has not left changes its content (row 106)")
    func editUnsent() {
        var rig = OutboxRig()
        rig.send(.a)
        rig.give(.submit(.b, .edit(.local(.a), [.text("better")])))
        #expect(rig.log.contains(.accepted(.b)))
        #expect(rig.record.items.map(\.text) == ["better"])
        rig.open()
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("better")]))
            ])
    }

    @Test("An edit while the departure is stored still reaches the send")
    func editDeparting() {
        var rig = OutboxRig()
        rig.storesAtOnce = false
        rig.open()
        rig.send(.a)
        rig.give(.submit(.b, .edit(.local(.a), [.text("better")])))
        rig.storeAll()
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("better")]))
            ])
        #expect(rig.record.items.map(\.text) == ["better"])
    }

    @Test("An edit of a message on its way waits for it, and is shown (row 106)")
    func editInFlight() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.submit(.b, .edit(.local(.a), [.text("better")])))
        #expect(rig.outbox.unsent.map(\.content) == [[.text("better")]])
        rig.kill()
        rig.open()
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .a, content: [.text("hello")]))
            ])
        rig.answer(.success(.stored(.own(5, .a))))
        #expect(rig.attempts.map(\.mutation) == [.edit(MessageID(5), [.text("better")])])
        #expect(rig.outbox.overlay.map(\.target) == [MessageID(5)])
    }

    @Test("A change of a message that was sent a moment ago finds it by its client ID")
    func settledTarget() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.answer(.success(.stored(.own(5, .a))))
        rig.give(.submit(.b, .react(.local(.a), emoji: "👍", true)))
        #expect(
            rig.attempts.map(\.mutation) == [
                .react(MessageID(5), emoji: "👍", true)
            ])
    }

    @Test("A change of an unknown message is refused")
    func unknownTarget() {
        var rig = OutboxRig()
        guard case .refused(.b, let refusal)? = rig.give(.submit(.b, .delete(.local(.a)))).first
        else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .unknownTarget)
    }

    @Test("Deleting an unsent message cancels it")
    func deleteUnsent() {
        var rig = OutboxRig()
        rig.send(.a)
        rig.give(.submit(.b, .delete(.local(.a))))
        #expect(rig.outbox.items.isEmpty && rig.log.contains(.accepted(.b)))
    }

    @Test("What waits for a discarded message goes with it")
    func dependentsGo() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.submit(.b, .react(.local(.a), emoji: "👍", true)))
        rig.fail(.rejected)
        rig.give(.discard(.a))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test("What waits for a failed message blocks nobody")
    func dependentsDoNotBlock() {
        var rig = OutboxRig()
        rig.open()
        rig.send(.a)
        rig.give(.submit(.b, .react(.local(.a), emoji: "👍", true)))
        rig.send(.c)
        rig.fail(.rejected)
        #expect(
            rig.attempts.map(\.mutation) == [
                .send(MessageDraft(clientID: .c, content: [.text("hello")]))
            ])
    }

    @Test("A later change makes an earlier one pointless that has not left")
    func superseded() {
        var rig = OutboxRig()
        rig.give(.submit(.a, .edit(target, [.text("one")])))
        rig.give(.submit(.b, .edit(target, [.text("two")])))
        rig.give(.submit(.key(1), .react(target, emoji: "👍", true)))
        rig.give(.submit(.key(2), .react(target, emoji: "👍", false)))
        rig.give(.submit(.key(3), .react(target, emoji: "🎉", true)))
        #expect(rig.record.items.map(\.id) == [.b, .key(2), .key(3)])
        rig.give(.submit(.c, .delete(target)))
        #expect(rig.record.items.map(\.id) == [.c])
    }

    @Test(
        "A lost answer is repeated, whatever the backend: their effect is the same twice (RSL1k4)",
        arguments: [
            OutboxWork.edit(.sent(MessageID(3)), [.text("new")]), .delete(.sent(MessageID(3))),
            .react(.sent(MessageID(3)), emoji: "👍", true),
        ])
    func lostAnswer(_ work: OutboxWork) {
        var rig = OutboxRig(idempotent: false)
        rig.open()
        rig.give(.submit(.a, work))
        let first = rig.attempts[0].mutation
        rig.fail(.outcomeUnknown)
        rig.pass(.seconds(2))
        rig.give(.timer(.retry))
        #expect(rig.attempts.map(\.mutation) == [first])
    }

    @Test("The event that shows the change ends it, although the answer was lost")
    func seen() {
        var rig = OutboxRig()
        rig.open()
        rig.give(.submit(.a, .edit(target, [.text("new")])))
        rig.fail(.outcomeUnknown)
        rig.give(.observed(.own(3, nil, "old")))
        #expect(rig.outbox.items.count == 1)
        rig.give(.observed(.own(3, nil, "new")))
        #expect(rig.outbox.items.isEmpty && rig.record.items.isEmpty)
    }

    @Test(
        "A deletion of what is gone, and a reaction that is there, are done",
        arguments: [
            OutboxWork.delete(.sent(MessageID(3))), .react(.sent(MessageID(3)), emoji: "👍", true),
        ])
    func alreadyDone(_ work: OutboxWork) {
        var rig = OutboxRig()
        rig.open()
        rig.give(.submit(.a, work))
        rig.fail(.conflict)
        #expect(rig.outbox.items.map(\.state) == [.accepted])
        rig.pass(.seconds(10))
        rig.give(.timer(.echo))
        #expect(rig.outbox.items.isEmpty && !rig.log.contains(.requestRecovery))
    }

    @Test("A refused edit is kept as failed, and no longer shown over the message")
    func refusedEdit() {
        var rig = OutboxRig()
        rig.open()
        rig.give(.submit(.a, .edit(target, [.text("new")])))
        rig.fail(.conflict)
        #expect(rig.outbox.overlay.isEmpty)
        #expect(rig.outbox.items.map(\.state) == [.failed(BackendFailure(.conflict, "a test"))])
    }

    @Test("The overlay shows a message as it will be")
    func overlay() {
        let me = OutboxRig.user
        let other = UserID("somebody")
        var message = Message.own(3, nil, "old")
        message.reactions = [Reaction(emoji: "👍", users: [other])]
        func shown(_ work: OutboxWork) -> Message {
            PendingChange(id: .a, target: MessageID(3), work: work).applied(to: message, by: me)
        }
        #expect(shown(.edit(target, [.text("new")])).text == "new")
        #expect(shown(.delete(target)).isDeleted && shown(.delete(target)).content.isEmpty)
        #expect(
            shown(.react(target, emoji: "👍", true)).reactions == [
                Reaction(emoji: "👍", users: [other, me])
            ])
        #expect(shown(.react(target, emoji: "🎉", true)).reactions.count == 2)
        #expect(shown(.react(target, emoji: "🎉", false)) == message)
        message = shown(.react(target, emoji: "👍", true))
        #expect(
            shown(.react(target, emoji: "👍", false)).reactions == [
                Reaction(emoji: "👍", users: [other])
            ])
    }
}
