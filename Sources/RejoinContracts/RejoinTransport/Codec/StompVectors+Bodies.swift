import RejoinTransport

extension StompCodecContract {
    /// Bodies and their length.
    static let bodyVectors: [StompVector] = [
        StompVector(
            "nul-in-body", "content-length counts octets, the body may hold NUL",
            "MESSAGE\ncontent-length:3\n\na\0b\0",
            [.frame(.message, [("content-length", "3")], "a\0b")]),
        StompVector(
            "octets-not-characters", "content-length counts octets",
            "MESSAGE\ncontent-length:6\n\n\u{FC}\u{DF}\u{E9}\0",
            [.frame(.message, [("content-length", "6")], "\u{FC}\u{DF}\u{E9}")]),
        StompVector(
            "body-goes-on", "a NUL must stand where content-length ends the body",
            "MESSAGE\ncontent-length:3\n\nabcdef\0", .missingNul, at: 29),
        StompVector(
            "no-nul-after-body", "a NUL must stand where content-length ends the body",
            "MESSAGE\ncontent-length:24\n\nThe body of the message.*", .missingNul, at: 51),
        StompVector.unfinished(
            "length-too-large", "a short body is waited for, never delivered",
            "MESSAGE\ncontent-length:10\n\nabc\0"),
        StompVector(
            "length-0", "content-length may be 0", "MESSAGE\ncontent-length:0\n\n\0",
            [.frame(.message, [("content-length", "0")])]),
        StompVector(
            "length-0-with-body", "content-length 0 means no body",
            "MESSAGE\ncontent-length:0\n\nx\0", .missingNul, at: 26),
        StompVector(
            "leading-zeros", "leading zeros do no harm",
            "MESSAGE\ncontent-length:000000000000000000000003\n\nabc\0",
            [.frame(.message, [("content-length", "000000000000000000000003")], "abc")]),
        StompVector(
            "length-plus", "content-length is digits", "MESSAGE\ncontent-length:+5\n\nabcde\0",
            .invalidContentLength, at: 23),
        StompVector(
            "length-minus", "content-length is digits", "MESSAGE\ncontent-length:-1\n\nabc\0",
            .invalidContentLength, at: 23),
        StompVector(
            "length-space", "content-length is digits", "MESSAGE\ncontent-length: 5\n\nabcde\0",
            .invalidContentLength, at: 23),
        StompVector(
            "length-letters", "content-length is digits",
            "MESSAGE\ncontent-length:5abc\n\nabcde\0", .invalidContentLength, at: 24),
        StompVector(
            "length-empty", "content-length is digits", "MESSAGE\ncontent-length:\n\n\0",
            .invalidContentLength, at: 23),
        StompVector(
            "length-2^64", "a length beyond the limit is refused before memory is taken",
            "MESSAGE\ncontent-length:18446744073709551616\n\n\0", .bodyTooLarge, at: 30),
        StompVector(
            "length-repeated", "the first content-length rules",
            "MESSAGE\ncontent-length:3\ncontent-length:x\n\na\0b\0",
            [.frame(.message, [("content-length", "3"), ("content-length", "x")], "a\0b")]),
        StompVector(
            "length-case", "header names are case-sensitive",
            "MESSAGE\nContent-Length:1\n\nabc\0",
            [.frame(.message, [("Content-Length", "1")], "abc")]),
        StompVector(
            "length-on-receipt", "any frame may have content-length",
            "RECEIPT\nreceipt-id:1\ncontent-length:0\n\n\0",
            [.frame(.receipt, [("receipt-id", "1"), ("content-length", "0")])]),
        StompVector(
            "no-length", "without content-length the body goes to the first NUL",
            "MESSAGE\n\nhello\0\n", [.frame(.message, [], "hello"), .heartBeat]),
        StompVector(
            "body-on-receipt", "only SEND, MESSAGE and ERROR have bodies",
            "RECEIPT\nreceipt-id:1\n\nx\0", .bodyNotAllowed, at: 22),
        StompVector(
            "length-of-body-on-receipt", "only SEND, MESSAGE and ERROR have bodies",
            "RECEIPT\nreceipt-id:1\ncontent-length:1\n\n\0\0", .bodyNotAllowed, at: 39),
        StompVector(
            "body-on-subscribe", "only SEND, MESSAGE and ERROR have bodies",
            "SUBSCRIBE\nid:1\ndestination:/a\n\nx\0", .bodyNotAllowed, at: 31
        ).with(role: .server),
        StompVector(
            "binary-body", "the body is octets, not UTF-8",
            Array("MESSAGE\ncontent-length:4\n\n".utf8) + [0xFF, 0, 0xC0, 0x0A, 0],
            [
                .frame(
                    StompFrame(
                        .message, headers: [("content-length", "4")],
                        body: [0xFF, 0, 0xC0, 0x0A]))
            ]),
        StompVector(
            "error-of-the-specification", "the ERROR of STOMP 1.2's own example has 170 octets",
            "ERROR\nreceipt-id:message-12345\ncontent-type:text/plain\ncontent-length:170\n"
                + "message:malformed frame received\n\n\(specificationBody)\0",
            [
                .frame(
                    .error,
                    [
                        ("receipt-id", "message-12345"), ("content-type", "text/plain"),
                        ("content-length", "170"), ("message", "malformed frame received"),
                    ], specificationBody)
            ]),
    ]

    private static let specificationBody = """
        The message:
        -----
        MESSAGE
        destined:/queue/a
        receipt:message-12345

        Hello queue a!
        -----
        Did not contain a destination header, which is REQUIRED
        for message propagation.

        """
}
