import RejoinContracts
import RejoinTransport
import RejoinWebSocket
import Testing

/// What the table cannot show: sequences of writes and of fragments.
@Suite("ConnectionCore: sequences")
struct ConnectionCoreTests {
    private func open(maximum: Int = 1000) -> ConnectionCore {
        var core = ConnectionCore(maximumMessageBytes: maximum)
        _ = core.handle(.opened)
        return core
    }

    @Test("P3: messages leave whole, in order, cut at the limit")
    func fragments() {
        var core = open()
        let first = WebSocketMessage.text([1, 2, 3, 4, 5])
        let second = WebSocketMessage.binary([])
        _ = core.handle(.send(Ticket(number: 1), first))
        _ = core.handle(.send(Ticket(number: 2), second))
        var ranges: [Range<Int>] = []
        var finals: [Bool] = []
        var tickets: [UInt64?] = []
        while case .fragment(let fragment) = core.nextWrite(limit: 2) {
            ranges.append(fragment.range)
            finals.append(fragment.isFinal)
            tickets.append(fragment.ticket?.number)
        }
        #expect(ranges == [0..<2, 2..<4, 4..<5, 0..<0])
        #expect(finals == [false, false, true, true])
        #expect(tickets == [nil, nil, 1, 2])
        #expect(!core.wish.wantsToWrite)
    }

    @Test("P5: what was sent before a close leaves before the close frame")
    func closeComesLast() {
        var core = open()
        _ = core.handle(.send(Ticket(number: 1), .text([1])))
        _ = core.handle(.close(Ticket(number: 2), CloseFrame(code: 1000, reason: "")))
        guard case .fragment = core.nextWrite(limit: 10) else {
            Issue.record("the message did not leave first")
            return
        }
        #expect(core.nextWrite(limit: 10) == .close(CloseFrame(code: 1000, reason: "")))
        #expect(core.nextWrite(limit: 10) == nil)
    }

    @Test("a socket that ends between a message's handing out and its writing fails the sender")
    func endsWhileWriting() {
        for ending in [ConnectionCore.Input.gone, .abandon, .cancel(Ticket(number: 1))] {
            var core = open()
            _ = core.handle(.send(Ticket(number: 1), .text([1])))
            _ = core.nextWrite(limit: 10)
            let effects = core.handle(ending)
            #expect(effects.contains { $0.isFailure(of: Ticket(number: 1)) }, "\(ending)")
            #expect(core.handle(.written(Ticket(number: 1))).isEmpty)
        }
    }

    @Test("a cancelled message of which a part has left is finished, without its caller")
    func cancelledInTheMiddle() {
        var core = open()
        _ = core.handle(.send(Ticket(number: 1), .binary([1, 2, 3])))
        _ = core.nextWrite(limit: 2)
        let effects = core.handle(.cancel(Ticket(number: 1)))
        #expect(effects == [.resume(Ticket(number: 1), .failed(cancelled(effects)))])
        guard case .fragment(let rest) = core.nextWrite(limit: 2) else {
            Issue.record("the rest was dropped: the peer would join it with the next message")
            return
        }
        #expect(rest.range == 2..<3)
        #expect(rest.isFinal)
        #expect(rest.ticket == nil)
    }

    private func cancelled(_ effects: [ConnectionCore.Effect]) -> WebSocketError {
        guard case .resume(_, .failed(let error)) = effects.first, error.code == .cancelled else {
            return WebSocketError(.closed, "another effect")
        }
        return error
    }

    @Test("RFC 6455 5.5.3: a pong answers its ping and those before it, once")
    func pongs() {
        var core = open()
        for number in 1...3 { _ = core.handle(.ping(Ticket(number: UInt64(number)))) }
        for _ in 1...3 { _ = core.nextWrite(limit: 10) }
        #expect(
            core.handle(.pong(2))
                == [.resume(Ticket(number: 1), .done), .resume(Ticket(number: 2), .done)])
        #expect(core.handle(.pong(2)).isEmpty)
        #expect(core.handle(.pong(3)) == [.resume(Ticket(number: 3), .done)])
    }

    @Test("P7: fragments are joined up to the maximum, and not a byte beyond")
    func maximum() {
        var core = open(maximum: 10)
        let part = ConnectionCore.MessagePart(
            isFirst: true, isFinal: false, isBinary: true, remainingInFrame: 5)
        #expect(core.take(part, [1, 2, 3, 4, 5]).isEmpty)
        let rest = ConnectionCore.MessagePart(
            isFirst: false, isFinal: true, isBinary: true, remainingInFrame: 0)
        _ = core.take(rest, [6, 7, 8, 9, 10])
        #expect(
            core.handle(.receive(Ticket(number: 1)))
                == [
                    .resume(
                        Ticket(number: 1), .message(.binary([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))),
                    .attend,
                ])
        _ = core.take(part, [1, 2, 3, 4, 5])
        _ = core.take(rest, [6, 7, 8, 9, 10, 11])
        #expect(core.phase == .closing)
        #expect(core.end?.code == .messageTooLarge)
        #expect(
            core.nextWrite(limit: 10) == .close(CloseFrame(code: 1009, reason: "message too large"))
        )
    }

    @Test("messages cut anywhere read the same", arguments: 1...20)
    func cuts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var core = open(maximum: 1000)
        let bytes = ContiguousArray("aé漢😀".utf8) + ContiguousArray(repeating: 0x61, count: 50)
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + Int.random(in: 0...7, using: &random))
            let isFinal = end == bytes.count
            _ = core.take(
                ConnectionCore.MessagePart(
                    isFirst: index == 0 && core.phase == .open && end >= 0 && index == 0,
                    isFinal: isFinal, isBinary: false, remainingInFrame: 0),
                bytes[index..<end])
            index = end
        }
        let effects = core.handle(.receive(Ticket(number: 1)))
        #expect(effects.first == .resume(Ticket(number: 1), .message(.text(bytes))))
    }

    @Test(
        "random inputs: nobody is answered twice, and after the end nobody waits", arguments: 1...50
    )
    func everybodyIsAnsweredOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var core = ConnectionCore(maximumMessageBytes: 4)
        var waiting: Set<Ticket> = []
        var answered: Set<Ticket> = []
        var last: UInt64 = 0
        // The socket has them, and may end before it tells that it has written them.
        var handedOut: [Ticket] = []
        func apply(_ effects: [ConnectionCore.Effect]) {
            for case .resume(let ticket, _) in effects {
                #expect(waiting.remove(ticket) != nil || answered.contains(ticket) == false)
                #expect(answered.insert(ticket).inserted, "\(ticket) was answered twice")
            }
        }
        func ticket() -> Ticket {
            last += 1
            waiting.insert(Ticket(number: last))
            return Ticket(number: last)
        }
        apply(core.handle(.awaitOpening(ticket())))
        for _ in 0..<200 {
            switch Int.random(in: 0..<14, using: &random) {
            case 0: apply(core.handle(.opened))
            case 1: apply(core.handle(.receive(ticket())))
            case 2: apply(core.handle(.send(ticket(), .binary([1, 2, 3]))))
            case 3: apply(core.handle(.ping(ticket())))
            case 4:
                if case .fragment(let fragment) = core.nextWrite(limit: 2),
                    let done = fragment.ticket
                {
                    handedOut.append(done)
                }
            case 5: apply(core.handle(.pong(UInt64.random(in: 0...last, using: &random))))
            case 6, 7:
                apply(
                    core.take(
                        ConnectionCore.MessagePart(
                            isFirst: true, isFinal: Bool.random(using: &random), isBinary: true,
                            remainingInFrame: 0),
                        [1, 2]))
            case 8:
                let victim = UInt64.random(in: 1...last, using: &random)
                apply(core.handle(.cancel(Ticket(number: victim))))
            case 9 where Int.random(in: 0..<10, using: &random) == 0:
                apply(core.handle(.close(ticket(), CloseFrame(code: 1000, reason: ""))))
            case 10 where Int.random(in: 0..<20, using: &random) == 0:
                apply(core.handle(.peerClosed(1000, "")))
            case 11 where Int.random(in: 0..<20, using: &random) == 0:
                apply(core.handle(.gone))
            case 12, 13: if let done = handedOut.popLast() { apply(core.handle(.written(done))) }
            default: break
            }
        }
        apply(core.handle(.gone))
        #expect(waiting.isEmpty, "\(waiting.count) callers wait for ever")
    }
}

/// RFC 6455 sections 5.5.1 and 7.4.
@Suite("Close frames")
struct CloseFrameTests {
    @Test("a reason is cut to 123 bytes between characters")
    func reason() {
        let frame = CloseFrame(code: 1000, reason: String(repeating: "é", count: 100))
        #expect(frame.reason == String(repeating: "é", count: 61))
        #expect(
            CloseFrame(code: 1000, reason: String(repeating: "a", count: 123)).reason.count == 123)
        let family = CloseFrame(code: 1000, reason: String(repeating: "👩‍👩‍👧‍👦", count: 20))
        #expect(family.reason.utf8.count <= 123)
        #expect(family.reason.allSatisfy { $0 == "👩‍👩‍👧‍👦" })
    }

    @Test("only codes that an endpoint may send are sendable")
    func codes() {
        for code: UInt16 in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4999] {
            #expect(CloseCode.isSendable(code))
        }
        for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535] {
            #expect(!CloseCode.isSendable(code))
        }
    }
}

extension ConnectionCore.Effect {
    fileprivate func isFailure(of caller: Ticket) -> Bool {
        if case .resume(caller, .failed) = self { true } else { false }
    }
}
