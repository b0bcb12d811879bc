import Foundation
import RejoinContracts
import RejoinFlags
import RejoinFlagsTooling
import Testing

/// What the build plugin writes (DESIGN section 7).
@Suite("Generation of Swift")
struct GenerationTests {
    @Test("Every type, odd names and texts; Scripts/flags-host.sh compiles the same file")
    func everything() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Fixtures/everything.flagd.json", withExtension: nil))
        let generated = FlagCodegen(
            try source(try String(contentsOf: url, encoding: .utf8)), fileName: "chat.flagd.json")
        #expect(summary(generated.findings) == [])
        let swift = try #require(generated.swift)
        #expect(try TextSnapshot.difference(of: swift, from: "Flags.generated.swift.txt") == nil)
    }

    @Test("The indexes are dense and in the file's order, as the registry's checks need them")
    func indexes() throws {
        let flags = (0..<40).map {
            #""f\#($0)":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"on"}"#
        }
        let text = #"{"flags":{\#(flags.joined(separator: ","))}}"#
        let swift = try #require(FlagCodegen(try source(text), fileName: "x").swift)
        for index in 0..<40 {
            #expect(swift.contains("\"f\(index)\", at: \(index), default: true)"))
        }
        let order = swift.split(separator: "\n").filter { $0.hasSuffix(".declaration,") }
        #expect(
            order.map { $0.trimmingPrefix(while: \.isWhitespace) }
                == (0..<40).map {
                    "f\($0).declaration,"
                })
    }

    @Test("A file without flags gives an empty catalogue")
    func empty() throws {
        let swift = FlagCodegen(try source(#"{"flags":{}}"#), fileName: "x").swift
        #expect(swift?.contains("FlagCatalogue([\n    ])") == true)
    }

    static let mistakes: [(String, String)] = [
        // What the reader and the linter find.
        (
            #"{"flags":{"f":›{"variants":{"a":1},"defaultVariant":"a"}}}"#, "error missing_member"
        ),
        (oneFlag(#"›"defaultVariant":"c""#), "error duplicate_key"),
        (oneFlag(#""metadata":{"codeDefault":›"c"}"#), "error unknown_variant"),
        // Two names that are one in Swift, or none.
        (
            """
            {"flags":{"a-b":{"state":"ENABLED","variants":{"x":"x"},"defaultVariant":"x"},
                      ›"a.b":{"state":"ENABLED","variants":{"x":"x"},"defaultVariant":"x"}}}
            """, "error unusable_name"
        ),
        (oneFlag(#""targeting":{}"#, variants: #"{"b":1,›"b-":2}"#), "error unusable_name"),
        (oneFlag(#""targeting":{}"#, variants: #"{"b":1,›"--":2}"#), "error unusable_name"),
        (
            #"{"flags":{›"-":{"state":"ENABLED","variants":{"x":"x"},"defaultVariant":"x"}}}"#,
            "error unusable_name"
        ),
        // No value for the code.
        (
            #"{"flags":{›"f":{"state":"ENABLED","variants":{"x":"x"}}}}"#, "error missing_default"
        ),
        // No type in Swift.
        (oneFlag(#""targeting":{}"#, variants: #"{"b":›[1]}"#), "error mixed_variants"),
        (oneFlag(#""targeting":{}"#, variants: #"›{"b":1,"a":"1"}"#), "error mixed_variants"),
    ]

    @Test("A mistake stops the build at its line and column", arguments: mistakes)
    func mistake(text: String, finding: String) throws {
        let file = try MarkedFile(text)
        let generated = FlagCodegen(file.source, fileName: "x")
        #expect(generated.swift == nil)
        #expect(file.surprise(generated.findings, expected: finding) == nil)
    }

    @Test("A warning does not, and the day does not count: a build that worked goes on working")
    func warnings() throws {
        let text = oneFlag(#""colour":1,"metadata":{"expires":"1999-01-01"}"#)
        let generated = FlagCodegen(try source(text), fileName: "x")
        #expect(generated.swift != nil)
        #expect(summary(generated.findings) == ["warning unknown_member"])
    }
}
