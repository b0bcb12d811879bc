import RejoinContracts
import RejoinTransport
import RejoinWebSocket
import Testing

/// Every state of a connection against every input, compared with the committed table.
@Suite("ConnectionCore: transition table")
struct ConnectionCoreTableTests {
    @Test("each input in each state does what the committed table says")
    func table() throws {
        var text = "state | input | phase after | wish | effects\n"
        for (stateName, state) in Self.states {
            for (inputName, input) in Self.inputs {
                var core = state
                let effects = input(&core)
                text +=
                    [
                        stateName, inputName, "\(core.phase)", Self.describe(core.wish),
                        effects.isEmpty ? "–" : effects.map(Self.describe).joined(separator: ", "),
                    ].joined(separator: " | ") + "\n"
            }
        }
        let difference = try TextSnapshot.difference(
            of: text, from: "WebSocketConnection.transitions.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    // MARK: - States

    private static let waiting = Ticket(number: 1)
    private static let other = Ticket(number: 2)
    private static let limit = 8

    private static func core(
        _ steps: (inout ConnectionCore) -> Void
    ) -> ConnectionCore {
        var core = ConnectionCore(maximumMessageBytes: limit)
        steps(&core)
        return core
    }

    private static let states: [(String, ConnectionCore)] = [
        ("opening", core { _ in }),
        ("opening, awaited", core { _ = $0.handle(.awaitOpening(waiting)) }),
        ("open", core { _ = $0.handle(.opened) }),
        (
            "open, read from",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.receive(waiting))
            }
        ),
        (
            "open, message unread",
            core {
                _ = $0.handle(.opened)
                _ = $0.take(whole, [0x61])
            }
        ),
        (
            "open, message begun",
            core {
                _ = $0.handle(.opened)
                _ = $0.take(beginning, [0x61])
            }
        ),
        (
            "open, send queued",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.send(waiting, message))
            }
        ),
        (
            "open, send half written",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.send(waiting, message))
                _ = $0.nextWrite(limit: 2)
            }
        ),
        (
            "open, send handed out",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.send(waiting, message))
                _ = $0.nextWrite(limit: 8)
            }
        ),
        (
            "open, pong awaited",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.ping(waiting))
                _ = $0.nextWrite(limit: 2)
            }
        ),
        (
            "closing by us, send queued",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.send(waiting, message))
                _ = $0.handle(.close(Ticket(number: 3), goodbye))
            }
        ),
        (
            "closing by us, frame sent",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.close(waiting, goodbye))
                _ = $0.nextWrite(limit: 2)
            }
        ),
        (
            "closing by peer, message unread",
            core {
                _ = $0.handle(.opened)
                _ = $0.take(whole, [0x61])
                _ = $0.handle(.peerClosed(1001, ""))
            }
        ),
        (
            "closed",
            core {
                _ = $0.handle(.opened)
                _ = $0.handle(.gone)
            }
        ),
        (
            "closed, message unread",
            core {
                _ = $0.handle(.opened)
                _ = $0.take(whole, [0x61])
                _ = $0.handle(.gone)
            }
        ),
    ]

    // MARK: - Inputs

    private static let message = WebSocketMessage.binary([1, 2, 3])
    private static let goodbye = CloseFrame(code: 1000, reason: "bye")
    private static let whole = ConnectionCore.MessagePart(
        isFirst: true, isFinal: true, isBinary: false, remainingInFrame: 0)
    private static let beginning = ConnectionCore.MessagePart(
        isFirst: true, isFinal: false, isBinary: false, remainingInFrame: 0)
    private static let continuation = ConnectionCore.MessagePart(
        isFirst: false, isFinal: true, isBinary: false, remainingInFrame: 0)
    private static let failure = WebSocketError(.tlsFailed, "test")
    private static let breach = WebSocketError(.protocolViolation, "test")

    private static let inputs:
        [(String, @Sendable (inout ConnectionCore) -> [ConnectionCore.Effect])] = [
            ("awaitOpening", { $0.handle(.awaitOpening(other)) }),
            ("opened", { $0.handle(.opened) }),
            ("failed", { $0.handle(.failed(failure)) }),
            ("peerClosed 4001", { $0.handle(.peerClosed(4001, "moved")) }),
            ("pong 1", { $0.handle(.pong(1)) }),
            ("pong 0", { $0.handle(.pong(0)) }),
            (
                "violation 1002",
                { $0.handle(.violation(CloseFrame(code: 1002, reason: ""), breach)) }
            ),
            ("gone", { $0.handle(.gone) }),
            ("receive", { $0.handle(.receive(other)) }),
            ("send", { $0.handle(.send(other, message)) }),
            ("written", { $0.handle(.written(waiting)) }),
            ("ping", { $0.handle(.ping(other)) }),
            ("close", { $0.handle(.close(other, goodbye)) }),
            ("abandon", { $0.handle(.abandon) }),
            ("cancel of the waiting", { $0.handle(.cancel(waiting)) }),
            ("cancel of a stranger", { $0.handle(.cancel(other)) }),
            ("whole text", { $0.take(whole, [0x68]) }),
            ("first part", { $0.take(beginning, [0x68]) }),
            ("last part", { $0.take(continuation, [0x69]) }),
            ("invalid text", { $0.take(whole, [0xFF]) }),
            ("oversize", { $0.take(whole, [UInt8](repeating: 1, count: limit + 1)) }),
            (
                "oversize announced",
                {
                    $0.take(
                        ConnectionCore.MessagePart(
                            isFirst: true, isFinal: false, isBinary: true,
                            remainingInFrame: .max), [1])
                }
            ),
        ]

    // MARK: - Words

    private static func describe(_ wish: ConnectionCore.Wish) -> String {
        let words = [
            wish.pausesReading ? "pause" : nil, wish.wantsToWrite ? "write" : nil,
            wish.dropsSocket ? "drop" : nil,
        ].compactMap { $0 }
        return words.isEmpty ? "–" : words.joined(separator: "+")
    }

    private static func describe(_ effect: ConnectionCore.Effect) -> String {
        switch effect {
        case .attend: "attend"
        case .resume(let ticket, .done): "\(ticket.number) done"
        case .resume(let ticket, .message(let message)):
            "\(ticket.number) gets \(String(decoding: message.bytes, as: UTF8.self))"
        case .resume(let ticket, .failed(let error)):
            "\(ticket.number) fails \(error.code.rawValue)"
                + (error.closeCode.map { " \($0)" } ?? "")
        }
    }
}
