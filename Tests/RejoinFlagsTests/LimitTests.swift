import RejoinFlags
import RejoinJSON
import Testing

/// A flags file comes from a server: a rule may be wrong, but it may neither hold up the app nor
/// take its memory or its stack. That the file is limited in depth and size (DESIGN section 7)
/// would be of no use if a short rule could build anything.
@Suite("Limits of rules")
struct LimitTests {
    /// 64 elements, so that doubling once for each passes every limit.
    private static let rounds = "[\(Array(repeating: "0", count: 64).joined(separator: ","))]"
    private static let doubling =
        #"{"reduce":[\#(rounds),[{"var":"accumulator"},{"var":"accumulator"}],"x"]}"#
    /// 16,384 elements.
    private static let many =
        #"{"reduce":[[0,0,0,0,0,0,0,0],{"merge":[{"var":"accumulator"},{"var":"accumulator"}]},"#
        + "\(rounds)]}"

    @Test(
        "A rule that builds or looks at too much fails as itself, and soon",
        arguments: [
            // Arrays that hold one array twice, so that looking at them doubles with each level.
            #"{"cat":[\#(doubling)]}"#, #"{"==":[\#(doubling),"x"]}"#,
            #"{"===":[\#(doubling),\#(doubling)]}"#, #"{"<":[\#(doubling),"x"]}"#,
            #"{"in":["x",\#(doubling)]}"#, #"{"var":[\#(doubling)]}"#,
            #"{"fractional":[{"cat":[\#(doubling)]},["a",1]]}"#,
            // Arrays and objects in one another, once for each element.
            #"{"reduce":[\#(many),[{"var":"accumulator"}],1]}"#,
            #"{"+":[{"reduce":[\#(many),[{"var":"accumulator"}],1]}]}"#,
            #"{"reduce":[\#(many),{"var":""},1]}"#, #"{"reduce":[\#(many),{"var":[[]]},1]}"#,
            // Many long texts.
            #"{"map":[\#(many),"\#(String(repeating: "x", count: 60_000))"]}"#,
            // Little that is built, and much that is looked at.
            #"{"some":[\#(many),{"in":["\#(String(repeating: "x", count: 30_000))y","#
                + #""\#(String(repeating: "x", count: 60_000))"]}]}"#,
            #"{"some":[\#(many),{"==":["\#(String(repeating: "x", count: 60_000))","y"]}]}"#,
            #"{"some":[\#(many),{"substr":["\#(String(repeating: "x", count: 60_000))",1,0]}]}"#,
        ])
    func work(rule: String) throws {
        let flags = try flagSet(file(targeting: rule))
        let answer = flags.evaluate("f", default: "code", for: context("u"))
        #expect(answer.errorCode == .general, "\(answer)")
        #expect(answer.message?.contains("simplify it") == true)
    }

    @Test("Long lists of users remain possible")
    func longLists() throws {
        let users = (0..<50_000).map { #""user-\#($0)""# }.joined(separator: ",")
        let flags = try flagSet(
            file(targeting: #"{"if":[{"in":[{"var":"targetingKey"},[\#(users)]]},"a","b"]}"#))
        #expect(flags.evaluate("f", default: "", for: context("user-49999")).value == "a")
        #expect(flags.evaluate("f", default: "", for: context("user-50000")).value == "b")
    }

    @Test("References that stand for too much quarantine their flag, not those before")
    func references() throws {
        let long = Array(repeating: "0", count: 150_000).joined(separator: ",")
        func flag(_ name: String, _ targeting: String) -> String {
            #""\#(name)":{"state":"ENABLED","variants":{"true":true},"targeting":\#(targeting)}"#
        }
        let rule = #"{"$ref":"long"}"#
        let flags = try flagSet(
            #"{"flags":{\#(flag("one", rule)),\#(flag("two", rule)),\#(flag("three", rule)),"#
                + #"\#(flag("short", #"{"$ref":"short"}"#))},"#
                + #""$evaluators":{"long":{"in":[0,[\#(long)]]},"short":{"==":[1,1]}}}"#)
        let user = context("u")
        for name in ["one", "two", "short"] {
            #expect(flags.evaluate(name, default: false, for: user).value, "\(name)")
        }
        let answer = flags.evaluate("three", default: false, for: user)
        #expect(answer.errorCode == .parseError)
        #expect(answer.message?.contains("write shorter evaluators") == true)
    }

    @Test("Metadata is limited, because each flag takes over the file's")
    func metadata() throws {
        let members = (0...FlagSet.maximumMetadata).map { #""\#($0)":1"# }.joined(separator: ",")
        let flags = try flagSet(
            #"{"flags":{"f":{"state":"ENABLED","variants":{"a":1},"metadata":{\#(members)}},"#
                + #""g":{"state":"ENABLED","variants":{"a":1},"defaultVariant":"a"}}}"#)
        #expect(flags["f"]?.fault?.code == .invalidMember)
        #expect(flags["g"]?.fault == nil)
        let error = try #require(throws: FlagFileError.self) {
            try flagSet(#"{"metadata":{\#(members)},"flags":{}}"#)
        }
        #expect(error.code == .invalidStructure)
    }

    @Test("An explanation tells the first steps of a long decision and gives the same answer")
    func explanation() throws {
        let flags = try flagSet(
            file(targeting: #"{"if":[{"some":[\#(Self.many),{"!":[{"!":[{"var":""}]}]}]},"a"]}"#))
        let told = flags.explain("f", as: .string, default: "", for: context("u"))
        #expect(told.evaluation == flags.evaluate("f", as: .string, default: "", for: context("u")))
        #expect(told.steps.count == 1_000)
    }

    @Test("An object in which a key stands twice is the same as itself, and has not changed")
    func repeatedKeys() throws {
        let text = #"{"flags":{"f":{"state":"ENABLED","variants":{"a":{"k":1,"k":2}}}}}"#
        #expect(try flagSet(text).keysChanged(in: flagSet(text)).isEmpty)
        #expect(try value(#"{"a":1,"b":2}"#) == value(#"{"b":2,"a":1}"#))
        #expect(try value(#"{"a":1,"b":2}"#) != value(#"{"b":1,"a":2}"#))
        let deep = (0..<60).reduce("1") { inner, _ in #"{"a":\#(inner),"b":0}"# }
        let other = (0..<60).reduce("2") { inner, _ in #"{"a":\#(inner),"b":0}"# }
        #expect(try value(deep) != value(other))
    }
}
