import RejoinFlags
import RejoinJSON
import Testing

/// Strict reading of flags files (flags.md, traps 17 to 25): a mistake is told with its place, and
/// one bad flag never hides the others.
@Suite("Reading flags files")
struct ReadingTests {
    private static let good =
        #""good":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"on"}"#

    @Test(
        "A bad flag is quarantined with its reason and place; the others work",
        arguments: [
            (#""bad":1"#, FlagDiagnostic.Code.invalidMember, 7),
            (#""bad":{"variants":{"a":1},"defaultVariant":"a"}"#, .missingMember, 7),
            (#""bad":{"state":"enabled","variants":{"a":1}}"#, .invalidMember, 16),
            (#""bad":{"state":"ENABLED"}"#, .missingMember, 7),
            (#""bad":{"state":"ENABLED","variants":{}}"#, .invalidMember, 37),
            (#""bad":{"state":"ENABLED","variants":{"a":null}}"#, .invalidMember, 42),
            (#""bad":{"state":"ENABLED","variants":{"":1}}"#, .invalidMember, 38),
            (
                #""bad":{"state":"ENABLED","variants":{"a":1},"defaultVariant":"b"}"#,
                .unknownVariant, 62
            ),
            (
                #""bad":{"state":"ENABLED","variants":{"a":1},"defaultVariant":1}"#,
                .invalidMember, 62
            ),
            (#""bad":{"state":"ENABLED","variants":{"a":1},"targeting":"a"}"#, .invalidMember, 57),
            (
                #""bad":{"state":"ENABLED","variants":{"a":1},"metadata":{"x":[]}}"#,
                .invalidMember, 61
            ),
            (#""bad":{"state":"ENABLED","variants":{"a":9007199254740992}}"#, .inexactNumber, 42),
            (
                #""bad":{"state":"ENABLED","variants":{"a":0.12345678901234567891}}"#,
                .inexactNumber, 42
            ),
            (#""bad":{"state":"ENABLED","variants":{"a":1,"a":2}}"#, .duplicateKey, 44),
            (
                #""bad":{"state":"ENABLED","state":"DISABLED","variants":{"a":1}}"#,
                .duplicateKey, 26
            ),
            (
                #""bad":{"state":"ENABLED","variants":{"a":1},"targeting":{"==":[1e999,1]}}"#,
                .invalidRule, 64
            ),
        ])
    func quarantine(bad: String, code: FlagDiagnostic.Code, column: Int) throws {
        let flags = try flagSet("{\"flags\":{\n\(bad),\n\(Self.good)}}")
        let fault = try #require(flags["bad"]?.fault)
        #expect(fault.code == code, "\(fault)")
        #expect(fault.location.line == 2 && fault.location.column == column, "\(fault)")
        #expect(flags.diagnostics.contains(fault))
        let answer = flags.evaluate("bad", default: 7, for: context("u"))
        #expect(answer.value == 7 && answer.errorCode == .parseError)
        #expect(flags.evaluate("good", default: false, for: context("u")).value)
    }

    @Test("Two definitions of one flag: neither counts, and the others do")
    func repeatedFlag() throws {
        let flags = try flagSet(#"{"flags":{\#(Self.good),"x":{},\#(Self.good)}}"#)
        #expect(flags["good"]?.fault?.code == .duplicateKey)
        #expect(flags.flags.count == 2)
    }

    @Test("The kill switch works on a flag that is otherwise broken")
    func killSwitch() throws {
        let flags = try flagSet(
            #"{"flags":{"f":{"state":"DISABLED","variants":{},"targeting":[]}}}"#)
        let answer = flags.evaluate("f", default: "code", for: context("u"))
        #expect(answer.reason == .disabled && answer.value == "code" && answer.errorCode == nil)
        #expect(flags.diagnostics.count == 2)
    }

    @Test("Keys that only look alike are two flags, and reported")
    func lookAlikes() throws {
        func flag(_ variant: String) -> String {
            #"{"state":"ENABLED","variants":{"\#(variant)":"\#(variant)"},"#
                + #""defaultVariant":"\#(variant)"}"#
        }
        let flags = try flagSet(
            "{\"flags\":{\"\u{E9}\":\(flag("a")),\n\"e\u{301}\":\(flag("b"))}}")
        #expect(flags.evaluate("\u{E9}", default: "", for: context(nil)).value == "a")
        #expect(flags.evaluate("e\u{301}", default: "", for: context(nil)).value == "b")
        #expect(flags.diagnostics.map(\.code) == [.lookAlikeKeys])
        #expect(flags.diagnostics.first?.location.line == 2)
    }

    @Test(
        "A file that cannot be used as a whole is refused with the place",
        arguments: [
            ("", FlagFileError.Code.empty), (" \n", .empty), ("{", .invalidJSON),
            ("[]", .invalidStructure), ("{}", .invalidStructure),
            (#"{"flags":[]}"#, .invalidStructure), (#"{"flags":{},"flags":{}}"#, .invalidStructure),
            (#"{"flags":{},"$evaluators":[]}"#, .invalidStructure),
            (#"{"flags":{},"metadata":{"x":null}}"#, .invalidStructure),
            (#"{"flags":{},"metadata":{"bucketing":"v3"}}"#, .unsupportedBucketing),
            (#"{"flags":{},"metadata":{"bucketing":2}}"#, .unsupportedBucketing),
            ("\u{FEFF}{\"flags\":{}}", .invalidJSON), (#"{"flags":{}} x"#, .invalidJSON),
        ])
    func refused(text: String, code: FlagFileError.Code) throws {
        let error = try #require(throws: FlagFileError.self) { try flagSet(text) }
        #expect(error.code == code, "\(error)")
        #expect(code == .empty || error.location != nil)
    }

    @Test("The bucketing generation v2 may be named")
    func bucketing() throws {
        #expect(try flagSet(#"{"flags":{},"metadata":{"bucketing":"v2"}}"#).flags.isEmpty)
    }

    @Test("Depth, size, strings and members are limited before memory is asked for")
    func limits() throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        for text in [
            file(targeting: #"{"in":[1,\#(deep)]}"#),
            #"{"flags":{"\#(String(repeating: "k", count: 70_000))":1}}"#,
            #"{"flags":{},"x":[\#(Array(repeating: "0", count: 400_001).joined(separator: ","))]}"#,
            String(repeating: " ", count: 4 << 20) + #"{"flags":{}}"#,
        ] {
            let error = try #require(throws: FlagFileError.self) { try flagSet(text) }
            #expect(error.code == .invalidJSON)
        }
    }

    @Test("A $ref is replaced by its rule, whatever the white space, one level deep")
    func references() throws {
        let flags = try flagSet(
            """
            {"flags":{
              "hit":{"state":"ENABLED","variants":{"true":true},"targeting":{ "$ref" : "a" }},
              "nested":{"state":"ENABLED","variants":{"true":true},"targeting":{"$ref":"b"}},
              "self":{"state":"ENABLED","variants":{"true":true},"targeting":{"$ref":"c"}},
              "gone":{"state":"ENABLED","variants":{"true":true},"targeting":{"$ref":"d"}}},
             "$evaluators":{"a":{"==":[{"var":"x"},1]},"b":{"$ref":"a"},"c":{"!":[{"$ref":"c"}]}}}
            """)
        let user = context("u", ["x": 1])
        #expect(flags.evaluate("hit", default: false, for: user).value)
        for flag in ["nested", "self", "gone"] {
            #expect(
                flags.evaluate(flag, default: false, for: user).errorCode == .parseError, "\(flag)")
        }
    }

    @Test("Unknown members are ignored and told, as schema and evaluators agree")
    func unknownMembers() throws {
        let flags = try flagSet(
            #"{"$schema":"s","extra":1,"flags":{"f":{"state":"ENABLED","variants":{"a":"a"},"#
                + #""defaultVariant":"a","note":"x"}}}"#)
        #expect(flags.evaluate("f", default: "", for: context(nil)).value == "a")
        #expect(flags.diagnostics.map(\.code) == [.unknownMember, .unknownMember])
    }

    @Test("A file of nothing but mistakes costs one pass")
    func manyMistakes() throws {
        let flags = (0..<20_000).map { #""f\#($0)":1"# }.joined(separator: ",\n")
        let read = try flagSet("{\"flags\":{\(flags)}}")
        #expect(read.diagnostics.count == 20_000)
        #expect(read.diagnostics.last?.location.line == 20_000)
    }

    @Test("Metadata of the file is overlaid by the flag's, and empty for unknown flags")
    func metadata() throws {
        let flags = try flagSet(
            #"{"metadata":{"owner":"all","version":"1"},"flags":{"f":{"state":"ENABLED","#
                + #""variants":{"a":"a"},"metadata":{"owner":"me","generation":3}}}}"#)
        let answer = flags.evaluate("f", default: "", for: context(nil))
        #expect(answer.metadata == ["owner": "me", "version": "1", "generation": 3])
        #expect(flags.evaluate("g", default: "", for: context(nil)).metadata == [:])
    }
}
