/// The identity of one state of something that changes: equal exactly where the states are the
/// same one, compared in O(1).
///
/// Two versions are never equal by chance, also not where a value was copied and both copies went
/// on: each version owns a mark of its own, and lives as long as somebody can compare it.
public struct SnapshotVersion: Hashable, Sendable, CustomStringConvertible {
    private final class Mark: Sendable {}

    private let mark = Mark()
    /// How many versions led to this one; for people who read logs, not for comparing.
    public let count: UInt64

    /// Creates the first version of something.
    public init() { count = 0 }

    private init(count: UInt64) { self.count = count }

    /// A version that follows this one. Each call makes another.
    public func following() -> SnapshotVersion { SnapshotVersion(count: count + 1) }

    public var description: String { "version \(count)" }

    public static func == (lhs: SnapshotVersion, rhs: SnapshotVersion) -> Bool {
        lhs.mark === rhs.mark
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(mark))
    }
}
