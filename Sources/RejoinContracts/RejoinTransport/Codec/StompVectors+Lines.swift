import RejoinTransport

extension StompCodecContract {
    /// Line ends and commands.
    static let lineVectors: [StompVector] =
        [
            StompVector(
                "crlf", "EOL is LF or CR LF; the body starts right behind the blank line",
                "MESSAGE\r\ndestination:/a\r\nmessage-id:1\r\nsubscription:0\r\n\r\nhi\0",
                [
                    .frame(
                        .message,
                        [("destination", "/a"), ("message-id", "1"), ("subscription", "0")], "hi")
                ]),
            StompVector(
                "lf", "the LF form means the same as the CR LF form",
                "MESSAGE\ndestination:/a\nmessage-id:1\nsubscription:0\n\nhi\0",
                [
                    .frame(
                        .message,
                        [("destination", "/a"), ("message-id", "1"), ("subscription", "0")], "hi")
                ]),
            StompVector(
                "mixed-line-ends", "each line may end in its own way",
                "MESSAGE\na:1\r\nb:\\c\r\nc:3\n\r\n\0",
                [.frame(.message, [("a", "1"), ("b", ":"), ("c", "3")])]),
            StompVector(
                "cr-in-command", "a CR belongs to a CR LF or nowhere", "COMM\rAND\n\n\0",
                .strayCarriageReturn, at: 4),
            StompVector(
                "two-cr", "a CR belongs to a CR LF or nowhere", "MESSAGE\r\r\n\n\0",
                .strayCarriageReturn, at: 7),
            StompVector(
                "cr-in-value", "a CR belongs to a CR LF or nowhere", "MESSAGE\nh:val\rue\n\n\0",
                .strayCarriageReturn, at: 13),
            StompVector(
                "cr-in-name", "a CR belongs to a CR LF or nowhere", "MESSAGE\nh\r:value\n\n\0",
                .strayCarriageReturn, at: 9),
            StompVector(
                "two-cr-in-header", "a CR belongs to a CR LF or nowhere", "MESSAGE\nh:v\r\r\n\n\0",
                .strayCarriageReturn, at: 11),
            StompVector(
                "line-ends-in-body", "the body is octets", "MESSAGE\n\na\r\nb\n\0",
                [.frame(.message, [], "a\r\nb\n")]),
            StompVector(
                "blank-lines-in-body", "the body is octets", "MESSAGE\n\n\n\na\n\nb\0",
                [.frame(.message, [], "\n\na\n\nb")]),
            StompVector(
                "crlf-in-1.1", "STOMP 1.1 knows no CR LF", "MESSAGE\r\na:1\r\n\r\nhi\0",
                .strayCarriageReturn, at: 7
            ).with(version: .v11),
            StompVector(
                "cr-as-data-in-1.1", "to STOMP 1.1 a CR in a header is an octet like any other",
                "MESSAGE\na:1\r\n\nhi\0", [.frame(.message, [("a", "1\r")], "hi")]
            ).with(version: .v11),
            StompVector(
                "crlf-in-1.0", "STOMP 1.0 knows no CR LF", "\n\r\n", [.heartBeat],
                .strayCarriageReturn, at: 1
            ).with(version: .v10),
            StompVector(
                "unknown-command", "an unknown command is an error, never a crash", "FOO\n\n\0",
                .unknownCommand, at: 0),
            StompVector(
                "longer-command", "a command is a whole word", "MESSAGES\n\n\0", .unknownCommand,
                at: 0),
            StompVector(
                "lower-case-command", "commands are case-sensitive", "\nmessage\n\n\0",
                [.heartBeat],
                .unknownCommand, at: 1),
            StompVector(
                "padded-command", "nothing is trimmed", " MESSAGE\n\n\0", .unknownCommand, at: 0),
            StompVector(
                "http", "another protocol is noticed at its first line", "HTTP/1.1 200 OK\r\n\r\n",
                .unknownCommand, at: 0),
            StompVector(
                "nul-in-command", "a NUL ends no header section", "MESSAGE\0", .strayNul, at: 7),
        ] + commandVectors

    /// Each command in each role.
    private static let commandVectors: [StompVector] = StompCommand.allCases.flatMap { command in
        StompDecoder.Role.allCases.map { role -> StompVector in
            let stream = "\(command.rawValue)\na:b\n\n\0"
            let id = "\(command.rawValue)-to-\(role.rawValue)"
            let rule = "each side takes the other side's commands and no others"
            let fits = command.isFromServer == (role == .client)
            let vector =
                fits
                ? StompVector(id, rule, stream, [.frame(command, [("a", "b")])])
                : StompVector(id, rule, stream, .unknownCommand, at: 0)
            return vector.with(role: role)
        }
    }
}
