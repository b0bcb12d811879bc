import RejoinFlags
import RejoinFlagsTooling
import RejoinJSON
import Testing

/// The rules of `flags-lint`, one case each (flags.md, section 4; DESIGN section 7).
@Suite("Lint")
struct LintTests {
    private static let seed = #"{"cat":["f:",{"var":"targetingKey"}]}"#

    private static func ramp(_ shares: String, mark: String = "") -> String {
        oneFlag(#""targeting":\#(mark){"fractional":[\#(seed),\#(shares)]}"#)
    }

    static let rules: [(name: String, text: String, finding: String?)] = [
        ("sound", ramp(#"["a",10],["b",90]"#), nil),
        ("sound, weights as 10.0 and left out", ramp(#"["a",10.0],["b"]"#), nil),
        (
            "sound, null and nested branches",
            oneFlag(
                #""targeting":{"if":[{"==":[{"var":"x"},1]},null,{"if":[true,"a","b"]}]}"#), nil
        ),
        // The reader's findings, as severe as a person at a desk needs them.
        ("schema", oneFlag(#"›"state":"ON""#), "error duplicate_key"),
        (
            "schema: metadata of the file",
            #"{"metadata":{"version":›1},"flags":{}}"#, "error invalid_metadata"
        ),
        ("unknown property", oneFlag(#"›"colour":1"#), "warning unknown_member"),
        (
            "canonically equal keys",
            #"{"flags":{"\u00e9":{"state":"ENABLED","variants":{"a":1}},"#
                + #"›"e\u0301":{"state":"ENABLED","variants":{"a":1}}}}"#,
            "error look_alike_keys"
        ),
        (
            "unknown operator", oneFlag(#""targeting":›{"iff":[true,"a"]}"#),
            "error invalid_rule"
        ),
        (
            "missing evaluator", oneFlag(#""targeting":{"$ref":›"nobody"}"#),
            "error invalid_rule"
        ),
        // Unknown variants.
        (
            "unknown variant in a branch", oneFlag(#""targeting":{"if":[true,›"c","b"]}"#),
            "error unknown_variant"
        ),
        ("unknown variant in a share", ramp(#"[›"c",10],["b",90]"#), "error unknown_variant"),
        (
            "unknown variant in an evaluator",
            #"{"$evaluators":{"e":{"if":[true,›"c"]}},"flags":{"f":{"state":"ENABLED","#
                + #""variants":{"a":1},"targeting":{"$ref":"e"}}}}"#,
            "error unknown_variant"
        ),
        (
            "a number is a name too", oneFlag(#""targeting":{"if":[true,›1]}"#),
            "error unknown_variant"
        ),
        (
            "true and false without such variants",
            oneFlag(#""targeting":›{"in":["a",{"var":"x"}]}"#), "error unknown_variant"
        ),
        (
            "an object is no name", oneFlag(#""targeting":{"if":[true,›{"x":1,"y":2}]}"#),
            "error unknown_variant"
        ),
        (
            "unknown code default", oneFlag(#""metadata":{"codeDefault":›"c"}"#),
            "error unknown_variant"
        ),
        // Weights.
        ("negative weight", ramp(#"["a",›-1],["b",2]"#), "error invalid_weight"),
        ("broken weight", ramp(#"["a",›0.5],["b",2]"#), "error invalid_weight"),
        ("weight as text", ramp(#"["a",›"10"],["b",2]"#), "error invalid_weight"),
        ("null weight", ramp(#"["a",›null],["b",2]"#), "error invalid_weight"),
        (
            "weights too large", ramp(#"["a",2147483647],["b",1]"#, mark: "›"),
            "error invalid_weight"
        ),
        ("no weight at all", ramp(#"["a",0],["b",0]"#, mark: "›"), "warning invalid_weight"),
        ("share of three", ramp(#"["a",1,›2],["b",1]"#), "error invalid_share"),
        ("share without brackets", ramp(#"›"a",["b",1]"#), "error invalid_share"),
        // Days.
        ("expired", oneFlag(#""metadata":{"expires":›"2026-11-29"}"#), "error expired"),
        ("expires today", oneFlag(#""metadata":{"expires":"2026-11-30"}"#), nil),
        (
            "no day", oneFlag(#""metadata":{"expires":›"2026-02-29"}"#),
            "error invalid_metadata"
        ),
        (
            "generation", oneFlag(#""metadata":{"generation":›1.5}"#),
            "error invalid_metadata"
        ),
        (
            "generation as 1.0", oneFlag(#""metadata":{"generation":›1.0}"#),
            "error invalid_metadata"
        ),
        ("a threshold", oneFlag(#""metadata":{"guardMinimumSample":50}"#), nil),
        (
            "a threshold that does not count", oneFlag(#""metadata":{"guardIllWindows":›0}"#),
            "error invalid_metadata"
        ),
        (
            "a threshold that nobody knows", oneFlag(#""metadata":{›"guardMinimum":50}"#),
            "warning unknown_member"
        ),
        // Seeds.
        (
            "the flag's own key", oneFlag(#""targeting":›{"fractional":[["a",1],["b",1]]}"#),
            "warning implicit_key"
        ),
        (
            "constant key", oneFlag(#""targeting":{"fractional":[›"x",["a",1],["b",1]]}"#),
            "error constant_key"
        ),
        (
            "version of sem_ver",
            oneFlag(#""targeting":{"if":[{"sem_ver":[{"var":"v"},"=",›"1.0.0.0"]},"a"]}"#),
            "error invalid_operands"
        ),
        (
            "type of ends_with",
            oneFlag(#""targeting":{"if":[{"ends_with":[{"var":"v"},›0]},"a"]}"#),
            "error invalid_operands"
        ),
        (
            "unknown property of $flagd",
            oneFlag(#""targeting":{"if":[{"==":[{"var":›"$flagd.user"},1]},"a"]}"#),
            "error invalid_operands"
        ),
        (
            "operands of sem_ver",
            oneFlag(#""targeting":{"if":[{"sem_ver":[{"var":"v"},›"==","1.0.0"]},"a"]}"#),
            "error invalid_operands"
        ),
        (
            "operands of starts_with",
            oneFlag(#""targeting":{"if":[›{"starts_with":["x"]},"a"]}"#),
            "error invalid_operands"
        ),
    ]

    @Test("Each rule finds its mistake at its place, and nothing else", arguments: rules)
    func rule(name: String, text: String, finding: String?) throws {
        let file = try MarkedFile(text)
        let found = FlagLint.findings(in: file.source, today: CalendarDay("2026-11-30"))
        #expect(file.surprise(found, expected: finding) == nil, "\(name)")
    }

    @Test("Two flags with one seed reach the same people (flags.md, trap 10)")
    func sharedSeed() throws {
        func flag(_ key: String, _ seed: String) -> String {
            #""\#(key)":{"state":"ENABLED","variants":{"a":"a","b":"b"},"defaultVariant":"b","#
                + #""targeting":{"fractional":[{"cat":["\#(seed):",{"var":"targetingKey"}]},"#
                + #"["a",1],["b",1]]}}"#
        }
        let one = try source("{\"flags\":{\(flag("f", "s")),\n\(flag("g", "s"))}}")
        let found = FlagLint.findings(in: one)
        #expect(summary(found) == ["warning shared_seed"])
        #expect(found.first?.location.line == 2)
        #expect(found.first?.message.contains("'f'") == true)
        let two = try source("{\"flags\":{\(flag("f", "s")),\n\(flag("g", "t"))}}")
        #expect(FlagLint.findings(in: two).isEmpty)
    }

    static let baselines: [(name: String, old: String, new: String, finding: String?)] = [
        ("a ramp", ramp(#"["a",10],["b",90]"#), ramp(#"["a",25],["b",75]"#), nil),
        ("a ramp with another total", ramp(#"["a",1],["b",4]"#), ramp(#"["a",20],["b",80]"#), nil),
        ("a rollback", ramp(#"["a",25],["b",75]"#), ramp(#"["a",10],["b",90]"#), nil),
        (
            "a new share in front", ramp(#"["a",10],["b",90]"#),
            ramp(#"["b",90],["a",10]"#, mark: "›"),
            "error order_changed"
        ),
        (
            "another seed", ramp(#"["a",10],["b",90]"#),
            oneFlag(#""targeting":{"fractional":[›{"var":"targetingKey"},["a",10],["b",90]]}"#),
            "error seed_changed"
        ),
        ("an end of the rollout", ramp(#"["a",100],["b",0]"#), oneFlag(#""targeting":{}"#), nil),
        (
            "a share that makes room", ramp(#"["a",10],["b",10],[null,80]"#),
            ramp(#"["a",20],["b",10],[null,70]"#), nil
        ),
        (
            "a share that grows between others", ramp(#"["a",10],["b",10],[null,80]"#),
            ramp(#"["a",20],[›"b",15],[null,65]"#), "error not_nested"
        ),
        (
            "a lowered generation", oneFlag(#""metadata":{"generation":3}"#),
            oneFlag(#""metadata":{"generation":›2}"#), "error generation_lowered"
        ),
        (
            "a lost generation", oneFlag(#""metadata":{"generation":3}"#),
            oneFlag(#""metadata":{}"#, mark: "›"), "error generation_lowered"
        ),
    ]

    @Test("A new version is true to the old one (flags.md, section 1.5)", arguments: baselines)
    func baseline(name: String, old: String, new: String, finding: String?) throws {
        let file = try MarkedFile(new)
        let found = FlagLint.findings(in: file.source, baseline: try source(old))
        #expect(file.surprise(found, expected: finding) == nil, "\(name)")
    }

    @Test("Days")
    func days() {
        for text in ["2026-11-30", "2024-02-29", "2000-02-29"] {
            #expect(CalendarDay(text) != nil, "\(text)")
        }
        for text in [
            "", "2026-11-31", "1900-02-29", "2026-13-01", "2026-1-1", "2026-11-30T00", "-1",
        ] {
            #expect(CalendarDay(text) == nil, "\(text)")
        }
        #expect(
            (CalendarDay("2026-11-30") ?? nil).map { $0 < CalendarDay("2026-12-01") ?? $0 } == true)
    }
}
