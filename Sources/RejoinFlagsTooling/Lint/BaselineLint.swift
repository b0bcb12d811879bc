import RejoinFlags
import RejoinJSON

/// Compares a flags file with an earlier one: whoever has a variant must keep it while the
/// variant's share grows.
struct BaselineLint {
    private let source: FlagSource
    private let baseline: FlagSource

    init(_ source: FlagSource, _ baseline: FlagSource) {
        self.source = source
        self.baseline = baseline
    }

    func lint(_ notes: inout FlagNotes) {
        for flag in source.flags {
            guard let old = baseline.flag(flag.key) else { continue }
            lintGeneration(flag, old, &notes)
            let before = FlagRuleScan(old, evaluators: baseline.evaluators).fractionals
            let after = FlagRuleScan(flag, evaluators: source.evaluators).fractionals
            var unmatched = after
            var missing: [FractionalSource] = []
            for rule in before {
                guard let match = unmatched.firstIndex(where: { $0.key == rule.key }) else {
                    missing.append(rule)
                    continue
                }
                lintShares(unmatched[match], rule, flag.key, &notes)
                unmatched.remove(at: match)
            }
            // What is gone is a rollout that ended; what is there instead has another seed.
            for (new, old) in zip(unmatched, missing) {
                notes.error(
                    .seedChanged,
                    "the bucketing key was \(old.key?.text ?? "the flag's own"): with another one "
                        + "everybody gets a new bucket, and most who were in fall out; put it back",
                    flag: flag.key, at: new.key?.offset ?? new.offset)
            }
        }
    }

    private func lintGeneration(
        _ flag: JSONObject.Member, _ old: JSONObject.Member, _ notes: inout FlagNotes
    ) {
        guard let before = old.generation, before.whole ?? 0 > 0 else { return }
        let now = flag.generation
        guard let highest = before.whole, now?.whole ?? 0 < highest else { return }
        notes.error(
            .generationLowered,
            "'generation' was \(highest): devices that took generation \(highest) back would stay "
                + "there for ever; it may only rise",
            flag: flag.key, at: now?.offset ?? flag.keyOffset)
    }

    private func lintShares(
        _ new: FractionalSource, _ old: FractionalSource, _ flag: String, _ notes: inout FlagNotes
    ) {
        guard let before = ShareLine(old), let after = ShareLine(new) else { return }
        let kept = after.names.filter { before.place(of: $0) != nil }
        let places = kept.compactMap { before.place(of: $0) }
        guard places == places.sorted() else {
            let order = before.names.map { $0 ?? "null" }.joined(separator: ", ")
            notes.error(
                .orderChanged,
                "the shares stood in the order \(order): in another one most people of a share "
                    + "fall out of it; put the order back",
                flag: flag, at: new.offset)
            return
        }
        for (place, name) in after.names.enumerated() {
            guard let earlier = before.place(of: name), let share = new.shares[place].outcome
            else { continue }
            let (was, now) = (before.ranges[earlier], after.ranges[place])
            // One that keeps its width only makes room.
            guard !was.isAtLeastAsWide(as: now), !now.contains(was) else { continue }
            notes.error(
                .notNested,
                "the share of '\(name ?? "null")' has grown, and yet some who had it lose it, "
                    + "because it stands between others; let only the first or last share grow",
                flag: flag, at: share.offset)
        }
    }
}

extension JSONObject.Member {
    /// The flag's own `metadata.generation`.
    var generation: JSONValue? {
        value.object?["metadata"]?.object?[FlagMetadata.generation]
    }
}

extension JSONValue {
    /// The value as compact JSON.
    var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
