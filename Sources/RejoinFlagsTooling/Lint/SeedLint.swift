import RejoinFlags
import RejoinJSON

/// Finds flags that bucket by the same key: they reach the same people, so that one of them hides
/// what the other does.
struct SeedLint {
    private var seen: [(key: JSONValue, flag: String)] = []

    mutating func lint(_ flag: String, _ scan: FlagRuleScan, _ notes: inout FlagNotes) {
        var own: [JSONValue] = []
        for rule in scan.fractionals {
            // Several rules of one flag share a seed on purpose: the same people, other weights.
            guard let key = rule.key, !own.contains(key) else { continue }
            own.append(key)
            if let other = seen.first(where: { $0.key == key }) {
                notes.warning(
                    .sharedSeed,
                    "it buckets by the same key as '\(other.flag)' and so reaches the same "
                        + "people; give each flag a seed of its own, unless they must move together",
                    flag: flag, at: key.offset)
            }
        }
        seen += own.map { ($0, flag) }
    }
}
