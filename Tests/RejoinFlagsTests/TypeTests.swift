import RejoinFlags
import Testing

/// Numbers are lossless or a TYPE_MISMATCH (flagd's decision on numeric coercion), and a boolean is
/// never a number (trap 19).
@Suite("Types of flags")
struct TypeTests {
    @Test(
        "Each value is given as the types that hold it without loss",
        arguments: [
            ("true", ["boolean": "true"]), (#""x""#, ["string": #""x""#]),
            ("10", ["integer": "10", "double": "10.0"]),
            ("10.0", ["integer": "10", "double": "10.0"]),
            ("1e2", ["integer": "100", "double": "100.0"]),
            ("3.14", ["double": "3.14"]), ("-0.0", ["integer": "0", "double": "-0.0"]),
            ("9007199254740991", ["integer": "9007199254740991", "double": "9007199254740991.0"]),
            (#"{"a":[1]}"#, ["object": #"{"a":[1]}"#]), ("[1]", ["object": "[1]"]),
        ])
    func types(json: String, expected: [String: String]) throws {
        let flags = try flagSet(
            #"{"flags":{"f":{"state":"ENABLED","variants":{"v":\#(json)},"defaultVariant":"v"}}}"#)
        let defaults: [FlagKind: FlagValue] = [
            .boolean: false, .string: "code", .integer: -1, .double: -1.5, .object: .object([:]),
        ]
        for kind in FlagKind.allCases {
            let fallback = try #require(defaults[kind])
            let answer = flags.evaluate("f", as: kind, default: fallback, for: context(nil))
            if let expected = expected[kind.rawValue] {
                #expect(answer.value.description == expected && answer.reason == .static)
            } else {
                #expect(answer.value == fallback && answer.errorCode == .typeMismatch, "\(kind)")
                #expect(answer.variant == nil)
            }
        }
    }

    @Test("Swift types are asked for by what the caller writes")
    func swiftTypes() throws {
        let flags = try flagSet(
            #"{"flags":{"n":{"state":"ENABLED","variants":{"v":20},"defaultVariant":"v"},"#
                + #""o":{"state":"ENABLED","variants":{"v":{"max":3}},"defaultVariant":"v"}}}"#)
        #expect(flags.evaluate("n", default: 1, for: context(nil)).value == 20)
        #expect(flags.evaluate("n", default: 1.5, for: context(nil)).value == 20.0)
        #expect(flags.evaluate("n", default: "x", for: context(nil)).errorCode == .typeMismatch)
        #expect(flags.evaluate("o", default: FlagObject(), for: context(nil)).value["max"] == 3)
    }

    /// What the plugin generates for texts that are choices.
    private enum Size: String, FlagType {
        case small, large
        case odd = "\u{e9}"
    }

    @Test("An enumeration takes the texts that it knows, by their bytes, and no others")
    func enumerations() throws {
        let flags = try flagSet(
            #"""
            {"flags":{
            "known":{"state":"ENABLED","variants":{"v":"large"},"defaultVariant":"v"},
            "newer":{"state":"ENABLED","variants":{"v":"huge"},"defaultVariant":"v"},
            "alike":{"state":"ENABLED","variants":{"v":"e\u0301"},"defaultVariant":"v"},
            "number":{"state":"ENABLED","variants":{"v":1},"defaultVariant":"v"}}}
            """#)
        #expect(flags.evaluate("known", default: Size.small, for: context(nil)).value == .large)
        for flag in ["newer", "alike", "number"] {
            let answer = flags.evaluate(flag, default: Size.small, for: context(nil))
            #expect(answer.value == .small && answer.errorCode == .typeMismatch, "\(flag)")
            #expect(answer.variant == nil && answer.reason == .error)
        }
        #expect(Size.odd.flagValue == .string("\u{e9}") && Size.kind == .string)
        // The same through a held snapshot, with the key that the plugin generates.
        let key = FlagKey("newer", at: 0, default: Size.small)
        let floor = ContiguousArray(
            #"{"flags":{"newer":{"state":"ENABLED","variants":{"v":"huge"},"defaultVariant":"v"}}}"#
                .utf8)
        let registry = FlagRegistry(
            catalogue: FlagCatalogue([key.declaration]), floor: floor)
        #expect(registry.snapshot.evaluate(key, for: context(nil)).errorCode == .typeMismatch)
    }
}
