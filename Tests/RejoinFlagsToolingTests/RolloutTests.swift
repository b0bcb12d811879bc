import RejoinContracts
import RejoinFlags
import RejoinFlagsTooling
import RejoinJSON
import Testing

/// `flags-rollout` (DESIGN section 7): who was in stays in, and the file stays its author's.
@Suite("Rollout")
struct RolloutTests {
    private static let text = """
        {
          "flags": {
            "message-pipeline": {
              "state": "ENABLED",
              "variants": { "legacy": "legacy", "refactored": "refactored", "shadow": "shadow" },
              "defaultVariant": "legacy",
              "targeting": {
                "if": [
                  { "in": [{ "var": "targetingKey" }, ["qa-1"]] }, "refactored",
                  { "fractional": [{ "cat": ["p:", { "var": "targetingKey" }] },
                      ["refactored", 10], ["shadow",   0], ["legacy", 90]] }
                ]
              },
              "metadata": { "owner": "chat" }
            }
          }
        }

        """

    private func plan(_ text: String, _ request: RolloutRequest) throws -> RolloutPlan {
        try RolloutPlan(request, in: try source(text), timestamp: 0)
    }

    private func request(
        _ shares: KeyValuePairs<String, String> = [:], rollback: Bool = false, lift: Bool = false
    ) throws -> RolloutRequest {
        RolloutRequest(
            flag: "message-pipeline",
            shares: try shares.map { ($0.key, try #require(Percentage($0.value))) },
            isRollback: rollback, lifts: lift)
    }

    private func text(_ plan: RolloutPlan) -> String { String(decoding: plan.bytes, as: UTF8.self) }

    @Test("A ramp changes two weights and no other byte")
    func minimalEdit() throws {
        let plan = try plan(Self.text, try request(["refactored": "25"]))
        let expected = Self.text.replacing("[\"refactored\", 10]", with: "[\"refactored\", 25]")
            .replacing("[\"legacy\", 90]", with: "[\"legacy\", 75]")
        #expect(text(plan) == expected)
        #expect(plan.generation == (0, 0))
        #expect(plan.shares.map(\.after.weight) == [25, 0, 75])
    }

    @Test("A rollback and the ramp after it raise the generation; a ramp after a ramp does not")
    func generation() throws {
        let back = try plan(Self.text, try request(rollback: true))
        #expect(text(back).contains("[\"refactored\", 0], [\"shadow\",   0], [\"legacy\", 100]"))
        #expect(text(back).contains("{ \"owner\": \"chat\", \"rolledBack\": 0 }"))
        let again = try plan(text(back), try request(["refactored": "1"]))
        #expect(again.generation == (0, 1))
        #expect(
            text(again).contains("{ \"owner\": \"chat\", \"rolledBack\": 0, \"generation\": 1 }"))
        let further = try plan(text(again), try request(["refactored": "10"]))
        #expect(further.generation == (1, 1))
        // Part of the way back is a rollback too.
        let partly = try plan(text(further), try request(["refactored": "5"], rollback: true))
        #expect(text(partly).contains("\"rolledBack\": 1, \"generation\": 1"))
        #expect(try plan(text(partly), try request(["refactored": "6"])).generation == (1, 2))
    }

    @Test("A shadow that has done its work ends without a rollback")
    func end() throws {
        let shadow = text(try plan(Self.text, try request(["shadow": "20"])))
        var forward = try request(["refactored": "25"])
        forward.ended = ["shadow"]
        let plan = try plan(shadow, forward)
        #expect(plan.shares.map(\.after.weight) == [25, 0, 75] && plan.generation == (0, 0))
        #expect(!text(plan).contains("rolledBack"))
    }

    @Test("What guards have taken back by themselves is lifted without a ramp")
    func lift() throws {
        let lifted = try plan(Self.text, try request(lift: true))
        #expect(lifted.generation == (0, 1))
        #expect(text(lifted).contains("{ \"owner\": \"chat\", \"generation\": 1 }"))
        #expect(try plan(text(lifted), try request(lift: true)).generation == (1, 2))
        // With a ramp after a rollback it rises once.
        let back = text(try plan(Self.text, try request(rollback: true)))
        #expect(try plan(back, try request(["refactored": "1"], lift: true)).generation == (0, 1))
    }

    @Test("New metadata takes the style of what stands around it")
    func style() throws {
        let lines = Self.text.replacing(
            "\"metadata\": { \"owner\": \"chat\" }",
            with: "\"metadata\": {\n        \"owner\": \"chat\"\n      }")
        #expect(
            text(try plan(lines, try request(lift: true)))
                .contains("\"owner\": \"chat\",\n        \"generation\": 1\n      }"))
        let none = Self.text.replacing(",\n      \"metadata\": { \"owner\": \"chat\" }", with: "")
        #expect(
            text(try plan(none, try request(lift: true)))
                .contains("},\n      \"metadata\": { \"generation\": 1 }\n    }"))
        let empty = Self.text.replacing("{ \"owner\": \"chat\" }", with: "{}")
        #expect(text(try plan(empty, try request(lift: true))).contains("{\"generation\": 1}"))
        let tight = Self.text.replacing("{ \"owner\": \"chat\" }", with: "{\"owner\":\"chat\"}")
        #expect(
            text(try plan(tight, try request(lift: true)))
                .contains("{\"owner\":\"chat\",\"generation\":1}"))
    }

    @Test("A weight that was left out is written, and decimals widen the total")
    func weights() throws {
        let short = Self.text.replacing("[\"legacy\", 90]", with: "[\"legacy\"]")
        let half = try plan(short, try request(["refactored": "0"], rollback: true))
        #expect(
            text(half).contains("[\"refactored\", 0]") && text(half).contains("[\"legacy\", 11]"))
        let fine = try plan(Self.text, try request(["refactored": "10.25"]))
        #expect(fine.shares.map(\.after.weight) == [41, 0, 359])
        let zero = Self.text.replacing("10]", with: "0]").replacing("90]", with: "0]")
        let first = try plan(zero, try request(["refactored": "0.01"]))
        #expect(first.shares.map(\.after.weight) == [1, 0, 9_999])
    }

    @Test("Ramps in random steps: nobody who was in falls out, and a rollback gives the old set")
    func nesting() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<12 {
            // The one that ramps may stand first or last, and the others where they like.
            let isFirst = Bool.random(using: &random)
            let totals = [("10", "90"), ("1", "3"), ("0", "7"), ("3", "1000")]
            let (weight, rest) = totals.randomElement(using: &random) ?? ("1", "1")
            let shares = ["[\"refactored\", \(weight)]", "[\"legacy\", \(rest)]"]
            let order = isFirst ? shares : shares.reversed()
            let pattern = "[\"refactored\", 10], [\"shadow\",   0], [\"legacy\", 90]"
            var file = Self.text.replacing(pattern, with: order.joined(separator: ", "))
            var share = Int64(weight)! * 1_000_000 / (Int64(weight)! + Int64(rest)!)  // Digits.
            for _ in 0..<5 {
                share = Int64.random(in: share...1_000_000, using: &random)
                share = max(share, share / 100 * 100 + 100) > 1_000_000 ? 1_000_000 : share
                let percent = "\(share / 10_000).\(String(10_000 + share % 10_000).dropFirst())"
                let plan = try plan(file, try request(["refactored": percent]))
                let before = try source(file).set
                    .variants(of: "message-pipeline", users: 0..<100)
                let after = try source(text(plan)).set
                    .variants(of: "message-pipeline", users: 0..<100)
                for (was, now) in zip(before, after) where was == "refactored" {
                    #expect(now == "refactored")
                }
                #expect(plan.sample.moves.allSatisfy { $0.from == $0.to || $0.to == "refactored" })
                // Back to where it was: exactly those of before.
                let total = plan.shares.map(\.before.total)[0]
                let old = plan.shares.first { $0.variant == "refactored" }?.before.weight ?? 0
                if old * 1_000_000 % total == 0 {
                    let parts = old * 1_000_000 / total
                    let decimals = String(10_000 + parts % 10_000).dropFirst()
                    let back = try self.plan(
                        text(plan),
                        try request(["refactored": "\(parts / 10_000).\(decimals)"], rollback: true)
                    )
                    let restored = try source(text(back)).set
                        .variants(of: "message-pipeline", users: 0..<100)
                    #expect(restored == before)
                }
                #expect(
                    FlagLint.findings(in: try source(text(plan)), baseline: try source(file))
                        .isEmpty)
                file = text(plan)
            }
        }
    }

    @Test("0 to 1 to 10 to 25 to 50 to 100 percent of 5,000 users, and all the way back")
    func wholeRollout() throws {
        var file = Self.text.replacing("10]", with: "0]").replacing("90]", with: "100]")
        var files = [file]
        var sets: [Set<Int>] = []
        func isIn(_ file: String) throws -> Set<Int> {
            let variants = try source(file).set.variants(of: "message-pipeline", users: 0..<5_000)
            return Set(variants.indices.filter { variants[$0] == "refactored" })
        }
        sets.append(try isIn(file))
        for percent in ["1", "10", "25", "50", "100"] {
            file = text(try plan(file, try request(["refactored": percent])))
            files.append(file)
            sets.append(try isIn(file))
        }
        for (small, large) in zip(sets, sets.dropFirst()) {
            #expect(small.isStrictSubset(of: large))
        }
        #expect(sets.first?.isEmpty == true && sets.last?.count == 5_000)
        for (percent, set) in zip(["50", "25", "10", "1", "0"], sets.dropLast().reversed()) {
            file = text(try plan(file, try request(["refactored": percent], rollback: true)))
            #expect(try isIn(file) == set)
        }
    }

    @Test("The sample tells who goes where, tester and all")
    func sample() throws {
        let plan = try plan(Self.text, try request(["refactored": "25"]))
        #expect(plan.sample.moves.reduce(0) { $0 + $1.count } == RolloutSample.users)
        #expect(
            plan.sample.moved
                == plan.sample.moves.first {
                    $0.from == "legacy" && $0.to == "refactored"
                }?.count)
        #expect((100...200).contains(plan.sample.moved))
    }

    static let refusals: [(String, [(String, String)], Bool, String)] = [
        ("a shrinking share", [("refactored", "5")], false, "11:15 refused"),
        ("a rollback that raises", [("refactored", "50")], true, "11:15 refused"),
        ("more than all", [("refactored", "60"), ("shadow", "60")], false, "10:11 refused"),
        ("an unknown variant", [("refractored", "60")], false, "3:5 refused"),
    ]

    @Test(
        "What would take a variant from somebody, or cannot be meant, is refused at its place",
        arguments: refusals)
    func refusal(name: String, shares: [(String, String)], isRollback: Bool, place: String) throws {
        let request = RolloutRequest(
            flag: "message-pipeline",
            shares: try shares.map { ($0.0, try #require(Percentage($0.1))) },
            isRollback: isRollback)
        #expect(try place == refusal(Self.text, request), "\(name)")
    }

    private func refusal(_ text: String, _ request: RolloutRequest) throws -> String? {
        do {
            _ = try plan(text, request)
            return nil
        } catch let refusal as RolloutRefusal {
            let diagnostic = refusal.diagnostic
            return "\(diagnostic.location.line):\(diagnostic.location.column) "
                + diagnostic.code.rawValue
        }
    }

    @Test("A share between others cannot grow without pushing people out, and is refused")
    func middle() throws {
        let grown = text(try plan(Self.text, try request(["shadow": "5"])))
        #expect(
            try refusal(grown, try request(["refactored": "20", "shadow": "10"])) == "11:35 refused"
        )
        // It may make room, and the linter agrees.
        let room = text(try plan(grown, try request(["refactored": "20", "shadow": "5"])))
        #expect(FlagLint.findings(in: try source(room), baseline: try source(grown)).isEmpty)
        // It may at its free end.
        #expect(try refusal(grown, try request(["shadow": "50"])) == nil)
        // And give way to the first.
        let way = try request(["refactored": "0", "shadow": "0"], rollback: true)
        #expect(try refusal(grown, way) == nil)
    }

    @Test("Rules that nobody can ramp are refused with what to do")
    func unrampable() throws {
        let none = Self.text.replacing("\"fractional\"", with: "\"merge\"")
        #expect(try refusal(none, try request(["refactored": "20"])) == "3:5 refused")
        let computed = Self.text.replacing("\"shadow\",   0", with: "\"shadow\", {\"+\":[1]}")
        #expect(try refusal(computed, try request(["refactored": "20"])) == "10:11 refused")
        let missing = Self.text.replacing("[\"shadow\",   0], ", with: "")
        #expect(try refusal(missing, try request(["shadow": "20"])) == "10:11 refused")
        let last = Self.text.replacing(
            "\"chat\"", with: "\"chat\", \"generation\": 9223372036854775807")
        #expect(try refusal(last, try request(["refactored": "20"])) == "14:52 invalid_metadata")
        let broken = Self.text.replacing("\"ENABLED\"", with: "\"ON\"")
        #expect(try refusal(broken, try request(["refactored": "20"])) == "4:16 invalid_member")
    }

    @Test("Percentages are exact")
    func percentages() {
        for (text, millionths) in [
            ("0", 0), ("100", 1_000_000), ("0.0001", 1), ("12.5%", 125_000), ("25.00", 250_000),
        ] {
            #expect(Percentage(text)?.millionths == Int64(millionths), "\(text)")
        }
        for text in [
            "", "-1", "101", "100.0001", "1.00001", ".5", "1.", "1e1", "a", "%", "0x1", "1 ",
        ] {
            #expect(Percentage(text) == nil, "\(text)")
        }
        #expect(Percentage("0.5")?.description == "0.5 %")
        #expect(Percentage("10.0100")?.description == "10.01 %")
    }
}
