import RejoinTransport

extension StompCodecContract {
    /// Escapes and the frames without them.
    static let escapeVectors: [StompVector] = [
        StompVector(
            "escapes", "names and values are unescaped",
            "MESSAGE\na\\c\\r\\n\\\\b:alpha\\cbravo\\r\\n\\\\\n\n\0",
            [.frame(.message, [("a:\r\n\\b", "alpha:bravo\r\n\\")])]),
        StompVector(
            "one-pass", "one pass from left to right: an unescaped backslash escapes nothing",
            "MESSAGE\na:hdr\\\\rval\nb:C\\c\\\\new\nc:\\\\c\nd:\\\\\\\\n\n\n\0",
            [
                .frame(
                    .message,
                    [("a", "hdr\\rval"), ("b", "C:\\new"), ("c", "\\c"), ("d", "\\\\n")])
            ]),
        StompVector(
            "undefined-escape", "an undefined escape is fatal", "MESSAGE\nx:a\\tb\n\n\0",
            .undefinedEscape, at: 11),
        StompVector(
            "undefined-escape-x", "an undefined escape is fatal", "MESSAGE\nok:\\c\nx:a\\x\n\n\0",
            .undefinedEscape, at: 17),
        StompVector(
            "undefined-escape-in-name", "an undefined escape is fatal", "MESSAGE\na\\C:b\n\n\0",
            .undefinedEscape, at: 9),
        StompVector(
            "escape-across-colon", "a backslash cannot escape the separator",
            "MESSAGE\na\\:b\n\n\0", .undefinedEscape, at: 9),
        StompVector(
            "backslash-at-line-end", "a backslash at the end of a line escapes nothing",
            "MESSAGE\nx:a\\\n\n\0", .undefinedEscape, at: 11),
        StompVector(
            "backslash-before-crlf", "a backslash at the end of a line escapes nothing",
            "MESSAGE\r\nx:a\\\r\n\r\n\0", .undefinedEscape, at: 12),
        StompVector.unfinished(
            "incomplete-escape", "an escape cut off by the end of a chunk is no error",
            "SEND\na:long\\"
        ).with(role: .server),
        StompVector(
            "first-fault-rules", "the first offending octet is told, whatever its kind",
            "MESSAGE\na:\\t\r\0\n\n\0", .undefinedEscape, at: 10),
        StompVector(
            "escapes-in-body", "the body is octets", "MESSAGE\n\na\\nb\\c\\x\0",
            [.frame(.message, [], "a\\nb\\c\\x")]),
        StompVector(
            "connected-is-raw", "CONNECTED is not unescaped",
            "CONNECTED\nsession:ID:h-1:3\nkey:\\value\nother:\\c\\\\\n\n\0",
            [
                .frame(
                    .connected,
                    [("session", "ID:h-1:3"), ("key", "\\value"), ("other", "\\c\\\\")])
            ]),
        StompVector(
            "connected-is-raw-crlf", "CONNECTED is not unescaped, whatever its line ends",
            "CONNECTED\r\nkey:\\value\r\n\r\n\0", [.frame(.connected, [("key", "\\value")])]),
        StompVector(
            "connect-is-raw", "CONNECT is not unescaped: passcodes may hold anything",
            "CONNECT\npasscode:p:a\\b\\c\n\n\0",
            [.frame(.connect, [("passcode", "p:a\\b\\c")])]
        ).with(role: .server),
        StompVector(
            "stomp-is-raw", "STOMP is CONNECT by another name",
            "STOMP\npasscode:p:a\\b\n\n\0", [.frame(.stomp, [("passcode", "p:a\\b")])]
        ).with(role: .server),
        StompVector(
            "escapes-in-1.1", "STOMP 1.1 has the escapes n, c and backslash",
            "MESSAGE\na\\c:\\n\\\\\n\n\0", [.frame(.message, [("a:", "\n\\")])]
        ).with(version: .v11),
        StompVector(
            "escaped-cr-in-1.1", "STOMP 1.1 has no escape for CR", "MESSAGE\na:\\r\n\n\0",
            .undefinedEscape, at: 10
        ).with(version: .v11),
        StompVector(
            "no-escapes-in-1.0", "STOMP 1.0 has no escapes", "MESSAGE\na:C:\\new\\\n\n\0",
            [.frame(.message, [("a", "C:\\new\\")])]
        ).with(version: .v10),
    ]
}
