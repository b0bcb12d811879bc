import RejoinTransport

extension StompCodecContract {
    /// Header lines.
    static let headerVectors: [StompVector] = [
        StompVector(
            "raw-colon", "RabbitMQ leaves colons in values",
            "MESSAGE\nmessage-id:T_sub:1@@s@@1\n\n\0",
            [.frame(.message, [("message-id", "T_sub:1@@s@@1")])]),
        StompVector(
            "never-trimmed", "nothing is trimmed or padded", "MESSAGE\n foo : x \n\n\0",
            [.frame(.message, [(" foo ", " x ")])]),
        StompVector(
            "empty-value", "a value may be empty", "MESSAGE\nkey:\nother:\r\n\n\0",
            [.frame(.message, [("key", ""), ("other", "")])]),
        StompVector(
            "empty-name", "a name may not be empty", "MESSAGE\n:v\n\n\0", .emptyHeaderName, at: 8),
        StompVector(
            "no-colon", "each header has a colon", "MESSAGE\na:b\nnocolon\n\n\0",
            .missingColon, at: 12),
        StompVector(
            "first-of-repeats", "the first of a repeated header rules, the rest is kept",
            "MESSAGE\nfoo:World\nfoo:Hello\n\n\0",
            [.frame(.message, [("foo", "World"), ("foo", "Hello")])]),
        StompVector(
            "utf-8", "headers are UTF-8, whatever the cut",
            "MESSAGE\ndestinación:/日本/🚂\n\nüß\0",
            [.frame(.message, [("destinación", "/日本/🚂")], "üß")]),
        StompVector(
            "invalid-utf-8", "a header that is not UTF-8 is an error, not U+FFFD",
            Array("MESSAGE\na:x".utf8) + [0xC3, 0x28] + Array("\n\n\0".utf8), []
        ).failing(.invalidUTF8, at: 11),
        StompVector(
            "overlong-utf-8", "an overlong sequence is not UTF-8",
            Array("MESSAGE\na:".utf8) + [0xC0, 0xAF] + Array("\n\n\0".utf8), []
        ).failing(.invalidUTF8, at: 10),
        StompVector(
            "surrogate-utf-8", "a surrogate is not UTF-8",
            Array("MESSAGE\n".utf8) + [0xED, 0xA0, 0x80] + Array(":v\n\n\0".utf8), []
        ).failing(.invalidUTF8, at: 8),
        StompVector(
            "cut-off-utf-8", "a sequence cut off by the line's end is not UTF-8",
            Array("MESSAGE\na:b".utf8) + [0xF0, 0x9F, 0x9A] + Array("\n\n\0".utf8), []
        ).failing(.invalidUTF8, at: 11),
        StompVector(
            "combining-mark", "octets are parsed, not characters",
            "MESSAGE\nk:\u{301}v\nl\u{301}:\u{308}\n\nbody\0",
            [.frame(.message, [("k", "\u{301}v"), ("l\u{301}", "\u{308}")], "body")]),
        StompVector(
            "canonical-equivalents", "names that look alike are two names",
            "MESSAGE\n\u{E9}:1\ne\u{301}:2\n\n\0",
            [.frame(.message, [("\u{E9}", "1"), ("e\u{301}", "2")])]),
        StompVector(
            "control-octets", "other control octets are data", "MESSAGE\na\tb:\u{1}\t\n\n\0",
            [.frame(.message, [("a\tb", "\u{1}\t")])]),
        StompVector(
            "nul-in-headers", "a NUL ends no header section", "MESSAGE\nfoo:bar\0\n\n\0",
            .strayNul, at: 15),
        StompVector(
            "nul-after-headers", "a NUL ends no header section", "MESSAGE\nfoo:bar\n\0",
            .strayNul, at: 16),
    ]
}
