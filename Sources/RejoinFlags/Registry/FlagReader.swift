/// A way to the newest snapshot for code that asks often: it keeps the last one and compares a
/// counter; only after a reload it takes the registry's lock once.
///
/// A value with a memory of its own: give each task one of its own.
public struct FlagReader: Sendable {
    @usableFromInline let registry: FlagRegistry
    @usableFromInline var snapshot: FlagSnapshot

    init(_ registry: FlagRegistry) {
        self.registry = registry
        snapshot = registry.snapshot
    }

    /// The newest snapshot. Hold it for one operation, so that all of it sees one state.
    @inlinable
    public mutating func current() -> FlagSnapshot {
        if registry.generation != snapshot.generation { snapshot = registry.snapshot }
        return snapshot
    }
}
