public import RejoinFlags

/// An evaluator of flags files: the file's text, a flag, the type asked for, the code default, a
/// context.
public typealias FlagEvaluator =
    @Sendable (String, String, FlagKind, FlagValue, FlagContext) throws
    -> FlagAnswer

/// What an evaluator answers.
public struct FlagAnswer: Hashable, Sendable {
    /// The value.
    public let value: FlagValue
    /// The variant's name.
    public let variant: String?
    /// OpenFeature's name of the reason.
    public let reason: String
    /// OpenFeature's error code.
    public let errorCode: String?

    /// Creates an answer.
    public init(value: FlagValue, variant: String?, reason: String, errorCode: String? = nil) {
        self.value = value
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
    }
}

/// What each evaluator of flagd's format owes its callers, whether ours or a host's: a flag that
/// two evaluators answer differently puts one person on two sides of a rollout.
public func flagEvaluatorChecks(_ evaluate: @escaping FlagEvaluator) -> [ContractCheck] {
    FlagRow.all.map { row in
        ContractCheck("flags.\(row.name)", promise: "P6") {
            let answer = try evaluate(
                row.file, row.flag, row.kind, row.kind.codeDefault,
                FlagContext(
                    targetingKey: row.user, attributes: row.attributes, timestamp: 1_764_460_800))
            try require(answer, equals: row.answer, "flags.\(row.name)", whoIsHurt: row.whoIsHurt)
        }
    }
}

/// One question to an evaluator and its answer.
private struct FlagRow: Sendable {
    let name: String
    var flag = "f"
    var kind = FlagKind.string
    var user: String? = "ann"
    var attributes: FlagObject = [:]
    let answer: FlagAnswer
    let whoIsHurt: String
    let file: String

    init(
        _ name: String, flag: String = "f", as kind: FlagKind = .string, user: String? = "ann",
        attributes: FlagObject = [:], _ answer: FlagAnswer, whoIsHurt: String, _ members: String
    ) {
        self.name = name
        self.flag = flag
        self.kind = kind
        self.user = user
        self.attributes = attributes
        self.answer = answer
        self.whoIsHurt = whoIsHurt
        file = #"{"flags":{"f":{\#(members)}}}"#
    }

    private static let variants = #""state":"ENABLED","variants":{"a":"A","b":"B"}"#
    private static let codeDefault: FlagValue = FlagKind.string.codeDefault

    static let all: [FlagRow] = [
        FlagRow(
            "unknown-flag", flag: "nope",
            FlagAnswer(
                value: codeDefault, variant: nil, reason: "ERROR", errorCode: "FLAG_NOT_FOUND"),
            whoIsHurt: "a host with an older file, which crashes or gets a value of no type",
            #"\#(variants),"defaultVariant":"a""#),
        FlagRow(
            "disabled", FlagAnswer(value: codeDefault, variant: nil, reason: "DISABLED"),
            whoIsHurt: "everybody, for whom the kill switch does not kill",
            #""state":"DISABLED","variants":{"a":"A"},"defaultVariant":"a","targeting":{"x":1}"#),
        FlagRow(
            "static", FlagAnswer(value: "A", variant: "a", reason: "STATIC"),
            whoIsHurt: "whoever reads the reasons in a report",
            #"\#(variants),"defaultVariant":"a""#),
        FlagRow(
            "empty-targeting", FlagAnswer(value: "A", variant: "a", reason: "STATIC"),
            whoIsHurt: "whoever reads the reasons in a report",
            #"\#(variants),"defaultVariant":"a","targeting":{}"#),
        FlagRow(
            "targeting-gives-nothing", FlagAnswer(value: "B", variant: "b", reason: "DEFAULT"),
            whoIsHurt: "people outside the target, who get its variant",
            #"\#(variants),"defaultVariant":"b","targeting":{"if":[{"var":"beta"},"a",null]}"#),
        FlagRow(
            "targeting-match", attributes: ["beta": true],
            FlagAnswer(value: "A", variant: "a", reason: "TARGETING_MATCH"),
            whoIsHurt: "people in the target, who do not get its variant",
            #"\#(variants),"defaultVariant":"b","targeting":{"if":[{"var":"beta"},"a",null]}"#),
        FlagRow(
            "boolean-shorthand", as: .boolean,
            FlagAnswer(value: true, variant: "true", reason: "TARGETING_MATCH"),
            whoIsHurt: "authors of the short form",
            #""state":"ENABLED","variants":{"true":true,"false":false},"defaultVariant":"false","#
                + #""targeting":{"==":[{"var":"targetingKey"},"ann"]}"#),
        FlagRow(
            "unknown-variant",
            FlagAnswer(value: codeDefault, variant: nil, reason: "ERROR", errorCode: "GENERAL"),
            whoIsHurt: "people who get a default that nobody chose for them",
            #"\#(variants),"defaultVariant":"b","targeting":{"cat":["pur","ple"]}"#),
        FlagRow(
            "no-default-variant", FlagAnswer(value: codeDefault, variant: nil, reason: "DEFAULT"),
            whoIsHurt: "hosts that leave the default to their code", variants),
        FlagRow(
            "type-mismatch", as: .boolean,
            FlagAnswer(
                value: false, variant: nil, reason: "ERROR", errorCode: "TYPE_MISMATCH"),
            whoIsHurt: "callers, who get a value of another type",
            #"\#(variants),"defaultVariant":"a""#),
        FlagRow(
            "no-number-from-a-boolean", as: .integer,
            FlagAnswer(value: -1, variant: nil, reason: "ERROR", errorCode: "TYPE_MISMATCH"),
            whoIsHurt: "callers for whom JSON true becomes 1, as on Linux",
            #""state":"ENABLED","variants":{"on":true},"defaultVariant":"on""#),
        FlagRow(
            "unknown-operator",
            FlagAnswer(
                value: codeDefault, variant: nil, reason: "ERROR", errorCode: "PARSE_ERROR"),
            whoIsHurt: "authors who mistype an operator and never hear of it",
            #"\#(variants),"defaultVariant":"a","targeting":{"starts_wiht":["a","b"]}"#),
        FlagRow(
            "no-key-no-bucket", user: nil, FlagAnswer(value: "B", variant: "b", reason: "DEFAULT"),
            whoIsHurt: "people without an ID, who all land in one bucket or in a random one",
            #"\#(variants),"defaultVariant":"b","targeting":{"fractional":[["a",1],["b",0]]}"#),
        FlagRow(
            "buckets-by-bytes", user: "user-e\u{301}",
            FlagAnswer(value: "B", variant: "b", reason: "DEFAULT"),
            whoIsHurt: "two people whose IDs look alike, of whom one gets the other's variant",
            #"\#(variants),"defaultVariant":"b","targeting":"#
                + #"{"if":[{"==":[{"var":"targetingKey"},"user-é"]},"a"]}"#),
        FlagRow(
            "null-key-no-bucket", FlagAnswer(value: "B", variant: "b", reason: "DEFAULT"),
            whoIsHurt: "people without the attribute, whom another evaluator buckets otherwise",
            #"\#(variants),"defaultVariant":"b","#
                + #""targeting":{"fractional":[{"var":"nope"},["a",1],["a",1]]}"#),
        FlagRow(
            "starts-with-null", FlagAnswer(value: "B", variant: "b", reason: "DEFAULT"),
            whoIsHurt: "people without the attribute, for whom null became the variant 'false'",
            #"\#(variants),"defaultVariant":"b","targeting":{"starts_with":[{"var":"x"},"y"]}"#),
    ]
}
