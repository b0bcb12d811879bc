/// What a reader takes at most; each limit is checked before memory is asked for.
public struct JSONLimits: Hashable, Sendable {
    /// The longest text, in bytes.
    public var maximumBytes: Int
    /// How deep objects and arrays may be nested; at most 512, because reading recurses.
    public var maximumDepth: Int
    /// The longest string or key, in bytes as it stands in the text.
    public var maximumStringBytes: Int
    /// How many members and elements the whole text may have.
    public var maximumValues: Int

    /// Creates limits.
    public init(
        maximumBytes: Int = 16 << 20, maximumDepth: Int = 64, maximumStringBytes: Int = 4 << 20,
        maximumValues: Int = 1_000_000
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = min(maximumDepth, 512)
        self.maximumStringBytes = maximumStringBytes
        self.maximumValues = maximumValues
    }
}
