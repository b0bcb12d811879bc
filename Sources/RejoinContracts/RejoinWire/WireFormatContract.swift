public import RejoinModel
public import RejoinWire

/// What a format may leave out: not every backend has every kind of content.
public struct WireFormatTraits: Sendable {
    /// Brings a message to what the format can carry; the identity where it carries everything.
    public var carriedMessage: @Sendable (Message) -> Message
    /// Brings a draft's or an edit's content to what the format can carry.
    public var carriedContent: @Sendable ([ContentBlock]) -> [ContentBlock]
    /// Brings a person to what the format can carry.
    public var carriedMember: @Sendable (Member) -> Member
    /// Brings an event to what the format can carry; `nil` where it has no such event.
    public var carriedEvent: @Sendable (RoomEvent) -> RoomEvent?

    /// Creates traits. The defaults carry everything.
    public init(
        carriedMessage: @escaping @Sendable (Message) -> Message = { $0 },
        carriedContent: @escaping @Sendable ([ContentBlock]) -> [ContentBlock] = { $0 },
        carriedMember: @escaping @Sendable (Member) -> Member = { $0 },
        carriedEvent: @escaping @Sendable (RoomEvent) -> RoomEvent? = { $0 }
    ) {
        self.carriedMessage = carriedMessage
        self.carriedContent = carriedContent
        self.carriedMember = carriedMember
        self.carriedEvent = carriedEvent
    }
}

/// What every wire format must keep: what one side writes, the other reads; what nobody wrote gives
/// an error with its place.
///
/// - Parameters:
///   - format: The format, both halves.
///   - traits: What the format cannot carry.
///   - seed: Fixes the values that are drawn.
public func wireFormatChecks(
    _ format: any ServerWireFormat, traits: WireFormatTraits = WireFormatTraits(), seed: UInt64 = 1
) -> [ContractCheck] {
    let checks = WireFormatChecks(format: format, traits: traits, seed: seed)
    return [
        ContractCheck("wire.calls", promise: "section 9", body: checks.calls),
        ContractCheck("wire.answers", promise: "P1", body: checks.answers),
        ContractCheck("wire.failures", promise: "section 9", body: checks.failures),
        ContractCheck("wire.destinations", promise: "section 9", body: checks.destinations),
        ContractCheck("wire.commands", promise: "P5", body: checks.commands),
        ContractCheck("wire.events", promise: "P1", body: checks.events),
        ContractCheck("wire.truncated", promise: "bad input", body: checks.truncatedInput),
        ContractCheck("wire.hostile", promise: "bad input", body: checks.hostileInput),
    ]
}

private struct WireFormatChecks: Sendable {
    let format: any ServerWireFormat
    let traits: WireFormatTraits
    let seed: UInt64
    let rounds = 300

    // MARK: What is written is read

    @Sendable
    func calls() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            let call = carried(values.call())
            let request = format.encode(call)
            // Over the wire only the target travels, not the parts of the request.
            let received = try HTTPRequest(
                request.method, target: request.target, headers: request.headers,
                body: request.body)
            try require(
                try format.decode(received), equals: call, "wire.calls",
                whoIsHurt: "a person whose request does something else than they asked for")
        }
    }

    @Sendable
    func answers() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            let call = carried(values.call())
            let answer = carried(values.answer(to: call))
            let response = format.encode(answer, to: call)
            try require(
                try format.decode(response, answering: call), equals: answer, "wire.answers",
                whoIsHurt: "a person whose history is not the server's")
        }
    }

    @Sendable
    func failures() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            let failure = values.failure()
            do throws(BackendFailure) {
                _ = try format.decode(format.encode(failure), answering: .rooms)
            } catch {
                try require(
                    error.code, equals: failure.code, "wire.failures",
                    whoIsHurt: "a client that retries what is hopeless or gives up too early")
                try require(
                    error.retryAfter, equals: failure.retryAfter, "wire.failures",
                    whoIsHurt: "a server that asked to be left alone")
                continue
            }
            throw ContractFailure(
                check: "wire.failures", expected: "the failure", got: "an answer",
                whoIsHurt: "a person who is shown a success")
        }
    }

    @Sendable
    func destinations() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            let room = values.room()
            try require(
                format.room(at: format.destination(of: room)), equals: room, "wire.destinations",
                whoIsHurt: "a person who sees the messages of another room")
        }
        try require(
            format.room(at: format.roomsDestination), equals: nil, "wire.destinations",
            whoIsHurt: "a client that takes the room list for a room")
        for destination in ["", "/", "/elsewhere/1", format.destination(of: RoomID("a")) + "/x"] {
            try require(
                format.room(at: destination), equals: nil, "wire.destinations",
                whoIsHurt: "a server that authorises a room which the destination does not name")
        }
    }

    @Sendable
    func commands() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            let command = carried(values.command())
            guard let send = format.encode(command) else { continue }
            try require(
                try format.decodeCommand(send), equals: command, "wire.commands",
                whoIsHurt: "a person whose message is stored differently or not at all")
        }
    }

    @Sendable
    func events() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds {
            guard let event = traits.carriedEvent(carried(values.event())) else { continue }
            let body = format.encode(event)
            try require(
                try format.decodeEvent(body, at: format.destination(of: event.room)), equals: event,
                "wire.events", whoIsHurt: "a person who misses what happens now")
        }
    }

    // MARK: What is broken is refused

    @Sendable
    func truncatedInput() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds / 30 {
            let call = BackendCall.history(values.room(), .newest, limit: 10)
            let body = format.encode(carried(values.answer(to: call)), to: call).body
            for length in 0..<body.count {
                let response = HTTPResponse(status: 200, body: ContiguousArray(body[..<length]))
                do throws(BackendFailure) {
                    _ = try format.decode(response, answering: call)
                } catch {
                    try require(
                        error.code, equals: .malformedAnswer, "wire.truncated",
                        whoIsHurt: "a client that mistakes a cut answer for the server's word")
                    continue
                }
                throw ContractFailure(
                    check: "wire.truncated", expected: "an error", got: "an answer from a cut body",
                    whoIsHurt: "a person with a hole in the history that nobody sees")
            }
        }
    }

    @Sendable
    func hostileInput() throws {
        var values = WireValues(seed: seed)
        for _ in 0..<rounds * 10 {
            let event = carried(values.event())
            let destination = format.destination(of: event.room)
            let body = values.damaged(format.encode(event))
            do throws(WireError) {
                _ = try format.decodeEvent(body, at: destination)
            } catch {
                try requirePlace(error, in: body.count)
            }
            if var send = format.encode(carried(values.command())) {
                send.body = values.damaged(send.body)
                do throws(WireError) {
                    _ = try format.decodeCommand(send)
                } catch {
                    try requirePlace(error, in: send.body.count)
                }
            }
            var request = format.encode(carried(values.call()))
            request.body = values.damaged(request.body)
            _ = try? format.decode(request)
        }
    }

    private func requirePlace(_ error: WireError, in count: Int) throws(ContractFailure) {
        try require(
            error.offset.map { (0...count).contains($0) } ?? false, "wire.hostile",
            expected: "the offset of the fault in \(count) bytes", got: inWords(error),
            whoIsHurt: "an engineer who looks for the fault")
    }

    // MARK: What the format carries

    private func carried(_ call: BackendCall) -> BackendCall {
        switch call {
        case .send(let room, let draft): .send(room, carried(draft))
        case .edit(let room, let id, let content): .edit(room, id, traits.carriedContent(content))
        case .capabilities, .rooms, .room, .history, .message, .changes, .delete, .react, .markRead,
            .markUnread:
            call
        }
    }

    private func carried(_ draft: MessageDraft) -> MessageDraft {
        MessageDraft(clientID: draft.clientID, content: traits.carriedContent(draft.content))
    }

    private func carried(_ command: RoomCommand) -> RoomCommand {
        var command = command
        switch command.kind {
        case .send(let draft): command.kind = .send(carried(draft))
        case .edit(let id, let content):
            command.kind = .edit(id, traits.carriedContent(content))
        case .delete, .react, .markRead, .markUnread, .typing: break
        }
        return command
    }

    private func carried(_ event: RoomEvent) -> RoomEvent {
        var event = event
        switch event.kind {
        case .created(let message, let author):
            event.kind = .created(
                traits.carriedMessage(message), author: author.map(traits.carriedMember))
        case .changed(let message): event.kind = .changed(traits.carriedMessage(message))
        case .read, .typing, .rejected, .unknown: break
        }
        return event
    }

    private func carried(_ answer: BackendAnswer) -> BackendAnswer {
        switch answer {
        case .history(var page):
            page.messages = page.messages.map(traits.carriedMessage)
            page.members = page.members.map(traits.carriedMember)
            return .history(page)
        case .changes(var page):
            page.messages = page.messages.map(traits.carriedMessage)
            page.members = page.members.map(traits.carriedMember)
            return .changes(page)
        case .rooms(let rooms): return .rooms(rooms.map(carried))
        case .room(let room): return .room(carried(room))
        case .message(let message): return .message(traits.carriedMessage(message))
        case .capabilities, .read: return answer
        }
    }

    private func carried(_ summary: RoomSummary) -> RoomSummary {
        var summary = summary
        summary.members = summary.members.map(traits.carriedMember)
        summary.lastMessage = summary.lastMessage.map(traits.carriedMessage)
        return summary
    }
}

extension WireValues {
    /// The bytes with a few of them changed, removed or added.
    fileprivate mutating func damaged(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
        var bytes = bytes
        for _ in 0..<count(1...3) where !bytes.isEmpty {
            let index = count(0...bytes.count - 1)
            switch count(0...2) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: index)
            default:
                bytes.insert(
                    Array("{}[]\",:\\0".utf8).randomElement(using: &random) ?? 0, at: index)
            }
        }
        return bytes
    }
}
