public import RejoinJSON

/// The flags of one file: immutable, and complete even where single flags are at fault.
public struct FlagSet: Sendable {
    /// The flags, in the order of the file, quarantined ones included.
    public let flags: [FlagDefinition]
    /// The file's own metadata.
    public let metadata: FlagObject
    /// What is wrong with the file, in the order of the text.
    public let diagnostics: [FlagDiagnostic]
    private let places: [ByteKey: Int]

    init(flags: [FlagDefinition], metadata: FlagObject, diagnostics: [FlagDiagnostic]) {
        self.flags = flags
        self.metadata = metadata
        self.diagnostics = diagnostics
        var places: [ByteKey: Int] = [:]
        for (index, flag) in flags.enumerated() { places[ByteKey(flag.key)] = index }
        self.places = places
    }

    /// No flags at all.
    public static let empty = FlagSet(flags: [], metadata: [:], diagnostics: [])

    /// What a flags file may take: generous for files that people write.
    public static let limits = JSONLimits(
        maximumBytes: 4 << 20, maximumDepth: 64, maximumStringBytes: 64 << 10,
        maximumValues: 400_000)

    /// How many members the metadata of the file, and of each flag, may have.
    public static let maximumMetadata = 64

    /// The only bucketing generation that this module has.
    public static let bucketing = "v2"

    /// Reads a file's bytes.
    ///
    /// - Throws: ``FlagFileError`` where the file as a whole cannot be used. A flag that is at
    ///   fault is no reason: it is quarantined, with a ``FlagDiagnostic``.
    /// - Complexity: O(length of the file).
    public init(
        _ bytes: ContiguousArray<UInt8>, limits: JSONLimits = FlagSet.limits
    ) throws(FlagFileError) {
        self = try FlagSetReader(bytes: bytes, limits: limits).read()
    }

    /// The flag with these bytes as its key.
    public subscript(key: String) -> FlagDefinition? {
        places[ByteKey(key)].map { flags[$0] }
    }

    /// The keys of flags that are new, gone or different in another set, in its order, those that
    /// are gone last.
    ///
    /// - Complexity: O(size of both sets).
    public func keysChanged(in other: FlagSet) -> [String] {
        let different = other.flags.filter { flag in
            guard let old = self[flag.key] else { return true }
            return !old.isSame(as: flag)
        }
        let gone = flags.filter { other[$0.key] == nil }
        return (different + gone).map(\.key)
    }
}
