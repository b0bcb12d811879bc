import RejoinFlags
import RejoinJSON

/// The Swift of one flag.
struct GeneratedFlag {
    /// The name of its key.
    let name: String
    /// The lines that declare the key.
    let key: [String]
    /// The lines that declare the variants.
    let variants: [String]

    /// `nil` where no Swift can be written for it, which the notes tell then, or the reader's.
    init?(
        _ flag: FlagDefinition, _ member: JSONObject.Member, at index: Int,
        _ names: inout FlagNames, _ notes: inout FlagNotes
    ) {
        let json = member.value.object?["variants"]?.object?.members ?? []
        guard let name = Self.name(member, &names, &notes),
            let cases = Self.cases(flag.variants, json, member.key, &notes),
            let type = GeneratedType(flag.variants),
            let fallback = Self.codeDefault(flag, member, &notes)
        else { return nil }
        if let array = json.first(where: { $0.value.array != nil }) {
            notes.error(
                .mixedVariants, "an array has no Swift type here; put it into an object",
                flag: flag.key, at: array.value.offset)
            return nil
        }
        self.name = SwiftName.declared(name)
        let variantType = SwiftName.variants(ofFlagNamed: name)
        let literal =
            switch type {
            case .choice: "\(variantType).\(SwiftName.declared(cases[fallback].name))"
            case .bool, .text, .whole, .number, .object: type.literal(flag.variants[fallback].value)
            }
        key = [
            "    /// The flag `\(SwiftName.comment(flag.key))`: "
                + "\(flag.variants.map { SwiftName.comment($0.name) }.joined(separator: ", ")).",
            "    static let \(self.name) = FlagKey(",
            "        \(SwiftName.literal(flag.key)), at: \(index), default: \(literal))",
        ]
        let comment =
            type == .choice
            ? "The variants of `\(SwiftName.comment(flag.key))`, whose values are their names."
            : "The names of the variants of `\(SwiftName.comment(flag.key))`."
        let conformances =
            type == .choice ? "String, FlagType, CaseIterable" : "String, CaseIterable, Sendable"
        variants =
            ["    /// \(comment)", "    enum \(variantType): \(conformances) {"]
            + cases.map { $0.declaration } + ["    }"]
    }

    // MARK: Names

    private static func name(
        _ member: JSONObject.Member, _ names: inout FlagNames, _ notes: inout FlagNotes
    ) -> String? {
        guard let name = SwiftName.flag(member.key) else {
            notes.error(
                .unusableName, "nothing in the key can stand in a Swift name; use a letter",
                flag: member.key, at: member.keyOffset)
            return nil
        }
        for taken in [name, SwiftName.variants(ofFlagNamed: name)] {
            guard let other = names.take(taken, for: member.key) else { continue }
            notes.error(
                .unusableName,
                "in Swift it would be named '\(taken)', as '\(other)' is; rename one",
                flag: member.key, at: member.keyOffset)
            return nil
        }
        return name
    }

    private struct Case {
        let name: String
        let rawValue: String

        var declaration: String {
            let value = name == rawValue ? "" : " = \(SwiftName.literal(rawValue))"
            return "        case \(SwiftName.declared(name))\(value)"
        }
    }

    private static func cases(
        _ variants: [FlagDefinition.Variant], _ members: [JSONObject.Member], _ flag: String,
        _ notes: inout FlagNotes
    ) -> [Case]? {
        var names = FlagNames()
        var cases: [Case] = []
        for (variant, member) in zip(variants, members) {
            guard let name = SwiftName.variant(variant.name) else {
                notes.error(
                    .unusableName,
                    "nothing in the variant's name can stand in a Swift name; use a letter",
                    flag: flag, at: member.keyOffset)
                return nil
            }
            if let other = names.take(name, for: variant.name) {
                notes.error(
                    .unusableName,
                    "in Swift the variant would be named '\(name)', as '\(other)' is; rename one",
                    flag: flag, at: member.keyOffset)
                return nil
            }
            cases.append(Case(name: name, rawValue: variant.name))
        }
        return cases.isEmpty ? nil : cases
    }

    // MARK: The code default

    /// The place of the variant that the code uses without flags: the one that `codeDefault` names,
    /// or else the default variant.
    private static func codeDefault(
        _ flag: FlagDefinition, _ member: JSONObject.Member, _ notes: inout FlagNotes
    ) -> Int? {
        let metadata = member.value.object?["metadata"]?.object
        if let name = metadata?[FlagMetadata.codeDefault]?.string {
            // An unknown name is the linter's finding.
            return flag.variants.firstIndex { $0.name.hasSameBytes(as: name) }
        }
        if let place = flag.defaultVariant { return place }
        // A default variant that is wrong is the reader's finding.
        guard member.value.object?["defaultVariant"]?.string?.isEmpty ?? true else { return nil }
        notes.error(
            .missingDefault,
            "the code needs a value of its own: name a variant in 'defaultVariant', or in the "
                + "metadata '\(FlagMetadata.codeDefault)'", flag: flag.key, at: member.keyOffset)
        return nil
    }
}
