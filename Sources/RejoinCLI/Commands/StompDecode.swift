import Foundation
import RejoinJSON
import RejoinTransport

/// `rejoin stomp decode`.
struct StompDecodeCommand {
    private var inspector: StompInspector

    init(_ arguments: inout Arguments) throws(CommandError) {
        let version = try Command.stompVersion(&arguments)
        let side = try arguments.option("--role") ?? StompDecoder.Role.client.rawValue
        guard let role = StompDecoder.Role(rawValue: side) else {
            throw .usage("--role must be client or server, not '\(side)'")
        }
        let cuts = try Self.cuts(try arguments.option("--split"))
        try arguments.finish()
        inspector = StompInspector(role: role, version: version, cuts: cuts)
    }

    private static func cuts(_ text: String?) throws(CommandError) -> [Int] {
        guard let text else { return [] }
        var cuts: [Int] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let cut = Int(word), cut >= 0, cut >= cuts.last ?? 0 else {
                throw .usage("--split must be ascending octet offsets such as 5,9, not '\(text)'")
            }
            cuts.append(cut)
        }
        return cuts
    }

    /// Reads to the end of standard input; exit status 1 where the stream is not STOMP.
    mutating func run() throws -> Int32 {
        while let bytes = try StandardStreams.read() {
            let lines = inspector.append(bytes)
            try write(lines)
            if case .error = lines.last { return 1 }
        }
        if let line = inspector.finish() { try write([line]) }
        return 0
    }

    private func write(_ lines: [StompInspector.Line]) throws {
        guard !lines.isEmpty else { return }
        var output: ContiguousArray<UInt8> = []
        for line in lines {
            output += StompLine.json(line)
            output.append(UInt8(ascii: "\n"))
        }
        try StandardStreams.write(output)
    }
}

/// A line of `rejoin stomp decode` as JSON.
enum StompLine {
    static func json(_ line: StompInspector.Line) -> ContiguousArray<UInt8> {
        var json = JSONWriter()
        json.beginObject()
        switch line {
        case .event(.frame(let frame)):
            json.member("command", frame.command.rawValue)
            json.key("headers")
            json.beginArray()
            for (name, value) in frame.headers {
                json.beginArray()
                json.string(name)
                json.string(value)
                json.endArray()
            }
            json.endArray()
            json.member("bodyBase64", Data(frame.body).base64EncodedString())
        case .event(.heartBeat):
            json.member("heartbeat", true)
        case .error(let error):
            json.member("error", "\(error.code.rawValue): \(error.message)")
            json.member("offset", error.offset)
        case .needMore:
            json.member("needMore", true)
        }
        json.endObject()
        return json.bytes
    }
}
