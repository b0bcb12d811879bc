public import RejoinTime

/// The flags at one moment: immutable, so that one operation that holds it sees one state of the
/// rollout, whatever is reloaded meanwhile.
public final class FlagSnapshot: Sendable {
    /// Counts what the registry has published, from 1.
    public let generation: UInt64
    /// The flags of the file, with its metadata and diagnostics.
    public let set: FlagSet
    /// Why the flags may be older than the file; `nil` where they are the file's.
    public let problem: FlagFileError?
    /// When the flags were read from the file; `nil` for those that came with the program. Their
    /// age tells of a file that never changes, such as a mount that is not followed.
    public let loadedAt: WallTime?
    private let overrides: [ByteKey: FlagOverride]
    private let definitions: ContiguousArray<FlagDefinition?>
    /// What each boolean flag of the catalogue is for everybody, code default included.
    @usableFromInline let settled: ContiguousArray<Settled>

    /// A boolean flag, as far as it can be known without a context.
    @usableFromInline
    enum Settled: UInt8, Sendable {
        case off, on, dependsOnContext
    }

    init(_ state: FlagReloadCore.State, catalogue: FlagCatalogue) {
        generation = state.generation
        set = state.set
        problem = state.problem
        loadedAt = state.loadedAt
        // Of several overrides of a flag the one that ends last holds; they come in that order.
        let overrides = Dictionary(
            state.overrides.map { (ByteKey($0.flag), $0) }, uniquingKeysWith: { first, _ in first })
        self.overrides = overrides
        definitions = ContiguousArray(catalogue.declarations.map { state.set[$0.name] })
        settled = ContiguousArray(
            zip(catalogue.declarations, definitions).map { declaration, definition in
                guard declaration.kind == .boolean,
                    definition?.targeting == nil || definition?.state == .disabled
                        || definition?.fault != nil,
                    overrides[ByteKey(declaration.name)] == nil
                else { return .dependsOnContext }
                let nobody = FlagContext(targetingKey: nil, timestamp: 0)
                let value = definition?.evaluate(
                    as: .boolean, default: declaration.codeDefault, for: nobody
                ).value
                return (value ?? declaration.codeDefault) == .bool(true) ? .on : .off
            })
    }

    /// Whether a boolean flag is on. For a flag without targeting this is the read of an array:
    /// the context is not even made.
    ///
    /// Traps for a key for which the registry's catalogue has no place.
    ///
    /// - Complexity: O(1) without targeting, otherwise O(nodes of the targeting).
    @inlinable
    public func isOn(_ key: FlagKey<Bool>, for context: @autoclosure () -> FlagContext) -> Bool {
        switch settled[key.index] {
        case .off: false
        case .on: true
        case .dependsOnContext:
            evaluateBoolean(key.index, key.name, key.codeDefault, for: context())
        }
    }

    /// The slow half of ``isOn(_:for:)``, out of line and not generic.
    @usableFromInline
    func evaluateBoolean(
        _ index: Int, _ name: String, _ codeDefault: Bool, for context: FlagContext
    ) -> Bool {
        let evaluation = evaluate(
            definitions[index], name, as: .boolean, default: .bool(codeDefault), for: context)
        return evaluation.value == .bool(true)
    }

    /// The value of a flag.
    ///
    /// - Complexity: O(nodes of the targeting).
    public func value<Value: FlagType>(_ key: FlagKey<Value>, for context: FlagContext) -> Value {
        evaluate(key, for: context).value
    }

    /// The value of a flag, with variant and reason.
    ///
    /// - Complexity: O(nodes of the targeting).
    public func evaluate<Value: FlagType>(_ key: FlagKey<Value>, for context: FlagContext)
        -> FlagEvaluation<Value>
    {
        let evaluation = evaluate(
            definitions[key.index], key.name, as: Value.kind, default: key.codeDefault.flagValue,
            for: context)
        return evaluation.typed(default: key.codeDefault)
    }

    /// The value of a flag that only its name is known of, with variant and reason.
    ///
    /// - Complexity: O(length of the key), then O(nodes of the targeting).
    public func evaluate(
        _ key: String, as kind: FlagKind, default codeDefault: FlagValue, for context: FlagContext
    ) -> FlagEvaluation<FlagValue> {
        evaluate(set[key], key, as: kind, default: codeDefault, for: context)
    }

    private func evaluate(
        _ definition: FlagDefinition?, _ key: String, as kind: FlagKind,
        default codeDefault: FlagValue, for context: FlagContext
    ) -> FlagEvaluation<FlagValue> {
        guard let definition else {
            return set.evaluate(key, as: kind, default: codeDefault, for: context)
        }
        // An override past its end is none, even before the registry has noticed.
        guard !overrides.isEmpty, let override = overrides[ByteKey(key)],
            override.expires > WallTime(milliseconds: context.timestamp &* 1_000)
        else { return definition.evaluate(as: kind, default: codeDefault, for: context) }
        return definition.evaluate(
            as: kind, default: codeDefault, for: context, overriddenBy: override.variant)
    }
}
