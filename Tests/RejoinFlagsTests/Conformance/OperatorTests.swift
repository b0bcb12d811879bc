import RejoinFlags
import Testing

/// Every operator of flagd's schema. Values without a comment are those of JsonLogic's own tests,
/// or of the evaluator of the vectors (flags.md, section 1.6).
@Suite("JsonLogic operators")
struct OperatorTests {
    /// What a rule gives, seen through `explain`, whose first step is the whole rule.
    private func run(_ rule: String, _ attributes: FlagObject = [:], key: String? = "u") throws
        -> String
    {
        let (_, steps) = try flagSet(file(targeting: rule)).explain(
            "f", as: .string, default: "", for: context(key, attributes))
        return try #require(steps.first).result
    }

    private static let data: FlagObject = [
        "n": 5, "x": 2.5, "t": "text", "e": "", "yes": true, "no": false, "nil": .null,
        "list": [1, 2, 3, 4], "nested": .object(["a": .object(["b": "deep"])]),
        "people": [
            .object(["name": "ann", "age": 30]), .object(["name": "bob", "age": 12]),
        ],
    ]

    @Test(
        "give what they should",
        arguments: [
            // var, missing, missing_some
            (#"{"var":"n"}"#, "5"), (#"{"var":["nope","dflt"]}"#, #""dflt""#),
            (#"{"var":"nested.a.b"}"#, #""deep""#), (#"{"var":"list.1"}"#, "2"),
            (#"{"var":"list.01"}"#, "null"), (#"{"var":"list.length"}"#, "4"),
            (#"{"var":["nil",7]}"#, "7"), (#"{"var":{"cat":["nested",".a.b"]}}"#, #""deep""#),
            (#"{"var":"$flagd.flagKey"}"#, #""f""#), (#"{"var":"targetingKey"}"#, #""u""#),
            (#"{"var":"$flagd.timestamp"}"#, "1764460800"),
            (#"{"missing":["n","nope","e"]}"#, #"["nope","e"]"#),
            (#"{"missing":{"merge":["n",["zz"]]}}"#, #"["zz"]"#),
            (#"{"missing_some":[1,["n","nope"]]}"#, "[]"),
            (#"{"missing_some":[2,["n","nope"]]}"#, #"["nope"]"#),
            // if, and, or, !, !!
            (#"{"if":[false,1,true,2,3]}"#, "2"), (#"{"if":[false,1,false,2,3]}"#, "3"),
            (#"{"if":[false,1]}"#, "null"), (#"{"if":[]}"#, "null"), (#"{"if":["x"]}"#, #""x""#),
            (#"{"if":[[],1,2]}"#, "2"), (#"{"if":["0",1,2]}"#, "1"),
            (#"{"and":[1,"",3]}"#, #""""#), (#"{"and":[1,3]}"#, "3"), (#"{"or":[0,"",3]}"#, "3"),
            (#"{"or":[0,""]}"#, #""""#), (#"{"and":[]}"#, "null"), (#"{"!":[[]]}"#, "true"),
            (#"{"!":{"var":"yes"}}"#, "false"), (#"{"!!":["0"]}"#, "true"),
            // equality
            (#"{"==":[1,"1"]}"#, "true"), (#"{"==":[0,false]}"#, "true"),
            (#"{"==":[1,true]}"#, "true"), (#"{"==":["",0]}"#, "false"),
            (#"{"==":[null,false]}"#, "true"), (#"{"==":["1,2",[1,2]]}"#, "true"),
            (#"{"==":[[1],[1]]}"#, "false"), (#"{"!=":[1,2]}"#, "true"),
            (#"{"===":[1,"1"]}"#, "false"), (#"{"===":[1,1.0]}"#, "true"),
            (#"{"!==":[1,"1"]}"#, "true"),
            // A boolean is no number where types count (trap 19).
            (#"{"===":[true,1]}"#, "false"), (#"{"in":[true,[1]]}"#, "false"),
            // Texts are equal by bytes.
            ("{\"==\":[\"\u{E9}\",\"e\u{301}\"]}", "false"),
            ("{\"in\":[\"e\",\"e\u{301}\"]}", "true"),
            // order
            (#"{"<":[1,"2"]}"#, "true"), (#"{"<":["b","a"]}"#, "false"),
            (#"{"<":["10","9"]}"#, "true"), (#"{"<":[1,5,9]}"#, "true"),
            (#"{"<":[1,1,9]}"#, "false"), (#"{"<=":[1,1,9]}"#, "true"), (#"{">":[2,1]}"#, "true"),
            (#"{">=":[1,2]}"#, "false"), (#"{"<":["x",1]}"#, "false"), (#"{">":["x",1]}"#, "false"),
            ("{\"<\":[\"\u{FFFD}\",\"\u{1F600}\"]}", "true"),
            // numbers
            (#"{"max":[1,3,2]}"#, "3"), (#"{"min":[1,-3,2]}"#, "-3"), (#"{"max":[]}"#, "null"),
            (#"{"+":[1,"2",3.5]}"#, "6.5"), (#"{"+":"3.5"}"#, "3.5"), (#"{"+":[]}"#, "0"),
            (#"{"-":[5,7]}"#, "-2"), (#"{"-":5}"#, "-5"), (#"{"*":[2,3,4]}"#, "24"),
            (#"{"/":[1,4]}"#, "0.25"), (#"{"%":[101,2]}"#, "1"), (#"{"%":[-5,3]}"#, "1"),
            (#"{"%":[-5.5,3]}"#, "0.5"), (#"{"%":[0.5,-0.5]}"#, "-0.0"), (#"{"-":0.0}"#, "-0.0"),
            (#"{"+":[9223372036854775807,1]}"#, "9.223372036854776e+18"),
            (#"{"*":["0x10",1]}"#, "null"),
            // arrays
            (#"{"map":[{"var":"list"},{"*":[{"var":""},2]}]}"#, "[2,4,6,8]"),
            (
                #"{"filter":[{"var":"people"},{">":[{"var":"age"},18]}]}"#,
                #"[{"name":"ann","age":30}]"#
            ),
            (#"{"map":[{"var":"people"},{"var":"name"}]}"#, #"["ann","bob"]"#),
            (
                #"{"reduce":[{"var":"list"},{"+":[{"var":"current"},{"var":"accumulator"}]},0]}"#,
                "10"
            ),
            // A computed start, which the evaluator of the vectors does not compute.
            (
                #"{"reduce":[{"var":"list"},{"+":[{"var":"current"},{"var":"accumulator"}]},{"var":"n"}]}"#,
                "15"
            ),
            (#"{"all":[{"var":"list"},{">":[{"var":""},0]}]}"#, "true"),
            (#"{"all":[[],{">":[{"var":""},0]}]}"#, "false"),
            (#"{"none":[[],{">":[{"var":""},0]}]}"#, "true"),
            (#"{"some":[{"var":"list"},{">":[{"var":""},3]}]}"#, "true"),
            (#"{"some":[{"var":"nope"},true]}"#, "false"),
            (#"{"merge":[1,[2,3],[[4]]]}"#, "[1,2,3,[4]]"),
            // texts
            (#"{"in":["ex",{"var":"t"}]}"#, "true"), (#"{"in":[2,{"var":"list"}]}"#, "true"),
            (#"{"in":["x",{"var":"nope"}]}"#, "false"), (#"{"in":["",""]}"#, "true"),
            (#"{"cat":["a",1,2.0,null,true,[1,2]]}"#, #""a12nulltrue1,2""#),
            (#"{"cat":[{"+":[0.1,0.2]}]}"#, #""0.3""#),
            (#"{"substr":["jsonlogic",4]}"#, #""logic""#),
            (#"{"substr":["jsonlogic",-5]}"#, #""logic""#),
            (#"{"substr":["jsonlogic",1,3]}"#, #""son""#),
            (#"{"substr":["jsonlogic",4,-2]}"#, #""log""#),
            (#"{"substr":["abc",-9]}"#, #""abc""#), (#"{"substr":["abc",9]}"#, #""""#),
            (#"{"substr":["a😀b",1,1]}"#, #""😀""#),
            (#"{"starts_with":["abc","ab"]}"#, "true"), (#"{"ends_with":["abc","bc"]}"#, "true"),
            (#"{"ends_with":["abc",1]}"#, "null"), (#"{"starts_with":["abc"]}"#, "null"),
            ("{\"ends_with\":[\"e\u{301}\",\"\u{301}\"]}", "true"),
            // Objects with more or fewer members than one are constants.
            (#"{"cat":[{"a":1,"b":2}]}"#, #""[object Object]""#),
        ])
    func operators(rule: String, result: String) throws {
        #expect(try run(rule, Self.data) == result, "\(rule)")
    }

    @Test(
        "sem_ver reads versions as flagd does",
        arguments: [
            ("1.0.0", "=", "v1", "true"), ("1.2", "=", "1.2.0", "true"),
            ("2.0.0", ">", "1.99.99", "true"), ("1.0.0-beta.2", "<", "1.0.0-beta.11", "true"),
            ("1.0.0-beta", "<", "1.0.0", "true"), ("1.0.0-1", "<", "1.0.0-a", "true"),
            ("1.0.0+a", "=", "1.0.0+b", "true"), ("1.0.0", "!=", "1.0.1", "true"),
            ("1.5.0", "<=", "1.5", "true"), ("1.5.0", ">=", "1.5.1", "false"),
            // Not npm's caret: the same major version.
            ("0.2.0", "^", "0.1.0", "true"), ("2.0.0", "^", "1.0.0", "false"),
            ("1.2.9", "~", "1.2.0", "true"), ("1.3.0", "~", "1.2.0", "false"),
            ("01.0.0", "=", "1.0.0", "null"), ("1.0.0.0", "=", "1.0.0", "null"),
            ("1. 0.0", "=", "1.0.0", "null"), ("", "=", "1.0.0", "null"),
            ("1.0.0", "==", "1.0.0", "null"), ("vv1.0.0", "=", "1.0.0", "null"),
            ("99999999999999999999.0.0", ">", "9.0.0", "true"),
        ])
    func versions(left: String, comparison: String, right: String, result: String) throws {
        #expect(
            try run(#"{"sem_ver":["\#(left)","\#(comparison)","\#(right)"]}"#) == result,
            "\(left) \(comparison) \(right)")
    }

    @Test("sem_ver takes numbers for versions, and three operands only")
    func versionNumbers() throws {
        #expect(try run(#"{"sem_ver":[{"var":"n"},"=","5.0.0"]}"#, Self.data) == "true")
        #expect(try run(#"{"sem_ver":[{"var":"x"},">","2.4"]}"#, Self.data) == "true")
        #expect(try run(#"{"sem_ver":["1.0.0","="]}"#) == "null")
        #expect(try run(#"{"sem_ver":[null,"=","1.0.0"]}"#) == "null")
    }

    @Test("Unknown operators count only where the evaluation comes by")
    func unknownOperators() throws {
        let flags = try flagSet(
            file(targeting: #"{"if":[{"var":"deep"},{"bogus":[1]},"a"]}"#))
        let kept = flags.evaluate("f", default: "", for: context("u"))
        #expect(kept.value == "a" && kept.reason == .targetingMatch)
        let hit = flags.evaluate("f", default: "", for: context("u", ["deep": true]))
        #expect(hit.errorCode == .parseError)
        #expect(flags.diagnostics.map(\.code) == [.invalidRule])
        #expect(flags.diagnostics.first?.severity == .warning)
    }

    @Test("What divides by 0, grows without end or takes too long ends in an error, not a trap")
    func limits() throws {
        let ones = "[\(Array(repeating: "1", count: 60).joined(separator: ","))]"
        for rule in [
            #"{"/":[1,0]}"#, #"{"%":[1,0]}"#,
            #"{"reduce":[\#(ones),{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"ab"]}"#,
            #"{"reduce":[\#(ones),{"merge":[{"var":"accumulator"},{"var":"accumulator"}]},[1]]}"#,
            #"{"all":[\#(ones),{"all":[\#(ones),{"all":[\#(ones),{"all":[\#(ones),true]}]}]}]}"#,
        ] {
            let answer = try flagSet(file(targeting: rule)).evaluate(
                "f", default: "code", for: context("u"))
            #expect(answer.value == "code" && answer.errorCode == .general, "\(rule)")
        }
    }
}
