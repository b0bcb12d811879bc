import RejoinFlags
import Testing

/// The promise of a ramp (flags.md, section 1.5): whoever is in stays in.
@Suite("Ramps of 100,000 users")
struct RampTests {
    private func users(in flags: FlagSet, variant: String, of count: Int = 100_000) -> Set<Int> {
        Set(
            (0..<count).filter { user in
                flags.evaluate(
                    "f", default: "", for: context("user-\(user)")
                ).variant == variant
            })
    }

    private func ramp(_ percent: Int, total: Int = 100) throws -> FlagSet {
        try flagSet(
            file(
                targeting: #"{"fractional":[{"cat":["2026-11:",{"var":"targetingKey"}]},"#
                    + #"["a",\#(percent)],["b",\#(total - percent)]]}"#))
    }

    @Test("0 → 1 → 10 → 25 → 50 → 100 %: nobody falls out, and rollback gives the old set exactly")
    func monotone() throws {
        var former: Set<Int> = []
        for percent in [0, 1, 10, 25, 50, 100] {
            let now = users(in: try ramp(percent), variant: "a")
            #expect(former.isSubset(of: now), "\(percent) %")
            #expect(abs(now.count - percent * 1_000) < 500, "\(percent) %: \(now.count)")
            if percent == 25 {
                // Rolled back to 10 % and up again, with other weights of the same share.
                let back = users(in: try ramp(10), variant: "a")
                #expect(back == former)
                #expect(users(in: try ramp(1, total: 4), variant: "a") == now)
            }
            former = now
        }
        #expect(former.count == 100_000)
    }

    @Test("Another seed draws other users; two flags of one seed draw the same")
    func seeds() throws {
        func flag(_ seed: String) throws -> FlagSet {
            try flagSet(
                file(
                    targeting: #"{"fractional":[{"cat":["\#(seed)",{"var":"targetingKey"}]},"#
                        + #"["a",10],["b",90]]}"#))
        }
        let first = users(in: try flag("one:"), variant: "a", of: 20_000)
        let other = users(in: try flag("two:"), variant: "a", of: 20_000)
        #expect(users(in: try flag("one:"), variant: "a", of: 20_000) == first)
        #expect(abs(first.intersection(other).count - 200) < 60)
    }
}

/// Weights and keys of `fractional` (flags.md, sections 1.2 and 1.4, traps 9, 14 and 15).
@Suite("fractional")
struct FractionalTests {
    @Test(
        "Weights are integers or integral numbers, negatives count as 0, sums are limited",
        arguments: [
            (#"["a",1],["b",0]"#, "a"), (#"["a",0],["b",1]"#, "b"), (#"["a"],["b",0]"#, "a"),
            (#"["a",10.0],["b",0]"#, "a"), (#"["a",-5],["b",1]"#, "b"),
            // None of these gives a share, so the flag falls to its default.
            (#"["a",0],["b",0]"#, nil), (#"["a",1.5],["b",1]"#, nil),
            (#"["a",null],["b",1]"#, nil), (#"["a",true],["b",1]"#, nil),
            (#"["a","1"],["b",1]"#, nil), (#"["a",1,1],["b",1]"#, nil), (#"[],["b",1]"#, nil),
            (#"["a",2147483647],["b",1]"#, nil), (#"["a",9223372036854775807],["a",1]"#, nil),
            (#"["a",2147483646],["a",1]"#, "a"), (#""x""#, nil), (#"1"#, nil),
        ])
    func weights(shares: String, variant: String?) throws {
        let flags = try flagSet(
            file(
                targeting: #"{"fractional":["key",\#(shares)]}"#, variants: #"{"a":1,"b":2,"c":3}"#,
                default: "c"))
        let answer = flags.evaluate("f", default: 0, for: context("u"))
        #expect(answer.variant == variant ?? "c")
        #expect(answer.reason == (variant == nil ? .default : .targetingMatch))
    }

    @Test("Weights and shares may be computed")
    func computed() throws {
        for shares in [
            #"["a",{"+":[1,1]}],["b",0]"#, #"["a",{"-":[5,9]}],[{"cat":["a",""]},1]"#,
            #"{"if":[true,["a",1],["b",1]]},["b",0]"#,
        ] {
            let flags = try flagSet(file(targeting: #"{"fractional":["key",\#(shares)]}"#))
            #expect(flags.evaluate("f", default: "", for: context("u")).value == "a", "\(shares)")
        }
        // A first operand that turns out to be a share: flag key and targeting key are hashed.
        let short = try flagSet(file(targeting: #"{"fractional":[{"if":[true,["a",1]]},["b",0]]}"#))
        #expect(short.evaluate("f", default: "", for: context("u")).value == "a")
        #expect(short.evaluate("f", default: "", for: context(nil)).reason == .default)
    }

    @Test("Without a key that is a text nobody is bucketed")
    func keys() throws {
        for key in ["null", "1", "true", #""""#, #"{"var":"nope"}"#, #"{"cat":[]}"#] {
            let flags = try flagSet(file(targeting: #"{"fractional":[\#(key),["a",1],["a",1]]}"#))
            #expect(
                flags.evaluate("f", default: "", for: context("u")).reason == .default, "\(key)")
        }
    }

    @Test(
        "Extremes of the hash fall into the first and the last share (flags.md, section 2)",
        arguments: [
            ("ejOoVL", 0), ("bY9fO-", 1), ("SI7p-", 2_147_483_647), ("6LvT0", 2_147_483_648),
            ("ceQdGm", 4_294_967_295),
        ])
    func extremes(key: String, hash: Int) throws {
        let flags = try flagSet(
            file(targeting: #"{"fractional":[{"var":"targetingKey"},["a",1],["b",1]]}"#))
        let (answer, steps) = flags.explain(
            "f", as: .string, default: "", for: context(key))
        #expect(answer.value == (hash < 2_147_483_648 ? "a" : "b"))
        #expect(steps.contains { $0.what.hasPrefix("hash \(hash) ") })
    }
}
