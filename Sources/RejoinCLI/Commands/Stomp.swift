import RejoinTransport

extension Command {
    /// `rejoin stomp`.
    static let stomp = Command(
        name: "stomp", summary: "decode and encode captured STOMP octets",
        help: """
            usage: rejoin stomp decode [--role client|server] [--version 1.2] [--split 5,9,…]
                   rejoin stomp encode [--version 1.2]

            decode reads raw octets from standard input and prints one JSON object per line:
              {"command":…,"headers":[[name,value],…],"bodyBase64":…}  a frame, unescaped
              {"heartbeat":true}                                       an end of line between frames
              {"error":…,"offset":…}                                   the first offending octet
              {"needMore":true}                                        an unfinished frame remains
            Decoding stops at an error, with exit status 1.

            encode reads such lines (frames and heart-beats) and writes the octets. content-length
            is written where it is among the headers, and added where the body holds a NUL.

              --role SIDE      the side that decodes: client (default) takes a server's frames
              --version V      1.0, 1.1 or 1.2 (default): line ends and escapes
              --split OFFSETS  ascending octet offsets at which to cut the input before decoding;
                               cuts change nothing, and this proves it
            """
    ) { arguments in
        var arguments = arguments
        switch arguments.word() {
        case "decode":
            var decode = try StompDecodeCommand(&arguments)
            return try decode.run()
        case "encode":
            return try StompEncodeCommand(&arguments).run()
        case let other:
            throw CommandError.usage(
                "say 'rejoin stomp decode' or 'rejoin stomp encode'"
                    + (other.map { ", not '\($0)'" } ?? ""))
        }
    }

    /// Takes `--version` out.
    static func stompVersion(_ arguments: inout Arguments) throws(CommandError) -> StompVersion {
        guard let text = try arguments.option("--version") else { return .v12 }
        guard let version = StompVersion(text) else {
            throw .usage("--version must be 1.0, 1.1 or 1.2, not '\(text)'")
        }
        return version
    }
}
