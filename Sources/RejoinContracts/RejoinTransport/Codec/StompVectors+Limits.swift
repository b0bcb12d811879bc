import RejoinTransport

extension StompCodecContract {
    /// Limits, both small ones in every cut and the standard ones in a few.
    static let limitVectors: [StompVector] = smallLimitVectors + standardLimitVectors

    private static let smallLimitVectors: [StompVector] = [
        StompVector(
            "headers-at-limit", "a limit's own value is allowed", "MESSAGE\na:1\nb:2\n\n\0",
            [.frame(.message, [("a", "1"), ("b", "2")])]
        ).with(limits: StompLimits(headers: 2)),
        StompVector(
            "headers-beyond-limit", "headers are counted", "MESSAGE\na:1\nb:2\nc:3\n\n\0",
            .tooManyHeaders, at: 16
        ).with(limits: StompLimits(headers: 2)),
        StompVector(
            "headers-beyond-limit-nul", "headers are counted, whatever stands in them",
            "MESSAGE\na:1\nb\0\n\n\0", .tooManyHeaders, at: 12
        ).with(limits: StompLimits(headers: 1)),
        StompVector(
            "line-at-limit", "a limit's own value is allowed", "MESSAGE\na:345678\n\n\0",
            [.frame(.message, [("a", "345678")])]
        ).with(limits: StompLimits(lineOctets: 8)),
        StompVector(
            "line-beyond-limit", "lines are measured", "MESSAGE\na:3456789\n\n\0",
            .lineTooLong, at: 16
        ).with(limits: StompLimits(lineOctets: 8)),
        StompVector(
            "command-beyond-limit", "lines are measured, the command's too", "MESSAGEMESSAGE",
            .lineTooLong, at: 8
        ).with(limits: StompLimits(lineOctets: 8)),
        StompVector(
            "section-at-limit", "a limit's own value is allowed", "\nMESSAGE\na:b\n\nbody\0",
            [.heartBeat, .frame(.message, [("a", "b")], "body")]
        ).with(limits: StompLimits(headerSectionOctets: 13)),
        StompVector(
            "section-beyond-limit", "header sections are measured", "\nMESSAGE\na:bc\n\nbody\0",
            [.heartBeat], .headerSectionTooLarge, at: 14
        ).with(limits: StompLimits(headerSectionOctets: 13)),
        StompVector(
            "section-without-end", "a header section without an end is cut off",
            "MESSAGE\na:b\na:b\na:b\na:b", .headerSectionTooLarge, at: 20
        ).with(limits: StompLimits(headerSectionOctets: 20)),
        StompVector(
            "body-at-limit", "a limit's own value is allowed", "MESSAGE\n\n1234\0",
            [.frame(.message, [], "1234")]
        ).with(limits: StompLimits(bodyOctets: 4)),
        StompVector(
            "body-beyond-limit", "bodies are measured", "MESSAGE\n\n12345\0", .bodyTooLarge, at: 13
        ).with(limits: StompLimits(bodyOctets: 4)),
        StompVector(
            "length-at-limit", "a limit's own value is allowed",
            "MESSAGE\ncontent-length:04\n\n1234\0",
            [.frame(.message, [("content-length", "04")], "1234")]
        ).with(limits: StompLimits(bodyOctets: 4)),
        StompVector(
            "length-beyond-limit", "a body is refused before it comes",
            "MESSAGE\ncontent-length:5\n", .bodyTooLarge, at: 23
        ).with(limits: StompLimits(bodyOctets: 4)),
    ]

    private static let standardLimitVectors: [StompVector] = {
        let thousand = (0..<1_000).map { ("h\($0)", "v") }
        let lines = thousand.map { "\($0.0):\($0.1)\n" }.joined()
        let longLine = "MESSAGE\na:" + String(repeating: "x", count: 1 << 20) + "\n\n\0"
        let places = [1, 7, 8, 9, 100, 4_096, 5_000]
        return [
            StompVector(
                "1000-headers", "1,000 headers are taken", "MESSAGE\n\(lines)\n\0",
                [.frame(.message, StompHeaders(thousand))]
            ).with(places: places),
            StompVector(
                "1001-headers", "1,001 headers are refused", "MESSAGE\n\(lines)one-more:v\n\n\0",
                .tooManyHeaders, at: 8 + lines.utf8.count
            ).with(places: places),
            StompVector(
                "1-mib-line", "a line of 1 MiB is refused", longLine, .lineTooLong,
                at: 8 + (64 << 10)
            ).with(places: places),
        ]
    }()
}
