import RejoinFlags
import RejoinJSON

/// The generation of a flag, by which devices know whether a rollback that they remember still
/// counts.
///
/// A guard that has taken the flag back stays there until the generation exceeds the one it noted.
/// So a ramp after a rollback raises it, and any other change must not: it would put people back
/// on what has just hurt them. That there was a rollback is noted in the flag's own metadata
/// (`rolledBack`, the generation that was taken back), so that the next ramp knows, whoever does
/// it.
struct RolloutMetadata {
    let generationBefore: Int64
    private(set) var generation: Int64
    private let rolledBackBefore: Int64?
    private(set) var rolledBack: Int64?
    private let flag: JSONObject.Member
    private let metadata: JSONValue?

    /// - Throws: where a number in the metadata is none that could be raised.
    init(_ flag: JSONObject.Member, _ source: FlagSource) throws(RolloutRefusal) {
        self.flag = flag
        let metadata = flag.value.object?["metadata"]
        self.metadata = metadata
        let shared = source.root["metadata"]?.object
        func number(_ key: String) throws(RolloutRefusal) -> Int64? {
            guard let json = metadata?.object?[key] ?? shared?[key] else { return nil }
            let bounds = FlagMetadata.generations
            guard let number = json.integer, bounds.contains(number), number < bounds.upperBound
            else {
                throw RolloutRefusal(
                    FlagDiagnostic(
                        .error, .invalidMetadata,
                        "'\(key)' must be a whole number from 0 and below \(bounds.upperBound)",
                        flag: flag.key, at: JSONLocation(offset: json.offset, in: source.bytes)))
            }
            return number
        }
        generationBefore = try number(FlagMetadata.generation) ?? 0
        generation = generationBefore
        rolledBackBefore = try number(FlagMetadata.rolledBack)
        rolledBack = rolledBackBefore
    }

    /// The flag is taken back.
    mutating func noteRollback() { rolledBack = max(rolledBack ?? 0, generation) }

    /// A share has grown.
    mutating func noteRamp() {
        guard let rolledBack, generation <= rolledBack else { return }
        generation = rolledBack + 1
    }

    /// Guards are to try again in any case.
    mutating func lift() {
        guard generation == generationBefore else { return }
        generation = max(generation, rolledBack ?? 0) + 1
    }

    /// The edits that write it into the flag's metadata.
    func edits(in bytes: ContiguousArray<UInt8>) -> [TextEdit] {
        var edits: [TextEdit] = []
        var missing: [(key: String, value: String)] = []
        let changes = [
            (FlagMetadata.generation, generation, generation != generationBefore),
            (FlagMetadata.rolledBack, rolledBack ?? 0, rolledBack != rolledBackBefore),
        ]
        for (key, value, isChanged) in changes where isChanged {
            if let old = metadata?.object?[key] {
                edits.append(.replace(old, by: "\(value)", in: bytes))
            } else {
                missing.append((key, "\(value)"))
            }
        }
        guard !missing.isEmpty else { return edits }
        if let metadata {
            edits.append(.append(missing, to: metadata, in: bytes))
        } else {
            let members = missing.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
            edits.append(
                .append([("metadata", "{ \(members) }")], to: flag.value, in: bytes))
        }
        return edits
    }
}
