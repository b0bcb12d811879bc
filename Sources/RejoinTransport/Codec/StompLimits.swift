/// How much a decoder takes from a peer. Each limit holds before memory is taken for what would
/// break it, and breaking one is a ``StompError``.
public struct StompLimits: Sendable, Hashable {
    /// The most headers of a frame.
    public var headers: Int
    /// The longest command or header line in octets, without its line feed.
    public var lineOctets: Int
    /// The longest header section in octets: from the command to the blank line, line ends
    /// included.
    public var headerSectionOctets: Int
    /// The longest body in octets.
    public var bodyOctets: Int

    /// Creates limits. Values below 1 (below 0 for headers and bodies) are raised to it, values
    /// above 1 GiB are lowered to it.
    public init(
        headers: Int = 1_000, lineOctets: Int = 64 << 10, headerSectionOctets: Int = 256 << 10,
        bodyOctets: Int = 16 << 20
    ) {
        // Header lengths are held in 32 bits, one of which is a flag while a frame is scanned.
        let most = 1 << 30
        self.headers = min(max(headers, 0), most)
        self.lineOctets = min(max(lineOctets, 1), most)
        self.headerSectionOctets = min(max(headerSectionOctets, 1), most)
        self.bodyOctets = min(max(bodyOctets, 0), most)
    }

    /// What a chat needs, with room to spare: 1,000 headers, lines of 64 KiB, header sections of
    /// 256 KiB, bodies of 16 MiB.
    public static let standard = StompLimits()
}
