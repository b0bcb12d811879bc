package import RejoinFlags
import RejoinJSON

/// Finds mistakes in a flags file before they reach anybody: those that quarantine a flag, and
/// those that work, but not as their author thinks.
package enum FlagLint {
    /// Everything that is wrong, in the order of the text.
    ///
    /// - Parameters:
    ///   - baseline: An earlier version of the file, such as the one that is in use. A ramp must
    ///     keep its seed and order, or people fall out who were in.
    ///   - today: `nil` where the answer must not depend on the day, as in a build.
    /// - Complexity: O(size of the files).
    package static func findings(
        in source: FlagSource, baseline: FlagSource? = nil, today: CalendarDay? = nil
    ) -> [FlagDiagnostic] {
        var notes = FlagNotes()
        lintFileMetadata(source, &notes)
        var seeds = SeedLint()
        for flag in source.flags {
            let scan = FlagRuleScan(flag, evaluators: source.evaluators)
            let rules = FlagRuleLint(flag: flag, scan: scan)
            rules.lint(&notes)
            seeds.lint(flag.key, scan, &notes)
            lintMetadata(flag, today, &notes)
        }
        if let baseline { BaselineLint(source, baseline).lint(&notes) }
        let read = source.set.diagnostics.map(\.asTheToolsSeeIt)
        return (read + notes.diagnostics(in: source)).inOrderOfText
    }

    /// What the schema says of the file's metadata beyond what evaluators care for.
    private static func lintFileMetadata(_ source: FlagSource, _ notes: inout FlagNotes) {
        for key in ["flagSetId", "version"] {
            guard let value = source.root["metadata"]?.object?[key], value.string == nil else {
                continue
            }
            notes.error(
                .invalidMetadata, "'\(key)' must be a string by flagd's schema", at: value.offset)
        }
    }

    private static func lintMetadata(
        _ flag: JSONObject.Member, _ today: CalendarDay?, _ notes: inout FlagNotes
    ) {
        guard let metadata = flag.value.object?["metadata"]?.object else { return }
        for member in metadata.members {
            if member.key.hasPrefix(FlagMetadata.guardPrefix),
                !FlagMetadata.guardThresholds.contains(member.key)
            {
                notes.warning(
                    .unknownMember,
                    "no rollout guard knows '\(member.key)'; it knows "
                        + FlagMetadata.guardThresholds.joined(separator: ", "),
                    flag: flag.key, at: member.keyOffset)
                continue
            }
            guard let bounds = FlagMetadata.bounds(of: member.key) else { continue }
            // Readers take whole numbers only, and what they cannot take for absent.
            if let whole = member.value.integer, bounds.contains(whole) { continue }
            notes.error(
                .invalidMetadata,
                "'\(member.key)' must be a whole number from "
                    + "\(bounds.lowerBound) to \(bounds.upperBound)",
                flag: flag.key, at: member.value.offset)
        }
        if let value = metadata[FlagMetadata.codeDefault] {
            let variants = flag.value.object?["variants"]?.object
            if value.string.flatMap({ variants?.member($0) }) == nil {
                notes.error(
                    .unknownVariant, "'\(FlagMetadata.codeDefault)' must be the name of a variant",
                    flag: flag.key, at: value.offset)
            }
        }
        guard let value = metadata[FlagMetadata.expires] else { return }
        guard let text = value.string, let day = CalendarDay(text) else {
            notes.error(
                .invalidMetadata, "'expires' must be a day, such as \"2027-03-31\"",
                flag: flag.key, at: value.offset)
            return
        }
        guard let today, day < today else { return }
        notes.error(
            .expired,
            "it expired on \(text): remove the flag and the code behind it, or give it a new day",
            flag: flag.key, at: value.offset)
    }
}

/// The members of a flag's `metadata` that mean something to this package.
package enum FlagMetadata {
    /// Raised to lift what a rollout guard took back.
    package static let generation = "generation"
    /// The generation that `flags-rollout --rollback` took back.
    package static let rolledBack = "rolledBack"
    /// The variant that the code uses without flags.
    package static let codeDefault = "codeDefault"
    /// The day after which the flag ought to be gone.
    package static let expires = "expires"

    /// The generations that every reader of JSON has exactly, 2^53 - 1 being the last.
    static let generations: ClosedRange<Int64> = 0...9_007_199_254_740_991

    /// How the names of a rollout guard's thresholds begin.
    static let guardPrefix = "guard"
    /// The thresholds that a rollout guard reads (`GuardPolicy`).
    static let guardThresholds = [
        "guardWindowSeconds", "guardMinimumSample", "guardUnfilledGapPerMille",
        "guardFailedSendPerMille", "guardIllWindows", "guardDivergences", "guardShortRunSeconds",
        "guardShortRuns",
    ]

    /// The values that count; `nil` for what is no number here.
    static func bounds(of key: String) -> ClosedRange<Int64>? {
        if [generation, rolledBack].contains(key) { return generations }
        return guardThresholds.contains(key) ? 1...86_400 : nil
    }
}

extension FlagDiagnostic {
    /// At run time a flag goes on with these as well as it can; a person at a desk can mend them.
    fileprivate var asTheToolsSeeIt: FlagDiagnostic {
        switch code {
        case .invalidRule, .mixedVariants, .lookAlikeKeys:
            FlagDiagnostic(.error, code, message, flag: flag, at: location)
        default: self
        }
    }
}
