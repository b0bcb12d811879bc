import RejoinFlags
import RejoinJSON

/// Finds flags that bucket by the same key: they reach the same people, so that one of them hides
/// what the other does.
struct SeedLint {
    private var flagOfKey: [JSONValue: String] = [:]

    mutating func lint(_ flag: String, _ scan: FlagRuleScan, _ notes: inout FlagNotes) {
        var own: Set<JSONValue> = []
        for rule in scan.fractionals {
            // Several rules of one flag share a seed on purpose: the same people, other weights.
            guard let key = rule.key, own.insert(key).inserted else { continue }
            if let other = flagOfKey[key] {
                notes.warning(
                    .sharedSeed,
                    "it buckets by the same key as '\(other)' and so reaches the same "
                        + "people; give each flag a seed of its own, unless they must move together",
                    flag: flag, at: key.offset)
            }
        }
        for key in own where flagOfKey[key] == nil { flagOfKey[key] = flag }
    }
}
