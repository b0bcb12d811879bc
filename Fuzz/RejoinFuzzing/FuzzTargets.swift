extension FuzzTarget {
    /// Every target; a new one is a file in `Targets` and a line here.
    package static let all: [FuzzTarget] = portable + linux

    private static let portable: [FuzzTarget] = [
        .stompDecoder, .stompEncoder, .stompSession, .json, .events, .answers, .requests, .commands,
        .texts, .flags,
    ]

    #if os(Linux)
    private static let linux: [FuzzTarget] = [.serverStomp, .tokens, .storedContent]
    #else
    private static let linux: [FuzzTarget] = []
    #endif
}
