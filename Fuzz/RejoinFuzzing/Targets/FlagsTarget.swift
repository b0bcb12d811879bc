import RejoinContracts
import RejoinFlags
import RejoinJSON

extension FuzzTarget {
    /// The first line is the context as a JSON object, with `targetingKey` among its attributes;
    /// the rest is the flags file.
    static let flags = FuzzTarget(
        "flags", words: "flags",
        promise: "a flags file is read alike each time or refused with a place, each flag gives "
            + "one of its variants or the code default, and a bad flag costs no other",
        maximumBytes: 2 << 10,
        seeds: { FlagsSeeds.all },
        run: { bytes in
            let lines = bytes.split(
                separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            let context = context(ContiguousArray(lines.first ?? []))
            let file = ContiguousArray(lines.dropFirst().first ?? [])
            _ = try? FlagSet(
                file,
                limits: JSONLimits(
                    maximumBytes: 300, maximumDepth: 6, maximumStringBytes: 24,
                    maximumValues: 40))
            let set: FlagSet
            do throws(FlagFileError) {
                set = try FlagSet(file)
            } catch {
                return try check(error, in: file)
            }
            try checkPlaces(in: set, file)
            try checkAgain(set, try FlagSet(file))
            for flag in set.flags { try check(flag, of: set, for: context) }
            try checkQuarantine(of: set, file, for: context)
        })

    private static let author = "whoever looks for the fault in the file"
    private static let user = "everyone whom the flag decides for"

    private static func context(_ line: ContiguousArray<UInt8>) -> FlagContext {
        var attributes: FlagObject = [:]
        if let json = try? JSONDocument(line).root, case .object(let object) = json.kind {
            attributes = FlagObject(object) ?? [:]
        }
        var key: String?
        if case .string(let text)? = attributes["targetingKey"] { key = text }
        return FlagContext(targetingKey: key, attributes: attributes, timestamp: 1_764_460_800)
    }

    // MARK: Reading

    private static func check(_ error: FlagFileError, in file: ContiguousArray<UInt8>) throws {
        let offset = error.location?.offset ?? 0
        try require(
            (0...file.count).contains(offset) && (error.location != nil || error.code == .empty),
            "fuzz.flags.place", expected: "a place within \(file.count) bytes", got: "\(error)",
            whoIsHurt: author)
    }

    private static func checkPlaces(in set: FlagSet, _ file: ContiguousArray<UInt8>) throws {
        for location in set.diagnostics.map(\.location) + set.flags.map(\.location) {
            try require(
                location.offset < file.count
                    && location == JSONLocation(offset: location.offset, in: file),
                "fuzz.flags.place", expected: "a place within \(file.count) bytes",
                got: "\(location)", whoIsHurt: author)
        }
        for flag in set.flags {
            guard let fault = flag.fault else { continue }
            try require(
                fault.severity == .error && set.diagnostics.contains(fault),
                "fuzz.flags.fault", expected: "the reason of the quarantine among the diagnostics",
                got: "\(fault)", whoIsHurt: author)
        }
    }

    private static func checkAgain(_ set: FlagSet, _ again: FlagSet) throws {
        let hurt = "whoever listens to changes, and hears of some that are none"
        try require(
            again.diagnostics, equals: set.diagnostics, "fuzz.flags.again", whoIsHurt: hurt)
        try require(again.metadata, equals: set.metadata, "fuzz.flags.again", whoIsHurt: hurt)
        try require(
            set.keysChanged(in: again), equals: [], "fuzz.flags.again", whoIsHurt: hurt)
        try require(
            again.rampRisks(since: set), equals: [], "fuzz.flags.ramp", whoIsHurt: author)
    }

    // MARK: Evaluation

    private static func check(_ flag: FlagDefinition, of set: FlagSet, for context: FlagContext)
        throws
    {
        try require(
            set[flag.key] === flag, "fuzz.flags.key", expected: "the flag by its key",
            got: "\(set[flag.key]?.key ?? "none")", whoIsHurt: user)
        for kind in FlagKind.allCases {
            let answer = set.evaluate(
                flag.key, as: kind, default: kind.codeDefault, for: context)
            try check(answer, as: kind, of: flag)
            try require(
                set.evaluate(flag.key, as: kind, default: kind.codeDefault, for: context),
                equals: answer, "fuzz.flags.repeated", whoIsHurt: user)
        }
        let answer = set.evaluate(flag.key, as: .string, default: "", for: context)
        try require(
            set.explain(flag.key, as: .string, default: "", for: context).evaluation,
            equals: answer, "fuzz.flags.explained",
            whoIsHurt: "whoever asks why, and is told something else")
        _ = set.evaluate(flag.key, default: 0, for: context)
        _ = set.evaluate(flag.key, default: 0.5, for: context)
        _ = set.evaluate(flag.key, default: FlagObject(), for: context)
    }

    /// One of the flag's variants as the type asked for, or the code default as it was given.
    private static func check(
        _ answer: FlagEvaluation<FlagValue>, as kind: FlagKind, of flag: FlagDefinition
    ) throws {
        func hold(_ condition: Bool, _ expected: String) throws {
            try require(
                condition, "fuzz.flags.answer", expected: expected, got: "\(answer)",
                whoIsHurt: user)
        }
        let isQuarantined = flag.fault != nil && flag.state == .enabled
        try hold((answer.errorCode == .parseError) || !isQuarantined, "a quarantined flag's error")
        switch answer.reason {
        case .static, .default, .targetingMatch:
            try hold(flag.state == .enabled && !isQuarantined, "an answer of a sound flag only")
            try hold(answer.errorCode == nil && answer.message == nil, "no error")
            if let name = answer.variant {
                let variant = flag.variant(named: name)
                try hold(
                    variant.flatMap { kind.convert($0.value) } == answer.value,
                    "the value of the variant that it names")
            } else {
                try hold(answer.reason == .default, "a variant, unless the flag names no default")
                try hold(answer.value == kind.codeDefault, "the code default")
            }
        case .disabled, .error:
            try hold(answer.variant == nil && answer.value == kind.codeDefault, "the code default")
            try hold((answer.reason == .disabled) == (flag.state == .disabled), "the kill switch")
            try hold((answer.errorCode != nil) == (answer.reason == .error), "an error's code")
            try hold((answer.message != nil) == (answer.reason == .error), "an error's text")
        case .override: try hold(false, "no override where none was given")
        }
    }

    // MARK: Quarantine

    /// Breaks the first flag and adds one, and looks whether all others answer as before.
    private static func checkQuarantine(
        of set: FlagSet, _ file: ContiguousArray<UInt8>, for context: FlagContext
    ) throws {
        let document = try JSONDocument(file, duplicateKeys: .list)
        guard case .object(let members) = document.root.kind,
            case .object(let flags)? = members["flags"]?.kind, let first = set.flags.first,
            let addition = ["bad", "worse"].first(where: { set[$0] == nil })
        else { return }
        let broken =
            flags.members.map {
                $0.key.utf8.elementsEqual(first.key.utf8)
                    ? JSONObject.Member($0.key, JSONValue(.array([]))) : $0
            } + [JSONObject.Member(addition, JSONValue(.null))]
        var writer = JSONWriter()
        writer.value(
            JSONValue(
                .object(
                    JSONObject(
                        members.members.map {
                            $0.key == "flags"
                                ? JSONObject.Member(
                                    "flags", JSONValue(.object(JSONObject(broken)))) : $0
                        }))))
        let spoilt = try FlagSet(writer.bytes)
        try require(
            spoilt.flags.map { ContiguousArray($0.key.utf8) },
            equals: set.flags.map { ContiguousArray($0.key.utf8) } + [
                ContiguousArray(addition.utf8)
            ], "fuzz.flags.quarantine", whoIsHurt: user)
        for flag in spoilt.flags {
            let isBroken = flag === spoilt.flags.first || flag === spoilt.flags.last
            try require(
                !isBroken || flag.fault != nil, "fuzz.flags.quarantine",
                expected: "'\(flag.key)' is quarantined", got: "it is not", whoIsHurt: user)
            guard !isBroken else { continue }
            let answer = set.evaluate(flag.key, as: .string, default: "", for: context)
            let spoiltAnswer = spoilt.evaluate(flag.key, as: .string, default: "", for: context)
            // The message names the place, which the change has moved.
            try require(
                spoiltAnswer.value == answer.value && spoiltAnswer.variant == answer.variant
                    && spoiltAnswer.reason == answer.reason
                    && spoiltAnswer.errorCode == answer.errorCode,
                "fuzz.flags.quarantine", expected: "\(answer)", got: "\(spoiltAnswer)",
                whoIsHurt: user)
        }
    }
}
