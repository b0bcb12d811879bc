import Foundation
import RejoinJSON
import RejoinTransport

/// `rejoin stomp encode`.
struct StompEncodeCommand {
    private let encoder: StompEncoder

    init(_ arguments: inout Arguments) throws(CommandError) {
        let version = try Command.stompVersion(&arguments)
        try arguments.finish()
        // Octets as they were captured: what `decode` did not see, `encode` does not add, unless
        // the frame could not be read without it.
        encoder = StompEncoder(version: version, contentLength: .onlyIfNeeded)
    }

    /// The longest line, in octets: the largest frame that a decoder takes by default, in base64,
    /// with room to spare.
    static let longestLine = 32 << 20

    /// Reads to the end of standard input. What stands before a line in error is written.
    func run() throws -> Int32 {
        try StandardStreams.readLines(longest: Self.longestLine, write)
        return 0
    }

    private func write(_ line: ContiguousArray<UInt8>, _ number: Int) throws {
        guard !StandardStreams.isBlank(line) else { return }
        do {
            try StandardStreams.write(try octets(of: line))
        } catch let error as StompLineError {
            throw CommandError.failure("line \(number): \(error.text)")
        } catch let error as JSONError {
            throw CommandError.failure("not JSON: \(error.forPeople(inLine: number))")
        } catch let error as StompError {
            throw CommandError.failure("line \(number) is no STOMP frame: \(error)")
        }
    }

    /// The octets for which a line stands.
    func octets(of line: ContiguousArray<UInt8>) throws -> ContiguousArray<UInt8> {
        guard case .object(let object) = try JSONDocument(line).root.kind else {
            throw StompLineError("a line must be a JSON object")
        }
        if object["heartbeat"] != nil {
            try refuseUnknown(object, known: ["heartbeat"])
            guard case .bool(true) = object["heartbeat"]?.kind else {
                throw StompLineError("heartbeat must be true")
            }
            return StompEncoder.heartBeat
        }
        try refuseUnknown(object, known: ["command", "headers", "bodyBase64"])
        guard let name = string(object["command"]) else {
            throw StompLineError("a frame needs a command, which must be a string")
        }
        guard let command = StompCommand(rawValue: name) else {
            throw StompLineError("'\(name)' is no STOMP command")
        }
        return try encoder.encode(
            StompFrame(
                command, headers: StompHeaders(try pairs(object["headers"])),
                body: try body(object["bodyBase64"])))
    }

    private func refuseUnknown(_ object: JSONObject, known: [String]) throws(StompLineError) {
        for member in object.members where !known.contains(member.key) {
            throw StompLineError(
                "'\(member.key)' has no meaning here; a line may hold \(known.joined(separator: ", "))"
            )
        }
    }

    private func pairs(_ value: JSONValue?) throws(StompLineError) -> [(String, String)] {
        guard let value else { return [] }
        guard case .array(let items) = value.kind else {
            throw StompLineError("headers must be an array of pairs")
        }
        var pairs: [(String, String)] = []
        for item in items {
            guard case .array(let pair) = item.kind, pair.count == 2, let name = string(pair[0]),
                let value = string(pair[1])
            else {
                throw StompLineError(
                    "header \(pairs.count + 1) must be an array of two strings, name and value")
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private func body(_ value: JSONValue?) throws(StompLineError) -> ContiguousArray<UInt8> {
        guard let value else { return [] }
        guard let text = string(value), let data = Data(base64Encoded: text) else {
            throw StompLineError("bodyBase64 must be a string of base64, with its padding")
        }
        return ContiguousArray(data)
    }

    private func string(_ value: JSONValue?) -> String? {
        guard case .string(let text) = value?.kind else { return nil }
        return text
    }
}

/// A line that stands for no octets.
struct StompLineError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
