import RejoinTransport

extension StompCodecContract {
    /// Several frames, heart-beats, and what may stand between.
    static let streamVectors: [StompVector] = [
        StompVector("nothing", "an empty stream means nothing", "", []),
        StompVector("heart-beat", "a heart-beat is one EOL", "\n", [.heartBeat]),
        StompVector("heart-beat-crlf", "a heart-beat is one EOL", "\r\n", [.heartBeat]),
        StompVector(
            "heart-beats", "each EOL is a heart-beat", "\n\r\n\n",
            [.heartBeat, .heartBeat, .heartBeat]),
        StompVector.unfinished(
            "half-heart-beat", "a CR may be the first half of an EOL", "\n\r", [.heartBeat]),
        StompVector(
            "cr-between-frames", "a CR belongs to a CR LF or nowhere", "\n\rMESSAGE\n\n\0",
            [.heartBeat], .strayCarriageReturn, at: 1),
        StompVector(
            "eols-and-nuls", "EOLs are signs of life, stray NULs make no empty frames",
            "\n\r\n\0\0MESSAGE\n\n\0\n\n\r\n",
            [
                .heartBeat, .heartBeat, .frame(.message), .heartBeat, .heartBeat, .heartBeat,
            ]),
        StompVector(
            "two-frames", "several frames in one message are all taken",
            "MESSAGE\na:1\n\none\0MESSAGE\na:2\n\ntwo\0RECEIPT\nreceipt-id:3\n\n\0",
            [
                .frame(.message, [("a", "1")], "one"), .frame(.message, [("a", "2")], "two"),
                .frame(.receipt, [("receipt-id", "3")]),
            ]),
        StompVector(
            "trailing-lf", "RabbitMQ ends each frame with NUL LF",
            "CONNECTED\nversion:1.2\n\n\0\nMESSAGE\n\nhello\0\n",
            [
                .frame(.connected, [("version", "1.2")]), .heartBeat,
                .frame(.message, [], "hello"), .heartBeat,
            ]),
        StompVector(
            "minimal-connected", "only version matters in CONNECTED", "CONNECTED\n\n\0",
            [.frame(.connected)]),
        StompVector.unfinished(
            "unfinished-command", "an unfinished frame is waited for", "MESS"),
        StompVector.unfinished(
            "unfinished-headers", "an unfinished frame is waited for", "MESSAGE\na:b\n"),
        StompVector.unfinished(
            "unfinished-body", "an unfinished frame is waited for", "MESSAGE\na:b\n\nbody"),
        StompVector(
            "error-after-frames", "what came before an error counts; places count from the start",
            "\nMESSAGE\na:1\n\none\0\nMESSAGE\n:x\n\n\0MESSAGE\n\n\0",
            [.heartBeat, .frame(.message, [("a", "1")], "one"), .heartBeat],
            .emptyHeaderName, at: 27),
        StompVector(
            "client-frames", "a server reads a client's session",
            "CONNECT\naccept-version:1.2\nhost:/\n\n\0\n"
                + "SUBSCRIBE\nid:s-1\ndestination:/topic/a\n\n\0"
                + "SEND\ndestination:/topic/a\ncontent-length:2\n\nhi\0DISCONNECT\nreceipt:9\n\n\0",
            [
                .frame(.connect, [("accept-version", "1.2"), ("host", "/")]), .heartBeat,
                .frame(.subscribe, [("id", "s-1"), ("destination", "/topic/a")]),
                .frame(.send, [("destination", "/topic/a"), ("content-length", "2")], "hi"),
                .frame(.disconnect, [("receipt", "9")]),
            ]
        ).with(role: .server),
    ]
}
