import RejoinFlags
import RejoinJSON

/// Lints the targeting of one flag.
struct FlagRuleLint {
    private let flag: JSONObject.Member
    private let scan: FlagRuleScan
    private let variants: [String]

    init(flag: JSONObject.Member, scan: FlagRuleScan) {
        self.flag = flag
        self.scan = scan
        variants = flag.value.object?["variants"]?.object?.members.map(\.key) ?? []
    }

    func lint(_ notes: inout FlagNotes) {
        lintResults(&notes)
        for rule in scan.fractionals {
            lintShares(rule, &notes)
            lintKey(rule, &notes)
        }
        lintOperands(&notes)
    }

    // MARK: Results

    private func lintResults(_ notes: inout FlagNotes) {
        for constant in scan.constants {
            // Null is the default variant.
            if case .null = constant.kind { continue }
            guard let name = constant.variantName else {
                notes.error(
                    .unknownVariant,
                    "the targeting gives an array or object, which names no variant",
                    flag: flag.key, at: constant.offset)
                continue
            }
            guard !has(name) else { continue }
            notes.error(
                .unknownVariant, "the targeting names '\(name)', which is no variant; \(known)",
                flag: flag.key, at: constant.offset)
        }
        for (name, offset) in scan.booleans where !has("true") || !has("false") {
            notes.error(
                .unknownVariant,
                "'\(name)' gives true or false, which name no variant here; write "
                    + "{\"if\": [condition, variant, other variant]}",
                flag: flag.key, at: offset)
        }
    }

    private func has(_ name: String) -> Bool {
        variants.contains { $0.hasSameBytes(as: name) }
    }

    private var known: String {
        "it has \(variants.map { "'\($0)'" }.joined(separator: ", "))"
    }

    // MARK: Buckets

    private func lintShares(_ rule: FractionalSource, _ notes: inout FlagNotes) {
        var total: Int64 = 0
        var isConstant = true
        for share in rule.shares {
            guard let outcome = share.outcome else {
                // A share that a rule computes is somebody's intention; a constant is a slip.
                if share.json.object?.members.count == 1 {
                    isConstant = false
                } else {
                    notes.error(
                        .invalidShare, "a share must be written as [variant, weight]",
                        flag: flag.key, at: share.json.offset)
                }
                continue
            }
            if let items = share.json.array, items.count > 2 {
                notes.error(
                    .invalidShare, "a share has a variant and a weight, and nothing else",
                    flag: flag.key, at: items[2].offset)
            }
            guard let weight = share.weight else {
                total += 1
                continue
            }
            if weight.object?.members.count == 1 {
                isConstant = false
                continue
            }
            guard let whole = weight.whole, (0...FlagShares.largestTotal).contains(whole) else {
                let name = outcome.variantName.map { " of '\($0)'" } ?? ""
                notes.error(
                    .invalidWeight,
                    "the weight\(name) must be a whole number from 0 to \(FlagShares.largestTotal)",
                    flag: flag.key, at: weight.offset)
                isConstant = false
                continue
            }
            total += whole
        }
        if total > FlagShares.largestTotal {
            notes.error(
                .invalidWeight,
                "the weights are \(total) together; at most \(FlagShares.largestTotal) are taken",
                flag: flag.key, at: rule.offset)
        } else if isConstant, total == 0 {
            notes.warning(
                .invalidWeight,
                "no share has a weight, so that everybody gets the default variant",
                flag: flag.key, at: rule.offset)
        }
    }

    private func lintKey(_ rule: FractionalSource, _ notes: inout FlagNotes) {
        guard let key = rule.key else {
            notes.warning(
                .implicitKey,
                "this buckets by the flag's own key, so that renaming the flag gives everybody a "
                    + "new bucket; write {\"cat\": [\"\(flag.key):\", "
                    + "{\"var\": \"targetingKey\"}]} first, before anybody is in",
                flag: flag.key, at: rule.offset)
            return
        }
        guard key.object == nil else { return }
        notes.error(
            .constantKey,
            "the bucketing key is a constant, so that everybody falls into one share, or nobody "
                + "into any; write {\"cat\": [\"\(flag.key):\", {\"var\": \"targetingKey\"}]}",
            flag: flag.key, at: key.offset)
    }

    // MARK: Operands

    private static let versionOperators = ["=", "!=", "<", "<=", ">", ">=", "^", "~"]

    /// What always gives null, which nobody means: evaluators do not complain.
    private func lintOperands(_ notes: inout FlagNotes) {
        for (name, operands, offset) in scan.calls {
            switch name {
            case "starts_with", "ends_with": lintTexts(name, operands, offset, &notes)
            case "sem_ver": lintVersions(operands, offset, &notes)
            case "var": lintVariable(operands, &notes)
            default: continue
            }
        }
    }

    private func lintTexts(
        _ name: String, _ operands: [JSONValue], _ offset: Int, _ notes: inout FlagNotes
    ) {
        guard operands.count == 2 else {
            notes.error(
                .invalidOperands,
                "'\(name)' takes two texts; with \(operands.count) it is always null",
                flag: flag.key, at: offset)
            return
        }
        for operand in operands where operand.object == nil && operand.string == nil {
            notes.error(
                .invalidOperands, "'\(name)' takes texts; with anything else it is always null",
                flag: flag.key, at: operand.offset)
        }
    }

    private func lintVersions(
        _ operands: [JSONValue], _ offset: Int, _ notes: inout FlagNotes
    ) {
        guard operands.count == 3 else {
            notes.error(
                .invalidOperands,
                "'sem_ver' takes version, operator and version; with \(operands.count) operands it "
                    + "is always null", flag: flag.key, at: offset)
            return
        }
        for version in [operands[0], operands[2]] {
            guard let text = version.string, SemanticVersion(text) == nil else { continue }
            notes.error(
                .invalidOperands,
                "'\(text)' is no version such as 6.2.0, so that 'sem_ver' is always null",
                flag: flag.key, at: version.offset)
        }
        guard let text = operands[1].string, !Self.versionOperators.contains(text) else { return }
        notes.error(
            .invalidOperands,
            "'sem_ver' does not have the operator '\(text)' and is always null; it has "
                + Self.versionOperators.joined(separator: " "),
            flag: flag.key, at: operands[1].offset)
    }

    private func lintVariable(_ operands: [JSONValue], _ notes: inout FlagNotes) {
        guard let path = operands.first, let text = path.string, text.hasPrefix("$flagd."),
            text != "$flagd.flagKey", text != "$flagd.timestamp"
        else { return }
        notes.error(
            .invalidOperands,
            "there is no '\(text)'; there are $flagd.flagKey and $flagd.timestamp",
            flag: flag.key, at: path.offset)
    }
}
