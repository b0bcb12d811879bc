import RejoinContracts
import RejoinModel
import RejoinWire

private let format = ReferenceFormat()

/// What the wire's values look like, some of each kind.
private func drawn(
    _ count: Int, _ draw: (inout WireValues) -> ContiguousArray<UInt8>
) -> [ContiguousArray<UInt8>] {
    (0..<count).map { seed in
        var values = WireValues(seed: UInt64(seed))
        return draw(&values)
    }
}

extension FuzzTarget {
    /// The input is the body of a MESSAGE.
    static let events = FuzzTarget(
        "events", words: "wire",
        promise: "an event that is read can be written and reads back the same",
        seeds: { drawn(60) { format.encode($0.event()) } },
        run: { bytes in
            guard let event = try? format.decodeEvent(bytes, at: format.roomsDestination)
            else { return }
            // The name of an unknown event is kept; what else it holds is nobody's business.
            guard case .unknown = event.kind else {
                let written = format.encode(event)
                try require(
                    try format.decodeEvent(written, at: format.roomsDestination), equals: event,
                    "fuzz.events.again", whoIsHurt: "whoever gets the event from a server of ours")
                return try requireAtItsRoom(event, bytes)
            }
            try requireAtItsRoom(event, bytes)
        })

    private static func requireAtItsRoom(
        _ event: RoomEvent, _ bytes: ContiguousArray<UInt8>
    ) throws {
        let destination = format.destination(of: event.room)
        // A room without a name has no destination.
        guard format.room(at: destination) != nil else { return }
        try require(
            try format.decodeEvent(bytes, at: destination), equals: event, "fuzz.events.room",
            whoIsHurt: "everyone in a room with an unusual name")
    }

    /// The first byte chooses the call, the second the status; the rest is the body.
    static let answers = FuzzTarget(
        "answers", words: "wire",
        promise: "an answer that is read can be written and reads back the same",
        seeds: {
            drawn(60) { values in
                let index = values.count(0...(calls.count - 1))
                let answer = format.encode(values.answer(to: calls[index]), to: calls[index])
                return [UInt8(index), 0] + answer.body
            } + drawn(10) { [0, UInt8($0.count(1...9))] + format.encode($0.failure()).body }
        },
        run: { bytes in
            var input = FuzzInput(bytes)
            let call = input.pick(calls)
            let status = input.pick([200, 400, 401, 403, 404, 409, 410, 413, 429, 500, 503])
            let response = HTTPResponse(status: status, body: input.rest())
            guard let answer = try? format.decode(response, answering: call) else { return }
            try require(
                status == 200, "fuzz.answers.status", expected: "a failure",
                got: "an answer of status \(status)", whoIsHurt: "whoever believes it")
            try require(
                try format.decode(format.encode(answer, to: call), answering: call),
                equals: answer, "fuzz.answers.again",
                whoIsHurt: "whoever gets the answer from a server of ours")
        })

    private static let calls: [BackendCall] = {
        let (room, id) = (RoomID("r"), MessageID(7))
        return [
            .capabilities, .rooms, .room(room), .history(room, .newest, limit: 50),
            .changes(room, after: Revision(1), limit: 50), .message(room, id),
            .markRead(room, ReadMark(version: 1, position: id)),
        ]
    }()

    /// `METHOD target`, a line feed, and the body.
    static let requests = FuzzTarget(
        "requests", words: "wire",
        promise: "a request that means a call means it again as our clients write it",
        seeds: {
            drawn(80) { values in
                let request = format.encode(values.call())
                return ContiguousArray("\(request.method) \(request.target)\n".utf8) + request.body
            }
        },
        run: { bytes in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self).split(
                separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2,
                let request = try? HTTPRequest(
                    HTTPMethod(String(words[0])), target: String(words[1]),
                    body: ContiguousArray(bytes.dropFirst(line.count + 1))),
                let call = try? format.decode(request)
            else { return }
            let written = format.encode(call)
            let again = try HTTPRequest(
                written.method, target: written.target, headers: written.headers,
                body: written.body)
            try require(
                try format.decode(again), equals: call, "fuzz.requests.again",
                whoIsHurt: "whose call is another one once it has gone over the wire")
        })

    /// The first byte chooses the destination; the rest is the body of a SEND.
    static let commands = FuzzTarget(
        "commands", words: "wire",
        promise: "a command that is read can be written and reads back the same",
        seeds: {
            drawn(60) { values in
                guard let send = format.encode(values.command()) else { return [] }
                let index = destinations.firstIndex(of: send.destination) ?? 0
                return [UInt8(index)] + send.body
            }
        },
        run: { bytes in
            var input = FuzzInput(bytes)
            let send = WireSend(destination: input.pick(destinations), body: input.rest())
            guard let command = try? format.decodeCommand(send),
                let written = format.encode(command)
            else { return }
            try require(
                written.destination, equals: send.destination, "fuzz.commands.destination",
                whoIsHurt: anybody)
            try require(
                try format.decodeCommand(written), equals: command, "fuzz.commands.again",
                whoIsHurt: "whose command is another one once it has gone over the wire")
        })

    private static let destinations = [
        "message", "edit", "delete", "reaction", "read", "unread", "typing",
    ].map { "/pub/chat/\($0)" }
}
