#if os(Linux)
import Foundation
import Testing

@Suite("rejoin flags")
struct FlagsProgramTests {
    /// Runs with a flags file in place of `FILE`.
    private func run(_ arguments: [String], file: String, input: String = "") throws
        -> Program.Result
    {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-flags-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(file.utf8).write(to: url)
        return try Program.run(
            ["flags"] + arguments.map { $0 == "FILE" ? url.path : $0 }, input: Array(input.utf8))
    }

    private let file = """
        {"flags":{
          "pipeline":{"state":"ENABLED","variants":{"legacy":"legacy","refactored":"refactored"},
            "defaultVariant":"legacy",
            "targeting":{"if":[{"==":[{"var":"product"},"kiosk"]},null,
              {"fractional":[{"cat":["seed:",{"var":"targetingKey"}]},
                ["refactored",100],["legacy",0]]}]}},
          "size":{"state":"ENABLED","variants":{"small":20},"defaultVariant":"small"},
          "broken":{"state":"ENABLED"}}}
        """

    @Test("evaluate answers each context with one line")
    func evaluate() throws {
        let result = try run(
            [
                "evaluate", "--file", "FILE", "--flag", "pipeline", "--type", "string",
                "--default", #""code""#,
            ], file: file,
            input: """
                {"targetingKey":"ann","product":"messenger"}
                {"targetingKey":"ann","product":"kiosk"}

                {"targetingKey":"ann","context":{"product":"kiosk"}}
                {"product":"messenger"}
                nonsense
                {"targetingKey":7}
                """)
        #expect(result.status == 0)
        let hit =
            #"{"value":"refactored","variant":"refactored","reason":"TARGETING_MATCH","errorCode":null}"#
        let fallback =
            #"{"value":"legacy","variant":"legacy","reason":"DEFAULT","errorCode":null}"#
        // Without a targeting key the seed alone is hashed, because the rule says so.
        let bad =
            #"{"value":"code","variant":null,"reason":"ERROR","errorCode":"INVALID_CONTEXT"}"#
        #expect(result.lines == [hit, fallback, fallback, hit, bad, bad])
        #expect(result.errors.contains(":8:12: error: flag 'broken': 'variants' is missing"))
        #expect(result.errors.contains("line 6, column 2: "), "\(result.errors)")
        #expect(result.errors.contains("line 7: 'targetingKey' must be a string or null"))
    }

    @Test(
        "evaluate knows the types",
        arguments: [
            (
                "integer", "-1",
                #"{"value":20,"variant":"small","reason":"STATIC","errorCode":null}"#
            ),
            (
                "double", "-1",
                #"{"value":20.0,"variant":"small","reason":"STATIC","errorCode":null}"#
            ),
            (
                "boolean", "true",
                #"{"value":true,"variant":null,"reason":"ERROR","errorCode":"TYPE_MISMATCH"}"#
            ),
            (
                "object", "{}",
                #"{"value":{},"variant":null,"reason":"ERROR","errorCode":"TYPE_MISMATCH"}"#
            ),
        ])
    func types(type: String, codeDefault: String, line: String) throws {
        let result = try run(
            [
                "evaluate", "--file", "FILE", "--flag", "size", "--type", type,
                "--default", codeDefault,
            ], file: file, input: "{}\n")
        #expect(result.lines == [line])
    }

    @Test("explain shows the decision step by step, for people and for machines")
    func explain() throws {
        let arguments = [
            "explain", "--file", "FILE", "--flag", "pipeline", "--user", "ann", "--context",
            #"{"product":"messenger"}"#,
        ]
        let people = try run(arguments, file: file)
        #expect(people.status == 0)
        #expect(people.text.contains(#"{"var":"product"}  =>  "messenger""#), "\(people.text)")
        #expect(people.text.contains("MurmurHash3, v2"))
        #expect(people.lines.last == #"result: "refactored" (variant refactored), TARGETING_MATCH"#)
        let machines = try run(arguments + ["--json"], file: file)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(machines.output)) as? [String: Any])
        #expect(json["value"] as? String == "refactored")
        #expect((json["steps"] as? [Any])?.count ?? 0 > 4)
        let unknown = try run(["explain", "--file", "FILE", "--flag", "nope"], file: file)
        #expect(unknown.status == 1)
        #expect(unknown.text.contains("FLAG_NOT_FOUND"))
    }

    @Test(
        "What is wrong with arguments or file is told in one line",
        arguments: [
            (["evaluate"], "--file F is missing"), (["judge"], "evaluate"),
            (["explain", "--file", "/no/such/file", "--flag", "f"], "there is no such file"),
            (["explain", "--file", "FILE", "--flag", "f", "--type", "float"], "--type must be"),
            (["explain", "--file", "FILE", "--flag", "f", "--context", "[]"], "--context must be"),
            (
                [
                    "evaluate", "--file", "FILE", "--flag", "f", "--type", "integer", "--default",
                    "1.5",
                ], "--default must be of the type integer"
            ),
        ])
    func wrong(arguments: [String], expected: String) throws {
        let result = try run(arguments, file: #"{"flags":{}}"#)
        #expect(result.status != 0)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.errors.contains(expected), "\(result.errors)")
    }

    @Test(
        "explain shows nothing of a flag at fault but the fault, and where",
        arguments: [
            ("5", "1:15"), ("null", "1:15"), ("[]", "1:15"), ("\"on\"", "1:15"),
            (#"{"state":"ENABLED"}"#, "1:15"), (#"{"state":1,"variants":{"a":2}}"#, "1:24"),
        ])
    func explainFault(definition: String, place: String) throws {
        for arguments in [[], ["--user", "ann", "--type", "integer"]] {
            let result = try run(
                ["explain", "--file", "FILE", "--flag", "f"] + arguments,
                file: #"{"flags":{"f":\#(definition)}}"#)
            #expect(result.status == 1)
            #expect(result.lines.first == "flag f: quarantined, the others work")
            #expect(
                result.lines.dropFirst().first?.contains(":\(place): error: flag 'f': ") == true)
            #expect(!result.text.contains("variants:"), "\(result.text)")
            #expect(!result.text.contains("ENABLED\n"))
        }
    }

    @Test(
        "explain says why weights do not count, which lint knows too",
        arguments: [
            (#"["on",0.5],["off",1]"#, "a weight must be a whole number"),
            (#"["on",1e20],["off",1]"#, "a weight must be a whole number"),
            (#"["on","5"],["off",1]"#, "a weight must be a whole number"),
            (#"["on",null],["off",1]"#, "a weight must be a whole number"),
            (#"["on",2147483647],["off",1]"#, "more than 2147483647 together"),
            (#"["on",1,2],["off",1]"#, "must be [variant] or [variant, weight]"),
            (#"["on",1],[]"#, "must be [variant] or [variant, weight]"),
            (#"["on",1],"off""#, "must be [variant] or [variant, weight]"),
            (#"["on",0],["off",0]"#, "no share has a weight above 0"),
            (#"["on",-5],["off",1]"#, #"the weight -5 of "on" is negative  =>  it counts as 0"#),
            (#"["on",{"-":[0,0.5]}],["off",1]"#, "a weight must be a whole number"),
        ])
    func weights(shares: String, reason: String) throws {
        let result = try run(
            ["explain", "--file", "FILE", "--flag", "f", "--user", "ann"],
            file: #"""
                {"flags":{"f":{"state":"ENABLED","variants":{"on":true,"off":false},
                "defaultVariant":"off","targeting":{"fractional":[
                {"cat":["f:",{"var":"targetingKey"}]},\#(shares)]}}}}
                """#)
        #expect(result.text.contains(reason), "\(result.text)")
    }

    @Test("explain says so where there is nobody to put into a bucket")
    func nobody() throws {
        let result = try run(
            ["explain", "--file", "FILE", "--flag", "f"],
            file: #"""
                {"flags":{"f":{"state":"ENABLED","variants":{"on":true,"off":false},
                "defaultVariant":"off","targeting":{"fractional":[["on",1],["off",1]]}}}}
                """#)
        #expect(result.text.contains("there is no key to hash"), "\(result.text)")
    }

    @Test(
        "No key, path, argument or value forges a line or hides what follows",
        arguments: ["\n", "\u{1B}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{200F}", "\u{85}"])
    func treacherous(character: String) throws {
        let key = "f\(character)x"
        let json = try #require(String(data: JSONEncoder().encode(key), encoding: .utf8))
        let file =
            #"{"flags":{\#(json):{"state":"ENABLED","colour":1,"variants":{\#(json):\#(json)},"#
            + #""defaultVariant":\#(json)}}}"#
        for arguments in [
            [
                "explain", "--file", "FILE", "--flag", key, "--user", key, "--context",
                "{\(json):1}",
            ],
            ["explain", "--file", key, "--flag", "f"],
            ["explain", "--file", "FILE", "--flag", "f", key],
            [key], ["explain", "--file", "FILE", "--flag", "f", "--type", key],
        ] {
            let result = try run(arguments, file: file)
            let told = result.text + result.errors
            #expect(!told.replacing("\n", with: "").contains(character), "\(told)")
            #expect(!told.split(separator: "\n").contains { $0.hasPrefix("x") }, "\(told)")
        }
    }

    @Test("evaluate goes on after errors, and a line that is too long ends it with its number")
    func exitStatus() throws {
        let arguments = [
            "evaluate", "--file", "FILE", "--flag", "nope", "--type", "integer", "--default", "1",
        ]
        let errors = try run(arguments, file: #"{"flags":{}}"#, input: "x\n\n{}\n")
        #expect(errors.status == 0)
        #expect(errors.lines.count == 2)
        let long = try run(
            arguments, file: #"{"flags":{}}"#,
            input: "{}\n" + String(repeating: " ", count: (4 << 20) + 1))
        #expect(long.status == 1)
        #expect(long.lines.count == 1)
        #expect(long.errors.contains("line 2 is longer than 4194304 octets"))
        #expect(try Program.run(["flags", "--help"]).text.contains("Exit status: evaluate ends"))
    }

    @Test("A file that is refused is refused with line and column")
    func refused() throws {
        let result = try run(
            ["explain", "--file", "FILE", "--flag", "f"],
            file: "{\"flags\":{},\n \"metadata\":{\"bucketing\":\"v3\"}}")
        #expect(result.status == 1)
        #expect(result.errors.contains(":2:26: error: the file asks for another bucketing"))
    }
}
#endif
