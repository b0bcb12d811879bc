#if os(Linux)
import Foundation
import RejoinJSON
import RejoinModel
import RejoinServer
import RejoinWire

extension Command {
    /// `rejoin serve`.
    static let serve = Command(
        name: "serve", summary: "run the reference backend: REST and STOMP over WebSocket",
        help: """
            usage: rejoin serve [options]

            Serves chat rooms as REST under /v1 and as STOMP over WebSocket at /ws, on one port,
            until it is stopped by SIGINT (Control-C) or SIGTERM.

              --host ADDRESS         the IPv4 address to listen on, or localhost (default
                                     127.0.0.1: this machine alone)
              --port NUMBER          the port to listen on (default 8080; 0: any free one)
              --data DIR             where the database is kept (default ./rejoin-data)
              --secret FILE          the file with the secret that signs tokens
              --room NAME:ann,bob    a room and its members, made before the start; repeat it
                                     for more rooms
              --certificate FILE     with --key: serve https and wss with this PEM certificate
              --key FILE             its private key
              --rate NUMBER          requests a second for each person (default: any number)
              --json                 one JSON object a line instead of text

            \(ServerSecret.help)
            rejoin token issues tokens.
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        let rooms = try arguments.options("--room").map(RoomArgument.init)
        let configuration = try Self.configuration(from: &arguments)

        let stop = StopSignal()
        let server = ReferenceServer(configuration)
        do {
            let port = try await server.start()
            for room in rooms {
                try await server.createRoom(room.id, users: room.users)
            }
            try ServeReport(isJSON: isJSON).started(configuration, on: port, rooms)
        } catch {
            await server.stop()
            guard let known = error as? ReferenceServerError else { throw error }
            throw CommandError.failure(known.message)
        }
        await stop.wait()
        await server.stop()
        try ServeReport(isJSON: isJSON).stopped()
        return 0
    }

    private static func configuration(from arguments: inout Arguments) throws
        -> ServerConfiguration
    {
        let host = try arguments.option("--host") ?? "127.0.0.1"
        var address = in_addr()
        guard host == "localhost" || inet_pton(AF_INET, host, &address) == 1 else {
            throw CommandError.usage(
                "--host must be an IPv4 address such as 0.0.0.0, or localhost, not '\(host)'")
        }
        let port: UInt16 = try arguments.integer("--port", in: 0...65_535) ?? 8_080
        let directory = try arguments.option("--data") ?? "rejoin-data"
        let certificate = try arguments.option("--certificate")
        let key = try arguments.option("--key")
        let rate: Int? = try arguments.integer("--rate", in: 1...1_000_000)
        var limits = ServerLimits()
        limits.rate = rate.map { RateLimit(perSecond: $0, burst: 2 * $0) }
        let tls: TLSFiles?
        switch (certificate, key) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?):
            tls = TLSFiles(certificate: certificate, privateKey: key)
        default: throw CommandError.usage("--certificate and --key go together")
        }
        return ServerConfiguration(
            directory: directory, secret: try ServerSecret.take(from: &arguments),
            format: ReferenceFormat(), host: host, port: port, tls: tls, limits: limits)
    }
}

/// `NAME:ann,bob`.
private struct RoomArgument {
    let id: RoomID
    let users: [UserID]

    init(_ text: String) throws(CommandError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw .usage("--room must be NAME:ann,bob, not '\(text)'")
        }
        let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        for name in [parts[0]] + names {
            if let fault = ReferenceServer.fault(ofID: name) {
                throw .usage("--room '\(text)' cannot be made: \(fault), not '\(name)'")
            }
        }
        guard Set(names).count == names.count else {
            throw .usage("--room '\(text)' names somebody twice")
        }
        id = RoomID(parts[0])
        users = names.map { UserID($0) }
    }
}

/// What `serve` says, for people or for machines.
private struct ServeReport {
    let isJSON: Bool

    /// Written at once, also into a pipe: whoever starts the server waits for these lines. A server
    /// whose port nobody can learn must not run, so that a failure here ends it.
    func started(
        _ configuration: ServerConfiguration, on port: UInt16, _ rooms: [RoomArgument]
    ) throws(CommandError) {
        let origin = "\(configuration.host):\(port)"
        let isSecure = configuration.tls != nil
        guard isJSON else {
            var lines = [
                "listening on \(isSecure ? "https" : "http")://\(origin)/v1",
                "and on \(isSecure ? "wss" : "ws")://\(origin)\(configuration.webSocketPath)",
            ]
            for room in rooms {
                let people = room.users.map(\.rawValue).joined(separator: ", ")
                lines.append("room \(room.id): \(people)")
            }
            return try StandardStreams.say(lines.joined(separator: "\n"))
        }
        var line = JSONWriter()
        line.beginObject()
        line.member("event", "listening")
        line.member("host", configuration.host)
        line.member("port", port)
        line.member("webSocketPath", configuration.webSocketPath)
        line.member("secure", isSecure)
        line.endObject()
        try StandardStreams.say(String(decoding: line.bytes, as: UTF8.self))
    }

    /// Where whoever waited for the start has gone meanwhile, nothing is wrong: the server did all
    /// of its work.
    func stopped() throws(CommandError) {
        do throws(CommandError) {
            try StandardStreams.say(isJSON ? #"{"event":"stopped"}"# : "stopped")
        } catch {
            guard error.status == CommandError.readerHasGone.status else { throw error }
        }
    }
}
#endif
