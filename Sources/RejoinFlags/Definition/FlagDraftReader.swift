import RejoinJSON

/// A flag as read, before the places of its faults are known.
struct FlagDraft {
    let key: String
    let offset: Int
    var state = FlagDefinition.State.enabled
    var variants: [FlagDefinition.Variant] = []
    var defaultVariant: Int?
    var metadata: FlagObject
    var targeting: FlagRule?
    var notes: [FlagNote] = []
}

/// Reads one flag. A fault is a note, never an error: the other flags go on.
struct FlagDraftReader {
    private let member: JSONObject.Member
    private var compiler: FlagRuleCompiler
    private var draft: FlagDraft

    private static let known = ["state", "variants", "defaultVariant", "targeting", "metadata"]

    init(_ member: JSONObject.Member, _ compiler: FlagRuleCompiler, fileMetadata: FlagObject) {
        self.member = member
        self.compiler = compiler
        draft = FlagDraft(key: member.key, offset: member.keyOffset, metadata: fileMetadata)
    }

    /// How many values the references of the file stand for, this flag's included.
    var expansion: Int { compiler.expansion }

    /// The flag, with what is odd about its keys and whatever else is wrong.
    mutating func read(_ keyNotes: [FlagNote]) -> FlagDraft {
        draft.notes = keyNotes
        if member.key.isEmpty {
            error(.invalidMember, "a flag's key must not be empty", at: member.keyOffset)
        }
        guard case .object(let flag) = member.value.kind else {
            error(
                .invalidMember, "a flag must be an object with 'state' and 'variants'",
                at: member.value.offset)
            return draft
        }
        readState(flag)
        readVariants(flag)
        readDefaultVariant(flag)
        readTargeting(flag)
        readMetadata(flag)
        for member in flag.members
        where !Self.known.contains(where: { $0.hasSameBytes(as: member.key) }) {
            draft.notes.append(
                FlagNote(
                    .warning, .unknownMember,
                    "'\(member.key)' means nothing in a flag and is ignored", at: member.keyOffset))
        }
        return draft
    }

    private mutating func error(_ code: FlagDiagnostic.Code, _ message: String, at offset: Int) {
        draft.notes.append(FlagNote(.error, code, message, at: offset))
    }

    private mutating func readState(_ flag: JSONObject) {
        guard let json = flag["state"] else {
            error(
                .missingMember, "'state' is missing; it must be \"ENABLED\" or \"DISABLED\"",
                at: member.value.offset)
            return
        }
        guard case .string(let text) = json.kind,
            let state = FlagDefinition.State(rawValue: text)
        else {
            error(
                .invalidMember, "'state' must be \"ENABLED\" or \"DISABLED\"", at: json.offset)
            return
        }
        draft.state = state
    }

    private mutating func readVariants(_ flag: JSONObject) {
        guard let json = flag["variants"] else {
            error(
                .missingMember, "'variants' is missing; name at least one", at: member.value.offset)
            return
        }
        guard case .object(let variants) = json.kind, !variants.members.isEmpty else {
            error(
                .invalidMember, "'variants' must be an object with at least one member",
                at: json.offset)
            return
        }
        for variant in variants.members { readVariant(variant) }
        let types = Set(variants.members.map(\.value.type))
        if types.count > 1 {
            draft.notes.append(
                FlagNote(
                    .warning, .mixedVariants,
                    "the variants are not all of one type; asking for one type fails for the "
                        + "others", at: json.offset))
        }
    }

    private mutating func readVariant(_ variant: JSONObject.Member) {
        if variant.key.isEmpty {
            error(
                .invalidMember, "a variant's name must not be empty", at: variant.keyOffset)
        }
        if variant.value.type == .null {
            error(
                .invalidMember, "the variant '\(variant.key)' must have a value, not null",
                at: variant.value.offset)
        }
        if let offset = variant.value.inexactNumber {
            error(
                .inexactNumber,
                "the variant '\(variant.key)' holds a number that cannot be kept without loss: "
                    + "whole numbers must lie within ±(2^53 - 1), others fit a Double",
                at: offset)
        }
        draft.variants.append(
            FlagDefinition.Variant(variant.key, FlagValue(variant.value) ?? .null))
    }

    private mutating func readDefaultVariant(_ flag: JSONObject) {
        guard let json = flag["defaultVariant"] else { return }
        switch json.kind {
        case .null: return
        case .string(let name):
            // flagd takes an empty name for none.
            guard !name.isEmpty else { return }
            draft.defaultVariant = draft.variants.firstIndex { $0.name.hasSameBytes(as: name) }
            if draft.defaultVariant == nil {
                error(
                    .unknownVariant, "'defaultVariant' names '\(name)', which is no variant",
                    at: json.offset)
            }
        case .bool, .number, .array, .object:
            error(
                .invalidMember, "'defaultVariant' must be the name of a variant, or null",
                at: json.offset)
        }
    }

    private mutating func readTargeting(_ flag: JSONObject) {
        guard let json = flag["targeting"] else { return }
        switch json.kind {
        case .null: return
        case .object(let rule):
            // `{}` is no targeting.
            guard !rule.members.isEmpty else { return }
        case .bool, .number, .string, .array:
            error(.invalidMember, "'targeting' must be a rule (an object)", at: json.offset)
            return
        }
        draft.targeting = compiler.compile(json)
        draft.notes += compiler.faults.map { fault in
            FlagNote(
                fault.isFatal ? .error : .warning, .invalidRule,
                fault.isFatal
                    ? fault.message
                    : "\(fault.message); an evaluation that comes by here fails with PARSE_ERROR",
                at: fault.offset)
        }
    }

    private mutating func readMetadata(_ flag: JSONObject) {
        guard let json = flag["metadata"] else { return }
        guard case .object(let object) = json.kind else {
            error(.invalidMember, "'metadata' must be an object", at: json.offset)
            return
        }
        guard object.members.count <= FlagSet.maximumMetadata else {
            error(
                .invalidMember,
                "'metadata' may have \(FlagSet.maximumMetadata) members; remove some",
                at: json.offset)
            return
        }
        for member in object.members {
            guard member.value.isMetadata, let value = FlagValue(member.value) else {
                error(
                    .invalidMember,
                    "metadata '\(member.key)' must be a string, a number or a boolean",
                    at: member.value.offset)
                continue
            }
            draft.metadata[member.key] = value
        }
    }
}

extension JSONValue {
    /// The place of the first number in it that a variant may not hold, because evaluators would
    /// round it differently; `nil` where all are exact.
    fileprivate var inexactNumber: Int? {
        switch kind {
        case .null, .bool, .string: return nil
        case .number(let number):
            guard let double = number.exactDouble,
                double.magnitude <= FlagKind.largestExact || double != double.rounded()
            else { return offset }
            return nil
        case .array(let values): return values.lazy.compactMap(\.inexactNumber).first
        case .object(let object):
            return object.members.lazy.compactMap(\.value.inexactNumber).first
        }
    }
}
