package import RejoinFlags
package import RejoinJSON

/// A change of one flag's rollout: what the file becomes, and what that means.
package struct RolloutPlan: Sendable {
    /// The file's new bytes; the old ones where nothing changes.
    package let bytes: ContiguousArray<UInt8>
    /// The shares of the rule that is ramped, in order.
    package let shares: [Share]
    /// The flag's generation before and after.
    package let generation: (before: Int64, after: Int64)
    /// What a thousand users have before and after.
    package let sample: RolloutSample
    /// Other flags that the change reaches too, because they share the rule (`$evaluators`).
    package let otherFlags: [String]
    /// Whether the flag is switched off, so that nobody gets what the shares say.
    package let isDisabled: Bool
    /// Where the flag stands.
    package let location: JSONLocation

    /// One share before and after.
    package struct Share: Sendable {
        /// The variant; `nil` for the default variant.
        package let variant: String?
        /// Where its weight stands.
        package let location: JSONLocation
        /// The weight and the total before.
        package let before: (weight: Int64, total: Int64)
        /// The weight and the total after.
        package let after: (weight: Int64, total: Int64)
    }

    /// Plans a change.
    ///
    /// - Parameters:
    ///   - attributes: What rules may ask about the sample's users.
    ///   - timestamp: Seconds since 1970, for rules over time.
    /// - Throws: A diagnostic with the place in the file where the request cannot be fulfilled.
    package init(
        _ request: RolloutRequest, in source: FlagSource, attributes: FlagObject = [:],
        timestamp: Int64
    ) throws(RolloutRefusal) {
        let target = try RolloutTarget(request, in: source)
        let line = target.line
        let weights: [Int64]
        do throws(NewShares.Refusal) {
            weights = try NewShares(line, wanted: target.wanted, control: target.control).weights
        } catch {
            throw target.refusal(
                error.message, at: error.share.map { target.rule.shares[$0].json.offset })
        }
        guard let after = ShareLine(names: line.names, weights: weights) else {
            throw target.refusal("two shares have one variant")
        }
        try target.check(after, request)

        let hasGrown = zip(line.ranges, after.ranges).enumerated().contains { place, ranges in
            place != target.control && !ranges.0.isAtLeastAsWide(as: ranges.1)
        }
        var metadata = try RolloutMetadata(target.flag, source)
        if request.isRollback { metadata.noteRollback() }
        if hasGrown { metadata.noteRamp() }
        if request.lifts { metadata.lift() }
        generation = (metadata.generationBefore, metadata.generation)

        let edits = target.edits(weights) + metadata.edits(in: source.bytes)
        bytes = TextEdit.apply(edits, to: source.bytes)
        let changed: FlagSet
        do throws(FlagFileError) { changed = try FlagSet(bytes) } catch {
            throw target.refusal("the change would break the file: \(error.message)")
        }
        sample = RolloutSample(
            request.flag, before: source.set, after: changed, attributes: attributes,
            timestamp: timestamp)
        otherFlags = source.set.keysChanged(in: changed).filter {
            !$0.hasSameBytes(as: request.flag)
        }
        isDisabled = source.set[request.flag]?.state == .disabled
        let places = target.rule.shares.map { ($0.weight ?? $0.json).offset }
        let locations = JSONPlaces(places + [target.flag.keyOffset], in: source.bytes)
        location = locations[target.flag.keyOffset]
        shares = line.names.indices.map { place in
            Share(
                variant: line.names[place], location: locations[places[place]],
                before: (line.ranges[place].weight, line.ranges[place].total),
                after: (after.ranges[place].weight, after.ranges[place].total))
        }
    }
}
